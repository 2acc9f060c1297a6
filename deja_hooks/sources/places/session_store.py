"""VS Code's `<User>/globalStorage/github.copilot-chat/session-store.db`, for the folder a session ran in.

Seen with Copilot Chat 0.67 (schema 3): a SQLite database in WAL mode whose `sessions` has `id` and `cwd`. It is the
host's: opened to read, and never so that SQLite would make or change a file beside it. Whatever goes wrong, the
folder is unknown.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from deja_hooks.sources.places.workspace import path_of_uri

__all__ = ["session_cwd"]

_STORE = Path("globalStorage", "github.copilot-chat", "session-store.db")
#: Seconds to wait for a lock. The host writes in short transactions, in WAL mode without keeping readers out.
_PATIENCE = 0.25


def session_cwd(chat_file: Path, sid: str) -> str:
    """The folder that a session ran in, as its machine writes it; "" where the store doesn't say.

    Args:
        chat_file: the session's file below a User folder or a profile's (`workspaceStorage/…`, `globalStorage/…`).
        sid: the session's id.
    """
    found = (_cwd(folder / _STORE, sid) for folder in _user_folders(chat_file))
    return next((cwd for cwd in found if cwd), "")


def _user_folders(chat_file: Path) -> Iterator[Path]:
    """The User folder that a chat lies in; a profile's own folder comes before the main one."""
    for storage in chat_file.parents:
        if storage.name in ("workspaceStorage", "globalStorage"):
            yield storage.parent
            if storage.parent.parent.name == "profiles":
                yield storage.parent.parent.parent
            return


def _cwd(store: Path, sid: str) -> str:
    try:
        if not store.is_file():
            return ""
        db = sqlite3.connect(_uri(store), uri=True, timeout=_PATIENCE)
    except (OSError, ValueError, sqlite3.Error):
        return ""
    try:
        row = db.execute("SELECT cwd FROM sessions WHERE id=?", (sid,)).fetchone()
    except (ValueError, sqlite3.Error):  # ValueError: an id that is no text
        return ""
    finally:
        db.close()
    return path_of_uri(row[0]) if row else ""


def _uri(store: Path) -> str:
    """How to open the store without a trace.

    Where nothing waits beside it the file itself holds all, and `immutable` keeps SQLite from making the -wal and
    -shm files. Else a -wal is read with the -shm that its writer has made: `readonly_shm` keeps SQLite from
    writing there, or from making one where a crash left none (then opening fails).
    """
    waiting = any(_size(store.with_name(store.name + end)) for end in ("-wal", "-journal"))
    how = "mode=ro&readonly_shm=1" if waiting else "mode=ro&immutable=1"
    path = store.absolute().as_posix()
    # Not `as_uri`: SQLite takes no host, a share's path goes behind an empty one.
    return f"file://{'' if path.startswith('/') else '/'}{quote(os.fsencode(path))}?{how}"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
