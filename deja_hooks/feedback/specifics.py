"""What of a packet can be known again in its session afterwards, as hashes: no word of it is kept.

The hook takes it from the packet as it stands before the model, and the indexer compares (see `uptake`). Of each
line that names the session it is quoted from:

- names: identifiers, files, paths, and the id that opens the session;
- runs: three informative words in a row, of what is quoted;
- commands: code spans of two words or more.

What the call's own payload says (the prompt, the command, its output) is left out: who repeats that has not taken up
anything. Standard library builtins only: a hook that speaks loads this.
"""

from deja_hooks.memory.terms import chunks, read_word
from deja_hooks.recall.quote import short_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from deja_hooks.hook.payload import Payload
    from deja_hooks.memory.terms import Word

__all__ = [
    "COMMAND",
    "NAME",
    "RUN",
    "Words",
    "command_key",
    "given",
    "key",
    "runs",
    "source_key",
    "specifics",
    "without_source",
]

#: What a hash is of: the letter in front of it.
NAME, RUN, COMMAND, _SOURCE = "n", "r", "c", "s"
#: Informative words in a row. Of 634 pairs of a session and three sentences of another of its project (DevMemBench,
#: two conversations of LoCoMo), 3 more shared one with a length of 3, 37 with 2, none with 4.
_RUN_LENGTH = 3
_CITATION = "[deja-hooks show "
#: How packets lead up to a command that failed (`recall.before_command`, `recall.after_tool`).
_FAILED = ("failed: ", "About ")
#: Characters of a payload that are looked at, at its head and at its tail.
_WINDOW = 8_192
#: What stands between the parts of a name, as it may be written.
_SEPARATORS = "_-. /\\"


def key(text: str) -> str:
    """Eight hex digits for a term, a run or a command: a checksum, no secret."""
    import zlib

    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def command_key(command: str) -> str:
    """The key of a command line, white space folded."""
    return key(" ".join(command.split()))


def source_key(sid: str) -> str:
    """The key of a session as packets name it."""
    return key(short_id(sid))


class Words(dict[str, "Word"]):
    """Chunk → its word, each read once: vocabularies repeat."""

    def __missing__(self, chunk: str) -> "Word":
        word = self[chunk] = read_word(chunk)
        return word


def runs(text: str, known: Words) -> "dict[str, tuple[str, ...]]":
    """Key → terms of each run of informative words in a text."""
    heads = [word.terms[0] for word in [known[chunk] for chunk in chunks(text)] if word.terms]
    found = [tuple(heads[i : i + _RUN_LENGTH]) for i in range(len(heads) - _RUN_LENGTH + 1)]
    return {key(" ".join(run)): run for run in found}


def given(payload: "Payload") -> str:
    """All that the call itself says, lower-cased, cut in its middle where it is long."""
    if payload.event == "UserPromptSubmit":
        text = payload.prompt
    elif payload.event == "SessionStart":
        text = payload.initial_prompt
    else:
        text = "\n".join([*_strings(payload.tool_input, 3), payload.tool_text, payload.error, payload.result])
    if len(text) > 2 * _WINDOW:
        text = f"{text[:_WINDOW]}\n{text[-_WINDOW:]}"
    return text.lower()


def _strings(value: object, depth: int) -> "Iterator[str]":
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each, depth - 1)


def specifics(packet: str, said: str) -> str:
    """What is specific to a packet, a line for each of its lines: words of a letter and a key.

    Args:
        packet: as it stands before the model.
        said: what the call itself says (`given`).
    """
    squeezed = said
    for mark in _SEPARATORS:
        squeezed = squeezed.replace(mark, "")
    known = Words()
    lines = [_of_line(line, said, squeezed, known) for line in packet.split("\n") if line.startswith("- ")]
    return "\n".join([line for line in lines if line])


def _of_line(line: str, said: str, squeezed: str, known: Words) -> str:
    body, *cited = line.split(_CITATION)
    ids = [each.partition("]")[0] for each in cited]
    marks = {NAME + key(sid.lower()): None for sid in ids if len(sid) == 8 and sid.isalnum() and sid not in said}
    for word in [known[chunk] for chunk in chunks(body)]:
        for name in word.names:
            if not name.isdigit() and name not in squeezed and word.text.lower() not in said:
                marks[NAME + key(name)] = None
    quoted = body[body.find('"') + 1 : max(body.rfind('"'), 0)]
    for run, terms in runs(quoted, known).items():
        if not all(term in squeezed for term in terms):
            marks[RUN + run] = None
    folded = " ".join(said.split())
    for span in _commands(body):
        if " ".join(span.lower().split()) not in folded:
            marks[COMMAND + command_key(span)] = None
    if not ids or not marks:
        return ""  # what can't be traced to a session couldn't be forgotten with it
    return " ".join([*dict.fromkeys(_SOURCE + key(sid) for sid in ids), *marks])


def _commands(body: str) -> "list[str]":
    """Code spans of two words or more that are whole, but for a command that is told of because it failed."""
    pieces = body.split("`")
    spans = zip(pieces[::2], pieces[1::2], strict=False)
    return [span for lead, span in spans if " " in span.strip() and span[-1] != "\u2026" and not lead.endswith(_FAILED)]


def without_source(kept: str, sid: str) -> str:
    """What `specifics` gave, without the lines that name this session."""
    gone = _SOURCE + source_key(sid)
    return "\n".join([line for line in kept.split("\n") if gone not in line.split(" ")])
