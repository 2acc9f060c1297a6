"""`state.db`: what hooks remember about sessions in progress.

Several hooks of one session run at once, so every change is one short transaction with a bounded wait; where
the database is busy, unwritable or broken the hook does without (`State.open` gives None, calls raise
`sqlite_error()`). No free text of a prompt or an output is kept here but in packets that wait, which are redacted.
"""

from deja_hooks.memory.sqlite import connect_writer
from deja_hooks.system import calls, make_private_dir

__all__ = ["VERSION", "Cursor", "State", "text_hash"]

#: Raised with every change of the tables.
VERSION = 3
#: An older state that lacks nothing but tables: they are added.
_LACKING = (0, 1, 2)
_BUSY_SECONDS = 0.7
#: Held packets are handed on in one reply, which may carry a compaction's too.
_HELD_CHARACTERS = 4_000
#: An agent's prompt is awaited for this long after the call that announced it, in ms.
_AGENT_PROMPT_MS = 3_600_000
#: Sessions not heard of for this long are forgotten, in ms (90 days).
_SESSION_MS = 90 * 86_400_000

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS session(
    sid TEXT PRIMARY KEY, host TEXT NOT NULL, project TEXT NOT NULL, parent TEXT NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, prompts INTEGER NOT NULL, packets INTEGER NOT NULL,
    transcript TEXT NOT NULL, dev INTEGER NOT NULL, ino INTEGER NOT NULL, size INTEGER NOT NULL,
    mtime INTEGER NOT NULL, offset INTEGER NOT NULL, fingerprint INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS said(
    sid TEXT NOT NULL, kind TEXT NOT NULL, memory TEXT NOT NULL, prompt INTEGER NOT NULL,
    PRIMARY KEY(sid, kind, memory)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS told(
    sid TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, event TEXT NOT NULL, host TEXT NOT NULL,
    characters INTEGER NOT NULL, specifics TEXT NOT NULL, PRIMARY KEY(sid, at, kind)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fact(
    sid TEXT NOT NULL, offset INTEGER NOT NULL, size INTEGER NOT NULL, kind TEXT NOT NULL,
    PRIMARY KEY(sid, offset)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS packet(sid TEXT PRIMARY KEY, text TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS held(sid TEXT PRIMARY KEY, text TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS agent_prompt(
    hash INTEGER NOT NULL, sid TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY(hash, sid)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outcome(
    sid TEXT NOT NULL, call TEXT NOT NULL, failed INTEGER NOT NULL, signature TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY(sid, call)
) WITHOUT ROWID;
PRAGMA user_version={VERSION};
COMMIT;
"""


def text_hash(text: str) -> int:
    """A 63-bit hash of a text's words (white space folded), to know it again without keeping it."""
    import zlib

    data = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return (zlib.crc32(data) << 31 ^ zlib.adler32(data)) & 0x7FFFFFFFFFFFFFFF


class Cursor:
    """How far a hook has read a transcript; see `memory.cursor`.

    Attributes:
        path: the transcript; "" where none has been read.
        offset: bytes after the last complete line.
        fingerprint: of the bytes before the offset.
    """

    __slots__ = ("dev", "fingerprint", "ino", "mtime", "offset", "path", "size")

    def __init__(self, path: str, dev: int, ino: int, size: int, mtime: int, offset: int, fingerprint: int) -> None:
        self.path = path
        self.dev = dev
        self.ino = ino
        self.size = size
        self.mtime = mtime
        self.offset = offset
        self.fingerprint = fingerprint


class State:
    """An open `state.db`. All times in epoch ms."""

    def __init__(self, path: str) -> None:
        make_private_dir(path.rpartition("/")[0] or path.rpartition("\\")[0])
        self.db = connect_writer(path, _BUSY_SECONDS)
        try:
            version = self.db.execute("PRAGMA user_version").fetchone()[0]
            if version != VERSION:
                self._make(path, version)
        except BaseException:
            self.db.close()
            raise

    def _make(self, path: str, version: int) -> None:
        if version not in _LACKING:
            # Another version's state: a cache, begun anew. Its journal must not be played back into the new one.
            self.db.close()
            for old in (path + "-journal", path):
                try:
                    calls.unlink(old)
                except FileNotFoundError:
                    pass
            self.db = connect_writer(path, _BUSY_SECONDS)
        self.db.executescript(_SCHEMA)

    def close(self) -> None:
        """Closes the connection."""
        self.db.close()

    def wait_no_more(self) -> None:
        """A wait was in vain: this process does not wait a second time."""
        self.db.execute("PRAGMA busy_timeout=0")

    # -- sessions

    def enter(self, sid: str, host: str, project: str, now: int, *, prompt: bool) -> int:
        """Notes an event of a session; returns how many prompts it has had, this one included."""
        self.db.execute(
            "INSERT INTO session VALUES (?,?,?,'',?,?,?,0,'',0,0,0,0,0,0) ON CONFLICT(sid) DO UPDATE SET"
            " last=excluded.last, prompts=prompts+excluded.prompts,"
            " host=CASE WHEN excluded.host='' THEN host ELSE excluded.host END,"
            " project=CASE WHEN excluded.project='' THEN project ELSE excluded.project END",
            (sid, host, project, now, now, 1 if prompt else 0),
        )
        return int(self.db.execute("SELECT prompts FROM session WHERE sid=?", (sid,)).fetchone()[0])

    def parent(self, sid: str) -> str:
        """The session whose sub-agent this is, where that was seen; else ""."""
        row = self.db.execute("SELECT parent FROM session WHERE sid=?", (sid,)).fetchone()
        return str(row[0]) if row else ""

    def set_parent(self, sid: str, parent: str) -> None:
        """Notes that a session is a sub-agent of another."""
        self.db.execute("UPDATE session SET parent=? WHERE sid=?", (parent, sid))

    def packets(self, sid: str) -> int:
        """How many full prompt packets the session has had."""
        row = self.db.execute("SELECT packets FROM session WHERE sid=?", (sid,)).fetchone()
        return int(row[0]) if row else 0

    # -- what was already said

    def said(self, sid: str, kind: str) -> "set[str]":
        """The memories that this kind of packet has already told the session."""
        rows = self.db.execute("SELECT memory FROM said WHERE sid=? AND kind=?", (sid, kind))
        return {row[0] for row in rows}

    def say(
        self,
        sid: str,
        kind: str,
        memories: "list[str]",
        prompt: int,
        packet: "tuple[int, str, str, int, str] | None" = None,
    ) -> bool:
        """Notes that they are told now; False where another hook has told one of them meanwhile.

        Args:
            packet: that tells them, see `tell`; neither noted nor counted (see `packets`) where it isn't told.
        """
        self.db.execute("BEGIN IMMEDIATE")
        told = 0
        for memory in memories:
            told += self.db.execute("INSERT OR IGNORE INTO said VALUES (?,?,?,?)", (sid, kind, memory, prompt)).rowcount
        if packet is not None and told == len(memories):
            self.tell(sid, kind, packet)
            if kind == "prompt":
                self.db.execute("UPDATE session SET packets=packets+1 WHERE sid=?", (sid,))
        self.db.execute("COMMIT")
        return told == len(memories)

    def tell(self, sid: str, kind: str, packet: "tuple[int, str, str, int, str]") -> None:
        """Notes that a packet was put before the model: when, at which event, by which host, its length, and what
        it can be known by afterwards (`feedback.specifics`: hashes, no text)."""
        self.db.execute("INSERT OR IGNORE INTO told VALUES (?,?,?,?,?,?,?)", (sid, packet[0], kind, *packet[1:]))

    def unsay(self, sid: str, kinds: "tuple[str, ...]" = ()) -> None:
        """The host has dropped what these kinds (none given: all) had told."""
        if not kinds:
            self.db.execute("DELETE FROM said WHERE sid=?", (sid,))
            return
        for kind in kinds:
            self.db.execute("DELETE FROM said WHERE sid=? AND kind=?", (sid, kind))

    def unsay_before(self, sid: str, prompt: int) -> None:
        """What was told before that prompt counts as dropped (a compaction that fires no event)."""
        self.db.execute("DELETE FROM said WHERE sid=? AND prompt<?", (sid, prompt))

    # -- sub-agents

    def expect_agent(self, sid: str, prompt: str, now: int) -> None:
        """A tool call announces a sub-agent with this prompt."""
        self.db.execute("DELETE FROM agent_prompt WHERE at<?", (now - _AGENT_PROMPT_MS,))
        self.db.execute("INSERT OR REPLACE INTO agent_prompt VALUES (?,?,?)", (text_hash(prompt), sid, now))

    def announced_by(self, prompt: str, now: int) -> str:
        """The session that announced a sub-agent with this very prompt; "" where none did."""
        row = self.db.execute(
            "SELECT sid FROM agent_prompt WHERE hash=? AND at>=? ORDER BY at DESC LIMIT 1",
            (text_hash(prompt), now - _AGENT_PROMPT_MS),
        ).fetchone()
        return str(row[0]) if row else ""

    # -- how commands ended

    def add_outcome(self, sid: str, call: str, failed: bool, signature: str, now: int) -> None:
        """Notes how a tool call ended (no text: a flag and a key)."""
        self.db.execute("INSERT OR REPLACE INTO outcome VALUES (?,?,?,?,?)", (sid, call, failed, signature, now))

    def outcomes(self, sid: str) -> "dict[str, bool]":
        """Tool call id → whether it failed, of one session."""
        rows = self.db.execute("SELECT call, failed FROM outcome WHERE sid=?", (sid,))
        return {call: bool(failed) for call, failed in rows}

    # -- the transcript

    def cursor(self, sid: str) -> Cursor:
        """How far the session's transcript has been read."""
        row = self.db.execute(
            "SELECT transcript, dev, ino, size, mtime, offset, fingerprint FROM session WHERE sid=?", (sid,)
        ).fetchone()
        return Cursor(*row) if row else Cursor("", 0, 0, 0, 0, 0, 0)

    def advance(self, sid: str, cursor: Cursor, facts: "list[tuple[int, int, str]]", *, anew: bool) -> None:
        """Moves the cursor and keeps where the facts stand (offset, size, kind), all or nothing.

        Args:
            anew: the file was rewritten: what it gave before is dropped.
        """
        db = self.db
        db.execute("BEGIN IMMEDIATE")
        if anew:
            db.execute("DELETE FROM fact WHERE sid=?", (sid,))
        db.executemany("INSERT OR REPLACE INTO fact VALUES (?,?,?,?)", [(sid, *fact) for fact in facts])
        db.execute(
            "UPDATE session SET transcript=?, dev=?, ino=?, size=?, mtime=?, offset=?, fingerprint=? WHERE sid=?",
            (cursor.path, cursor.dev, cursor.ino, cursor.size, cursor.mtime, cursor.offset, cursor.fingerprint, sid),
        )
        db.execute("COMMIT")

    def facts(self, sid: str, start: int) -> "list[tuple[int, int, str]]":
        """Where the facts from an offset on stand: offset, size, kind; in the file's order."""
        rows = self.db.execute(
            "SELECT offset, size, kind FROM fact WHERE sid=? AND offset>=? ORDER BY offset", (sid, start)
        )
        return [tuple(row) for row in rows]

    # -- the compaction packet

    def keep_packet(self, sid: str, text: str, now: int) -> None:
        """Keeps the packet until an event can carry it; what was said counts as unsaid again."""
        self.db.execute("BEGIN IMMEDIATE")
        self.db.execute("INSERT OR REPLACE INTO packet VALUES (?,?,?)", (sid, text, now))
        self.db.execute("DELETE FROM said WHERE sid=?", (sid,))
        self.db.execute("COMMIT")

    def take_packet(self, sid: str) -> str:
        """The waiting packet, handed out once; "" where none waits."""
        return self._take("packet", sid)

    def _take(self, table: str, sid: str) -> str:
        self.db.execute("BEGIN IMMEDIATE")
        row = self.db.execute(f"SELECT text FROM {table} WHERE sid=?", (sid,)).fetchone()
        self.db.execute(f"DELETE FROM {table} WHERE sid=?", (sid,))
        self.db.execute("COMMIT")
        return str(row[0]) if row else ""

    # -- packets that the host doesn't hear at their own event

    def hold(self, sid: str, text: str, now: int) -> None:
        """Keeps a packet until an event is heard, behind those that wait; without them where they grow too long."""
        self.db.execute(
            "INSERT INTO held VALUES (?,?,?) ON CONFLICT(sid) DO UPDATE SET made=excluded.made, text=CASE"
            f" WHEN length(text)+length(excluded.text)<{_HELD_CHARACTERS} THEN text||char(10,10)||excluded.text"
            " ELSE excluded.text END",
            (sid, text, now),
        )

    def take_held(self, sid: str) -> str:
        """The packets that wait, handed out once; "" where none does."""
        return self._take("held", sid)

    # -- housekeeping (the indexer's)

    def forget_old(self, now: int) -> None:
        """Drops sessions that have not been heard of for 90 days."""
        old = now - _SESSION_MS
        self.db.execute("BEGIN IMMEDIATE")
        for table in ("said", "fact", "packet", "held", "outcome"):
            self.db.execute(f"DELETE FROM {table} WHERE sid IN (SELECT sid FROM session WHERE last<?)", (old,))
        self.db.execute("DELETE FROM told WHERE at<?", (old,))
        # Of sessions that were only ever heard of by their tool calls there is no row.
        self.db.execute("DELETE FROM outcome WHERE at<?", (old,))
        self.db.execute("DELETE FROM agent_prompt WHERE at<?", (now - _AGENT_PROMPT_MS,))
        self.db.execute("DELETE FROM said WHERE sid NOT IN (SELECT sid FROM session UNION SELECT sid FROM told)")
        self.db.execute("DELETE FROM session WHERE last<?", (old,))
        self.db.execute("COMMIT")
