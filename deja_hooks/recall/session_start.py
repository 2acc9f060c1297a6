"""At a session's start: what this project last settled, left open and broke; nothing without history."""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.scope import branch, project_root
from deja_hooks.memory.state import text_hash
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.overturned import Subject, overturns, same_subject
from deja_hooks.recall.quote import item, marked, memory_name, sentences
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
#: Work of one session that is looked at for its last command.
_WORK = 60
#: Most characters quoted of what was settled, and of what was left.
_QUOTE = 400
_QUOTE_LEFT = 240
#: Characters that the fence takes, at most.
_FENCE = 320
#: What a promotion is worth beside the branch (2) and changed files (1).
_PROMOTED = 4
#: Notes of one session that are looked at.
_NOTES = 12
_MOST_OPEN = 2
_MOST_STATS = 200
_NOTHING_NEW = "nothing new since this session was left"
#: Of what the user asked to remember, the latest.
_MOST_REMEMBERED = 3


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
    marks = memory.marks_of([session.id for session in recent])
    recent = [session for session in recent if marks.get(session.id, ("",))[0] != "reject"]
    said = ask.said(KIND)
    told = _Told(said, since, marks)
    _remembered(memory, project.id, told)
    if not recent and not told.lines:
        return silent(_NOTHING_NEW if since else "no history of this project")
    notes = {session.id: memory.session_notes(session.id, _NOTES) for session in recent}
    for session in _in_order(ask, memory, recent, marks):
        _settled_and_open(ask, memory, session, notes, told)
    if recent:
        if not told.noted and not told.open:
            _last_talk(ask, memory, recent, told)
        _broken(ask, memory, recent, told)
    budget = ask.budget(KIND, SESSION_START_BUDGET)
    chosen = told.fitting(budget - _FENCE)
    if not chosen:
        return silent(
            "already said" if said else _NOTHING_NEW if since else "nothing settled in this project's sessions"
        )
    about = (
        f"what {project.label} settled since this session was left" if since else f"what {project.label} last settled"
    )
    lines, names = [line for line, _ in chosen], [[name] for _, name in chosen]
    return Answer(KIND, about, lines, names, f"{len(lines)} lines", budget)


def _left(ask: Ask, memory: "Memory") -> int:
    """When a session that is resumed was left, epoch ms: what was settled before, it has in its own words; else 0."""
    if ask.payload.source != "resume":
        return 0
    own = memory.session_of(ask.payload.session_id)
    return own.updated if own is not None else 0


class _Told:
    """The lines so far: what is settled, then what is open, then what broke.

    Attributes:
        noted: something was settled, said before or not.
        most: how many lines may say what was settled.

    Args:
        said: names of memories that this session has been told.
        since: epoch ms; nothing older is told.
        marks: what the user decided about sessions (`Memory.marks_of`).
    """

    __slots__ = ("_said", "_seen", "broken", "lines", "marks", "most", "noted", "open", "since")

    def __init__(self, said: "set[str]", since: int, marks: "dict[int, tuple[str, str]]") -> None:
        self._said = said
        self._seen: set[int] = set()
        self.since = since
        self.marks = marks
        self.noted = False
        self.most = _MOST_SETTLED
        self.lines: list[tuple[str, str]] = []
        self.open: list[tuple[str, str]] = []
        self.broken: list[tuple[str, str]] = []

    def add(self, into: "list[tuple[str, str]]", name: str, text: str, line: str) -> None:
        """Takes a line once, however many sessions said the same, and never what was said before."""
        key = text_hash(text)
        if name in self._said or key in self._seen:
            return
        self._seen.add(key)
        into.append((line, name))

    def fitting(self, room: int) -> "list[tuple[str, str]]":
        """The lines that fit into so many characters, with the names of their memories.

        What is open and what broke is kept; of what was settled, the first line and as many as there is room for.
        """
        last = [*self.open, *self.broken]
        room -= sum([len(line) + 1 for line, _ in last])
        kept: list[tuple[str, str]] = []
        for line, name in self.lines:
            room -= len(line) + 1
            if room < 0 and kept:
                break
            kept.append((line, name))
        return kept + last


def _remembered(memory: "Memory", project: int, told: _Told) -> None:
    """What the user asked to remember leads, the latest first, and takes no other line's place."""
    for session in memory.remembered(project, _MOST_REMEMBERED):
        for turn, _, text in memory.session_notes(session.id, 1):
            known = memory.turn(turn)
            at = (known.at if known else 0) or session.updated
            if at > told.since:
                told.add(
                    told.lines, memory_name(session, text), text, item("remembered", at, text, session.sid, _QUOTE)
                )
    told.most += len(told.lines)


def _in_order(
    ask: Ask, memory: "Memory", recent: "list[Session]", marks: "dict[int, tuple[str, str]]"
) -> "list[Session]":
    """Those that the user promoted first, then the same branch, and those whose files have changed; then the latest.

    Files that a session of another branch edited look changed since the branches were.
    """
    here = branch(ask.payload.cwd)
    root = project_root(ask.payload.cwd)
    stats = 0
    scored = []
    for place, session in enumerate(recent):
        score = _PROMOTED if session.id in marks else 0
        if here and session.branch == here:
            score += 2
        if session.branch in ("", here):
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
    if len(told.lines) >= told.most and len(told.open) >= _MOST_OPEN:
        return
    mine = 0
    for turn, kind, text in notes[session.id]:
        if is_hidden(ask, session, turn):
            continue
        known = memory.turn(turn)
        at = (known.at if known else 0) or session.updated
        if at <= told.since:
            continue
        name = memory_name(session, text)
        if kind in _SETTLED and len(told.lines) < told.most and mine < 2:
            told.noted = True
            if not _is_overturned(kind, text, _later_notes(turn, notes)):
                mine += 1
                line = marked(item(kind, at, text, session.sid, _QUOTE), told.marks.get(session.id))
                told.add(told.lines, name, text, line)
        elif (
            kind == "open"
            and _is_last(session, turn)
            and len(told.open) < _MOST_OPEN
            and not _is_overturned(kind, text, _later_notes(turn, notes))
        ):
            told.add(told.open, name, text, item(kind, at, text, session.sid, _QUOTE_LEFT))


def _later_notes(turn: int, notes: "dict[int, list[tuple[int, str, str]]]") -> "Iterator[tuple[int, str, str]]":
    """The notes of later sessions, and of later turns of the same one."""
    for session, found in notes.items():
        if session == turn >> TURN_BITS:
            yield from [note for note in found if note[0] > turn]
            return
        yield from found


def _is_overturned(kind: str, text: str, later: "Iterator[tuple[int, str, str]]") -> bool:
    """Whether one of the later sentences takes the place of this one; of an open item, whether one says it is done."""
    others = list(later)
    if not others:
        return False
    subject = Subject(text)
    for _, of, other in others:
        # A sentence without the name is about something else: most needn't be read.
        if not subject.may_share(other) or (of != kind and kind != "open" and not subject.names):
            continue
        if kind == "open":
            if of == "fixed" and same_subject(subject, Subject(other)):
                return True
        elif overturns(of, Subject(other), kind, subject):
            return True
    return False


def _is_last(session: "Session", turn: int) -> bool:
    return turn == session.id << TURN_BITS | session.places - 1


def _last_talk(ask: Ask, memory: "Memory", recent: "list[Session]", told: _Told) -> None:
    """Where nothing was noted as settled or open: how the last sessions ended, in their own words."""
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
        told.add(told.lines, memory_name(session, asked), asked, item("asked", at, asked, session.sid, 200))
        told.add(told.lines, memory_name(session, ended), ended, item("answered", at, ended, session.sid, 300))
        return


def _broken(ask: Ask, memory: "Memory", recent: "list[Session]", told: _Told) -> None:
    """A command that the branch's last session left failing, else the very last session, unless it has worked since."""
    here = branch(ask.payload.cwd)
    own = [session for session in recent if here and session.branch == here][:1]
    last = recent.index(own[0]) if own else 0
    passed: list[str] = []
    found = None
    for place, session in enumerate(recent[: last + 1]):
        ran = [each for each in memory.work(session.id, _WORK) if each[1] == "command" and each[3]]
        failing = _left_failing(ran, passed) if place in (0, last) else None
        if failing is not None and not is_hidden(ask, session, failing[0]):
            found = (session, *failing)
        passed += [command for _, _, _, command, status, _, _ in ran if status == 0]
    if found is None:
        return
    session, turn, command, shown = found
    known = memory.turn(turn)
    at = (known.at if known else 0) or session.updated
    if at > told.since:
        line = item("last failed", at, shown, session.sid, _QUOTE_LEFT)
        told.add(told.broken, memory_name(session, command), command, line)


def _left_failing(
    ran: "list[tuple[int, str, str, str, int | None, str, str]]", passed: "list[str]"
) -> "tuple[int, str, str] | None":
    """The last failing command of the last turn that ran any, of which no other form worked later.

    Args:
        ran: a session's commands, as `Memory.work` gives them.
        passed: commands that worked in later sessions.

    Returns:
        The turn, the command, and how it is told.
    """
    worked = list(passed)
    for turn, _, _, command, status, failure, _ in reversed(ran):
        if turn != ran[-1][0]:
            break
        if status == 0 and not failure:
            worked.append(command)
        elif status == 1 and not failure:
            continue  # `grep`, `diff`, `test`: an answer, as a rule
        elif (status or failure) and not any(_is_form_of(each, command) for each in worked):
            return turn, command, f"{command} → {failure}" if failure else f"{command} → exit status {status}"
    return None


def _is_form_of(command: str, failed: str) -> bool:
    """Whether a command is a failed one with other arguments, or by another program (`python -m flake8`)."""
    words, program = command.split(), failed.split()
    return words[:2] == program[:2] or program[0] in words[1:]
