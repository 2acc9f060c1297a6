"""What a session is once its format is forgotten: turns, and the work done in them.

Every reader gives these values, so that nothing after `sources/` knows which host wrote a file.
Times are epoch milliseconds (0: unknown), offsets are bytes from the start of the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol

__all__ = ["Chunk", "Header", "Reader", "Turn", "Work"]


class Work(NamedTuple):
    """Something done in a turn, by the session's agent or by one of its sub-agents.

    Attributes:
        kind: "edit", "command" or "failure" (a tool that failed; a command that ran and exited non-zero is a
            "command").
        at: when the tool was started, epoch ms.
        tool: the host's name of the tool.
        path: the file as the host gave it (absolute normally); "" for commands.
        old: the text taken out; "" for a new file, or where the host doesn't say.
        new: the text put in.
        command: the command line; "" for edits.
        exit: exit status, where known.
        output: for commands and failures the result's text, at most 8,000 characters (head and tail), without
            the host's status lines and without what deja-hooks had added to it.
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
    """

    offset: int
    at: int
    user: str
    assistant: str
    work: tuple[Work, ...]
    ended: bool


class Header(NamedTuple):
    """What is known of a session from the start of its file; carried by the cursor.

    Attributes:
        session_id: the host's id, taken from the file's place.
        host: "cli" or "vscode".
        store: the format, "cli-events" or "vscode-transcript".
        cwd: the folder (or `.code-workspace` file) the session works in; "" unknown. A resume may move it.
        branch: the git branch; "" unknown.
        started: epoch ms of the first start.
        version: the host's version.
    """

    session_id: str
    host: str
    store: str
    cwd: str
    branch: str
    started: int
    version: str


class Chunk(NamedTuple):
    """What one reading gave.

    Attributes:
        header: as after the last line read.
        turns: the turns that begin at or after the reading's start.
        restart: from where the next reading must begin: the start of the last turn; of the one before where a
            tool call of that turn may still be answered; the end where there is no turn.
        end: offset after the last complete line.
        updated: epoch ms of the latest record of this reading; 0 where it had none.
        lines: complete lines that aren't blank.
        bad_lines: those of them that are no JSON object or too long to read.
        understood: those of them that the format knows and uses.
        shutdown: the session's shutdown was the last thing seen.
        files_modified: the files that the host's last shutdown record names.
        compactions: (epoch ms, summary) of each compaction.
    """

    header: Header
    turns: tuple[Turn, ...]
    restart: int
    end: int
    updated: int
    lines: int
    bad_lines: int
    understood: int
    shutdown: bool
    files_modified: tuple[str, ...]
    compactions: tuple[tuple[int, str], ...]


class Reader(Protocol):
    """Reads one format."""

    def __call__(self, path: Path, start: int, header: Header | None, size_limit: int | None) -> Chunk:
        """Reads a file from an offset on.

        Reading is stateless: the turns of a reading of any prefix that begin before its `restart`, and the
        turns of a reading from `restart` on, are together the turns of a fresh reading of the whole file.

        Args:
            path: the file.
            start: 0, or the `restart` of an earlier reading.
            header: that reading's header; None with `start` 0.
            size_limit: bytes of the file that exist for this reading (its size when it was found), or None.

        Raises:
            OSError: the file can't be read.
        """
