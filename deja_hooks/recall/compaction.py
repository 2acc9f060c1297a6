"""What a compaction's summary drops: captured as the session goes, kept at PreCompact, handed back once.

The packet joins what the indexer has of this session (up to its cursor) with what hooks have followed of the
transcript after it. PreCompact has the time to load `re` for redaction; no other hook event does.
"""

from deja_hooks.memory.scope import project_root
from deja_hooks.memory.sqlite import sqlite_error
from deja_hooks.recall.ask import Ask
from deja_hooks.recall.capture import Capture, from_memory, from_transcript
from deja_hooks.recall.fence import fence, one_line
from deja_hooks.recall.thresholds import COMPACTION_BUDGET
from deja_hooks.system import REPLACE, calls, make_private_dir

__all__ = ["capture", "hand_back"]


def capture(ask: Ask, nonce: str) -> str:
    """Makes and keeps the session's packet; returns why or why not. Raises OSError, `sqlite_error()`."""
    state = ask.state
    if state is None or not ask.payload.session_id:
        return "no state to keep it in"
    whole = Capture()
    cursor = state.cursor(ask.payload.session_id)
    memory = ask.memory
    session = memory.session_of(ask.payload.session_id) if memory is not None else None
    known = 0
    if memory is not None and session is not None:
        known, place = memory.reading_of(session.id, cursor.path)
        # The turn at the indexer's restart is still growing; where hooks have followed further, they have it.
        from_memory(memory, session.id, place if cursor.offset > known else session.places, whole)
    if cursor.path and cursor.offset > known:
        outcomes = state.outcomes(ask.payload.session_id)
        root = project_root(ask.payload.cwd)
        from_transcript(cursor.path, state.facts(ask.payload.session_id, known), outcomes, root, whole)
    lines = lines_of(whole)
    if not lines:
        state.unsay(ask.payload.session_id)
        return "nothing to keep"
    text = fence(lines, "this session before its compaction", nonce, COMPACTION_BUDGET)
    state.keep_packet(ask.payload.session_id, text, ask.now_ms)
    marker = ask.layout.pending(ask.payload.session_id)
    make_private_dir(ask.layout.in_cache("pending"))
    calls.close(calls.open(marker, REPLACE, 0o600))
    return f"kept {len(text)} characters"


def hand_back(ask: Ask) -> str:
    """The waiting packet, once; "" where none waits. Raises OSError, `sqlite_error()`."""
    state = ask.state
    if state is None:
        return ""
    try:
        text = state.take_packet(ask.payload.session_id)
    except sqlite_error():
        return ""
    try:
        calls.unlink(ask.layout.pending(ask.payload.session_id))
    except OSError:
        pass
    return text


def lines_of(whole: Capture) -> "list[str]":
    """The packet's lines, the indispensable first (what does not fit is cut from the end)."""
    lines = []
    if whole.prompts:
        lines.append(f'- Objective: "{one_line(whole.prompts[0], 400)}"')
    if len(whole.prompts) > 1:
        lines.append(f'- Last asked: "{one_line(whole.prompts[-1], 300)}"')
    lines += [f'- Standing instruction: "{one_line(t, 250)}"' for t in whole.rules[-6:]]
    lines += [f'- Open: "{one_line(t, 200)}"' for t in whole.open[-4:]]
    lines += [f'- Decided: "{one_line(t, 250)}"' for t in whole.decided[-6:]]
    for command, result in list(whole.commands.items())[-10:]:
        lines.append(f"- Command `{one_line(command, 140)}`: {one_line(result, 140)}")
    if whole.files:
        lines.append("- Files changed: " + one_line(", ".join(list(whole.files)[-20:]), 400))
    lines += [f'- Earlier asked: "{one_line(t, 160)}"' for t in whole.prompts[1:-1][-6:]]
    return lines
