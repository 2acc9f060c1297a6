"""At a session's start: what this project last settled, left open and broke; nothing without history."""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.scope import branch, project_root
from deja_hooks.memory.state import text_hash
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.overturned import DECIDED_KINDS, Subject, same_subject
from deja_hooks.recall.quote import item, memory_name, sentences
from deja_hooks.recall.scope import excluded_sessions, in_progress, is_hidden
from deja_hooks.recall.thresholds import RECENT_SESSIONS, SESSION_START_BUDGET
from deja_hooks.system import SEP, file_stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from deja_hooks.memory.read import Memory, Session

__all__ = ["answer"]

KIND = "session_start"
_SETTLED = ("decision", "cause", "fixed", "rule")
_MOST_SETTLED = 4
#: Notes of one session that are looked at.
_NOTES = 12
_MOST_OPEN = 2
_MOST_STATS = 200


def answer(ask: Ask) -> Answer:
    """The session-start packet."""
    memory = ask.memory
    if memory is None:
        return silent("no memory yet")
    project = memory.project(ask.project_key)
    if project is None or not project.sessions:
        return silent("no history of this project")
    exclude = excluded_sessions(ask, memory)
    since = _left(ask, memory)
    recent = [
        session
        for session in memory.recent_sessions(project.id, RECENT_SESSIONS + len(exclude))
        if session.id not in exclude and session.updated > since
    ]
    if not recent:
        return silent("nothing new since this session was left" if since else "no history of this project")
    said = ask.said(KIND)
    told = _Told(said, since)
    notes = {session.id: memory.session_notes(session.id, _NOTES) for session in recent}
    for session in _in_order(ask, memory, recent):
        _settled_and_open(ask, memory, session, notes, told)
    if not told.noted:
        _last_talk(ask, memory, recent, told)
    _broken(ask, memory, recent[0], told)
    lines = told.all_lines()
    if not lines:
        return silent("already said" if said else "nothing settled in this project's sessions")
    about = (
        f"what {project.label} settled since this session was left" if since else f"what {project.label} last settled"
    )
    return Answer(KIND, about, lines, told.memories, f"{len(lines)} lines", SESSION_START_BUDGET)


def _left(ask: Ask, memory: "Memory") -> int:
    """When a session that is resumed was left, epoch ms: what was settled before, it has in its own words; else 0."""
    if ask.payload.source != "resume":
        return 0
    own = memory.session_of(ask.payload.session_id)
    return own.updated if own is not None else 0


class _Told:
    """The lines so far: what is settled, then what is open, then what broke; `noted`: something was settled.

    Args:
        said: names of memories that this session has been told.
        since: epoch ms; nothing older is told.
    """

    __slots__ = ("_said", "_seen", "broken", "lines", "memories", "noted", "open", "since")

    def __init__(self, said: "set[str]", since: int) -> None:
        self._said = said
        self._seen: set[int] = set()
        self.since = since
        self.noted = False
        self.lines: list[str] = []
        self.open: list[str] = []
        self.broken: list[str] = []
        self.memories: list[str] = []

    def add(self, into: "list[str]", name: str, text: str, line: str) -> None:
        """Takes a line once, however many sessions said the same, and never what was said before."""
        key = text_hash(text)
        if name in self._said or key in self._seen:
            return
        self._seen.add(key)
        into.append(line)
        self.memories.append(name)

    def all_lines(self) -> "list[str]":
        return [*self.lines, *self.open, *self.broken]


def _in_order(ask: Ask, memory: "Memory", recent: "list[Session]") -> "list[Session]":
    """The same branch first, and those whose files have changed since; then the latest."""
    here = branch(ask.payload.cwd)
    root = project_root(ask.payload.cwd)
    stats = 0
    scored = []
    for place, session in enumerate(recent):
        score = 0
        if here and session.branch == here:
            score += 2
            for _, kind, path, *_rest in memory.work(session.id, 40):
                if kind == "edit" and path and stats < _MOST_STATS:
                    stats += 1
                    status = file_stat(root + SEP + path)
                    if status is not None and status.st_mtime * 1000 > session.updated:
                        score += 1
                        break
        scored.append((-score, place, session))
    scored.sort(key=lambda each: each[:2])
    return [each[2] for each in scored]


def _settled_and_open(
    ask: Ask, memory: "Memory", session: "Session", notes: "dict[int, list[tuple[int, str, str]]]", told: _Told
) -> None:
    """Takes what a session settled, two sentences at most, and what its last turn left open.

    Args:
        notes: of all sessions that are looked at (`memory.session_notes`), the latest session first.
    """
    if len(told.lines) >= _MOST_SETTLED and len(told.open) >= _MOST_OPEN:
        return
    mine = 0
    for turn, kind, text in notes[session.id]:
        if is_hidden(ask, session, turn):
            continue
        known = memory.turn(turn)
        at = (known.at if known else 0) or session.updated
        if at <= told.since:
            continue
        name = memory_name(session, turn, kind, text)
        if kind in _SETTLED and len(told.lines) < _MOST_SETTLED and mine < 2:
            told.noted = True
            if kind not in DECIDED_KINDS or not _is_overturned(kind, text, _later_notes(turn, notes)):
                mine += 1
                told.add(told.lines, name, text, item(kind, at, text, session.sid, 360))
        elif kind == "open" and _is_last(session, turn) and len(told.open) < _MOST_OPEN:
            told.add(told.open, name, text, item(kind, at, text, session.sid, 300))


def _later_notes(turn: int, notes: "dict[int, list[tuple[int, str, str]]]") -> "Iterator[tuple[int, str, str]]":
    """The notes of later sessions, and of later turns of the same one."""
    for session, found in notes.items():
        if session == turn >> TURN_BITS:
            yield from [note for note in found if note[0] > turn]
            return
        yield from found


def _is_overturned(kind: str, text: str, later: "Iterator[tuple[int, str, str]]") -> bool:
    """Whether one of the later sentences is of this kind and about the same thing."""
    subject = Subject(text)
    for _, of, other in later:
        # A sentence without the name is about something else: most needn't be read.
        if of == kind and subject.may_share(other) and same_subject(subject, Subject(other)):
            return True
    return False


def _is_last(session: "Session", turn: int) -> bool:
    return turn == session.id << TURN_BITS | session.places - 1


def _last_talk(ask: Ask, memory: "Memory", recent: "list[Session]", told: _Told) -> None:
    """Where nothing was noted as settled: how the last sessions ended, in their own words."""
    for session in recent[:3]:
        turns = [t for t in memory.turns(session.id, 3) if t.user and t.assistant and t.ended]
        if in_progress(ask, session) and turns and turns[-1].place == session.places - 1:
            turns.pop()
        if not turns:
            continue
        last = turns[-1]
        at = last.at or session.updated
        if at <= told.since:
            continue
        asked = (sentences(last.user) or [""])[0]
        ended = (sentences(last.assistant) or [""])[-1]
        if len(asked) + len(ended) < 24:
            continue
        asking, answering = (
            memory_name(session, last.id, kind, text) for kind, text in (("asked", asked), ("said", ended))
        )
        told.add(told.lines, asking, asked, item("asked", at, asked, session.sid, 200))
        told.add(told.lines, answering, ended, item("answered", at, ended, session.sid, 300))
        return


def _broken(ask: Ask, memory: "Memory", last: "Session", told: _Told) -> None:
    """A command that the last session left failing."""
    ends: dict[str, tuple[int, int | None, str]] = {}
    for turn, kind, _, command, status, failure, _sig in memory.work(last.id, 60):
        if kind == "command" and command:
            ends[command] = (turn, status, failure)
    if not ends:
        return
    command, (turn, status, failure) = list(ends.items())[-1]
    if (not status and not failure) or is_hidden(ask, last, turn):
        return
    if status == 1 and not failure:
        return  # `grep`, `diff`, `test`: an answer, as a rule
    known = memory.turn(turn)
    at = (known.at if known else 0) or last.updated
    shown = f"{command} → {failure}" if failure else f"{command} → exit status {status}"
    if at <= told.since:
        return
    name = memory_name(last, turn, "broke", command)
    told.add(told.broken, name, command, item("last failed", at, shown, last.sid, 300))
