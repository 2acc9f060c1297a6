"""Where hosts keep sessions on this machine, and the files there.

Finding is pure (environment, homes and platform are passed in) and names folders that may not exist; listing
takes whatever it meets: folders that vanish, links that loop, a folder named like a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deja_hooks.sources.places.user_folders import user_folders
from deja_hooks.sources.places.walk import PassedOver, SourceFile, Walk
from deja_hooks.sources.registry import FORMATS, Format
from deja_hooks.sources.regular import open_log

__all__ = ["PassedOver", "Root", "SourceFile", "all_files", "existing", "files", "find_roots"]


class Root(NamedTuple):
    """A place where a host keeps sessions.

    Attributes:
        kind: "cli" or "vscode".
        path: a session-state folder, or a User folder; or, named by the user, something on the way from there to
            the files (a workspaceStorage folder, one folder in it, a chatSessions folder), or one file.
        remembered: known only because a host named it to a hook (`indexer.places`).
    """

    kind: str
    path: Path
    remembered: bool = False


def find_roots(environment: Mapping[str, str], home: Path, platform: str, others: Sequence[Path] = ()) -> list[Root]:
    """The places to look in, each once, whether or not they exist.

    `DEJA_COPILOT_ROOT` (session-state folders) and `DEJA_COPILOT_CHAT_ROOTS` (see `Root.path`), lists in the
    platform's spelling, each replace all places of their host.

    Args:
        environment: environment variables.
        home: the user's home folder.
        platform: as `sys.platform`.
        others: homes on the other side of WSL's border (`other_side.other_homes`).
    """
    separator = ";" if platform == "win32" else ":"
    cli = _listed(environment, "DEJA_COPILOT_ROOT", separator)
    if cli is None:
        copilot = environment.get("COPILOT_HOME", "")
        homes = [Path(copilot) if copilot else home / ".copilot", *(other / ".copilot" for other in others)]
        cli = [each / "session-state" for each in homes]
    chats = _listed(environment, "DEJA_COPILOT_CHAT_ROOTS", separator)
    if chats is None:
        across = "linux" if platform == "win32" else "win32"
        chats = user_folders(environment, home, platform)
        chats += [folder for other in others for folder in user_folders({}, other, across)]
    roots = [*(Root("cli", path) for path in cli), *(Root("vscode", path) for path in chats)]
    return list(dict.fromkeys(roots))


def existing(roots: Sequence[Root]) -> list[Root]:
    """Those roots that are there, the first of each that are one folder by different names."""
    found: dict[tuple[str, int, int], Root] = {}
    for root in roots:
        try:
            status = root.path.stat()
        except (OSError, ValueError):
            continue
        found.setdefault((root.kind, status.st_dev, status.st_ino), root)
    return list(found.values())


def all_files(roots: Sequence[Root], passed: list[PassedOver] | None = None) -> Iterator[SourceFile]:
    """The files of all roots, each once though roots overlap or links lead to it twice."""
    walk = Walk(passed)
    for root in existing(roots):
        yield from _files(root, walk)


def files(root: Root, passed: list[PassedOver] | None = None) -> Iterator[SourceFile]:
    """The files of a root, format by format, in the order of their names, each once though links lead to it twice.

    Args:
        root: where to look.
        passed: gets what was found there and is not among the files, with the reasons.
    """
    return _files(root, Walk(passed))


def _files(root: Root, walk: Walk) -> Iterator[SourceFile]:
    formats = [each for each in FORMATS if each.kind == root.kind]
    if root.path.suffix in (".jsonl", ".json"):
        yield from walk.file(str(root.path), _store_of(root.path, formats))
        return
    tops = [str(root.path)]
    if root.kind == "vscode":
        tops += [entry.path for entry in walk.entries(f"{root.path}{os.sep}profiles")]
    for each in formats:
        for folder in each.folders:
            steps = folder.split("/")
            inside = _steps_inside(root.path, steps)
            for top in tops[:1] if inside else tops:
                yield from walk.files(top, steps[inside:], each.names, each.store)


def _listed(environment: Mapping[str, str], name: str, separator: str) -> list[Path] | None:
    value = environment.get(name, "")
    return [Path(part) for part in value.split(separator) if part] if value else None


def _steps_inside(path: Path, steps: Sequence[str]) -> int:
    """How many steps down the way to a format's files a root lies already, by its name or its parent's."""
    for inside in range(len(steps), 0, -1):
        step = steps[inside - 1]
        if path.name == step or (step == "*" and inside > 1 and path.parent.name == steps[inside - 2]):
            return inside
    return 0


def _store_of(path: Path, formats: Sequence[Format]) -> str:
    """The store of a file that a root names: by its folder and name, else by its first bytes."""
    for each in formats:
        ends = [folder.rpartition("/")[2] for folder in each.folders]
        if len(formats) == 1 or (path.parent.name in ends and f"*{path.suffix}" in each.names):
            return each.store
    if path.suffix == ".jsonl":
        try:
            with open_log(path) as file:
                if b'"type"' in file.read(64):  # a transcript's records begin with it, a chat's with "kind"
                    return "vscode-transcript"
        except OSError:
            pass  # reading it will say why
    return "vscode-chat"
