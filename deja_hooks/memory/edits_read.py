"""What the memory knows of a file's edits: who put its lines in. Read by hooks before an edit; bounded lookups."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory

__all__ = ["changed", "same_named", "touched", "worked_in", "written_into"]


def written_into(memory: "Memory", project: int, path: str, limit: int) -> "list[tuple[int, bytes]]":
    """The last turns whose edits put lines into a file, and the keys of those lines (`memory.written`)."""
    return memory.db.execute(
        "SELECT turn, lines FROM written WHERE project=? AND path=? ORDER BY turn DESC LIMIT ?", (project, path, limit)
    ).fetchall()


def touched(memory: "Memory", turn: int) -> "set[str]":
    """The files that a turn changed, read or named."""
    rows = memory.db.execute(
        "SELECT path FROM work WHERE turn=? AND path<>'' UNION SELECT path FROM file WHERE turn=?"
        " UNION SELECT path FROM written WHERE turn=?",
        (turn, turn, turn),
    )
    return {row[0] for row in rows}


def changed(memory: "Memory", turn: int) -> "set[str]":
    """The files that a turn changed."""
    rows = memory.db.execute(
        "SELECT path FROM work WHERE turn=? AND kind='edit' UNION SELECT path FROM written WHERE turn=?", (turn, turn)
    )
    return {row[0] for row in rows}


def same_named(paths: "set[str]", path: str) -> "set[str]":
    """Those of the paths with the base name of `path`."""
    base = path.rpartition("/")[2]
    return {each for each in paths if each.rpartition("/")[2] == base}


def worked_in(memory: "Memory", turns: "list[int]", after: int) -> "list[tuple[int, str]]":
    """The commands of these turns that ended with 0 after that time (epoch ms): turn and command line."""
    return memory.db.execute(
        f"SELECT turn, command FROM work WHERE turn IN ({','.join('?' * len(turns))})"
        " AND kind='command' AND exit=0 AND at>? ORDER BY id",
        (*turns, after),
    ).fetchall()
