"""Which event gets what: the one table.

An event that is not in it is answered with nothing (a Notification that speaks would become a new user turn).
"""

__all__ = ["EVENTS", "Event", "canonical_event", "packet_name"]


class Event:
    """What one hook point gets.

    Attributes:
        packet: the module of `deja_hooks.recall` that answers it; "" where nothing is recalled.
        speaks: whether a reply may be printed (the hosts drop or misuse it elsewhere).
        reads_transcript: whether the session's transcript is read on to its end.
        wakes_indexer: whether there may be something new for the background indexer.
    """

    __slots__ = ("packet", "reads_transcript", "speaks", "wakes_indexer")

    def __init__(self, packet: str, *, speaks: bool, reads_transcript: bool, wakes_indexer: bool) -> None:
        self.packet = packet
        self.speaks = speaks
        self.reads_transcript = reads_transcript
        self.wakes_indexer = wakes_indexer


EVENTS = {
    "SessionStart": Event("session_start", speaks=True, reads_transcript=False, wakes_indexer=True),
    "UserPromptSubmit": Event("prompt", speaks=True, reads_transcript=True, wakes_indexer=False),
    "PreToolUse": Event("before_tool", speaks=True, reads_transcript=False, wakes_indexer=False),
    "PostToolUse": Event("after_tool", speaks=True, reads_transcript=False, wakes_indexer=False),
    "PostToolUseFailure": Event("after_tool", speaks=True, reads_transcript=False, wakes_indexer=False),
    "PreCompact": Event("compaction", speaks=False, reads_transcript=True, wakes_indexer=True),
    "Stop": Event("", speaks=False, reads_transcript=True, wakes_indexer=True),
    "SessionEnd": Event("", speaks=False, reads_transcript=False, wakes_indexer=True),
}

#: Spellings of the event name that hosts use, beside the names above.
_OTHER_SPELLINGS = {
    "sessionStart": "SessionStart",
    "userPromptSubmitted": "UserPromptSubmit",
    "UserPromptSubmitted": "UserPromptSubmit",
    "userPromptSubmit": "UserPromptSubmit",
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "postToolUseFailure": "PostToolUseFailure",
    "preCompact": "PreCompact",
    "stop": "Stop",
    "agentStop": "Stop",
    "AgentStop": "Stop",
    "sessionEnd": "SessionEnd",
}


def canonical_event(name: str) -> str:
    """The event's name as in `EVENTS`, from any spelling; unknown names come back unchanged."""
    return _OTHER_SPELLINGS.get(name, name)


def packet_name(event: str, tool_name: str) -> str:
    """The packet that a call may get, as the settings name it (`memory.hook_settings.PACKETS`); "" for none."""
    from deja_hooks.tools import COMMAND_TOOLS, EDIT_TOOLS  # reading a payload needs none of it

    packet = EVENTS[event].packet
    if packet == "before_tool":
        return "before_command" if tool_name in COMMAND_TOOLS else "before_edit" if tool_name in EDIT_TOOLS else ""
    return {"after_tool": "after_failure", "compaction": "after_compaction"}.get(packet, packet)
