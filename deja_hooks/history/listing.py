"""The list of sessions, chosen by what is known of them: what `deja-hooks sessions` asks of a memory.

What a session's row tells is looked at first, its turns last and one session after the other, the latest first:
with a limit the search ends as soon as it is reached.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.history.mentions import Mention, mentions
from deja_hooks.history.presence import missing
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.scope import normal_path, project_root, relative_path

if TYPE_CHECKING:
    from sqlite3 import Connection

__all__ = ["Listed", "Wanted", "list_sessions", "project_name"]

_FIELDS = """session.id, sid, host, store, project.key, label, project, cwd, title, turns, started, updated, gone,
    archived, forked_from, coalesce((SELECT kind FROM mark WHERE mark.sid=session.sid), '')"""
NO_PROJECT = "-"


class Listed(NamedTuple):
    """A session of the list; times in epoch ms, `turns` the user's, `archived` None where no record says so.

    `gone`: no file of it is on the disk any more; `mark`: "promote", "reject" or "".
    """

    id: int
    sid: str
    host: str
    store: str
    key: str
    label: str
    project: int
    cwd: str
    title: str
    turns: int
    started: int
    updated: int
    gone: int
    archived: int | None
    forked_from: str
    mark: str = ""

    @property
    def project_name(self) -> str:
        """What a person calls its project; "-" for a session without a folder."""
        return project_name(self.key, self.label)

    @property
    def latest(self) -> int:
        """When it was last active, else when it began; 0 unknown."""
        return self.updated or self.started


class Wanted(NamedTuple):
    """Which sessions are wanted: those for which all that is given here holds.

    Attributes:
        project: a `scope.project_key`, or None.
        label: a part of the project's label, in any case; "-" stands for sessions without a folder.
        host: "cli" or "vscode".
        since, until: epoch ms; the session was active at some time between them.
        words: each occurs in the title or in what was said, in any case.
        file: a file that was read, named or changed: its whole path, or the last parts of it.
        mentioned: each occurs in the title, in what was said or in a command.
        archived: True: put away; False: not known to be.
        mark: "promote" or "reject": so marked by the user.
    """

    project: str | None = None
    label: str = ""
    host: str = ""
    since: int | None = None
    until: int | None = None
    words: tuple[str, ...] = ()
    file: str = ""
    mentioned: tuple[Mention, ...] = ()
    archived: bool | None = None
    mark: str = ""


def list_sessions(db: Connection, wanted: Wanted, limit: int | None = None) -> list[Listed]:
    """The sessions that are wanted, the latest first."""
    rows = db.execute(
        f"SELECT {_FIELDS} FROM session JOIN project ON project.id=project"
        " ORDER BY max(updated, started) DESC, session.id DESC"
    )
    sessions = [each for each in map(Listed._make, rows) if _row_fits(each, wanted)]
    if wanted.file:
        touching = _touching(db, sessions, wanted.file)
        sessions = [each for each in sessions if each.id in touching]
    found = list(islice((each for each in sessions if _text_fits(db, each, wanted)), limit))
    lost = missing(db)
    return [each._replace(gone=int(bool(each.gone) or each.id in lost)) for each in found]


def project_name(key: str, label: str) -> str:
    """What a person calls a project of this key and label; "-" for none."""
    return label or key.partition(":")[2] or NO_PROJECT


def _row_fits(each: Listed, wanted: Wanted) -> bool:
    if wanted.project is not None and each.key != wanted.project:
        return False
    if wanted.label == NO_PROJECT:
        if each.key:
            return False
    elif wanted.label and folded(wanted.label) not in folded(each.project_name):
        return False
    if wanted.archived is not None and bool(each.archived) != wanted.archived:
        return False
    if wanted.mark and each.mark != wanted.mark:
        return False
    return (not wanted.host or each.host == wanted.host) and _in_time(each, wanted)


def _in_time(each: Listed, wanted: Wanted) -> bool:
    if wanted.since is not None and each.latest < wanted.since:
        return False
    return wanted.until is None or 0 < (each.started or each.updated) < wanted.until


# -- files


def _touching(db: Connection, sessions: list[Listed], file: str) -> set[int]:
    """Those of the sessions in which a file was read, named or changed."""
    sought = normal_path(file)
    below = _below_projects(sessions, sought)
    tail = sought.replace("\\", "/")
    relative = not (tail[:1] == "/" or tail[1:2] == ":")
    found = set()
    for query in (
        f"SELECT DISTINCT turn >> {TURN_BITS}, project, path FROM work WHERE path<>'' AND kind='edit'",
        f"SELECT DISTINCT turn >> {TURN_BITS}, project, path FROM file",
        "SELECT session, project, path FROM changed",
    ):
        for session, project, path in db.execute(query):
            plain = path.replace("\\", "/")
            if plain == tail or (relative and plain.endswith("/" + tail)) or (project, path) in below:
                found.add(session)
    return found


def _below_projects(sessions: list[Listed], file: str) -> set[tuple[int, str]]:
    """Project, and the file's path as it is stored there: below the root of one of its folders."""
    folders = {(each.project, each.cwd) for each in sessions if each.cwd}
    paths = {(project, relative_path(file, project_root(cwd))) for project, cwd in folders}
    return {each for each in paths if each[1] != file}


# -- text


def folded(text: str) -> str:
    """The text for comparing: without differences of case, width and composition."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def _text_fits(db: Connection, each: Listed, wanted: Wanted) -> bool:
    if not wanted.words and not wanted.mentioned:
        return True
    words = {folded(word) for word in wanted.words}
    open_mentions = set(wanted.mentioned)
    for text in _said(db, each):
        plain = folded(text) if words else ""
        words = {word for word in words if word not in plain}
        open_mentions = {mention for mention in open_mentions if not mentions(text, mention)}
        if not words and not open_mentions:
            return True
    if words or not open_mentions:
        return False
    commands = db.execute("SELECT command FROM work WHERE turn>=? AND turn<? AND command<>''", _turns(each.id))
    for (command,) in commands:
        open_mentions = {mention for mention in open_mentions if not mentions(command, mention)}
    return not open_mentions


def _said(db: Connection, each: Listed) -> Iterator[str]:
    yield each.title
    for user, assistant in db.execute("SELECT user, assistant FROM turn WHERE id>=? AND id<?", _turns(each.id)):
        yield user
        yield assistant


def _turns(session: int) -> tuple[int, int]:
    return session << TURN_BITS, (session + 1) << TURN_BITS
