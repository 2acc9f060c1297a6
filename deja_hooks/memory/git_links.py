"""Whether a folder that points to a git directory elsewhere is really a work tree of it.

Anybody can write a `.git` that points anywhere: an unpacked archive could so pass for another project, be told what
that one knows, and put its own words into it. Git's own layouts point both ways, and the way back lies in the
repository, where only its owner writes. Loaded only for such folders: an ordinary checkout needs nothing of it.
"""

from deja_hooks.system import SEP, file_stat, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["belongs"]

#: Bytes of a repository's configuration in which its work tree is looked for.
_CONFIG_BYTES = 8192


def belongs(folder: str, directory: str, common: str, pointer: "Callable[[str, str], str]") -> bool:
    """Whether the repository knows the folder as a work tree of its own.

    Args:
        folder: what holds the `.git`.
        directory: the git directory that it leads to, without links.
        common: the common directory that `directory` names in turn, without links; "" for none.
        pointer: reads the path that a one-line git file names (`scope._pointer`).
    """
    if common:
        # `git worktree add`: <common>/worktrees/<name>/gitdir names the work tree's `.git`.
        place = directory.rpartition(SEP)[0]
        inside = place.rpartition(SEP)[2] == "worktrees" and _same(place.rpartition(SEP)[0], common)
        return inside and _same(pointer(directory + SEP + "gitdir", ""), folder + SEP + ".git")
    named = _work_tree(directory)
    if named and file_stat(named) is not None:
        return _same(named, folder)  # a submodule's
    parent, _, name = directory.rpartition(SEP)
    # A `.git` is the one of the folder that it lies in; `git init --separate-git-dir` leaves no way back.
    return name.lower() != ".git" or _same(parent, folder)


def _work_tree(directory: str) -> str:
    """What `core.worktree` says, made absolute; "" where nothing does."""
    try:
        text = read_file(directory + SEP + "config", _CONFIG_BYTES).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return ""
    for line in text.splitlines():
        name, sign, value = line.partition("=")
        if sign and name.strip().lower() == "worktree":
            value = value.strip().strip('"')
            absolute = value.startswith(("/", "\\")) or value[1:2] == ":"
            return value if absolute else directory + SEP + value
    return ""


def _same(one: str, other: str) -> bool:
    """Whether two paths are one file: by what it is, since links and letter case spell a path in many ways."""
    first, second = file_stat(one), file_stat(other)
    if first is None or second is None:
        return False
    return (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
