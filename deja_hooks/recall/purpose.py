"""Whether lines about to be taken out were put in by an earlier session, and why."""

from deja_hooks.memory.edits_read import changed, written_into
from deja_hooks.memory.terms import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory

__all__ = ["Reason", "put_in", "reason_for", "telling_lines"]

#: A line shorter than this (characters, stripped) is nobody's purpose: braces, `pass`, `return`.
_TELLING_LINE = 12
#: Characters of lines known again below which they may be alike by chance.
_ENOUGH = 16
#: Lines that stand in any file.
_EVERYWHERE = (
    "import ", "from ", "#include", "using ", "package ", "require ", "require(", "export * ", "export default ",
    "return ", "} else", "} catch", "else:", "except ", "finally", "end", "#!/", "'use strict'", '"use strict"',
    "<?php", "if __name__", "def __init__(self", "@override", "@dataclass", "@pytest", "self.assert", "console.log(",
    "print(", "raise notimplemented", "public class ", "public static void main", "# type:", "// eslint",
    "throw new error(", "module.exports", "const express", "use super::", "mod tests", "#[cfg(test)]", "#[derive(",
    "</",
)  # fmt: skip
_ORDER = {"decision": 0, "cause": 1, "rule": 2, "fixed": 3}
#: What gives a reason in a sentence that no note was made of.
_BECAUSE = (
    " because ", " so that ", " to avoid ", " to prevent ", " otherwise ", " on purpose", " deliberately",
    " to make sure ", " since ", " must ", " workaround ", " work around ", " to keep ", " intentionally", " needed ",
    " guards against ",
)  # fmt: skip


class Reason:
    """Why something was put in.

    Attributes:
        kind: of the note; "said" for a sentence that no note was made of.
        text: the sentence, as it was said.
        about: the word in it that the lines share, "" where none.
    """

    __slots__ = ("about", "kind", "text")

    def __init__(self, kind: str, text: str, about: str) -> None:
        self.kind = kind
        self.text = text
        self.about = about


def telling_lines(text: str) -> "set[str]":
    """The text's lines that say enough to be known again, stripped."""
    found = set()
    for line in text.split("\n"):
        line = line.strip()
        says = len(line) >= _TELLING_LINE and not line.lower().startswith(_EVERYWHERE)
        if says and sum([c.isalnum() for c in line]) >= _TELLING_LINE - 4:
            found.add(line)
    return found


def put_in(memory: "Memory", project: int, path: str, going: "set[str]", limit: int) -> "list[tuple[int, set[str]]]":
    """The turns that put (most of) these lines into the file, the latest first, each with the lines it put in."""
    found: dict[int, set[str]] = {}
    folded = {" ".join(line.split()): line for line in going}
    for turn, _, old, new in memory.edits_of(project, path, limit):
        had = telling_lines(old)
        new_lines = {" ".join(line.split()) for line in telling_lines(new) - had}
        found.setdefault(turn, set()).update(line for fold, line in folded.items() if fold in new_lines)
    rows = written_into(memory, project, path, limit)
    if rows:
        from deja_hooks.memory.written import KEY_BYTES, line_key

        keys = {line_key(line): line for line in going}
        for turn, lines in rows:
            put = {lines[at : at + KEY_BYTES] for at in range(0, len(lines), KEY_BYTES)}
            found.setdefault(turn, set()).update(line for key, line in keys.items() if key in put)
    kept = [(turn, lines) for turn, lines in found.items() if _enough(lines, going)]
    kept.sort(key=lambda each: -each[0])
    return kept


def _enough(lines: "set[str]", going: "set[str]") -> bool:
    return 2 * len(lines) >= len(going) and sum([len(line) for line in lines]) >= _ENOUGH


def reason_for(memory: "Memory", turn: int, path: str, lines: "set[str]") -> "Reason | None":
    """Why that turn put the lines in: a note of it, else a sentence that gives a reason.

    It must share a name with the lines or name the file; a note of a turn that changed this file only needn't.
    """
    shared = {word.text for line in lines for word in words(line)}
    base = path.rpartition("/")[2]
    alone = changed(memory, turn) <= {path}
    reasons = [Reason(kind, text, _about(text, shared, base)) for kind, text in memory.notes(turn) if kind in _ORDER]
    reasons = [reason for reason in reasons if reason.about or alone]
    if reasons:
        return min(reasons, key=lambda reason: (_ORDER[reason.kind], not reason.about))
    known = memory.turn(turn)
    if known is None:
        return None
    from deja_hooks.recall.quote import sentences

    for sentence in sentences(known.assistant[-8_000:])[:100]:
        low = f" {sentence.lower()} "
        about = _about(sentence, shared, base) if any(mark in low for mark in _BECAUSE) else ""
        if about:
            return Reason("said", sentence, about)
    return None


def _about(text: str, shared: "set[str]", base: str) -> str:
    """A name of the lines, or the file's, that stands in the text; else a rarer word of both, else ""."""
    if base in text:
        return base
    both = [word for word in words(text) if word.text in shared]
    named = [word.text for word in both if word.identifier]
    if named:
        return named[0]
    plain = [word.text for word in both if len(word.text) > 4]
    return plain[0] if len(plain) > 1 else ""
