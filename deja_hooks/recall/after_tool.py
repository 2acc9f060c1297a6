"""After a failure: what made the same error stay away before, in this project first; else nothing.

How a command ended is noted for every command (a flag and a key, no text): VS Code's transcript doesn't tell.
"""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.fence import one_line
from deja_hooks.recall.quote import day, short_id
from deja_hooks.recall.scope import Allowed
from deja_hooks.recall.thresholds import TOOL_BUDGET
from deja_hooks.tools import COMMAND_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Fix, Memory

__all__ = ["answer", "note_outcome"]

KIND = "after_tool"


def answer(ask: Ask) -> Answer:
    """The packet after a tool call."""
    line, key, reason = _noted(ask)
    return _recall(ask, line, key) if key else silent(reason)


def note_outcome(ask: Ask) -> None:
    """Notes how a command ended, and looks nothing up: for calls whose answer nobody hears."""
    _noted(ask)


def _noted(ask: Ask) -> "tuple[str, str, str]":
    """The line that names the failure, its key, and why there is none where there is none. The end is noted."""
    from deja_hooks.failures.output import exit_code

    payload = ask.payload
    failed_tool = payload.event == "PostToolUseFailure" or payload.result_failed
    if not failed_tool and payload.tool_name not in COMMAND_TOOLS:
        return "", "", "a tool that needs no memory"
    output = payload.error or payload.result
    status = exit_code(output)
    if status == 0 and not failed_tool:
        _note(ask, failed=False, key="")
        return "", "", "it worked"
    from deja_hooks.failures.line import failure_key, named_failure

    line = named_failure(output, failed=failed_tool or bool(status))
    if not (failed_tool or status or line):
        return "", "", "it worked, as far as can be seen"
    key = failure_key(line)
    _note(ask, failed=True, key=key)
    return line, key, "a failure that everyone meets"


def _note(ask: Ask, *, failed: bool, key: str) -> None:
    """Keeps how a command ended, where it is known."""
    payload = ask.payload
    if payload.tool_use_id and payload.session_id and payload.tool_name in COMMAND_TOOLS and ask.state is not None:
        ask.state.add_outcome(payload.session_id, payload.tool_use_id, failed, key, ask.now_ms)


def _recall(ask: Ask, line: str, key: str) -> Answer:
    memory = ask.memory
    if memory is None:
        return silent("no memory yet")
    fixes, elsewhere = _fixes(ask, memory, line, key)
    if not fixes:
        return silent("no fix of this failure is known")
    best = fixes[0]
    memory_name = f"fix:{key}"
    if memory_name in ask.said(KIND):
        return silent("already said")
    session = memory.session(best.turn >> TURN_BITS)
    if session is None:
        return silent("no fix of this failure is known")
    worked = sum(1 for f in fixes if f.what == best.what and f.how == best.how)
    text = _sentence(memory, best, worked, elsewhere)
    return Answer(
        KIND, "a failure met before", [f"{text} [deja-hooks show {short_id(session.sid)}]"], [memory_name],
        "a fix is known", TOOL_BUDGET,
    )  # fmt: skip


def _fixes(ask: Ask, memory: "Memory", line: str, key: str) -> "tuple[list[Fix], bool]":
    """The failure's known fixes, this project's first; whether they are another project's.

    Other projects' only of the same program, and only commands (their edits are of other files).
    """
    from deja_hooks.failures.line import failure_line

    command = ask.payload.tool_input.get("command")
    command = command if isinstance(command, str) else ""
    project = memory.project(ask.project_key)
    allowed = Allowed(ask, memory)
    fixes = memory.fixes_of(key, project.id, 12) if project is not None else []
    fixes = [f for f in fixes if allowed(f.turn)]
    if fixes and not failure_line(line):  # an output's last words ("done") can be those of any program
        fixes = _of_the_same_program(fixes, command)
    if fixes or not command:
        return fixes, False
    fixes = [f for f in memory.fixes_of(key, None, 12) if f.how != "edit" and allowed(f.turn)]
    return _of_the_same_program(fixes, command), True


def _of_the_same_program(fixes: "list[Fix]", command: str) -> "list[Fix]":
    """The fixes of failures of the program that this command runs."""
    from deja_hooks.failures.program import program

    name = program(command)
    return [f for f in fixes if name and program(f.form) == name]


def _sentence(memory: "Memory", fix: "Fix", worked: int, elsewhere: bool) -> str:
    """What happened then, as surely as it is known; in the words of then (they are redacted, today's are not)."""
    where = "in another project" if elsewhere else "here"
    sure = "seen once, unconfirmed" if worked == 1 else f"worked {worked} times"
    about = f"- About `{one_line(fix.form, 90)}` failing"
    failure = f" ({one_line(fix.failure, 110)})" if fix.failure else ""
    met = f"{about}{failure}: {day(fix.at)} {where}"
    if fix.how == "form":
        return f"{met} `{one_line(fix.what, 120)}` worked instead ({sure})"
    if fix.how == "command":
        return f"{met} it went away after `{one_line(fix.what, 120)}` ({sure})"
    reason = next((text for kind, text in memory.notes(fix.turn) if kind in ("cause", "fixed", "decision")), "")
    # The quotation stands last: where the budget is short, it is what is cut.
    quoted = f': "{one_line(reason, 160)}"' if reason else ""
    return f"{met} it went away after edits to {one_line(fix.what, 100)} ({sure}){quoted}"
