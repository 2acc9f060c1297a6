"""A session's packet, fitted to its budget: everything is shortened before anything is dropped.

What the user asked and which commands failed is never dropped; what was decided, what passed and which files were
changed gives way first.
"""

from deja_hooks.recall.capture import Capture
from deja_hooks.recall.fence import one_line

__all__ = ["command_line", "joined", "lines_of", "quoted", "shortened"]

#: Characters of one line: the fence cuts what is longer.
_LINE = 460
#: Items as short as this (characters) share a line.
_TIGHT = 120
#: Items that are kept of each kind where there is room for all of them.
_MOST = 30


class _Level:
    """How short things are made: characters of one item of each kind (0: left out), and how many are kept."""

    __slots__ = ("command", "decided", "failure", "files", "open", "passed", "prompt", "rule", "some")

    def __init__(self, *limits: int) -> None:
        self.prompt, self.rule, self.command, self.failure, self.passed = limits[:5]
        self.open, self.decided, self.files, self.some = limits[5:]


#: prompt, rule, command, failure, passed, open, decided, files; how many
_LEVELS = (
    _Level(4_000, 400, 300, 200, 140, 300, 300, 600, _MOST),
    _Level(1_200, 300, 200, 140, 140, 200, 250, 400, 10),
    _Level(600, 250, 160, 120, 120, 160, 200, 400, 6),
    _Level(300, 200, 120, 100, 80, 140, 160, 300, 5),
    _Level(200, 160, 100, 80, 0, 120, 120, 200, 3),
    _Level(120, 120, 80, 50, 0, 100, 100, 160, 2),
    _Level(80, 90, 60, 30, 0, 80, 0, 120, 1),
    _Level(50, 60, 50, 0, 0, 0, 0, 80, 1),
    _Level(30, 40, 36, 0, 0, 0, 0, 0, 1),
    _Level(16, 24, 24, 0, 0, 0, 0, 0, 1),
)


def lines_of(whole: Capture, room: int) -> "list[str]":
    """The packet's lines, at most `room` characters with their ends, the indispensable first."""
    lines: list[str] = []
    for level in _LEVELS:
        lines = _lines(whole, level)
        if sum([len(line) + 1 for line in lines]) <= room:
            break
    return lines


def _lines(whole: Capture, level: _Level) -> "list[str]":
    rules = set(whole.rules)
    prompts = [shortened(text, rules, level.prompt) for text in whole.prompts]
    lines = quoted("Objective", prompts[0]) if prompts else []
    if len(prompts) > 1:
        lines += quoted("Last asked", prompts[-1])
    lines += _listed("Standing instruction", whole.rules, level.rule, len(whole.rules))
    lines += _listed("Open", whole.open, level.open, level.some)
    lines += _listed("Decided", whole.decided, level.decided, level.some)
    lines += _commands(whole, level)
    if whole.files and level.files:
        lines += ["- Files changed: " + _last_words(", ".join(list(whole.files)), level.files)]
    earlier = prompts[1:-1]
    if level.prompt <= _TIGHT:
        return lines + joined("- Earlier asked: ", [f'"{one_line(text, _LINE - 40)}"' for text in earlier])
    for text in earlier:
        lines += quoted("Earlier asked", text)
    return lines


def _listed(lead: str, texts: "list[str]", limit: int, most: int) -> "list[str]":
    if not limit:
        return []
    said = [f'"{one_line(text, limit)}"' for text in texts[-most:]]
    return joined(f"- {lead}: ", said) if limit <= _TIGHT else [f"- {lead}: {text}" for text in said]


def _commands(whole: Capture, level: _Level) -> "list[str]":
    """Every command that failed, and the last ones that did not."""
    others = [command for command in whole.commands if command not in whole.failures]
    told = set(others[-level.some :] if level.passed else ())
    lines, bare = [], []
    for command, result in whole.commands.items():
        failed = whole.failures.get(command, "")
        if failed and not level.failure:
            bare.append(f"`{one_line(command, level.command)}`{'' if result == failed else ' (then passed)'}")
        elif failed:
            lines.append(f"- Command {command_line(whole, command, level.command, level.failure)}")
        elif command in told:
            lines.append(f"- Command {command_line(whole, command, level.passed, 0)}")
    return lines + joined("- Failed: ", bare)


def command_line(whole: Capture, command: str, length: int, message: int) -> str:
    """A command and how it ended, and how it had failed before; of both so many characters at most."""
    result, failed = whole.commands[command], whole.failures.get(command, "")
    state = _cut(failed, message) if failed else result
    if failed and result != failed:
        state = f"{result}; before that it {state}"
    return f"`{one_line(command, length)}`: {state}"


def _cut(failed: str, limit: int) -> str:
    """`failed, exit status 1: MESSAGE`, the message at most `limit` characters."""
    state, colon, message = failed.partition(": ")
    return f"{state}: {one_line(message, limit)}" if colon else state


def joined(lead: str, items: "list[str]") -> "list[str]":
    """The items on as few lines as hold them."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) + 2 <= _LINE:
            lines[-1] += ", " + item
        else:
            lines.append(lead + item)
    return lines


def quoted(lead: str, text: str) -> "list[str]":
    """The text between quotation marks, on as many lines as it takes."""
    lines = []
    text = one_line(text, 100_000)
    while len(text) > _LINE:
        cut = text.rfind(" ", _LINE // 2, _LINE)
        cut = cut if cut > 0 else _LINE
        lines.append(f'- {lead}: "{text[:cut]}"')
        text, lead = text[cut:].strip(), "… and"
    return [*lines, f'- {lead}: "{text}"']


def shortened(text: str, rules: "set[str]", limit: int) -> str:
    """A prompt of about the limit: where it is longer, the sentences that say what to do, each shortened alike.

    What stands among the standing instructions isn't said twice then.
    """
    if len(text) <= limit:
        return text
    from deja_hooks.memory.notes import instructions

    told = instructions(text)
    told = [sentence for place, sentence in enumerate(told) if place == 0 or sentence not in rules]
    total = sum([len(sentence) + 1 for sentence in told])
    if total <= limit:
        return " ".join(told)
    # The short ones stay whole; the others share what is left.
    share = max(16, limit // len(told))
    spare = limit - sum([min(len(sentence), share) + 1 for sentence in told])
    long = sum([len(sentence) > share for sentence in told])
    share += max(0, spare // long) if long else 0
    return " ".join([one_line(sentence, share) for sentence in told])


def _last_words(text: str, limit: int) -> str:
    """The end of a list, from an item on."""
    if len(text) <= limit:
        return text
    return "\u2026 " + text[-limit:].partition(", ")[2]
