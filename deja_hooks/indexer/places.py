"""Where a pass looks: the places that are known, and the User folders that hooks have come to know.

VS Code started with `--user-data-dir`, or from a portable folder, keeps its chats where nobody would look. A hook is
told where: the state holds each transcript that was accepted (shaped like a host's own, a regular file of this
user's). Its User folder is remembered beyond that session, since nothing else says it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from deja_hooks.indexer.seen import hook_transcript_paths
from deja_hooks.sources.places.other_side import other_homes
from deja_hooks.sources.places.roots import Root, existing, find_roots
from deja_hooks.sources.regular import open_regular
from deja_hooks.system import make_private_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from deja_hooks.memory.layout import Layout

__all__ = ["places_to_look", "remember", "user_folder_of"]

#: User folders kept; of more, those that are gone go first, then the oldest.
MOST = 16
#: Bytes of the list that are read.
_LIMIT = 64 << 10
#: The longest path that is kept, in characters.
_LONGEST = 4096


def places_to_look(layout: Layout, environment: Mapping[str, str], home: Path, platform: str) -> list[Root]:
    """The roots of both hosts (see `find_roots`), then the User folders that only hooks know.

    Where `DEJA_COPILOT_CHAT_ROOTS` names the places of VS Code, they are all.
    """
    roots = find_roots(environment, home, platform, other_homes(environment, platform))
    if environment.get("DEJA_COPILOT_CHAT_ROOTS"):
        return roots
    known = {root.path for root in roots}
    kept = _kept(layout)
    told = {Path(folder) for folder in map(user_folder_of, hook_transcript_paths(layout.state)) if folder}
    new = [path for path in sorted(told - set(kept)) if _is_user_folder(path)]
    wanted = [path for path in (*kept, *new) if path not in known]
    # Of one folder by two names the first counts.
    places = {_place(root.path) for root in existing(roots)} if wanted else set()
    for path in wanted:
        place = _place(path)
        if place is None or (place not in places and _is_user_folder(path)):
            places.add(place)
            roots.append(Root("vscode", path, remembered=True))
    return roots


def remember(layout: Layout, roots: Sequence[Root]) -> None:
    """Keeps the User folders among the roots that hooks made known. Never raises: they are told again."""
    kept = _kept(layout)
    wanted = _bounded([*kept, *(root.path for root in roots if root.remembered)])
    if wanted == kept:
        return
    with contextlib.suppress(OSError):
        make_private_dir(layout.config)
        path = Path(layout.user_folders)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.write_text("".join(f"{each}\n" for each in wanted), encoding="utf-8")
        fresh.chmod(0o600)
        fresh.replace(path)


def user_folder_of(transcript: str) -> str:
    """The User folder that a transcript of VS Code lies in; "" where its path isn't shaped like one.

    `<User>/workspaceStorage/<id>/GitHub.copilot-chat/transcripts/<session>.jsonl`, the same below a profile's folder.
    """
    flavour = PureWindowsPath if "\\" in transcript or transcript[1:2] == ":" else PurePosixPath
    path = flavour(transcript)
    above = path.parents
    if len(above) < 6 or not path.is_absolute() or path.suffix != ".jsonl" or ".." in path.parts:
        return ""
    names = above[0].name, above[1].name.lower(), above[3].name
    if names != ("transcripts", "github.copilot-chat", "workspaceStorage"):
        return ""
    user = above[4]
    if user.parent.name == "profiles":
        user = user.parent.parent
    text = str(user)
    return text if text.isprintable() and user.name and len(text) <= _LONGEST else ""


def _is_user_folder(path: Path) -> bool:
    """Whether it is, in person, a folder of this user's with workspaces' storage in it that not everybody may write."""
    try:
        status = path.lstat()
        storage = (path / "workspaceStorage").lstat()
    except (OSError, ValueError):
        return False
    if not (stat.S_ISDIR(status.st_mode) and stat.S_ISDIR(storage.st_mode)):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not (status.st_mode | storage.st_mode) & stat.S_IWOTH


def _kept(layout: Layout) -> list[Path]:
    """The list as it stands; what can't be one of its lines is passed over."""
    try:
        with open_regular(Path(layout.user_folders)) as file:
            text = (file.read(_LIMIT) or b"").decode("utf-8", "replace")
    except OSError:
        return []
    lines = (line for line in text.split("\n") if line.isprintable() and len(line) <= _LONGEST)
    paths = dict.fromkeys(Path(line) for line in lines)
    return [path for path in paths if path.is_absolute()][-MOST:]


def _bounded(paths: Iterable[Path]) -> list[Path]:
    """At most `MOST` of them, in their order."""
    wanted = list(dict.fromkeys(paths))
    surplus = len(wanted) - MOST
    if surplus > 0:
        gone = [path for path in wanted if _place(path) is None][:surplus]
        wanted = [path for path in wanted if path not in gone][-MOST:]
    return wanted


def _place(path: Path) -> tuple[int, int] | None:
    """What tells one folder from another; None where there is none."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
