"""From what a reader gave to what is stored: redacted, cut to size, with its failure's signature.

Secrets are removed here, before anything is written or even indexed.
"""

from __future__ import annotations

from deja_hooks.failures.keys import signature_key
from deja_hooks.failures.line import failure_line
from deja_hooks.failures.signature import is_common, signature
from deja_hooks.memory.notes import find_notes
from deja_hooks.memory.rows import Outcome, TurnRow, WorkRow
from deja_hooks.memory.scope import relative_path
from deja_hooks.redaction.redact import redact
from deja_hooks.sources.model import Turn, Work

__all__ = ["turn_row"]

#: Most characters kept of what was said in one turn by each side, of one side of an edit, of a command.
SPEECH_LIMIT = 40_000
SPAN_LIMIT = 2_000
COMMAND_LIMIT = 1_000


def turn_row(turn: Turn, root: str, outcomes: dict[str, Outcome]) -> TurnRow:
    """The turn as it is stored.

    Args:
        turn: as read.
        root: the project's top folder; paths below it are stored relative to it.
        outcomes: tool call id → how it ended, where hooks saw it and the store doesn't say.
    """
    texts = [_cut(turn.user, SPEECH_LIMIT), _cut(turn.assistant, SPEECH_LIMIT)]
    drafts = [_draft(w, root, outcomes.get(w.call)) for w in turn.work]
    for draft in drafts:
        texts += (draft.path, draft.command, draft.failure, draft.old, draft.new)
    clean = _redact_all(texts)
    work = []
    for i, draft in enumerate(drafts):
        path, command, failure, old, new = clean[2 + 5 * i : 7 + 5 * i]
        work.append(draft._replace(path=path, command=command, failure=failure, old=old, new=new))
    return TurnRow(turn.at, turn.ended, clean[0], clean[1], tuple(find_notes(clean[0], clean[1])), tuple(work))


def _redact_all(texts: list[str]) -> list[str]:
    """Each text redacted. Nearly none holds a secret: all of them together are tested first (4 times as fast)."""
    whole = "\n\n".join(texts)
    return texts if redact(whole) == whole else [redact(text) for text in texts]


def _cut(text: str, limit: int) -> str:
    """The text's beginning and end: an answer's conclusion stands last."""
    if len(text) <= limit:
        return text
    return text[: limit // 2] + "\n…\n" + text[-limit // 2 :]


def _draft(work: Work, root: str, seen: Outcome | None) -> WorkRow:
    """The row of a piece of work, not yet redacted."""
    path = relative_path(work.path, root) if work.path else ""
    if work.kind == "edit":
        return WorkRow("edit", work.at, path, "", None, "", "", work.old[:SPAN_LIMIT], work.new[:SPAN_LIMIT])
    command = work.command[:COMMAND_LIMIT]
    failed = work.kind == "failure" or bool(work.exit)
    line = failure_line(work.output) if failed or work.exit is None else ""
    if not line and failed and work.output:
        line = work.output.strip().rpartition("\n")[2][:300]
    name = signature(line) if line else ""
    key = "" if not name or is_common(name) else signature_key(name)
    if seen is not None and not line:
        status = work.exit if work.exit is not None else 1 if seen.failed else 0
        return WorkRow(work.kind, work.at, path, command, status, "", seen.signature, "", "")
    return WorkRow(work.kind, work.at, path, command, work.exit, line[:300], key, "", "")
