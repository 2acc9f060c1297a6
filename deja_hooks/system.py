"""The operating system as a hook needs it, without importing `os`.

Under `-S` the interpreter starts without `os`; importing it adds a sixth to a quarter of a bare start
(measured on 3.10 to 3.13), so the hot program calls the built-in module that `os` itself wraps.
Paths are text, joined with the separator of the platform that we run on.
"""

import sys

if sys.platform == "win32":
    import nt as calls

    SEP = "\\"
else:
    import posix as calls

    SEP = "/"

__all__ = [
    "SEP", "calls", "environment", "exists", "file_stat", "is_plain_file", "make_own_dir", "make_private_dir",
    "read_at", "read_file",
]  # fmt: skip

_NO_INHERIT = getattr(calls, "O_CLOEXEC", 0) | getattr(calls, "O_NOINHERIT", 0) | getattr(calls, "O_BINARY", 0)
#: Open flags for reading bytes, never inherited by a child. A pipe in a file's place is opened without waiting.
READ = calls.O_RDONLY | getattr(calls, "O_NONBLOCK", 0) | _NO_INHERIT
#: A link in the place of a file of ours may lead to anybody's: it is not followed.
_NO_LINK = getattr(calls, "O_NOFOLLOW", 0)
#: Open flags for one atomic append to a log.
APPEND = calls.O_WRONLY | calls.O_CREAT | calls.O_APPEND | _NO_LINK | _NO_INHERIT
#: Open flags for a file that must not exist yet (a claim).
CREATE_NEW = calls.O_WRONLY | calls.O_CREAT | calls.O_EXCL | _NO_INHERIT
#: Open flags for replacing a small file's content.
REPLACE = calls.O_WRONLY | calls.O_CREAT | calls.O_TRUNC | _NO_LINK | _NO_INHERIT


def environment(name: str) -> str:
    """The environment variable's value, or "" where it is unset or not decodable."""
    if sys.platform == "win32":
        return calls.environ.get(name, "")
    return calls.environ.get(name.encode(), b"").decode(sys.getfilesystemencoding(), "surrogateescape")


def file_stat(path: str) -> "calls.stat_result | None":
    """`stat` of the path, or None where there is nothing or it may not be seen."""
    try:
        return calls.stat(path)
    except (OSError, ValueError):
        return None


def exists(path: str) -> bool:
    """Whether something is at the path (a path with a NUL is nothing)."""
    return file_stat(path) is not None


def read_file(path: str, limit: int) -> bytes:
    """The first `limit` bytes of a file. Raises OSError."""
    descriptor = calls.open(path, READ)
    try:
        return read_at(descriptor, 0, limit)
    finally:
        calls.close(descriptor)


def read_at(descriptor: int, offset: int, size: int) -> bytes:
    """At most `size` bytes of an open file from an offset on; fewer at its end. Raises OSError."""
    calls.lseek(descriptor, offset, 0)
    parts = []
    while size > 0:
        part = calls.read(descriptor, size)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def make_private_dir(path: str) -> None:
    """Makes a folder for this user alone (0700), with its parents. Raises OSError where it can't."""
    status = file_stat(path)
    if status is not None:
        if status.st_mode & 0o170000 != 0o040000:
            raise NotADirectoryError(20, "Not a directory", path)
        return
    parent = path.rstrip(SEP).rpartition(SEP)[0]
    if parent and not exists(parent):
        make_private_dir(parent)
    try:
        calls.mkdir(path, 0o700)
    except FileExistsError:
        if file_stat(path) is None:  # a link to nowhere; else another process was faster
            raise


def make_own_dir(path: str) -> None:
    """The same for a folder in one of ours: a link in its place may lead to anybody's. Raises OSError."""
    try:
        if calls.lstat(path).st_mode & 0o170000 == 0o040000:
            return
    except FileNotFoundError:
        make_private_dir(path)
        return
    raise NotADirectoryError(20, "Not a directory", path)


def is_plain_file(path: str) -> bool:
    """Whether a file is at the path; False for nothing. Raises OSError for a link, a pipe, a folder, a device."""
    try:
        status = calls.lstat(path)
    except FileNotFoundError:
        return False
    if status.st_mode & 0o170000 != 0o100000:
        raise OSError(22, "Not a regular file", path)
    return True
