"""Keeping payloads for `deja-hooks replay`, where the user has asked for it: redacted, and few of them.

Loads `json` and `re` (50 ms): only while recording.
"""

import json

from deja_hooks.redaction.redact import redact
from deja_hooks.system import CREATE_NEW, SEP, calls, make_own_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["record", "redacted"]

#: Recordings kept; after that the oldest go.
MOST = 500


def redacted(value: object) -> object:
    """The value with every string in it redacted, keys too."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [redacted(each) for each in value]
    if isinstance(value, dict):
        return {redact(str(key)): redacted(each) for key, each in value.items()}
    return value


def record(layout: "Layout", event: str, value: object, now_ms: int) -> None:
    """Writes one payload as `<time>-<pid>-<event>.json`. Never raises: the reply is already out."""
    try:
        text = redact(json.dumps(redacted(value), ensure_ascii=True, indent=1))
        name = f"{now_ms}-{calls.getpid()}-{''.join(c for c in event if c.isalnum())[:40]}.json"
        make_own_dir(layout.recordings)
        descriptor = calls.open(layout.recordings + SEP + name, CREATE_NEW, 0o600)
        try:
            calls.write(descriptor, text.encode("ascii"))
        finally:
            calls.close(descriptor)
        kept = sorted(each for each in calls.listdir(layout.recordings) if each.endswith(".json"))
        for old in kept[:-MOST]:
            calls.unlink(layout.recordings + SEP + old)
    except (OSError, ValueError, RecursionError):
        pass
