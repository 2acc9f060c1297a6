"""Whether a sub-agent is at work in a session, as VS Code's transcript shows it."""

from deja_hooks.recall.transcript import read_span
from deja_hooks.scan import parse
from deja_hooks.system import file_stat
from deja_hooks.tools import AGENT_TOOLS

__all__ = ["agent_at_work"]

#: Bytes at a transcript's end that are looked at.
_TAIL = 256 * 1024


def agent_at_work(path: str) -> bool:
    """Whether the transcript's end has a call of a sub-agent that hasn't ended. Raises OSError."""
    status = file_stat(path)
    size = status.st_size if status is not None else 0
    start = max(0, size - _TAIL)
    ((_, tail),) = read_span(path, [(start, size - start, "")])
    at_work: set[str] = set()
    for line in tail.split(b"\n"):
        head = line[:64]
        if b'"tool.execution_' not in head:
            continue
        tool, call = _call(line)
        if tool in AGENT_TOOLS and b'"tool.execution_start"' in head:
            at_work.add(call)
        elif b'"tool.execution_complete"' in head:
            at_work.discard(call)
    return bool(at_work)


def _call(line: bytes) -> "tuple[str, str]":
    """Tool and call id of a record; "" where it has none (a line that is cut, say)."""
    try:
        record = parse(line)
    except ValueError:
        return "", ""
    data = record.get("data") if isinstance(record, dict) else None
    return (str(data.get("toolName")), str(data.get("toolCallId"))) if isinstance(data, dict) else ("", "")
