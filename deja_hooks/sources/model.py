"""What a session is once its format is forgotten: turns, and the work done in them.

Every reader gives these values, so that nothing after `sources/` knows which host wrote a file.
Times are epoch milliseconds (0: unknown), offsets are bytes from the start of the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol

__all__ = ["Chunk", "Header", "Reader", "Tally", "Turn", "Usage", "Work", "Written"]


class Work(NamedTuple):
    """Something done in a turn, by the session's agent or by one of its sub-agents.

    Attributes:
        kind: "edit", "command", "failure" (a tool that failed; a command that ran and exited non-zero is a
            "command") or "error" (the turn itself failed or was cancelled).
        at: when the tool was started, or the error met, epoch ms.
        tool: the host's name of the tool; "" where only the change is known, and for errors.
        path: the file as the host gave it (absolute normally); "" for commands and errors. A failure that concerns
            several files is one for each.
        old: the text taken out; "" for a new file, or where the host doesn't say.
        new: the text put in.
        command: the command line; "" for edits.
        exit: exit status, where known.
        output: for errors the host's message; for commands and failures the result's text, at most 8,000 characters
            (head and tail), without the host's status lines and without what deja-hooks had added to it.
        call: the id of the tool call.
    """

    kind: str
    at: int
    tool: str
    path: str
    old: str
    new: str
    command: str
    exit: int | None
    output: str
    call: str


class Usage(NamedTuple):
    """What model calls took, as a host recorded it. None stands for what it doesn't say, never for 0.

    Attributes:
        kind: "request" (VS Code: all calls of one request; replaced as it grows), "total" (Copilot CLI: what the
            session took from its beginning to this moment), "call" (Copilot CLI: one call that no later total
            holds), "compaction" (Copilot CLI: the calls that made a summary, which no total holds).
        id: the host's id of the request or record. Rows of one id differ in their model.
        at: epoch ms.
        model: as the host names it, without its vendor; "" unknown.
        rounds: model calls.
        input: tokens sent, those read from a cache included; exact: False where it is a lower bound.
        cached: those of `input` that were read from a cache.
        output: tokens received.
        credits: as billed.
        elapsed, first: milliseconds to the end and to the first progress.
        final: the host closed the request; False: it was in progress, or waiting, when it was last written.
    """

    kind: str
    id: str
    at: int
    model: str
    rounds: int | None = None
    input: int | None = None
    exact: bool = True
    cached: int | None = None
    output: int | None = None
    credits: float | None = None
    elapsed: int | None = None
    first: int | None = None
    final: bool = True


class Written(NamedTuple):
    """What an agent's edit put into a file, as the editor saw it.

    Attributes:
        path: the file, as in `Work`.
        text: the inserted text, whole lines or parts of them.
    """

    path: str
    text: str


class Turn(NamedTuple):
    """A user's message and all that followed until the next one.

    Attributes:
        offset: where the line that began the turn begins.
        at: when it began, epoch ms.
        user: the user's words; "" where an agent ran without any.
        assistant: what the session's agent said, messages joined by a blank line.
        work: what was done, in the order of starting.
        ended: the answer is there (the agent's last message has words and asks for no tool, or the session
            was shut down after some words), or a later turn began. False: in progress, or never answered.
        request: the host's id of the request that the turn is; "" where its format has none.
        files: files that the turn read or named without changing them, as in `Work.path`, each once.
        written: what its edits put in, where the format says so beside the edits' own arguments.
        calls: the ids of the tool calls that the format accounts for, those without a trace in `work` included.
        usage: what its model calls took.
    """

    offset: int
    at: int
    user: str
    assistant: str
    work: tuple[Work, ...]
    ended: bool
    request: str = ""
    files: tuple[str, ...] = ()
    written: tuple[Written, ...] = ()
    calls: frozenset[str] = frozenset()
    usage: tuple[Usage, ...] = ()


class Header(NamedTuple):
    """What is known of a session from the start of its file; carried by the cursor.

    Attributes:
        session_id: the host's id, taken from the file's place.
        host: "cli" or "vscode".
        store: the format, "cli-events" or "vscode-transcript".
        cwd: the folder (or `.code-workspace` file) the session works in; "" unknown. A resume may move it.
        branch: the git branch; "" unknown.
        started: epoch ms of the first start.
        version: the host's version; "" unknown.
        title: the title that the host or the user gave; "" none.
        archived, nested, side: whether the session was put away, was begun by another one, or runs beside one;
            None where no record says so.
    """

    session_id: str
    host: str
    store: str
    cwd: str
    branch: str
    started: int
    version: str
    title: str = ""
    archived: bool | None = None
    nested: bool | None = None
    side: bool | None = None


class Tally(NamedTuple):
    """How much of a file was understood.

    Attributes:
        lines: complete lines that aren't blank (of a file that is one document: 1).
        bad: those of them that are no JSON object, too long to read, or can't be applied.
        understood: those of them that the format knows and uses.
        unknown: those of them whose kind the format doesn't know.
        foreign: records that would begin another session than the file's own.
        names: the unknown kinds, at most 8 of them.
    """

    lines: int = 0
    bad: int = 0
    understood: int = 0
    unknown: int = 0
    foreign: int = 0
    names: tuple[str, ...] = ()

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(
            self.lines + other.lines,
            self.bad + other.bad,
            self.understood + other.understood,
            self.unknown + other.unknown,
            self.foreign + other.foreign,
            tuple(dict.fromkeys((*self.names, *other.names)))[:MOST_NAMES],
        )


#: Unknown kinds that a tally names.
MOST_NAMES = 8


class Chunk(NamedTuple):
    """What one reading gave.

    Attributes:
        header: as after the last line read.
        turns: the turns that begin at or after the reading's start.
        restart: from where the next reading must begin: the start of the last turn; of the one before where a
            tool call of that turn may still be answered; the end where there is no turn.
        end: offset after the last complete line.
        updated: epoch ms of the latest record of this reading; 0 where it had none.
        tally: of all lines from the start of this reading; settled: of those before `restart`.
        shutdown: the session's shutdown was the last thing seen.
        files_modified: the files that the host's shutdown records of this reading name, each once: changed at some
            time in the session, by which turn is not known.
        compactions: (epoch ms, summary) of each compaction.
        requests: the host's ids of all requests, in order, where its format has such; turns that are not the
            user's words included.
        remarks: sentences for whoever asks how the file was read (a version that isn't known, say).
        withdraws: a record of this reading takes back turns that were before its start: read the whole file.
    """

    header: Header
    turns: tuple[Turn, ...]
    restart: int
    end: int
    updated: int
    tally: Tally
    settled: Tally
    shutdown: bool
    files_modified: tuple[str, ...]
    compactions: tuple[tuple[int, str], ...]
    requests: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    withdraws: bool = False


class Reader(Protocol):
    """Reads one format."""

    def __call__(self, path: Path, start: int, header: Header | None, size_limit: int | None) -> Chunk:
        """Reads a file from an offset on.

        A format that is read as a whole takes `start` 0 only and gives `restart` 0. Otherwise reading is
        stateless: the turns of a reading of any prefix that begin before its `restart`, and the turns of a reading
        from `restart` on, are together the turns of a fresh reading of the whole file.

        Args:
            path: the file.
            start: 0, or the `restart` of an earlier reading.
            header: that reading's header; None with `start` 0.
            size_limit: bytes of the file that exist for this reading (its size when it was found), or None.

        Raises:
            OSError: the file can't be read.
        """
