"""Before an edit: a decision that names the file, its folder or the symbol, or that the text about to go was put in
on purpose. Else nothing.
"""

from deja_hooks.memory.schema import DECIDED, TURN_BITS
from deja_hooks.memory.scope import normal_path, project_root, relative_path
from deja_hooks.memory.state import text_hash
from deja_hooks.memory.terms import read_word
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.edited import edits_in
from deja_hooks.recall.scope import Allowed
from deja_hooks.recall.thresholds import RECENT_EDITS, TOOL_BUDGET
from deja_hooks.scan import storable
from deja_hooks.tools import EDIT_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory
    from deja_hooks.recall.edited import Edit
    from deja_hooks.recall.purpose import Reason

__all__ = ["ORDER", "answer", "names", "turns_about"]

KIND = "before_tool"
#: Kinds of notes that say why, the most telling first.
ORDER = {"decision": 0, "cause": 1, "rule": 2, "failed": 3, "fixed": 4}
#: Characters of a quotation; those that surely fit, behind a short lead and a long one (the budget holds the fence,
#: the date and the id too).
_QUOTE, _FITS, _FITS_PURPOSE = 300, 160, 110


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
    coming = "\n".join([edit.new for edit in edits])
    for edit in edits:
        path = relative_path(_absolute(storable(edit.path), ask.payload.cwd), root)
        found = _on_purpose(memory, project.id, path, edit, coming, allowed, said)
        found = found or _named(memory, project.id, path, edit, allowed, said)
        if found is not None:
            found.budget = ask.budget("before_edit", TOOL_BUDGET)
            return found
    return silent("no decision names this file, its folder or the symbol")


def _absolute(path: str, cwd: str) -> str:
    if path.startswith(("/", "\\")) or path[1:2] == ":" or not cwd:
        return path
    return normal_path(cwd + "/" + path)


def _on_purpose(
    memory: "Memory", project: int, path: str, edit: "Edit", coming: str, allowed: Allowed, said: "set[str]"
) -> "Answer | None":
    """The text taken out is what an earlier session put in, for a reason that was said in that turn."""
    if not edit.old or not memory.was_edited(project, path):
        return None
    from deja_hooks.recall.purpose import put_in, reason_for, telling_lines

    # What the call puts in again, here or in another place, is moved and not taken out.
    going = telling_lines(storable(edit.old)) - telling_lines(storable(coming))
    if not going:
        return None
    for turn, lines in put_in(memory, project, path, going, RECENT_EDITS):
        if not allowed(turn):
            continue
        reason = reason_for(memory, turn, path, lines)
        if reason is not None:
            name = f"purpose:{turn}:{text_hash(reason.text)}"
            if name not in said:
                return _purpose_answer(memory, turn, path, reason, name)
    return None


def _purpose_answer(memory: "Memory", turn: int, path: str, reason: "Reason", name: str) -> "Answer | None":
    from deja_hooks.recall.fence import one_line
    from deja_hooks.recall.naming import excerpt
    from deja_hooks.recall.quote import item, told_as

    session = memory.session(turn >> TURN_BITS)
    if session is None:
        return None
    base = one_line(path.rpartition("/")[2], 60)
    lead = f"{told_as(reason.kind, session)}, when it put in what is now taken out of {base}"
    known = memory.turn(turn)
    at = (known.at if known else 0) or session.updated
    text = excerpt(reason.text, reason.about, _FITS_PURPOSE)
    line = item(lead, at, text, session.sid, _QUOTE)
    return Answer(KIND, f"before an edit of {one_line(path, 60)}", [line], [[name]], "put in on purpose", TOOL_BUDGET)


def _named(
    memory: "Memory", project: int, path: str, edit: "Edit", allowed: Allowed, said: "set[str]"
) -> "Answer | None":
    """The latest note that names the file, its folder or a symbol that the edit is about; each is told of once."""
    if path.startswith("/") or path[1:2] == ":":
        return None  # a file elsewhere: a name of this project means one of this project
    from deja_hooks.recall.symbols import symbols

    folder, _, base = path.rpartition("/")
    wanted = [("file", base), ("folder", folder), *(("symbol", storable(name)) for name in symbols(edit))]
    for what, name in wanted:
        about = f"about:{what}:{path if what == 'file' else name}"
        if not name or about in said:
            continue
        best: tuple[int, int, str, str] | None = None
        for turn in turns_about(memory, project, name):
            if not allowed(turn):
                continue
            for kind, text in memory.notes(turn):
                rank = ORDER.get(kind, 9)
                if rank < (best[0] if best else 9) and names(memory, turn, text, what, name, path):
                    best = (rank, turn, kind, text)
            if best is not None and best[0] < ORDER["fixed"]:
                break  # the latest that says why; that something was fixed is told only where nothing else is
        if best is not None:
            return _named_answer(memory, best[1:], name, about)
    return None


def turns_about(memory: "Memory", project: int, name: str) -> "list[int]":
    """The last turns with a note in which the name's first term stands."""
    terms = read_word(name).terms
    return memory.postings(DECIDED, project, terms[0], 2 * RECENT_EDITS) if terms else []


def names(memory: "Memory", turn: int, text: str, what: str, name: str, path: str) -> bool:
    """Whether a note names this file, folder or symbol; where it names one of several, that its turn was about it."""
    from deja_hooks.memory.edits_read import same_named, touched
    from deja_hooks.recall.naming import is_generic, names_file, names_folder, names_symbol

    if what == "file":
        how = names_file(text, path)
        if how != "base":
            return bool(how)
        alike = same_named(touched(memory, turn), path)
        return path in alike if alike or (is_generic(name) and "/" in path) else True
    if what == "folder":
        how = names_folder(text, path)
        return how == "path" or (how == "base" and any(p.startswith(name + "/") for p in touched(memory, turn)))
    how = names_symbol(text, name)
    return bool(how) and (read_word(name).identifier or (how == "code" and path in touched(memory, turn)))


def _named_answer(memory: "Memory", found: "tuple[int, str, str]", name: str, about: str) -> "Answer | None":
    from deja_hooks.recall.fence import one_line
    from deja_hooks.recall.naming import excerpt
    from deja_hooks.recall.quote import item, told_as

    turn, kind, text = found
    session = memory.session(turn >> TURN_BITS)
    if session is None:
        return None
    known = memory.turn(turn)
    at = (known.at if known else 0) or session.updated
    shown = name if name in text else name.rpartition("/")[2]
    line = item(told_as(kind, session), at, excerpt(text, shown, _FITS), session.sid, _QUOTE)
    names = [f"named:{turn}:{text_hash(text)}", about]
    title = f"before an edit of {one_line(name, 60)}"
    return Answer(KIND, title, [line], [names], f"a decision names {name}", TOOL_BUDGET)
