"""Whether a session took up what a packet told it.

Looked for in the turn in which it was told and the two after it, as the agent's own doing: what it said or wrote
into files, the files it read or edited, the commands it ran. What counts is one of
- a name of the packet that is rare in the project, or the id of the session that it quotes;
- three informative words of it in a row;
- a command of it that then ran;
and none of it where the prompt, an earlier turn, or the call itself had it already.

Both ways it can be wrong. It sees too little where a packet is told in other words, or kept an agent from
something. It sees too much where the agent would have come to the name by itself, reading files. In the turn of a
packet before or after a tool the order of speech and work isn't known: there the agent's speech counts for
nothing, and its work by its time. A failure that stays away is no sign either: most do. So "taken up" means: its
words came back; not: they helped. By chance they do in 10 of 178 pairs of DevMemBench's coding sessions (a session
and three sentences of another one of its project), nearly all by a name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.failures.command_form import command_form
from deja_hooks.feedback.specifics import COMMAND, NAME, RUN, Words, command_key, key, runs
from deja_hooks.memory.schema import SPOKEN, TURN_BITS, WORKED, term_key
from deja_hooks.memory.terms import TermCache, index_terms
from deja_hooks.memory.turn_rows import stored_turn

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from deja_hooks.feedback.told import Told
    from deja_hooks.memory.rows import WorkRow

__all__ = ["Session", "Vocabulary", "uptake"]

#: Turns in which a packet may be taken up, that of the telling included.
_WINDOW = 3
#: A prompt's hook and the host's record of the prompt are no further apart than this, in ms.
_APART = 60_000
#: A session's start is told no later than this after its first prompt was recorded, in ms.
_START_LAG = 10_000
#: A name is rare in at most so many of the project's other sessions, or so large a share of them (as for recall).
_RARE_SESSIONS = 3
_RARE_SHARE = 0.05
#: Postings after which a name is common, whatever they are.
_POSTINGS = 200
#: What joins commands in one line.
_JOINTS = re.compile(r"&&|\|\||[;|\n]")


class Session(NamedTuple):
    """A session of the memory: row ids of it and its project, epoch ms of its last record."""

    id: int
    project: int
    updated: int

    def turn(self, place: int) -> int:
        """The row id of the turn at that place."""
        return (self.id << TURN_BITS) + place


class _Turn(NamedTuple):
    place: int
    at: int
    ended: int


class Vocabulary(NamedTuple):
    """The words met so far, kept over many packets."""

    words: Words
    terms: TermCache


def uptake(
    db: sqlite3.Connection, session: Session, packet: Told, known: Vocabulary
) -> tuple[int, tuple[str, int, int, int]]:
    """The place of the turn that the packet was told in (-1: not there yet), and the verdict with its counts."""
    low, high = session.turn(0), session.turn(1 << TURN_BITS)
    rows = db.execute("SELECT id, at, ended FROM turn WHERE id>=? AND id<? ORDER BY id", (low, high))
    turns = [_Turn(row[0] - low, row[1], row[2]) for row in rows]
    index = _told_in(turns, packet, session.updated)
    if index < 0:
        return -1, ("open", 0, 0, 0)
    seen = _Seen(db, session, packet, turns[index].place, known)
    for turn in turns[index : index + _WINDOW]:
        seen.look(turn.place)
    if any(seen.counts):
        verdict = "taken"
    elif not seen.tellable:
        verdict = "none"
    else:
        verdict = "left" if turns[index].ended and seen.answered else "open"
    return turns[index].place, (verdict, *seen.counts)


def _told_in(turns: list[_Turn], packet: Told, updated: int) -> int:
    """The index of the turn that a packet was told in; -1 where it isn't there yet.

    Args:
        updated: epoch ms up to which the session has been read.
    """
    if _within_turn(packet):
        if packet.at > updated:
            return -1  # its turn may be one that is still to be read
        return max((i for i, turn in enumerate(turns) if turn.at <= packet.at), default=-1)
    if packet.event == "SessionStart":  # maybe long before the prompt; with it, where a host starts late
        return next((i for i, turn in enumerate(turns) if turn.at > packet.at - _START_LAG), -1)
    near = [(abs(turn.at - packet.at), i) for i, turn in enumerate(turns) if abs(turn.at - packet.at) <= _APART]
    return min(near, default=(0, -1))[1]


def _within_turn(packet: Told) -> bool:
    return packet.event not in ("UserPromptSubmit", "SessionStart")


class _Seen:
    """What of a packet has come back, while one turn after another is looked at.

    Attributes:
        tellable: whether there is anything that could come back, prompts taken out, and it would be seen.
        answered: whether something was seen to be said or done after the telling.
    """

    def __init__(self, db: sqlite3.Connection, session: Session, packet: Told, place: int, known: Vocabulary) -> None:
        self._db = db
        self._session = session
        self._packet = packet
        self._told = session.turn(place)
        self._words, self._cache = known
        marks = set(packet.specifics.split())
        self._wanted = {kind: {m[1:] for m in marks if m[0] == kind} for kind in (NAME, RUN, COMMAND)}
        self._found: dict[str, set[str]] = {"words": set(), "files": set(), "commands": set()}
        self._fresh: dict[tuple[str, ...], bool] = {}
        self._untimed = False
        self.answered = False

    @property
    def tellable(self) -> bool:
        return any(self._wanted.values()) and not self._untimed

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many specifics came back in words, files, commands."""
        return len(self._found["words"]), len(self._found["files"]), len(self._found["commands"])

    def look(self, place: int) -> None:
        """Takes in one turn, the one of the telling first."""
        turn = stored_turn(self._db, self._session.turn(place))
        first = self._session.turn(place) == self._told
        self._hold(turn.user)
        work = turn.work
        speech, files = turn.assistant, turn.files
        if first and _within_turn(self._packet):
            before = [w for w in turn.work if w.at <= self._packet.at]
            self._untimed = any(w.at <= turn.at for w in before)  # older chats give no times, but the request's
            self._hold("\n".join([speech, *(f"{w.path} {w.command} {w.failure}" for w in before)]), commands=False)
            self._hold_commands(w.command for w in before)
            work = tuple(w for w in turn.work if w.at > self._packet.at)
            files = ()  # when they were read isn't known
            self.answered = bool(turn.ended)
            speech = ""
        self.answered = self.answered or bool(speech.strip() or work)
        self._take("words", "\n".join([speech, *(w.new for w in work)]))
        self._take("files", "\n".join([*files, *(w.path for w in work)]), phrases=False)
        self._take("commands", "\n".join(w.command for w in work), phrases=False)
        self._take_commands(work)

    # -- what is not new any more

    def _hold(self, text: str, *, commands: bool = True) -> None:
        """What stands here is no specific of the packet any longer."""
        self._wanted[NAME] -= {key(term) for term in index_terms(text, self._cache)}
        if self._wanted[RUN]:
            self._wanted[RUN] -= runs(text, self._words).keys()
        if commands and self._wanted[COMMAND]:
            self._hold_commands([*text.split("\n"), *text.split("`")[1::2]])

    def _hold_commands(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._wanted[COMMAND] -= _command_keys(line)

    # -- what came back

    def _take(self, where: str, text: str, *, phrases: bool = True) -> None:
        wanted = self._wanted[NAME]
        if wanted:
            for term in index_terms(text, self._cache):
                if key(term) in wanted and self._is_new((term,)) and self._is_rare(term):
                    self._found[where].add(term)
        if phrases and self._wanted[RUN]:
            for found, terms in runs(text, self._words).items():
                if found in self._wanted[RUN] and self._is_new(terms):
                    self._found[where].add(found)

    def _take_commands(self, work: Iterable[WorkRow]) -> None:
        if not self._wanted[COMMAND]:
            return
        earlier: set[str] | None = None
        for each in work:
            for found in _command_keys(each.command) & self._wanted[COMMAND]:
                earlier = self._earlier_commands() if earlier is None else earlier
                if found not in earlier:
                    self._found["commands"].add(found)

    def _earlier_commands(self) -> set[str]:
        """The keys of what ran in the turns before the telling."""
        rows = self._db.execute(
            "SELECT command FROM work WHERE turn>=? AND turn<? AND command<>''", (self._session.turn(0), self._told)
        )
        return {found for (command,) in rows for found in _command_keys(command)}

    def _is_new(self, terms: tuple[str, ...]) -> bool:
        """Whether no turn before the telling has all these terms."""
        if terms not in self._fresh:
            span = (self._session.turn(0), self._told)
            roles = (SPOKEN, WORKED)
            self._fresh[terms] = not any(self._postings(role, terms, span, 1) for role in roles)
        return self._fresh[terms]

    def _is_rare(self, term: str) -> bool:
        """Whether few of the project's other sessions speak of it."""
        found = self._postings(SPOKEN, (term,), (0, 1 << 62), _POSTINGS)
        others = {turn >> TURN_BITS for turn in found} - {self._session.id}
        if len(found) == _POSTINGS:
            return False
        query = "SELECT sessions FROM project WHERE id=?"
        sessions = self._db.execute(query, (self._session.project,)).fetchone()[0]
        return len(others) <= max(_RARE_SESSIONS, int(_RARE_SHARE * sessions))

    def _postings(self, role: str, terms: tuple[str, ...], span: tuple[int, int], limit: int) -> list[int]:
        """Row ids of turns from one to another that have all the terms in that role."""
        if any(c < "\x80" and not c.isalnum() for term in terms for c in term):
            return []  # not one token: the table can't answer
        asked = " AND ".join(f'"{term_key(role, self._session.project, term)}"' for term in terms)
        query = "SELECT rowid FROM terms WHERE terms MATCH ? AND rowid>=? AND rowid<? LIMIT ?"
        return [row[0] for row in self._db.execute(query, (asked, *span, limit))]


def _command_keys(command: str) -> set[str]:
    """The keys under which a command line may be known: as a whole, as it is compared, and its parts."""
    lines = [command, command_form(command), *_JOINTS.split(command)]
    return {command_key(line) for line in lines if line.strip()}
