"""Gathering what a session has said and done so far, for its compaction packet."""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.scope import relative_path
from deja_hooks.recall.edited import edits_in
from deja_hooks.recall.transcript import read_span
from deja_hooks.tools import AGENT_TOOLS, COMMAND_TOOLS, EDIT_TOOLS, HOST_MADE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deja_hooks.memory.read import Memory

    Redact = Callable[[str], str]

__all__ = ["Capture", "from_memory", "from_transcript"]

#: Lines of the transcript that are read again at most, beside the user's.
_MOST_LINES = 1_200
#: Turns that are looked at, beside the first; of what lies between only the rules count. Few sessions have a tenth.
_MOST_TURNS = 2_000
_MOST_RULES = 200
_MOST_WORK = 2_000


class Capture:
    """What is gathered, in the session's order.

    Attributes:
        prompts: the user's words.
        rules, open, decided: sentences.
        commands: command line → how it last ended.
        failures: command line → how it last failed, also where it has passed since.
        files: changed files (an ordered set).
        at: any of these texts → when it was said or done last, epoch ms, where that is known.
    """

    __slots__ = ("at", "commands", "decided", "failures", "files", "open", "prompts", "rules")

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.rules: list[str] = []
        self.open: list[str] = []
        self.decided: list[str] = []
        self.commands: dict[str, str] = {}
        self.failures: dict[str, str] = {}
        self.files: dict[str, None] = {}
        self.at: dict[str, int] = {}

    def asked(self, text: str, at: int = 0) -> None:
        """The user's words; what was asked in the same words before is asked now."""
        from deja_hooks.memory.notes import standing_instructions

        if text in self.prompts[1:]:
            self.prompts.remove(text)
        if text not in self.prompts:
            self.prompts.append(text)
        self.at[text] = at
        for sentence in standing_instructions(text):
            self.note("rule", sentence, at)

    def note(self, kind: str, text: str, at: int = 0) -> None:
        """Sorts a noted sentence in."""
        into = self.rules if kind == "rule" else self.open if kind == "open" else self.decided
        if text not in into:
            into.append(text)
        self.at[text] = at

    def ran(self, command: str, result: str, at: int = 0) -> None:
        """A command and how it ended; a later run of the same moves it to the end."""
        self.commands.pop(command, None)
        self.commands[command] = result
        self.at[command] = at
        if result.startswith("failed"):
            self.failures[command] = result

    def changed(self, path: str) -> None:
        """A file that was edited."""
        self.files.pop(path, None)
        self.files[path] = None


def from_memory(memory: "Memory", session: int, places: int, whole: Capture) -> None:
    """What the indexer has of the session's first `places` turns."""
    end = session << TURN_BITS | places
    times: dict[int, int] = {}
    turns = memory.prompts(session, _MOST_TURNS)
    for number, (turn_id, at, user) in enumerate(turns):
        if turn_id >= end:
            break
        if number == 1 and turn_id > turns[0][0] + 1:
            for noted, rule in memory.rules(session, turns[0][0] + 1, turn_id, _MOST_RULES):
                whole.note("rule", rule, noted)
        times[turn_id] = at
        if user and not user.lstrip().startswith(HOST_MADE):
            whole.asked(user, at)
        for kind, text in memory.notes(turn_id):
            whole.note(kind, text, at)
    for turn_id, kind, path, command, status, failure, signature in memory.work(session, _MOST_WORK):
        if turn_id >= end:
            break
        if kind == "edit":
            whole.changed(path)
        elif command:
            ended = _ended(status, failure, bool(signature) or kind == "failure")
            whole.ran(command, ended, times.get(turn_id, 0))


def _ended(status: "int | None", failure: str, failed: bool) -> str:
    if status == 0:
        return "passed"
    if status is None and not failed:
        return "ran"
    shown = f"failed, exit status {status}" if status else "failed"
    return f"{shown}: {failure}" if failure else shown


def from_transcript(
    path: str, facts: "list[tuple[int, int, str]]", outcomes: "dict[str, bool]", root: str, whole: Capture
) -> None:
    """What the transcript says at these places.

    Args:
        outcomes: tool call id → whether it failed, as hooks saw it (VS Code's transcript doesn't say).
        root: the project's top folder; files below it are named from there.

    Raises:
        OSError: the transcript can't be read.
    """
    from deja_hooks.memory.notes import find_notes
    from deja_hooks.redaction.redact import redact
    from deja_hooks.scan import parse

    agents: set[str] = set()
    running: dict[str, str] = {}
    users = [fact for fact in facts[:-_MOST_LINES] if fact[2] == "u"]
    for kind, line in read_span(path, users + facts[-_MOST_LINES:]):
        try:
            record = parse(line)
        except ValueError:
            continue
        data = record.get("data") if isinstance(record, dict) and not record.get("agentId") else None
        if not isinstance(data, dict):
            continue
        content = data.get("content")
        if kind == "u" and isinstance(content, str):
            if _users_own(data, content, agents):
                text = redact(content)
                whole.asked(text)
                for each in find_notes(text, ""):
                    whole.note(each.kind, each.text)
        elif kind == "a" and isinstance(content, str) and content:
            for each in find_notes("", redact(content)):
                whole.note(each.kind, each.text)
        elif kind == "s":
            _started(data, agents, running, root, whole, redact)
        elif kind == "c":
            _completed(data, running, outcomes, whole, redact)


def _users_own(data: "dict[str, object]", content: str, agents: "set[str]") -> bool:
    source = data.get("source")
    made = isinstance(source, str) and source not in ("", "user")
    return not made and content not in agents and not content.lstrip().startswith(HOST_MADE) and bool(content.strip())


def _started(
    data: "dict[str, object]",
    agents: "set[str]",
    running: "dict[str, str]",
    root: str,
    whole: Capture,
    redact: "Redact",
) -> None:
    tool, arguments, call = data.get("toolName"), data.get("arguments"), data.get("toolCallId")
    if not isinstance(arguments, dict):
        return
    prompt, command = arguments.get("prompt"), arguments.get("command")
    if tool in AGENT_TOOLS and isinstance(prompt, str):
        agents.add(prompt)
    elif tool in COMMAND_TOOLS and isinstance(command, str):
        command = redact(command[:32_000])[:1_000]
        running[str(call)] = command
        whole.ran(command, "ran")
    elif tool in EDIT_TOOLS:
        for edit in edits_in(arguments, ""):
            named = redact(relative_path(edit.path, root))
            running.setdefault("edit " + str(call), named)
            whole.changed(named)


def _completed(
    data: "dict[str, object]", running: "dict[str, str]", outcomes: "dict[str, bool]", whole: Capture, redact: "Redact"
) -> None:
    from deja_hooks.failures.line import failure_line
    from deja_hooks.failures.output import exit_code

    call = str(data.get("toolCallId"))
    path = running.pop("edit " + call, None)
    if path is not None and data.get("success") is False:
        whole.files.pop(path, None)
    command = running.pop(call, None)
    if command is None:
        return
    result = data.get("result")
    output = result.get("content") if isinstance(result, dict) else None
    output = output if isinstance(output, str) else ""
    execution = data.get("shellExecution")
    status = execution.get("exitCode") if isinstance(execution, dict) else exit_code(output)
    seen = outcomes.get(call)
    if status is None and seen is False:
        status = 0
    failed = data.get("success") is False or seen is True
    line = redact(failure_line(output))[:300] if status or failed or status is None else ""
    whole.ran(command, _ended(status if isinstance(status, int) else None, line, failed or bool(line)))
