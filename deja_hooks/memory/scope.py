"""Which project a folder belongs to, found without starting git.

The project is the git common directory, so that worktrees share their history and two folders with the same
name don't; else the folder itself; else (an empty window) nothing.
"""

import sys

from deja_hooks.system import SEP, calls, exists, file_stat, read_file

__all__ = ["branch", "git_dir", "label", "normal_path", "project_key", "project_root", "real_path", "relative_path"]

_DIRECTORY = 0o040000
_KIND = 0o170000
_MOST_PARENTS = 40


def normal_path(path: str, windows: bool = sys.platform == "win32") -> str:
    """The path without trailing or doubled separators and `.`/`..` parts; on Windows lower-cased, with backslashes.

    A drive letter marks a Windows path wherever it is read (a remote window's history can hold both kinds).
    """
    if not path:
        return ""
    if windows or (len(path) > 2 and path[1] == ":" and path[0].isalpha() and path[2] in "\\/"):
        return _clean(path.replace("/", "\\"), "\\").lower()
    return _clean(path, "/")


def _clean(path: str, separator: str) -> str:
    root = separator if path.startswith(separator) else ""
    if separator == "\\" and path.startswith("\\\\"):
        root = "\\\\"  # a UNC share
    kept: list[str] = []
    for part in path.split(separator):
        if part == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif part not in ("", ".") and not (part == ".." and root):
            kept.append(part)
    return root + separator.join(kept)


def _separator(path: str) -> str:
    return "\\" if "\\" in path and "/" not in path else "/"


def _is_directory(path: str) -> bool:
    status = file_stat(path)
    return status is not None and status.st_mode & _KIND == _DIRECTORY


def _parents(path: str) -> "list[str]":
    """The folder and its parents, the deepest first; nothing for a relative path."""
    path = normal_path(path)
    if not path or not (path[0] in "/\\" or path[1:2] == ":"):
        return []
    separator = _separator(path)
    found = [path]
    while len(found) < _MOST_PARENTS:
        parent = path.rpartition(separator)[0]
        if len(parent) < 2 or parent == path:
            break
        found.append(parent)
        path = parent
    return found


def _pointer(path: str, prefix: str) -> str:
    """The path that a one-line git file names, made absolute against the file's own folder."""
    try:
        text = read_file(path, 4096).decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return ""
    if not text.startswith(prefix):
        return ""
    target = text[len(prefix) :].strip()
    if not target:
        return ""
    if target.startswith(("/", "\\")) or target[1:2] == ":":
        return normal_path(target)
    return normal_path(path.rpartition(SEP)[0] + SEP + target)


def git_dir(cwd: str) -> "tuple[str, str]":
    """The work tree that holds the folder, and its git directory; ("", "") outside any."""
    for folder in _parents(cwd):
        candidate = folder + SEP + ".git"
        if not exists(candidate):
            continue
        if _is_directory(candidate):
            return folder, candidate
        pointed = _pointer(candidate, "gitdir:")
        if pointed:
            return folder, pointed
    return "", ""


def _real(path: str) -> str:
    """The path with the links in it resolved (macOS's /tmp, a linked checkout): hosts name the same folder both ways.

    A part that can't be read stays as it is, and so does all that follows the eighth link.
    """
    links = 8
    found, *rest = path.split(SEP)
    while rest:
        place = found + SEP + rest.pop(0)
        target = _link(place) if links else ""
        if not target:
            found = place
            continue
        links -= 1
        whole = target if target[:1] == SEP or target[1:2] == ":" else found + SEP + target
        found, *again = normal_path(whole).split(SEP)
        rest = again + rest
    return found


def real_path(path: str) -> str:
    """The normal path with the links in it resolved, as far as they can be read."""
    path = normal_path(path)
    return _real(path) if path else ""


def _link(path: str) -> str:
    """What the link at the path says; "" where it is none."""
    try:
        target: str = calls.readlink(path)
    except (OSError, ValueError, AttributeError):
        return ""
    return target[4:] if target.startswith("\\\\?\\") else target


def project_key(cwd: str) -> str:
    """A stable name of the folder's project: `git:<common directory>`, `dir:<folder>` or "".

    A folder whose `.git` leads to a repository that doesn't know it is a project of its own.
    """
    root, directory = git_dir(cwd)
    if directory:
        key = _git_key(root, directory)
        return "git:" + key if key else "dir:" + _real(normal_path(root))
    folder = normal_path(cwd)
    return "dir:" + _real(folder) if folder else ""


def _git_key(root: str, directory: str) -> str:
    """The common directory of a work tree; "" where it is another's."""
    named = _pointer(directory + SEP + "commondir", "") if exists(directory + SEP + "commondir") else ""
    common = _real(named) if named else ""
    place = root + SEP + ".git"
    real = _real(directory)
    if common or directory != place or _link(place):
        from deja_hooks.memory.git_links import belongs  # an ordinary checkout needs nothing of it

        if not belongs(root, real, common, _pointer):
            return ""
    return common or real


def project_root(cwd: str) -> str:
    """The top folder of the work tree that holds the folder, else the folder itself."""
    return git_dir(cwd)[0] or normal_path(cwd)


def label(key: str) -> str:
    """What a person calls the project: the last two segments of its folder."""
    path = key.partition(":")[2]
    separator = _separator(path)
    parts = [p for p in path.split(separator) if p]
    if parts and parts[-1] == ".git":
        parts.pop()
    return "/".join(parts[-2:])


def branch(cwd: str) -> str:
    """The checked-out branch, from `HEAD`; "" when detached or outside git."""
    directory = git_dir(cwd)[1]
    if not directory:
        return ""
    try:
        head = read_file(directory + SEP + "HEAD", 1024).decode("utf-8", "replace").strip()
    except (OSError, ValueError):  # a `.git` file can name a path with a NUL
        return ""
    return head[len("ref: refs/heads/") :] if head.startswith("ref: refs/heads/") else ""


def relative_path(path: str, root: str) -> str:
    """A file's path as its project knows it: below the root with `/`, else the whole normal path."""
    path = normal_path(path)
    root = normal_path(root)
    separator = _separator(root)
    if root and path.startswith(root.rstrip(separator) + separator):
        return path[len(root.rstrip(separator)) + 1 :].replace("\\", "/")
    return path
