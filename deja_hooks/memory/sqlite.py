"""SQLite for hooks: the C module alone.

`sqlite3` adds 5 ms to a start (datetime and more); its C module adds 4 ms on 3.11 and later, nearly all of it
for `functools`, from which it takes `lru_cache` to keep prepared statements. A hook runs each statement once.
So a stand-in without a cache is there while the module loads, and gone afterwards.
"""

import sys

from deja_hooks.system import CREATE_NEW, calls, is_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from types import ModuleType

__all__ = ["connect_reader", "connect_writer", "sqlite_error"]

_URI = str.maketrans({"%": "%25", "?": "%3f", "#": "%23"} | ({"\\": "/"} if sys.platform == "win32" else {}))


def _load() -> "ModuleType":
    if "functools" in sys.modules or "_sqlite3" in sys.modules:
        import _sqlite3

        return _sqlite3
    stand_in = type(sys)("functools")
    vars(stand_in)["lru_cache"] = lambda _size: lambda function: function
    sys.modules["functools"] = stand_in
    try:
        import _sqlite3
    finally:
        del sys.modules["functools"]
    return _sqlite3


def sqlite_error() -> "type[Exception]":
    """The base of all that SQLite raises."""
    error: type[Exception] = _load().Error
    return error


def connect_reader(path: str, *, immutable: bool = False) -> "Connection":
    """A connection that can't write. Raises `sqlite_error()` where there is no readable database."""
    uri = "file:" + path.translate(_URI) + ("?immutable=1" if immutable else "?mode=ro")
    db: Connection = _load().connect(uri, timeout=0.2, isolation_level=None, check_same_thread=False, uri=True)
    return _prepared(db, "PRAGMA query_only=1")


def connect_writer(path: str, busy_seconds: float) -> "Connection":
    """A connection to a database that is made, for this user alone, where it is missing. Raises OSError for no file.

    `synchronous=OFF` and a rollback journal: what a hook remembers survives the death of any process, not a
    power cut in the middle of a write; it is a cache, and a sync would cost each hook more than all else.
    """
    if not is_plain_file(path):
        try:
            calls.close(calls.open(path, CREATE_NEW, 0o600))
        except FileExistsError:
            pass
    db: Connection = _load().connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    return _prepared(db, "PRAGMA synchronous=OFF")


def _prepared(db: "Connection", pragma: str) -> "Connection":
    """The connection after its pragma; closed where that fails."""
    try:
        db.execute(pragma)
    except BaseException:
        db.close()
        raise
    return db
