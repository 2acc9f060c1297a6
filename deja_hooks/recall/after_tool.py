"""After a failure: what made the same error stay away before, in this project first; else nothing.

How a command ended is noted for every command (a flag and a key, no text): VS Code's transcript doesn't tell.
"""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.fence import one_line
from deja_hooks.recall.quote import day, short_id
from deja_hooks.recall.scope import Allowed
from deja_hooks.recall.thresholds import TOOL_BUDGET
from deja_hooks.scan import storable
from deja_hooks.tools import COMMAND_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Fix, Memory, Session

__all__ = ["KnownFix", "answer", "known_fixes", "note_outcome"]

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
    known = known_fixes(ask, memory, line, key)
    if not known:
        return silent("no fix of this failure is known")
    memory_name = f"fix:{key}"
    if memory_name in ask.said(KIND):
        return silent("already said")
    budget = ask.budget("after_failure", TOOL_BUDGET)
    return Answer(KIND, "a failure met before", [known[0].line()], [[memory_name]], "a fix is known", budget)


class KnownFix:
    """What made a failure stay away.

    Attributes:
        fix: the latest of its kind; session: where it worked.
        worked, tried: how often.
        elsewhere: whether that was in another project.
        reason: why, as it was said there; "" where nothing was.
    """

    __slots__ = ("elsewhere", "fix", "reason", "session", "tried", "worked")

    def __init__(self, memory: "Memory", fix: "Fix", session: "Session", fixes: "list[Fix]", elsewhere: bool) -> None:
        self.fix = fix
        self.session = session
        self.worked = sum(1 for f in fixes if f.what == fix.what and f.how == fix.how)
        self.tried = self.worked + sum(1 for f in fixes if f.what == fix.what and f.how == "vain")
        self.elsewhere = elsewhere
        notes = memory.notes(fix.turn) if fix.how == "edit" else []
        self.reason = next((text for kind, text in notes if kind in ("cause", "fixed", "decision")), "")

    @property
    def sure(self) -> str:
        """How surely it is known."""
        return _evidence(self.worked, self.tried)

    def line(self) -> str:
        """What happened then, as surely as it is known; in the words of then (they are redacted, today's are not)."""
        return f"{_sentence(self)} [deja-hooks show {short_id(self.session.sid)}]"


def known_fixes(ask: Ask, memory: "Memory", line: str, key: str) -> "list[KnownFix]":
    """What made the failure of that line and key stay away, the best first (the tool asks this too)."""
    fixes, elsewhere = _fixes(ask, memory, line, key)
    found: dict[tuple[str, str], KnownFix] = {}
    for fix in _best_first(fixes, _command(ask)):
        session = memory.session(fix.turn >> TURN_BITS)
        if session is not None and (fix.how, fix.what) not in found:
            found[fix.how, fix.what] = KnownFix(memory, fix, session, fixes, elsewhere)
    return list(found.values())


def _command(ask: Ask) -> str:
    command = ask.payload.tool_input.get("command")
    return storable(command) if isinstance(command, str) else ""


def _evidence(worked: int, tried: int) -> str:
    if tried > worked:
        return f"worked {worked} of {tried} times"
    return "seen once, unconfirmed" if worked == 1 else f"worked {worked} times"


def _fixes(ask: Ask, memory: "Memory", line: str, key: str) -> "tuple[list[Fix], bool]":
    """The failure's fixes, also what was in vain, this project's first; whether they are another project's.

    Other projects' only of the same program, and only commands (their edits are of other files).
    """
    from deja_hooks.failures.line import failure_line, is_local, is_slip

    command = _command(ask)
    project = memory.project(ask.project_key)
    allowed = Allowed(ask, memory)
    fixes = memory.fixes_of(key, project.id, 24) if project is not None else []
    fixes = [f for f in fixes if allowed(f.turn)]
    if fixes and not failure_line(line):  # an output's last words ("done") can be those of any program
        fixes = _of_the_same_program(fixes, command)
    slip = is_slip(line)
    if slip:
        fixes = _of_the_same_command(fixes, command)
    if _best_first(fixes, command) or not command or slip or is_local(line):
        return fixes, False
    fixes = [f for f in memory.fixes_of(key, None, 24) if f.how != "edit" and allowed(f.turn)]
    return _of_the_same_program(fixes, command), True


def _best_first(fixes: "list[Fix]", command: str) -> "list[Fix]":
    """The fixes, what worked most often first (of equals the latest), without what was in vain more often.

    The command that has just failed is no fix of itself.
    """
    if not fixes:
        return []
    from deja_hooks.failures.command_form import command_form

    form = command_form(command)
    score: dict[tuple[bool, str], int] = {}
    for f in fixes:
        name = (f.how == "edit", f.what)
        score[name] = score.get(name, 0) + (-1 if f.how == "vain" else 1)
    good = [f for f in fixes if f.how != "vain" and score[f.how == "edit", f.what] > 0]
    # (A form may be the same command in another folder.)
    good = [
        f for f in good if f.how == "edit" or (f.how == "form" and f.what != command) or command_form(f.what) != form
    ]
    return sorted(good, key=lambda f: -score[f.how == "edit", f.what])


def _of_the_same_command(fixes: "list[Fix]", command: str) -> "list[Fix]":
    """The fixes of failures of this very command."""
    if not fixes:
        return []
    from deja_hooks.failures.command_form import command_form

    form = command_form(command)
    return [f for f in fixes if f.form == form]


def _of_the_same_program(fixes: "list[Fix]", command: str) -> "list[Fix]":
    """The fixes of failures of the program that this command runs."""
    from deja_hooks.failures.program import program

    name = program(command)
    return [f for f in fixes if name and program(f.form) == name]


def _sentence(known: KnownFix) -> str:
    fix = known.fix
    where = "in another project" if known.elsewhere else "here"
    about = f"- About `{one_line(fix.form, 90)}` failing"
    failure = f" ({one_line(fix.failure, 110)})" if fix.failure else ""
    met = f"{about}{failure}: {day(fix.at)} {where}"
    if fix.how == "form":
        return f"{met} `{one_line(fix.what, 120)}` worked instead ({known.sure})"
    if fix.how == "command":
        return f"{met} it went away after `{one_line(fix.what, 120)}` ({known.sure})"
    # The quotation stands last: where the budget is short, it is what is cut.
    quoted = f': "{one_line(known.reason, 160)}"' if known.reason else ""
    return f"{met} it went away after edits to {one_line(fix.what, 100)} ({known.sure}){quoted}"
