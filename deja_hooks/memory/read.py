"""Reading `memory.db`: what hooks, `search` and `show` ask of it. Standard library builtins only.

Every lookup is bounded: by one project's postings, by a limit, by a session. (A partial index is used only where
the query repeats its condition: `path<>''`.)
"""

from deja_hooks.memory.schema import TURN_BITS, VERSION, term_key
from deja_hooks.memory.sqlite import connect_reader, sqlite_error
from deja_hooks.system import file_stat, is_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

__all__ = ["Fix", "Memory", "Project", "Session", "Turn", "open_memory"]

_TURN = "SELECT id, at, ended, user, assistant FROM turn"
_FIX = "SELECT id, turn, project, signature, form, failure, how, what, at FROM fix"
_SESSION_FIELDS = (
    "id", "sid", "host", "store", "project", "cwd", "branch", "title", "started", "updated", "turns", "places", "gone",
    "version", "archived", "nested", "side", "forked_from", "skipped", "trimmed",
)  # fmt: skip
_SESSION = f"SELECT {', '.join(_SESSION_FIELDS)} FROM session"


class Session:
    """One session; times in epoch ms, `turns` the user's turns, `places` the stored ones (see `schema`)."""

    __slots__ = _SESSION_FIELDS

    def __init__(self, row: "tuple[object, ...]") -> None:
        for name, value in zip(_SESSION_FIELDS, row, strict=True):
            setattr(self, name, value)

    id: int
    sid: str
    host: str
    store: str
    project: int
    cwd: str
    branch: str
    title: str
    started: int
    updated: int
    turns: int
    places: int
    gone: int
    version: str
    archived: "int | None"
    nested: "int | None"
    side: "int | None"
    forked_from: str
    skipped: int
    trimmed: int


class Turn:
    """One turn: what the user said and what was answered."""

    __slots__ = ("assistant", "at", "ended", "id", "user")

    def __init__(self, row: "tuple[int, int, int, str, str]") -> None:
        self.id, self.at, self.ended, self.user, self.assistant = row

    @property
    def session(self) -> int:
        """The session's row id."""
        return self.id >> TURN_BITS

    @property
    def place(self) -> int:
        """Its place in the session, from 0."""
        return self.id & (1 << TURN_BITS) - 1


class Fix:
    """What made a failure stay away (see `failures.fixes`)."""

    __slots__ = ("at", "failure", "form", "how", "id", "project", "signature", "turn", "what")

    def __init__(self, row: "tuple[int, int, int, str, str, str, str, str, int]") -> None:
        self.id, self.turn, self.project, self.signature, self.form, self.failure, self.how, self.what, self.at = row


class Project:
    """One project: row id, label, number of sessions."""

    __slots__ = ("id", "key", "label", "sessions")

    def __init__(self, row: "tuple[int, str, str, int]") -> None:
        self.id, self.key, self.label, self.sessions = row


def open_memory(path: str) -> "Memory | None":
    """The memory at the path; None where there is none of this version that can be read."""
    try:
        if not is_plain_file(path):
            return None
    except (OSError, ValueError):
        return None  # a pipe in its place would be waited for; beside what a link leads to SQLite makes files
    error = sqlite_error()
    try:
        return _checked(Memory(connect_reader(path)))
    except error:
        # A folder that we can't write to: SQLite can't make its -shm file there. Without a WAL the file alone is whole.
        wal = file_stat(path + "-wal")
        if wal is not None and wal.st_size > 0:
            return None
    try:
        return _checked(Memory(connect_reader(path, immutable=True)))
    except error:
        return None


def _checked(memory: "Memory") -> "Memory | None":
    try:
        if memory.db.execute("PRAGMA user_version").fetchone()[0] == VERSION:
            return memory
    except BaseException:
        memory.close()
        raise
    memory.close()
    return None


class Memory:
    """An open memory. Methods raise `sqlite_error()` where the file turns out to be broken."""

    __slots__ = ("db",)

    def __init__(self, db: "Connection") -> None:
        self.db = db

    def close(self) -> None:
        """Closes the connection."""
        self.db.close()

    # -- projects and sessions

    def project(self, key: str) -> "Project | None":
        """The project of a key (`scope.project_key`)."""
        row = self.db.execute("SELECT id, key, label, sessions FROM project WHERE key=?", (key,)).fetchone()
        return Project(row) if row else None

    def projects(self) -> "list[Project]":
        """All projects that have sessions."""
        rows = self.db.execute("SELECT id, key, label, sessions FROM project WHERE sessions>0 ORDER BY id")
        return [Project(row) for row in rows]

    def session(self, row_id: int) -> "Session | None":
        """A session by its row id."""
        row = self.db.execute(_SESSION + " WHERE id=?", (row_id,)).fetchone()
        return Session(row) if row else None

    def session_of(self, sid: str) -> "Session | None":
        """A session by the host's id."""
        row = self.db.execute(_SESSION + " WHERE sid=?", (sid,)).fetchone()
        return Session(row) if row else None

    def forks_of(self, sid: str) -> "list[Session]":
        """The sessions that were forked from the one of this host's id."""
        rows = self.db.execute(_SESSION + " WHERE forked_from=? AND forked_from<>'' ORDER BY id", (sid,))
        return [Session(row) for row in rows]

    def sessions_like(self, prefix: str, limit: int) -> "list[Session]":
        """Sessions whose id begins with the prefix."""
        rows = self.db.execute(
            _SESSION + " WHERE substr(sid, 1, ?)=? ORDER BY updated DESC LIMIT ?", (len(prefix), prefix, limit)
        )
        return [Session(row) for row in rows]

    def recent_sessions(self, project: int, limit: int) -> "list[Session]":
        """The project's sessions, the latest first; what the user asked to remember is none (see `remembered`)."""
        rows = self.db.execute(
            _SESSION + " WHERE project=? AND store<>'notes' ORDER BY updated DESC, id DESC LIMIT ?", (project, limit)
        )
        return [Session(row) for row in rows]

    def usual_turns(self, projects: "list[int]", limit: int) -> float:
        """Stored turns of a session, on average over so many of the latest of each project; 1 where there is none."""
        sql = "SELECT places FROM session WHERE project=? ORDER BY updated DESC LIMIT ?"
        found = [row[0] for project in projects for row in self.db.execute(sql, (project, limit))]
        return sum(found) / len(found) if found else 1.0

    def sessions_between(self, project: int, first: int, last: int) -> "list[tuple[int, int]]":
        """Row id and last record of the latest 200 sessions that ended in that time (epoch ms, the last excluded)."""
        return self.db.execute(
            "SELECT id, updated FROM session WHERE project=? AND updated>=? AND updated<?"
            " ORDER BY updated DESC LIMIT 200",
            (project, first, last),
        ).fetchall()

    def remembered(self, project: int, limit: int) -> "list[Session]":
        """What the user asked to remember in a project (`deja-hooks remember`), the latest first."""
        rows = self.db.execute(
            _SESSION + " WHERE project=? AND store='notes' ORDER BY updated DESC, id DESC LIMIT ?", (project, limit)
        )
        return [Session(row) for row in rows]

    def marks_of(self, sessions: "list[int]") -> "dict[int, tuple[str, str]]":
        """Which of these the user promoted or rejected: row id → kind and note (see `marks_read`)."""
        rows = self.db.execute(
            "SELECT session.id, kind, note FROM session JOIN mark ON mark.sid=session.sid WHERE session.id IN"
            f" ({','.join('?' * len(sessions))})",
            sessions,
        )
        return {row[0]: (row[1], row[2]) for row in rows}

    # -- turns

    def postings(self, prefix: str, project: int, term: str, limit: int) -> "list[int]":
        """Row ids of the turns where a term stands in that role, the latest first; none for what is no term."""
        return self.postings_of_all(prefix, [project], term, limit)

    def postings_of_all(self, prefix: str, projects: "list[int]", term: str, limit: int) -> "list[int]":
        """`postings` of several projects in one lookup; the limit is for all of them together."""
        if not term or any(c < "\x80" and not c.isalnum() for c in term):
            return []  # it would be a phrase, which the table can't answer
        keys = [term_key(prefix, project, term).replace('"', "") for project in projects]
        rows = self.db.execute(
            "SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY rowid DESC LIMIT ?",
            ('"' + '" OR "'.join(keys) + '"', limit),
        )
        return [row[0] for row in rows]

    def known_terms(self, prefix: str, project: int, head: str, limit: int) -> "list[str]":
        """The project's terms in that role that begin so."""
        first = term_key(prefix, project, head)
        rows = self.db.execute(
            "SELECT term FROM vocabulary WHERE term>=? AND term<? LIMIT ?",
            (first, first[:-1] + chr(ord(first[-1]) + 1), limit),
        )
        return [row[0][len(first) - len(head) :] for row in rows]

    def turn(self, turn: int) -> "Turn | None":
        """A turn by its row id."""
        row = self.db.execute(_TURN + " WHERE id=?", (turn,)).fetchone()
        return Turn(row) if row else None

    def times_of(self, turns: "list[int]") -> "dict[int, int]":
        """When these turns were, by row id, epoch ms; 0 where the host doesn't say."""
        rows = self.db.execute(f"SELECT id, at FROM turn WHERE id IN ({','.join('?' * len(turns))})", turns)
        return dict(rows.fetchall())

    def turns(self, session: int, limit: int = -1) -> "list[Turn]":
        """A session's turns in order; with a limit, its last ones."""
        low, high = session << TURN_BITS, (session + 1) << TURN_BITS
        rows = self.db.execute(_TURN + " WHERE id>=? AND id<? ORDER BY id DESC LIMIT ?", (low, high, limit)).fetchall()
        return [Turn(row) for row in reversed(rows)]

    def prompts(self, session: int, limit: int) -> "list[tuple[int, int, str]]":
        """A session's first turn and its last ones, in order: turn, when, the user's words."""
        low, high = session << TURN_BITS, (session + 1) << TURN_BITS
        select = "SELECT id, at, user FROM turn WHERE id>=? AND id<? ORDER BY id"
        rows = self.db.execute(select + " DESC LIMIT ?", (low, high, limit)).fetchall()
        rows.reverse()
        if len(rows) == limit:
            rows = self.db.execute(select + " LIMIT 1", (low, rows[0][0])).fetchall() + rows
        return rows

    def rules(self, session: int, first: int, last: int, limit: int) -> "list[tuple[int, str]]":
        """The latest rules that were noted between two turns, in order: when, sentence."""
        low = max(first, session << TURN_BITS)
        rows = self.db.execute(
            "SELECT at, text FROM note JOIN turn ON turn.id=note.turn WHERE note.turn>=? AND note.turn<?"
            " AND kind='rule' ORDER BY note.turn DESC LIMIT ?",
            (low, last, limit),
        ).fetchall()
        rows.reverse()
        return rows

    def notes(self, turn: int) -> "list[tuple[str, str]]":
        """The notes of a turn: kind and sentence."""
        return self.db.execute("SELECT kind, text FROM note WHERE turn=? ORDER BY id", (turn,)).fetchall()

    def session_notes(self, session: int, limit: int) -> "list[tuple[int, str, str]]":
        """The last notes of a session, the latest first: turn, kind, sentence."""
        low, high = session << TURN_BITS, (session + 1) << TURN_BITS
        return self.db.execute(
            "SELECT turn, kind, text FROM note WHERE turn>=? AND turn<? ORDER BY turn DESC, id DESC LIMIT ?",
            (low, high, limit),
        ).fetchall()

    # -- work

    def work(self, session: int, limit: int) -> "list[tuple[int, str, str, str, int | None, str, str]]":
        """The last work of a session in order: turn, kind, path, command, exit, failure, signature."""
        low, high = session << TURN_BITS, (session + 1) << TURN_BITS
        rows = self.db.execute(
            "SELECT turn, kind, path, command, exit, failure, signature FROM work WHERE turn>=? AND turn<?"
            " ORDER BY id DESC LIMIT ?",
            (low, high, limit),
        ).fetchall()
        rows.reverse()
        return rows

    def edits_of(self, project: int, path: str, limit: int) -> "list[tuple[int, int, str, str]]":
        """The last edits of a file: turn, when, text taken out, text put in."""
        return self.db.execute(
            "SELECT turn, at, old, new FROM work WHERE project=? AND path=? AND path<>'' AND kind='edit'"
            " ORDER BY turn DESC LIMIT ?",
            (project, path, limit),
        ).fetchall()

    def was_edited(self, project: int, path: str) -> bool:
        """Whether any edit of a file is known."""
        row = self.db.execute(
            "SELECT 1 FROM work WHERE project=? AND path=? AND path<>'' AND kind='edit' UNION ALL"
            " SELECT 1 FROM written WHERE project=? AND path=? LIMIT 1",
            (project, path, project, path),
        ).fetchone()
        return row is not None

    def fixes_of(self, signature: str, project: "int | None", limit: int) -> "list[Fix]":
        """Fixes of a failure, the latest first; in one project, or (None) anywhere."""
        where, values = ("", ()) if project is None else (" AND project=?", (project,))
        rows = self.db.execute(
            _FIX + " WHERE signature=? AND signature<>''" + where + " ORDER BY at DESC LIMIT ?",
            (signature, *values, limit),
        )
        return [Fix(row) for row in rows]

    def fixes_of_command(self, project: int, form: str, limit: int) -> "list[Fix]":
        """Fixes of a command line that had failed in this project, the latest first."""
        rows = self.db.execute(_FIX + " WHERE project=? AND form=? ORDER BY at DESC LIMIT ?", (project, form, limit))
        return [Fix(row) for row in rows]

    def reading_of(self, session: int, path: str) -> "tuple[int, int]":
        """From where the session's transcript will be read on (bytes), and the place of the turn that begins there.

        Of the file at that path where the session was read from it; VS Code keeps a session in two files.
        """
        row = self.db.execute(
            "SELECT restart, place FROM source WHERE session=? ORDER BY path=? DESC, restart DESC LIMIT 1",
            (session, path),
        ).fetchone()
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def was_read(self, session: int, path: str) -> bool:
        """Whether the session was read from the file at that path (VS Code keeps a session in two files)."""
        row = self.db.execute("SELECT 1 FROM source WHERE path=? AND session=?", (path, session)).fetchone()
        return row is not None
