"""What the memory knows of a file's edits: who put its lines in. Read by hooks before an edit; bounded lookups."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory

__all__ = ["changed", "commands_of", "same_named", "touched", "written_into"]


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


def commands_of(memory: "Memory", turn: int) -> "list[tuple[str, int | None, int]]":
    """The commands of a turn: command line, exit status (None: not known), when (epoch ms)."""
    return memory.db.execute(
        "SELECT command, exit, at FROM work WHERE turn=? AND kind='command' ORDER BY id", (turn,)
    ).fetchall()
