"""From what a reader gave to what is stored: redacted, cut to size, with its failure's signature.

Secrets are removed here, before anything is written or even indexed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.failures.line import failure_key, named_failure
from deja_hooks.memory.notes import find_notes
from deja_hooks.memory.rows import Outcome, TurnRow, WorkRow
from deja_hooks.memory.scope import relative_path
from deja_hooks.redaction.redact import redact

if TYPE_CHECKING:
    from deja_hooks.sources.model import Turn, Work

__all__ = ["turn_row"]

#: Most characters kept of what was said in one turn by each side, of one side of an edit, of a command.
SPEECH_LIMIT = 40_000
SPAN_LIMIT = 2_000
COMMAND_LIMIT = 1_000
FAILURE_LIMIT = 300
#: Most characters that are looked at for secrets before that; what lies near this cut is never kept.
READ_LIMIT = 1_000_000
SHORT_READ_LIMIT = 32_000


def turn_row(turn: Turn, root: str, outcomes: dict[str, Outcome]) -> TurnRow:
    """The turn as it is stored.

    Args:
        turn: as read.
        root: the project's top folder; paths below it are stored relative to it.
        outcomes: tool call id → how it ended, where hooks saw it and the store doesn't say.
    """
    texts = [_cut(turn.user, READ_LIMIT), _cut(turn.assistant, READ_LIMIT)]
    ends = []
    for each in turn.work:
        ends.append(_end(each, texts, outcomes.get(each.call)))
        texts.append(relative_path(each.path, root) if each.path else "")
    clean = iter(_redact_all(texts))
    # Cut only now: a secret that is cut in two is not known any more.
    user, assistant = _cut(next(clean), SPEECH_LIMIT), _cut(next(clean), SPEECH_LIMIT)
    work = []
    for each, (status, key) in zip(turn.work, ends, strict=True):
        if each.kind == "edit":
            old, new, path = next(clean), next(clean), next(clean)
            work.append(WorkRow("edit", each.at, path, "", None, "", "", old[:SPAN_LIMIT], new[:SPAN_LIMIT]))
        else:
            command, failure, path = next(clean), next(clean), next(clean)
            command, failure = command[:COMMAND_LIMIT], failure[:FAILURE_LIMIT]
            work.append(WorkRow(each.kind, each.at, path, command, status, failure, key, "", ""))
    commands = [row for row in work if row.kind == "command" and row.exit is not None]
    failing = bool(commands) and commands[-1].exit != 0
    notes = [n for n in find_notes(user, assistant) if not (failing and n.kind == "fixed")]
    return TurnRow(turn.at, turn.ended, user, assistant, tuple(notes), tuple(work))


def _end(work: Work, texts: list[str], seen: Outcome | None) -> tuple[int | None, str]:
    """How a piece of work ended: its status and its failure's key. Its two texts go to the others, to be redacted."""
    if work.kind == "edit":
        texts += (work.old[:SHORT_READ_LIMIT], work.new[:SHORT_READ_LIMIT])
        return None, ""
    failed = work.kind == "failure" or bool(work.exit)
    line = named_failure(work.output, failed=failed) if failed or work.exit is None else ""
    texts += (work.command[:SHORT_READ_LIMIT], line[:SHORT_READ_LIMIT])
    if seen is not None and not line:
        return (1 if seen.failed else 0) if work.exit is None else work.exit, seen.signature
    return work.exit, failure_key(line)


def _redact_all(texts: list[str]) -> list[str]:
    """Each text redacted. Nearly none holds a secret: all of them together are tested first (4 times as fast)."""
    whole = "\n\n".join(texts)
    return texts if redact(whole) == whole else [redact(text) for text in texts]


def _cut(text: str, limit: int) -> str:
    """The text's beginning and end: an answer's conclusion stands last."""
    if len(text) <= limit:
        return text
    return text[: limit // 2] + "\n…\n" + text[-limit // 2 :]
