"""Small truths about the text in records: words, times, exit status, and what we put there ourselves."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from functools import lru_cache
from typing import Any

from deja_hooks.tools import HOST_MADE

__all__ = [
    "clip", "epoch_ms", "is_host_made", "split_background", "split_exit", "spoken", "without_injected", "words",
]  # fmt: skip

#: Characters of a result that are kept: its head and its tail, half each.
OUTPUT_LIMIT = 8_000

#: The last line of a shell tool's result: the CLI's (that which says "exited": to 1.0.48), and VS Code's.
_EXIT = re.compile(
    r"\n*(?:<(?:shellId: [^<>\n]{1,200} completed|(?:command with id: [^<>\n]{1,200} )?exited)"
    r" with exit code (-?\d{1,10})>"
    r"|Command exited with code (-?\d{1,10}))\s*\Z"
)
#: The same where the command goes on in the background (the CLI: `<command started in background with shellId: 0>`).
_BACKGROUND = re.compile(r"\n*<[^<>\n]{0,200}\bshellId: ([^\s<>,;]{1,200})[^<>]{0,400}>\s*\Z")
#: What the CLI writes before a hook's text at the end of a result.
_GUIDANCE = re.compile(r"\s*Tool \"[^\"\n]{1,200}\" \w+\. Additional guidance from postToolUse(?:Failure)? hooks:\s*\Z")
#: Fences looked at in one text: more of them is somebody playing, and each costs a scan.
_MOST_FENCES = 50


def words(value: Any) -> str:
    """What somebody said, from a record's `content`: text, or a list of parts with a `text` each."""
    if not isinstance(value, str) or "\0" in value or "<deja-" in value:
        value = spoken(value)
    text: str = value.strip()
    return text


def spoken(value: Any) -> str:
    """The same with the white space around it, for a part of what was said."""
    if not isinstance(value, str):
        if not isinstance(value, list):
            return ""
        texts = [part.get("text") if isinstance(part, dict) else part for part in value]
        value = "\n".join(text for text in texts if isinstance(text, str))
    if "\0" in value:
        value = value.replace("\0", "")
    if "<deja-" in value:
        value = without_injected(value)
    text: str = value
    return text


def is_host_made(prompt: str) -> bool:
    """Whether a prompt was written by the host (a notification), not by the user: of tags, nothing but the block."""
    text = prompt.strip()
    if not text.startswith(HOST_MADE):
        return False
    tag = text[1 : text.find(">")] if text[0] == "<" else ""
    return not tag or text.find(f"</{tag}>") in (-1, len(text) - len(tag) - 3)


def epoch_ms(value: Any) -> int:
    """Epoch ms from an ISO 8601 time (UTC where it names no zone) or a number of ms; 0 where neither."""
    if isinstance(value, str):
        if len(value) == 24 and value[23] == "Z":
            # `2026-11-30T22:25:00.123Z`, what both hosts write at every record: the hour is looked up.
            minutes, rest = value[14:16], value[17:19] + value[20:23]
            hour = _hour_ms(value[:14])
            if hour and minutes < "6" and minutes.isdecimal() and rest.isdecimal():
                return hour + int(minutes) * 60_000 + int(rest)
        if value[-1:] == "Z":  # what hosts write, and Python 3.10 doesn't read
            value = value[:-1] + "+00:00"
        try:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=timezone.utc)
            return max(0, round(moment.timestamp() * 1000))
        except (ValueError, OverflowError):
            return 0
    if isinstance(value, (int, float)) and 0 < value < 1 << 53:
        return int(value)
    return 0


@lru_cache(maxsize=1024)
def _hour_ms(beginning: str) -> int:
    """Epoch ms of `2026-11-30T22:`; 0 where it is no time."""
    return epoch_ms(beginning + "00:00+00:00")


def split_exit(output: str) -> tuple[str, int | None]:
    """A shell tool's result without its status line, and the exit status that line gives (None: no line)."""
    tail = max(0, len(output) - 400)
    if output.find(" with ", tail) < 0:  # a regular expression at every output would cost as much as parsing
        return output, None
    match = _EXIT.search(output, tail)
    if match is None:
        return output, None
    return output[: match.start()], int(match[1] or match[2])


def split_background(output: str) -> tuple[str, str]:
    """A shell tool's result without the line that says so, and the shell in which its command goes on ("": none)."""
    tail = max(0, len(output) - 1000)
    match = _BACKGROUND.search(output, tail) if output.find("shellId: ", tail) >= 0 else None
    return (output, "") if match is None else (output[: match.start()], match[1])


def without_injected(text: str) -> str:
    """The text without what deja-hooks put before the model: that is never remembered as said or seen."""
    if "ToolUse-context>" in text:
        for name in ("PreToolUse-context", "PostToolUse-context"):
            text = _without_blocks(text, f"<{name}>", f"</{name}>")
    return _without_fences(text) if "<deja-" in text else text


def _without_blocks(text: str, opening: str, closing: str) -> str:
    """Without the blocks from `opening` to `closing`; one that was cut before it closes goes to the end."""
    kept = []
    position = 0
    while (begin := text.find(opening, position)) >= 0:
        kept.append(text[position:begin].rstrip("\n"))
        end = text.find(closing, begin)
        if end < 0:
            return "".join(kept)
        position = end + len(closing)
    return "".join(kept) + text[position:]


def _without_fences(text: str) -> str:
    """Without `<deja-NONCE …>…</deja-NONCE>`; a fence that never closes is somebody's own text."""
    kept = []
    position = search = 0
    for _ in range(_MOST_FENCES):
        begin = text.find("<deja-", search)
        if begin < 0:
            break
        nonce = re.compile(r"<deja-(\w{1,64})").match(text, begin)
        closing = f"</deja-{nonce[1]}>" if nonce else ""
        end = text.find(closing, begin) if closing else -1
        if end < 0:
            search = begin + 1
            continue
        before = text[position:begin]
        announced = _GUIDANCE.search(before, max(0, len(before) - 400))
        kept.append(before[: announced.start()] if announced else before.rstrip("\n"))
        position = search = end + len(closing)
    return "".join(kept) + text[position:]


def clip(text: str) -> str:
    """At most `OUTPUT_LIMIT` characters of a result: the head says what ran, the tail how it ended."""
    if len(text) <= OUTPUT_LIMIT:
        return text
    half = OUTPUT_LIMIT // 2
    return text[: half - 1] + "\n" + text[-half:]
