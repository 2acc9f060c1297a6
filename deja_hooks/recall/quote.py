"""How a memory is worded: quoted, dated, with the id that opens it."""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.state import text_hash
from deja_hooks.recall.fence import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deja_hooks.memory.read import Session

__all__ = ["LEADS", "best_sentence", "day", "item", "memory_name", "sentences", "short_id"]

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


def memory_name(session: "Session", turn: int, kind: str, text: str) -> str:
    """A name of a memory that is the same each time it is found, also in a memory that was built anew."""
    return f"{session.sid}:{turn & (1 << TURN_BITS) - 1}:{kind}:{text_hash(text)}"


def item(kind: str, at_ms: int, text: str, sid: str, limit: int = 420) -> str:
    """One line of a packet: `- 2026-11-30 decided: "…" [deja-hooks show 0123abcd]`."""
    quoted = one_line(text, limit)
    return f'- {day(at_ms)} {LEADS.get(kind, kind)}: "{quoted}" [deja-hooks show {short_id(sid)}]'


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
            if line[i] == " " and line[i - 1] in ".!?" and not line[i + 1].islower():
                found.append(line[start:i])
                start = i + 1
        found.append(line[start:])
    return [s for s in found if s and "[deja-hooks show " not in s]


def best_sentence(text: str, wanted: "set[str]", terms_of: "Callable[[str], set[str]]") -> "tuple[str, int]":
    """The sentence with most of the wanted terms, the first of equals, and how many it has.

    Args:
        wanted: index terms.
        terms_of: text → set of its index terms.
    """
    best, most = "", 0
    for sentence in sentences(text)[:200]:
        count = len(wanted & terms_of(sentence))
        if count > most:
            best, most = sentence, count
    return best, most
