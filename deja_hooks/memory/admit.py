"""From what a reader gave to what is stored: redacted, cut to size, with its failure's signature.

Secrets are removed here, before anything is written or even indexed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.failures.line import failure_key, named_failure
from deja_hooks.memory.notes import find_notes
from deja_hooks.memory.rows import Outcome, TurnRow, WorkRow
from deja_hooks.memory.scope import relative_path
from deja_hooks.memory.written import KEY_BYTES, line_keys
from deja_hooks.redaction.redact import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from deja_hooks.sources.model import Turn, Work

__all__ = ["paths_kept", "redact_all", "turn_row"]

#: Most characters kept of what was said in one turn by each side, of one side of an edit, of a command.
SPEECH_LIMIT = 40_000
SPAN_LIMIT = 2_000
COMMAND_LIMIT = 1_000
FAILURE_LIMIT = 300
TOOL_LIMIT = 200
#: Longest path, and longest name of a model.
PATH_LIMIT = 1_000
MODEL_LIMIT = 200
#: Most files that a turn is said to have read, and lines that it put into one file.
MOST_FILES = 500
WRITTEN_LIMIT = 10_000
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
        texts.append(relative_path(each.path, root)[:PATH_LIMIT] if each.path else "")
    files = [path for path in turn.files if len(path) <= PATH_LIMIT][:MOST_FILES]
    put_in = [put for put in turn.written if len(put.path) <= PATH_LIMIT]
    texts += [relative_path(path, root) for path in files]
    for put in put_in:
        texts += (relative_path(put.path, root), put.text[:READ_LIMIT])
    texts += [each.model for each in turn.usage]
    clean = iter(redact_all(texts))
    # Cut only now: a secret that is cut in two is not known any more.
    user, assistant = _cut(next(clean), SPEECH_LIMIT), _cut(next(clean), SPEECH_LIMIT)
    work = [_work_row(each, end, clean) for each, end in zip(turn.work, ends, strict=True)]
    edited = {row.path for row in work if row.kind == "edit"}
    read = {path for path in [next(clean) for _ in files] if path and path not in edited}
    written: dict[str, bytes] = {}
    for _ in put_in:
        path = next(clean)
        written[path] = (written.get(path, b"") + line_keys(next(clean)))[: WRITTEN_LIMIT * KEY_BYTES]
    usage = tuple(each._replace(model=next(clean)[:MODEL_LIMIT]) for each in turn.usage)
    commands = [row for row in work if row.kind == "command" and row.exit is not None]
    failing = bool(commands) and commands[-1].exit != 0
    notes = [n for n in find_notes(user, assistant) if not (failing and n.kind == "fixed")]
    return TurnRow(
        turn.at,
        turn.ended,
        user,
        assistant,
        tuple(notes),
        tuple(work),
        tuple(sorted(read)),
        tuple(sorted((path, lines) for path, lines in written.items() if lines)),
        usage,
    )


def paths_kept(paths: Iterable[str], root: str) -> tuple[str, ...]:
    """Paths as they are stored: below the project's root, redacted, each once, in order; none that is too long."""
    short = [relative_path(path, root) for path in paths if 0 < len(path) <= PATH_LIMIT][:MOST_FILES]
    return tuple(sorted(set(redact_all(short))))


def _end(work: Work, texts: list[str], seen: Outcome | None) -> tuple[int | None, str]:
    """How a piece of work ended: its status and its failure's key. Its two texts go to the others, to be redacted."""
    if work.kind == "edit":
        texts += (work.old[:SHORT_READ_LIMIT], work.new[:SHORT_READ_LIMIT])
        return None, ""
    if work.kind == "error":
        lines = work.output[:SHORT_READ_LIMIT].strip().splitlines()
        texts += ("", lines[0] if lines else "")
        return None, ""
    failed = work.kind == "failure" or bool(work.exit)
    line = named_failure(work.output, failed=failed) if failed or work.exit is None else ""
    texts += (work.command[:SHORT_READ_LIMIT], line[:SHORT_READ_LIMIT])
    if seen is not None and not line:
        return (1 if seen.failed else 0) if work.exit is None else work.exit, seen.signature
    return work.exit, failure_key(line)


def _work_row(work: Work, end: tuple[int | None, str], clean: Iterator[str]) -> WorkRow:
    """The row of a piece of work, from its texts as they came back."""
    tool = work.tool[:TOOL_LIMIT].replace("\0", "")
    if work.kind == "edit":
        old, new, path = next(clean), next(clean), next(clean)
        return WorkRow("edit", work.at, path, "", None, "", "", old[:SPAN_LIMIT], new[:SPAN_LIMIT], tool)
    command, failure, path = next(clean), next(clean), next(clean)
    status, key = end
    command, failure = command[:COMMAND_LIMIT], failure[:FAILURE_LIMIT]
    return WorkRow(work.kind, work.at, path, command, status, failure, key, "", "", tool)


def redact_all(texts: list[str]) -> list[str]:
    """Each text redacted. Nearly none holds a secret: all of them together are tested first (4 times as fast)."""
    whole = "\n\n".join(texts)
    return texts if redact(whole) == whole else [redact(text) for text in texts]


def _cut(text: str, limit: int) -> str:
    """The text's beginning and end: an answer's conclusion stands last."""
    if len(text) <= limit:
        return text
    return text[: limit // 2] + "\n…\n" + text[-limit // 2 :]
