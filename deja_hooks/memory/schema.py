"""The tables of `memory.db` and the numbers that tie them together (SQLite 3.37 or later).

A turn's row id carries its session: `session << TURN_BITS | place in the session`. So the full-text index, which
gives nothing but row ids, already says which session a hit belongs to.

The full-text table holds *terms with their project in front* (`s12_retrybudget`): a lookup reads the postings
of one project and nothing else, however large the history of the others is. The first letter says where
the term stood: `s` spoken by someone, `w` in work (commands, file names, error lines), `d` in a noted decision.
"""

__all__ = ["DECIDED", "DOCUMENT_PREFIXES", "SCHEMA", "SPOKEN", "TURN_BITS", "VERSION", "WORKED", "term_key"]

#: Raised with every change of the tables, the terms or the redaction: an older memory is built anew.
VERSION = 3

#: A session has at most 65,536 turns.
TURN_BITS = 16

SPOKEN = "s"
WORKED = "w"
DECIDED = "d"
DOCUMENT_PREFIXES = (SPOKEN, WORKED, DECIDED)

SCHEMA = """
CREATE TABLE pass(                     -- a row while a pass is under way: one that died left things undone
    begun INTEGER NOT NULL             -- epoch ms
);
CREATE TABLE project(
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,          -- scope.project_key
    label TEXT NOT NULL,               -- last two segments of the folder
    sessions INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE session(
    id INTEGER PRIMARY KEY,
    sid TEXT NOT NULL UNIQUE,          -- the host's session id
    host TEXT NOT NULL,
    store TEXT NOT NULL,
    project INTEGER NOT NULL REFERENCES project(id),
    cwd TEXT NOT NULL,
    branch TEXT NOT NULL,
    title TEXT NOT NULL,               -- the host's or the user's, else the first line of the first prompt
    started INTEGER NOT NULL,          -- epoch ms
    updated INTEGER NOT NULL,          -- epoch ms of the last record
    turns INTEGER NOT NULL,            -- the user's turns
    places INTEGER NOT NULL,           -- stored turns, with or without a user
    gone INTEGER NOT NULL DEFAULT 0,   -- the host has deleted the file
    named INTEGER NOT NULL DEFAULT 0,  -- whether the title is the host's or the user's
    version TEXT NOT NULL DEFAULT '',  -- the host's, at the session's start
    archived INTEGER, nested INTEGER, side INTEGER, -- 0 or 1; NULL where no record says so
    forked_from TEXT NOT NULL DEFAULT '', -- sid of the session that holds the copied beginning
    requests BLOB,                     -- of each of the host's requests, 8 bytes (forks.request_keys); NULL: none
    first_request INTEGER,             -- the first of them
    skipped INTEGER NOT NULL DEFAULT 0 -- requests at the beginning that are stored in `forked_from`
);
CREATE INDEX session_recent ON session(project, updated);
CREATE INDEX session_notes ON session(project, updated) WHERE store='notes'; -- what the user asked to remember
CREATE INDEX session_first_request ON session(first_request) WHERE first_request IS NOT NULL;
CREATE INDEX session_forks ON session(forked_from) WHERE forked_from<>'';
CREATE TABLE source(
    path TEXT PRIMARY KEY,
    store TEXT NOT NULL,
    session INTEGER,                   -- NULL: nothing of it is stored (see `problem`)
    dev INTEGER NOT NULL, ino INTEGER NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
    read_at INTEGER NOT NULL,          -- epoch ms of the reading
    restart INTEGER NOT NULL,          -- where the last stored turn begins, bytes
    place INTEGER NOT NULL,            -- its place in the session
    ended_at INTEGER NOT NULL,         -- after the last complete line, bytes
    fingerprint INTEGER NOT NULL,      -- of the bytes around `restart`, see cursor
    prefix INTEGER NOT NULL,           -- of all bytes before it, see cursor
    version TEXT NOT NULL,             -- of the host or the format, as the file says
    problem TEXT NOT NULL,             -- why nothing of it could be read; '' where it could
    remarks TEXT NOT NULL,             -- how it was read, a sentence a line
    tally TEXT NOT NULL,               -- JSON array, see sources.model.Tally
    settled TEXT NOT NULL              -- that of the lines before `restart`
) WITHOUT ROWID;
CREATE INDEX source_session ON source(session);
CREATE TABLE turn(
    id INTEGER PRIMARY KEY,            -- session << 16 | place
    at INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    user TEXT NOT NULL,
    assistant TEXT NOT NULL
);
CREATE TABLE file(
    turn INTEGER NOT NULL,
    project INTEGER NOT NULL,
    path TEXT NOT NULL,                -- read or named in the turn; as in work
    PRIMARY KEY(turn, path)
) WITHOUT ROWID;
CREATE INDEX file_path ON file(project, path, turn);
CREATE TABLE changed(
    session INTEGER NOT NULL,
    project INTEGER NOT NULL,
    path TEXT NOT NULL,                -- a file that the session changed, whenever: all that some hosts say; as in work
    PRIMARY KEY(session, path)
) WITHOUT ROWID;
CREATE TABLE written(
    turn INTEGER NOT NULL,
    project INTEGER NOT NULL,
    path TEXT NOT NULL,
    lines BLOB NOT NULL,               -- of each line put in, 8 bytes (written.line_keys)
    PRIMARY KEY(turn, path)
) WITHOUT ROWID;
CREATE INDEX written_path ON written(project, path, turn);
CREATE TABLE usage(
    turn INTEGER NOT NULL,
    seq INTEGER NOT NULL,              -- place in the turn
    kind TEXT NOT NULL,                -- request, total, call, compaction: see sources.model.Usage
    request TEXT NOT NULL,
    at INTEGER NOT NULL,
    model TEXT NOT NULL,
    rounds INTEGER, input INTEGER, exact INTEGER NOT NULL, cached INTEGER, output INTEGER, credits REAL,
    elapsed INTEGER, first INTEGER, final INTEGER NOT NULL,
    PRIMARY KEY(turn, seq)
) WITHOUT ROWID;
CREATE TABLE note(
    id INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,
    kind TEXT NOT NULL,                -- notes.KINDS
    text TEXT NOT NULL
);
CREATE INDEX note_turn ON note(turn);
CREATE TABLE work(
    id INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,
    project INTEGER NOT NULL,
    kind TEXT NOT NULL,                -- edit, command, failure, error
    at INTEGER NOT NULL,
    path TEXT NOT NULL,                -- below the project's root, else absolute; '' for commands
    command TEXT NOT NULL,
    exit INTEGER,                      -- NULL where the host doesn't tell
    failure TEXT NOT NULL,             -- the line that names the failure
    signature TEXT NOT NULL,           -- signature.signature of that line
    old TEXT NOT NULL, new TEXT NOT NULL,
    tool TEXT NOT NULL DEFAULT ''      -- the host's name of it
);
CREATE INDEX work_turn ON work(turn);
CREATE INDEX work_path ON work(project, path, turn) WHERE path <> '';
CREATE TABLE fix(
    id INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,             -- where it worked
    project INTEGER NOT NULL,
    signature TEXT NOT NULL,           -- of the failure that stayed away afterwards; '' where it had none
    form TEXT NOT NULL,                -- the command that had failed
    failure TEXT NOT NULL,
    how TEXT NOT NULL,                 -- form, edit, command, vain: see fixes.Fix
    what TEXT NOT NULL,                -- the working command, or the edited files
    at INTEGER NOT NULL
);
CREATE INDEX fix_turn ON fix(turn);
CREATE INDEX fix_signature ON fix(signature, project) WHERE signature <> '';
CREATE INDEX fix_form ON fix(project, form);
CREATE TABLE mark(                     -- made from the log of marks (marks.log) by the indexer
    sid TEXT PRIMARY KEY,
    kind TEXT NOT NULL,                -- promote, reject
    at INTEGER NOT NULL,
    note TEXT NOT NULL                 -- why; '' where the user gave no reason
) WITHOUT ROWID;
CREATE TABLE meta(                     -- see indexer.in_line
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE uptake(                   -- what became of a packet, see feedback.judge
    sid TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,  -- as in `told` of state.db
    seen INTEGER NOT NULL,             -- session.updated when it was judged
    verdict TEXT NOT NULL,             -- taken, left, open, none
    words INTEGER NOT NULL, files INTEGER NOT NULL, commands INTEGER NOT NULL,
    place INTEGER NOT NULL,            -- of the turn it was told in; -1 where that isn't there yet
    rounds INTEGER, input INTEGER,     -- of that turn, where its requests say so
    PRIMARY KEY(sid, at, kind)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE terms USING fts5(body, content='', detail=none, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(terms, 'row'); -- holds nothing of its own
"""


def term_key(prefix: str, project: int, term: str) -> str:
    """The token of a term in the full-text table."""
    return f"{prefix}{project}_{term}"
