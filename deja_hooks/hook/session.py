"""What a call means for its session: the turn in progress, the transcript, the packet of the event.

Reached only by events that matter (see `main`): from here on the databases may be opened.
"""

from deja_hooks.hook.events import EVENTS, packet_name
from deja_hooks.hook.host import hears
from deja_hooks.hook.payload import Payload
from deja_hooks.memory.sqlite import sqlite_error
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.thresholds import (
    COMPACTION_BYTES,
    LOG_LAG_S,
    REPLY_BUDGET,
    TRANSCRIPT_BYTES,
    VSCODE_FORGETS_AFTER,
)
from deja_hooks.system import REPLACE, SEP, calls, make_own_dir
from deja_hooks.tools import AGENT_TOOLS, COMMAND_TOOLS, HOST_MADE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.hook_settings import HookSettings
    from deja_hooks.memory.layout import Layout

__all__ = ["decide"]

#: What a CLI resume drops from the model's view (seen in 1.0.102).
_RESUME_DROPS = ("session_start", "before_tool", "after_tool")


def decide(
    payload: Payload,
    layout: "Layout",
    settings: "HookSettings | None",
    now_ms: int,
    nonce: str,
    off: str,
    waiting: bool,
    live: bool,
) -> "tuple[str, str]":
    """The text for the model (or "") and the reason.

    Args:
        settings: what of them differs from the defaults; None: nothing.
        off: why nothing may be said (the session is followed all the same); "" where it may.
        waiting: a compaction packet waits for this session.
        live: as in `main.handle`.
    """
    ask = Ask(payload, layout, now_ms, settings)
    try:
        return _decide(ask, nonce, off, waiting, live)
    finally:
        ask.close()


def _decide(ask: Ask, nonce: str, off: str, waiting: bool, live: bool) -> "tuple[str, str]":
    payload = ask.payload
    _note_event(ask)
    if EVENTS[payload.event].reads_transcript:
        _follow(ask, patient=live and not off and not ask.why_silent("after_compaction"))
    if payload.event == "PreCompact":
        from deja_hooks.recall.compaction import capture

        return "", off or capture(ask, nonce)
    if off or not EVENTS[payload.event].speaks:
        if payload.event == "PostToolUse":
            _note_outcome(ask)
        return "", off or "noted"
    reason = _not_the_users(ask)
    if reason:
        return "", reason
    heard = not live or hears(payload.event, payload.host)
    carried, why = _carry(ask) if waiting and heard else ("", "")
    try:
        text, reason = _speak(ask, nonce, REPLY_BUDGET - len(carried) - 2 if carried else REPLY_BUDGET)
    except Exception:
        if not carried:
            raise
        text = ""  # what was carried has been taken out of the state: it must not be lost with the rest
    if carried:
        return f"{carried}\n\n{text}" if text else carried, why
    if text and not heard:
        from deja_hooks.hook.unheard import hold

        return "", f"{hold(ask, text)}: {reason}"
    return text, reason


def _note_event(ask: Ask) -> None:
    """Notes what the event says of the session. Without a state the hook goes on without it."""
    payload = ask.payload
    prompt = payload.event == "UserPromptSubmit"
    if not payload.session_id or payload.event in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):
        return
    _stamp(ask, prompt)
    state = ask.state
    if state is None:
        return
    try:
        key = ask.project_key if payload.cwd else ""
        ask.prompts = state.enter(payload.session_id, payload.host, key, ask.now_ms, prompt=prompt)
        if payload.event == "SessionStart" and payload.source == "resume":
            state.unsay(payload.session_id, _RESUME_DROPS)
        if prompt and payload.host == "vscode" and ask.prompts > VSCODE_FORGETS_AFTER:
            state.unsay_before(payload.session_id, ask.prompts - VSCODE_FORGETS_AFTER)
    except sqlite_error():
        state.wait_no_more()


def _stamp(ask: Ask, prompt: bool) -> None:
    """A prompt begins a turn, Stop and SessionEnd end it: a marker file stands while it goes on."""
    payload = ask.payload
    if payload.is_subagent:
        return
    path = ask.layout.live(payload.session_id)
    try:
        if prompt:
            make_own_dir(ask.layout.in_cache("live"))
            calls.close(calls.open(path, REPLACE, 0o600))
        elif payload.event in ("Stop", "SessionEnd"):
            calls.unlink(path)
    except OSError:
        pass


def _follow(ask: Ask, *, patient: bool) -> None:
    """Reads the session's transcript on, a bounded amount. A transcript that can't be read is none.

    Args:
        patient: PreCompact may wait for a log that lags.
    """
    from deja_hooks.memory.scope import real_path
    from deja_hooks.recall.transcript import accepted, find_cli_transcript, read_on, wait_for

    payload, state = ask.payload, ask.state
    if state is None or payload.is_subagent or not payload.session_id:
        return
    path = payload.transcript_path or (find_cli_transcript(payload.session_id) if payload.host != "vscode" else "")
    if not accepted(path, payload.session_id):
        return
    if SEP == "/" and not accepted(real_path(path), payload.session_id):
        return  # a folder on the way is a link that leads elsewhere
    compacts = payload.event == "PreCompact"
    if compacts and patient and payload.host == "cli" and payload.at_ms:
        # The CLI writes after 100 ms of quiet, so what it compacts now may not stand there yet. This event can wait
        # (a model's summary follows, the user doesn't); once our own call is in the log, so is all before it.
        wait_for(path, str(payload.at_ms).encode(), LOG_LAG_S)
    limit = COMPACTION_BYTES if compacts else TRANSCRIPT_BYTES
    try:
        reading = read_on(state.cursor(payload.session_id), path, limit, newest=compacts)
        if reading is not None:
            state.advance(payload.session_id, reading.cursor, reading.facts, anew=reading.anew)
    except (OSError, ValueError):
        pass
    except sqlite_error():
        state.wait_no_more()


def _not_the_users(ask: Ask) -> str:
    """Why a prompt is not the user's words; "" where it is (and for all other events)."""
    payload = ask.payload
    if payload.event == "SessionStart" and payload.is_subagent:
        return "a sub-agent's session"
    if payload.event != "UserPromptSubmit":
        return ""
    if payload.is_subagent:
        return "a sub-agent's prompt"
    if payload.prompt.lstrip().startswith(HOST_MADE):
        return "a turn made by the host"
    state = ask.state
    announced = state.announced_by(payload.prompt, ask.now_ms) if state is not None else ""
    if not announced:
        return ""
    if state is not None and announced != payload.session_id:
        state.set_parent(payload.session_id, announced)
    return "a sub-agent's prompt"


def _note_outcome(ask: Ask) -> None:
    from deja_hooks.recall.after_tool import note_outcome

    note_outcome(ask)


def _carry(ask: Ask) -> "tuple[str, str]":
    """What waits for this session, once, and the reason: the compaction packet, then what an older host didn't hear.

    A compaction packet that the settings silence by now is dropped.
    """
    from deja_hooks.hook.unheard import hand_on
    from deja_hooks.recall.compaction import hand_back

    text, unheard = hand_back(ask), hand_on(ask)
    if not text or ask.why_silent("after_compaction"):
        return unheard, "handed on what the host had not heard"
    if ask.state is not None:
        try:
            # Of this session itself: nothing in it is new to the session, so nothing can be known again.
            ask.state.tell(ask.payload.session_id, "compaction", _packet(ask, text, ""))
        except sqlite_error():
            pass
    return f"{text}\n\n{unheard}" if unheard else text, "handed back what the compaction dropped"


def _speak(ask: Ask, nonce: str, room: int) -> "tuple[str, str]":
    """The event's own packet, of at most `room` characters."""
    why_silent = ask.why_silent(packet_name(ask.payload.event, ask.payload.tool_name))
    if why_silent:
        if ask.payload.event == "PostToolUse":
            _note_outcome(ask)
        return "", why_silent
    answer = _answer(ask)
    if not answer.lines:
        return "", answer.reason
    from deja_hooks.recall.fence import fence, lines_in  # most calls say nothing

    text = fence(answer.lines, answer.title, nonce, min(answer.budget, room))
    if text and not _told(ask, answer, text, lines_in(text)):
        return "", "told by another hook meanwhile"
    return text, answer.reason


def _answer(ask: Ask) -> Answer:
    payload = ask.payload
    if payload.event == "PreToolUse" and payload.tool_name in AGENT_TOOLS:
        prompt = payload.tool_input.get("prompt")
        if isinstance(prompt, str) and ask.state is not None:
            ask.state.expect_agent(payload.session_id, prompt, ask.now_ms)
        return silent("a sub-agent begins")
    packet = EVENTS[payload.event].packet
    if packet == "prompt":
        from deja_hooks.recall.prompt import answer
    elif packet == "session_start":
        from deja_hooks.recall.session_start import answer
    elif packet == "before_tool" and payload.tool_name in COMMAND_TOOLS:
        from deja_hooks.recall.before_command import answer
    elif packet == "before_tool":
        from deja_hooks.recall.before_tool import answer
    else:
        from deja_hooks.recall.after_tool import answer
    return answer(ask)


def _told(ask: Ask, answer: Answer, text: str, lines: int) -> bool:
    """Notes what the answer's first lines tell. False where another hook has told it meanwhile; without a state nothing
    is known.

    Args:
        lines: how many of them the packet holds.
    """
    state, sid = ask.state, ask.payload.session_id
    if state is None or not sid:
        return True
    from deja_hooks.feedback.specifics import given, specifics

    packet = _packet(ask, text, specifics(text, given(ask.payload)))
    try:
        told = [name for names in answer.memories[:lines] for name in names]
        return state.say(sid, answer.kind, told, ask.prompts, packet)
    except sqlite_error():
        return True


def _packet(ask: Ask, text: str, specific: str) -> "tuple[int, str, str, int, str]":
    """What is kept of a packet, see `State.tell`."""
    return ask.now_ms, ask.payload.event, ask.payload.host, len(text), specific
