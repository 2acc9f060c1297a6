"""Before a command: that this form failed here and which one worked. Else nothing."""

from deja_hooks.failures.command_form import command_form
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.thresholds import TOOL_BUDGET
from deja_hooks.scan import storable

__all__ = ["answer"]

KIND = "before_tool"


def answer(ask: Ask) -> Answer:
    """The packet before a command."""
    command = ask.payload.tool_input.get("command")
    if not isinstance(command, str) or not command.strip():
        return silent("no command")
    memory = ask.memory
    project = memory.project(ask.project_key) if memory is not None else None
    if memory is None or project is None:
        return silent("no history of this project")
    form = command_form(storable(command))
    fixes = memory.fixes_of_command(project.id, form, 8)
    if not fixes:
        return silent("not known to fail here")  # most commands: before the state is opened
    from deja_hooks.recall.fence import one_line
    from deja_hooks.recall.quote import day, short_id
    from deja_hooks.recall.scope import Allowed

    allowed = Allowed(ask, memory)
    fixes = [f for f in fixes if allowed(f.turn)]
    if not fixes:
        return silent("not known to fail here")
    latest = fixes[0]
    if latest.how != "form" or command_form(latest.what) == form:
        return silent("the same form worked later")
    name = f"form:{latest.id}"
    session = memory.session(latest.turn >> TURN_BITS)
    if session is None or name in ask.said(KIND):
        return silent("already said")
    worked = sum(1 for f in fixes if f.what == latest.what)
    seen = "seen once" if worked == 1 else f"seen {worked} times"
    failed = f" ({one_line(latest.failure, 120)})" if latest.failure else ""
    line = (
        f"- {day(latest.at)} here this failed: `{one_line(form, 90)}`{failed}; this worked instead ({seen}):"
        f" `{one_line(latest.what, 120)}` [deja-hooks show {short_id(session.sid)}]"
    )
    return Answer(KIND, "a command that failed here", [line], [name], "a working form is known", TOOL_BUDGET)
