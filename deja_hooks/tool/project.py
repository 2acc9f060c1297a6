"""Which project a call is about: the argument's, else the client's roots', else the working directory's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.memory.scope import label, normal_path, project_key, project_root
from deja_hooks.sources.places.workspace import folder_of_uri
from deja_hooks.tool.arguments import Unusable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from deja_hooks.memory.read import Memory

__all__ = ["Place", "chosen_place", "folders_of"]


class Place(NamedTuple):
    """A project, as a call means it.

    Attributes:
        folder: in the project, absolute and normal; "" where the project is none.
        key: see `scope.project_key`.
        others: what a person calls the client's other projects that have a history.
    """

    folder: str
    key: str
    others: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """What a person calls it."""
        return label(self.key) or self.folder


def folders_of(roots: Iterable[str]) -> list[str]:
    """The folders that a client's roots (URIs) name; those of no file system are left out."""
    return [folder for folder in map(folder_of_uri, roots) if folder]


def chosen_place(memory: Memory | None, argument: str, folders: Sequence[str], file: str = "") -> Place:
    """The project of a call.

    Args:
        argument: a folder (a path or a `file:` URI), or a project's name; "" for none.
        folders: those that the client works in, at least one; the first that holds the file, then the first with a
            history wins.
        file: that the call is about; "" for none.

    Raises:
        Unusable: the argument names no project, or several.
    """
    if argument:
        return _named(memory, argument)
    places = [Place(normal_path(folder), project_key(folder)) for folder in folders]
    known = [place for place in places if memory is not None and memory.project(place.key)]
    holding = [place for place in places if _holds(place, file)]
    first = [*holding, *known, *places][0]
    others = {place.label: None for place in known if place.key != first.key}
    return first._replace(others=tuple(others))


def _holds(place: Place, file: str) -> bool:
    root = project_root(place.folder).replace("\\", "/").rstrip("/")
    return bool(root) and normal_path(file).replace("\\", "/").startswith(root + "/")


def _named(memory: Memory | None, argument: str) -> Place:
    text = folder_of_uri(argument) if argument[:5].lower() == "file:" else argument
    if text[:2] in ("~", "~/", "~\\"):
        text = str(Path.home()) + text[1:]
    if text[:1] in ("/", "\\") or text[1:3] in (":\\", ":/"):
        return Place(normal_path(text), project_key(text))
    wanted = text.replace("\\", "/").strip("/").lower()
    projects = memory.projects() if memory is not None else []
    found = [p for p in projects if wanted and p.label.lower() == wanted]
    found = found or [p for p in projects if wanted and p.label.lower().rpartition("/")[2] == wanted]
    if len(found) != 1:
        problem = "several projects have that name" if found else "no project has that name"
        raise Unusable(f"`project`: {problem}; give its folder as an absolute path, or leave it out for this project.")
    return Place(_folder(found[0].key), found[0].key)


def _folder(key: str) -> str:
    """The folder of a project's key (of a git project, that of the main work tree)."""
    kind, _, path = key.partition(":")
    plain = path.replace("\\", "/")
    return path[: -len("/.git")] if kind == "git" and plain.endswith("/.git") else path
