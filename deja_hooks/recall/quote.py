"""How a memory is worded: quoted, dated, with the id that opens it."""

from deja_hooks.memory.state import text_hash
from deja_hooks.recall.fence import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deja_hooks.memory.read import Session

__all__ = [
    "LEADS",
    "announces",
    "best_sentence",
    "day",
    "in_passing",
    "item",
    "memory_name",
    "sentences",
    "short_id",
    "told_as",
]

#: How a kind of note is worded.
LEADS = {
    "decision": "decided",
    "cause": "found",
    "fixed": "fixed",
    "rule": "asked for",
    "failed": "did not work",
    "open": "left open",
    "said": "said",
    "asked": "asked",
}
#: How a mention in passing is put.
_PASSING = (
    "unrelated to", " is unrelated", " are unrelated", " was unrelated", " were unrelated", "not related to",
    "nothing to do with", "not about ", "n't about ", "n't concern", "not concern", "no bearing on", "not the matter",
)  # fmt: skip
#: Beginnings of a sentence that goes on with the one before it.
_GOING_ON = (
    "We ", "It ", "It's ", "So ", "This ", "That ", "These ", "They ", "Therefore", "Hence", "Thus", "From now on",
    "Instead", "As a result", "Consequently", "The new ", "The old ", "The reason ",
)  # fmt: skip
#: Beginnings of a sentence that says what is going to be done.
_ANNOUNCING = (
    "I will ", "I'll ", "I\u2019ll ", "Let me ", "I'm going to ", "I am going to ", "Now I", "Now let", "First, I",
    "Next, I", "Let's ", "We will now ",
)  # fmt: skip
#: Most characters of two sentences that are quoted together (as `notes.LONGEST`).
_LONGEST = 400


def day(at_ms: int) -> str:
    """The UTC day of a time in epoch ms, as `2026-11-30` (civil-from-days, Howard Hinnant's public algorithm)."""
    z = at_ms // 86_400_000 + 719_468
    era = z // 146_097
    doe = z - era * 146_097
    yoe = (doe - doe // 1_460 + doe // 36_524 - doe // 146_096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = mp + 3 if mp < 10 else mp - 9
    year = yoe + era * 400 + (1 if month <= 2 else 0)
    return f"{year:04d}-{month:02d}-{doy - (153 * mp + 2) // 5 + 1:02d}"


def short_id(sid: str) -> str:
    """The beginning of a session id, enough for `deja-hooks show`."""
    return one_line(sid, 40)[:8] if len(sid) > 8 else one_line(sid, 40)


def memory_name(session: "Session", text: str) -> str:
    """A name of a memory that is the same each time it is found, also in a memory that was built anew.

    What a session says twice is one memory, whichever turn it is quoted from.
    """
    return f"{session.sid}:{text_hash(text)}"


def told_as(kind: str, session: "Session") -> str:
    """How a sentence of a session is put: what the user asked to remember is neither decided nor found."""
    return "remembered" if session.store == "notes" else LEADS.get(kind, kind)


def item(kind: str, at_ms: int, text: str, sid: str, limit: int = 420) -> str:
    """One line of a packet: `- 2026-11-30 decided: "…" [deja-hooks show 0123abcd]`."""
    quoted = one_line(text, limit)
    return f'- {day(at_ms)} {LEADS.get(kind, kind)}: "{quoted}" [deja-hooks show {short_id(sid)}]'


def marked(line: str, mark: "tuple[str, str] | None") -> str:
    """The line, and that the user has promoted its session, with the reason.

    Args:
        mark: kind and note, as `Memory.marks_of` gives them; None for none.
    """
    if mark is None or mark[0] != "promote":
        return line
    return f"{line} (promoted by the user{': ' + chr(34) + one_line(mark[1], 120) + chr(34) if mark[1] else ''})"


def sentences(text: str) -> "list[str]":
    """The text's sentences; code fences are left out."""
    kept = []
    fenced = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and line.strip():
            kept.append(line.strip())
    found = []
    for line in kept:
        start = 0
        for i in range(1, len(line) - 1):
            if line[i] == " " and line[i - 1] in ".!?" and _begins(line, i + 1):
                found.append(line[start:i])
                start = i + 1
        found.append(line[start:])
    return [s for s in found if s and "[deja-hooks show " not in s]


def _begins(line: str, at: int) -> bool:
    """Whether a sentence may begin there: not with a small letter, but for an identifier (`retry_budget`)."""
    if not line[at].islower():
        return True
    word = line[at : at + 40].partition(" ")[0]
    return "_" in word or word.lower() != word


def best_sentence(text: str, wanted: "set[str]", terms_of: "Callable[[str], set[str]]") -> "tuple[str, int]":
    """The sentence with most of the wanted terms, and how many it has; with the one after it where that goes on.

    What is only announced counts half; of equals one with a number, the first. A mention in passing ("this has nothing
    to do with X") is none.

    Args:
        wanted: index terms.
        terms_of: text → set of its index terms.
    """
    best, most, telling = -1, 0, (0, False)
    found = sentences(text)[:200]
    for place, sentence in enumerate(found):
        count = len(wanted & terms_of(sentence))
        if 2 * count < telling[0] or not count or in_passing(sentence):
            continue
        this = (count if announces(sentence) else 2 * count, any(c.isdigit() for c in sentence))
        if this > telling:
            best, most, telling = place, count, this
    if best < 0:
        return "", 0
    following = found[best + 1] if best + 1 < len(found) else ""
    return (f"{found[best]} {following}" if _goes_on(found[best], following) else found[best]), most


def announces(sentence: str) -> bool:
    """Whether a sentence says what is going to be done: "I'll change …", "Running the tests to …"."""
    return sentence.startswith(_ANNOUNCING) or (sentence.partition(" ")[0].endswith("ing") and " to " in sentence)


def in_passing(sentence: str) -> bool:
    """Whether a sentence says of what it names that it isn't the matter."""
    lower = sentence.lower()
    for phrase in _PASSING:  # noqa: SIM110 - any() over a generator takes three times as long
        if phrase in lower:
            return True
    return False


def _goes_on(sentence: str, following: str) -> bool:
    """Whether the second sentence has the outcome or the reason of the first."""
    if not following.startswith(_GOING_ON) or following.endswith("?") or len(sentence) + len(following) >= _LONGEST:
        return False
    return " because " in following or " since " in following or any(c.isdigit() for c in following)
