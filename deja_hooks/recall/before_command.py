"""Before a command: that this form failed here and which one worked. Else nothing."""

from deja_hooks.failures.command_form import command_form
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.thresholds import RECENT_EDITS, TOOL_BUDGET
from deja_hooks.scan import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Fix, Memory
    from deja_hooks.recall.scope import Allowed

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
    fixes = memory.fixes_of_command(project.id, form, 12)
    if not fixes:
        return silent("not known to fail here")  # most commands: before the state is opened
    from deja_hooks.recall.scope import Allowed

    allowed = Allowed(ask, memory)
    fixes = [f for f in fixes if f.how != "vain" and allowed(f.turn)]
    if not fixes:
        return silent("not known to fail here")
    latest = fixes[0]
    if latest.how != "form" or command_form(latest.what) == form or _worked_later(memory, latest, form, allowed):
        return silent("the same form worked later")
    return _answer(ask, memory, latest, form, sum(1 for f in fixes if f.what == latest.what))


def _worked_later(memory: "Memory", fix: "Fix", form: str, allowed: "Allowed") -> bool:
    """Whether the form that had failed has worked since, in this project (the program was installed, say)."""
    from deja_hooks.memory.edits_read import worked_in
    from deja_hooks.memory.schema import WORKED
    from deja_hooks.memory.terms import words

    terms = [word.terms[0] for word in words(form)]
    turns = memory.postings(WORKED, fix.project, terms[0], RECENT_EDITS * 2) if terms else []
    return any(command_form(line) == form and allowed(turn) for turn, line in worked_in(memory, turns, fix.at))


def _answer(ask: Ask, memory: "Memory", fix: "Fix", form: str, worked: int) -> Answer:
    from deja_hooks.recall.fence import one_line
    from deja_hooks.recall.quote import day, short_id

    name = f"form:{fix.id}"
    session = memory.session(fix.turn >> TURN_BITS)
    if session is None or name in ask.said(KIND):
        return silent("already said")
    seen = "seen once" if worked == 1 else f"seen {worked} times"
    failed = f" ({one_line(fix.failure, 120)})" if fix.failure else ""
    line = (
        f"- {day(fix.at)} here this failed: `{one_line(form, 90)}`{failed}; this worked instead ({seen}):"
        f" `{one_line(fix.what, 120)}` [deja-hooks show {short_id(session.sid)}]"
    )
    budget = ask.budget("before_command", TOOL_BUDGET)
    return Answer(KIND, "a command that failed here", [line], [[name]], "a working form is known", budget)
