"""What a compaction's summary drops: captured as the session goes, kept at PreCompact, handed back once.

The packet joins what the indexer has of this session (up to its cursor) with what hooks have followed of the
transcript after it. PreCompact has the time to load `re` for redaction; no other hook event does.
"""

from deja_hooks.memory.scope import project_root
from deja_hooks.memory.sqlite import sqlite_error
from deja_hooks.recall.ask import Ask
from deja_hooks.recall.capture import Capture, from_memory, from_transcript
from deja_hooks.recall.fence import fence
from deja_hooks.recall.fitting import lines_of
from deja_hooks.recall.thresholds import COMPACTION_BUDGET
from deja_hooks.recall.transcript import accepted
from deja_hooks.system import REPLACE, calls, make_private_dir
from deja_hooks.tools import AGENT_TOOLS

__all__ = ["capture", "hand_back"]

#: Characters that the fence itself takes, at most.
_FENCE = 240


def capture(ask: Ask, nonce: str) -> str:
    """Makes and keeps the session's packet; returns why or why not. Raises OSError, `sqlite_error()`."""
    state = ask.state
    if state is None or not ask.payload.session_id:
        return "no state to keep it in"
    why_silent = ask.why_silent("after_compaction")
    if why_silent:
        state.unsay(ask.payload.session_id)  # what was said is dropped all the same
        return why_silent
    whole = Capture()
    cursor = state.cursor(ask.payload.session_id)
    memory = ask.memory
    session = memory.session_of(ask.payload.session_id) if memory is not None else None
    known = 0
    if memory is not None and session is not None:
        place = session.places
        if memory.was_read(session.id, cursor.path):
            known, growing = memory.reading_of(session.id, cursor.path)
            # The turn at the indexer's restart is still growing; where hooks have followed further, they have it.
            place = growing if cursor.offset > known else place
        # (A transcript that was not read yet began after what was: hooks were set up in the midst of a chat.)
        from_memory(memory, session.id, place, whole)
    if cursor.path and cursor.offset > known:
        outcomes = state.outcomes(ask.payload.session_id)
        root = project_root(ask.payload.cwd)
        from_transcript(cursor.path, state.facts(ask.payload.session_id, known), outcomes, root, whole)
    budget = ask.budget("after_compaction", COMPACTION_BUDGET)
    lines = lines_of(whole, budget - _FENCE)
    if not lines:
        state.unsay(ask.payload.session_id)
        return "nothing to keep"
    text = fence(lines, "this session before its compaction", nonce, budget)
    state.keep_packet(ask.payload.session_id, text, ask.now_ms)
    marker = ask.layout.pending(ask.payload.session_id)
    make_private_dir(ask.layout.in_cache("pending"))
    calls.close(calls.open(marker, REPLACE, 0o600))
    return f"kept {len(text)} characters"


def hand_back(ask: Ask) -> str:
    """The waiting packet, once; "" where none waits. Raises OSError, `sqlite_error()`."""
    state = ask.state
    if state is None or ask.payload.is_subagent or _agent_at_work(ask):
        return ""  # it waits for the session that was compacted
    try:
        text = state.take_packet(ask.payload.session_id)
    except sqlite_error():
        return ""
    try:
        calls.unlink(ask.layout.pending(ask.payload.session_id))
    except OSError:
        pass
    return text


def _agent_at_work(ask: Ask) -> bool:
    """Whether a tool call may be a sub-agent's: VS Code gives it the session and the transcript of its parent."""
    payload = ask.payload
    if payload.host != "vscode" or not payload.tool_name or payload.tool_name in AGENT_TOOLS:
        return False
    if not accepted(payload.transcript_path, payload.session_id):
        return False
    from deja_hooks.recall.agents import agent_at_work

    try:
        return agent_at_work(payload.transcript_path)
    except (OSError, ValueError):
        return False
