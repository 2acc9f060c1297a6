"""Before an edit: a decision that names the file, its folder or the symbol, or that the text about to go was put in
on purpose. Else nothing.
"""

from deja_hooks.memory.schema import DECIDED, TURN_BITS
from deja_hooks.memory.scope import normal_path, project_root, relative_path
from deja_hooks.memory.state import text_hash
from deja_hooks.memory.terms import read_word, words
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.edited import edits_in
from deja_hooks.recall.fence import one_line
from deja_hooks.recall.quote import LEADS, item
from deja_hooks.recall.scope import Allowed
from deja_hooks.recall.thresholds import RECENT_EDITS, TOOL_BUDGET
from deja_hooks.scan import storable
from deja_hooks.tools import EDIT_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory

__all__ = ["answer"]

KIND = "before_tool"
#: A removed line shorter than this (characters, stripped) is nobody's purpose: braces, `pass`, `return`.
_TELLING_LINE = 12
_MOST_SYMBOLS = 5
#: Kinds of notes that say why, the most telling first.
_ORDER = {"decision": 0, "cause": 1, "fixed": 2, "rule": 3}


def answer(ask: Ask) -> Answer:
    """The packet before an edit."""
    if ask.payload.tool_name not in EDIT_TOOLS:
        return silent("a tool that needs no memory")
    edits = edits_in(ask.payload.tool_input, ask.payload.tool_text)
    if not edits:
        return silent("no file in the edit")
    memory = ask.memory
    project = memory.project(ask.project_key) if memory is not None else None
    if memory is None or project is None:
        return silent("no history of this project")
    allowed = Allowed(ask, memory)
    root = project_root(ask.payload.cwd)
    said = ask.said(KIND)
    for path, old in edits:
        relative = relative_path(_absolute(storable(path), ask.payload.cwd), root)
        found = _on_purpose(memory, project.id, relative, old, allowed, said)
        found = found or _named(memory, project.id, relative, old, allowed, said)
        if found:
            name, line, why, subject = found
            return Answer(KIND, f"before an edit of {subject}", [line], [name], why, TOOL_BUDGET)
    return silent("no decision names this file, its folder or the symbol")


def _absolute(path: str, cwd: str) -> str:
    if path.startswith(("/", "\\")) or path[1:2] == ":" or not cwd:
        return path
    return normal_path(cwd + "/" + path)


def _telling_lines(text: str) -> "set[str]":
    lines = {" ".join(line.split()) for line in text.split("\n")}
    return {line for line in lines if len(line) >= _TELLING_LINE and any(c.isalnum() for c in line)}


def _on_purpose(
    memory: "Memory", project: int, path: str, old: str, allowed: Allowed, said: "set[str]"
) -> "tuple[str, str, str, str] | None":
    """The text taken out is what an earlier session put in, with a reason noted in that turn: its name, the line,
    why it is said, and what it is about in the memory's own words (today's are not redacted)."""
    going = _telling_lines(old)
    if not going:
        return None
    for turn, at, _, new in memory.edits_of(project, path, RECENT_EDITS):
        if not allowed(turn) or not going & _telling_lines(new):
            continue
        for kind, text in _reasons(memory, turn):
            name = f"purpose:{turn}:{text_hash(text)}"
            session = memory.session(turn >> TURN_BITS)
            if session is not None and name not in said:
                base = path.rpartition("/")[2]
                lead = f"{LEADS[kind]}, when it put in what is now taken out of {one_line(base, 40)}"
                return name, item(lead, at or session.updated, text, session.sid, 240), "put in on purpose", path
    return None


def _reasons(memory: "Memory", turn: int) -> "list[tuple[str, str]]":
    """The turn's notes that say why, the most telling first."""
    notes = [note for note in memory.notes(turn) if note[0] in _ORDER]
    notes.sort(key=lambda note: _ORDER[note[0]])
    return notes


def _named(
    memory: "Memory", project: int, path: str, old: str, allowed: Allowed, said: "set[str]"
) -> "tuple[str, str, str, str] | None":
    """A note that names the file, its folder or a symbol of the text taken out."""
    for wanted in _names(path, old):
        word = read_word(wanted)
        if not word.terms:
            continue
        for turn in memory.postings(DECIDED, project, word.terms[0], RECENT_EDITS):
            if not allowed(turn):
                continue
            for kind, text in _reasons(memory, turn):
                if not _has_name(text, wanted):
                    continue
                name = f"named:{turn}:{text_hash(text)}"
                session = memory.session(turn >> TURN_BITS)
                if session is not None and name not in said:
                    known = memory.turn(turn)
                    at = (known.at if known else 0) or session.updated
                    return name, item(kind, at, text, session.sid, 300), f"a decision names {wanted}", wanted
    return None


def _names(path: str, old: str) -> "list[str]":
    """The file (path, then base name), its folder, and the identifiers of the text taken out."""
    folder, _, base = path.rpartition("/")
    names = [base] if "." in base or "_" in base else []
    if folder and not folder.startswith("/") and "/" in folder:
        names.append(folder)
    symbols = [w.text for w in words(old[:2_000]) if w.identifier and "/" not in w.text and len(w.text) > 4]
    return names + symbols[:_MOST_SYMBOLS]


def _has_name(text: str, name: str) -> bool:
    """Whether the name stands in the text as a whole (`pool.go` doesn't stand in `carpool.go`)."""
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or before == "_") and not (after.isalnum() or after == "_"):
            return True
        at = text.find(name, at + 1)
    return False
