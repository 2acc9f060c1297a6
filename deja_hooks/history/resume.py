"""How a session is opened again: in which folder, by which program, and what is left for a person to do.

Copilot CLI takes an id. VS Code has no way to open a chat from outside: it lists the chats of the window's folder, so
the folder is opened, and the rest is said. Whether a program is there, and starting it, is the command's business.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.history.presence import missing
from deja_hooks.history.window import window_of
from deja_hooks.recall.quote import day, short_id

if TYPE_CHECKING:
    from deja_hooks.history.window import Window
    from deja_hooks.memory.read import Memory, Session

__all__ = ["Command", "Machine", "Opening", "opening_of"]

#: An id that a program can't take for an option of its own.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
#: The commands that list chats, in VS Code's own spelling; the second one seen in 1.139.1, which hasn't the first.
_LISTED = (
    'Run "Chat: Show Chats..." from the Command Palette (newer builds: "Chat Agent Sessions: Focus Agent Sessions")'
)


class Machine(NamedTuple):
    """What decides how something is opened here.

    Attributes:
        environment: environment variables; `COPILOT_HOME` moves the CLI's sessions.
        home: the user's home folder.
        platform: as `sys.platform`.
    """

    environment: Mapping[str, str]
    home: Path
    platform: str


class Command(NamedTuple):
    """A program to start.

    Attributes:
        name: what a person calls the program.
        programs: its names on the `PATH`, the first that is there counts.
        arguments: of it.
        directory: to start it in; "" wherever one is.
        environment: variables to set beside those that are there.
    """

    name: str
    programs: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    directory: str = ""
    environment: tuple[tuple[str, str], ...] = ()


class Opening(NamedTuple):
    """How a session is opened again.

    Attributes:
        host: as in the session.
        window: what is opened: "folder", "workspace" (a `.code-workspace` file), "empty" (a window without a folder),
            "terminal"; "" where nothing can be.
        folder: as its machine writes it; "" none, or unknown.
        uri: of the folder; "" where there is none.
        there: whether the folder is there; None where that can't be seen from here.
        profile: id and name of the VS Code profile; None for the default one. The name is "" where it can't be read.
        command: None where nothing can be started.
        steps: sentences, the first says what the command does.
        problem: why there is no command; "" where there is one.
    """

    host: str
    window: str
    folder: str
    uri: str
    there: bool | None
    profile: tuple[str, str] | None
    command: Command | None
    steps: tuple[str, ...]
    problem: str = ""


def opening_of(memory: Memory, session: Session, machine: Machine) -> Opening:
    """How a session is opened again on this machine. Looks at the disk, starts nothing."""
    rows = memory.db.execute(
        "SELECT path FROM source WHERE session=? ORDER BY store='vscode-chat' DESC, path", (session.id,)
    )
    files = [Path(path) for (path,) in rows]
    gone = bool(session.gone) or bool(missing(memory.db, session.id))
    if session.host == "cli":
        return _in_terminal(session, files, gone, machine)
    if session.host == "vscode":
        return _in_window(session, window_of(files, session.cwd, machine.platform), gone)
    problem = f"It is a note, nothing to open: deja-hooks show {short_id(session.sid)} prints it."
    return Opening(session.host, "", session.cwd, "", None, None, None, (), problem)


# -- Copilot CLI


def _in_terminal(session: Session, files: list[Path], gone: bool, machine: Machine) -> Opening:
    window = window_of([], session.cwd, machine.platform)
    found = Opening("cli", "terminal", window.folder, window.uri, window.there, None, None, ())
    can_be_entered = bool(window.there) or _is_share(window, machine)
    problem = _why_not_resumed(session, files, gone)
    if not problem and window.there is None and window.folder and not can_be_entered:
        problem = (
            f"Its folder, {window.folder}, can't be reached from here: where it can, run copilot --resume"
            f" {session.sid} in it."
        )
    if problem:
        return found._replace(window="", problem=f"{problem} {_hand_over(session)}")
    steps = ["Resume it in Copilot CLI"]
    if not can_be_entered:
        lost = f"Its folder is gone: {window.folder}." if window.folder else "Its folder is not known."
        steps.append(f"{lost} Copilot CLI then works in the folder that it is started in.")
    directory = window.folder if can_be_entered else ""
    command = Command("Copilot CLI", ("copilot",), ("--resume", session.sid), directory, _copilot_home(files, machine))
    return found._replace(command=command, steps=tuple(steps))


def _is_share(window: Window, machine: Machine) -> bool:
    return machine.platform == "win32" and window.folder.startswith("\\\\")


def _why_not_resumed(session: Session, files: list[Path], gone: bool) -> str:
    if gone:
        return "Its file is gone: Copilot CLI can't resume it."
    if not _ID.fullmatch(session.sid):
        return "Its id is none that Copilot CLI takes."
    if files and _state_folder(files[0]) is None:
        return f"It was read from {files[0]}, where Copilot CLI doesn't look for sessions."
    return ""


def _state_folder(file: Path) -> Path | None:
    """The `session-state` folder that an `events.jsonl` lies in."""
    folder = file.parent.parent
    return folder if folder.name == "session-state" else None


def _copilot_home(files: list[Path], machine: Machine) -> tuple[tuple[str, str], ...]:
    """What makes the CLI look where the session lies, where it wouldn't by itself."""
    state = _state_folder(files[0]) if files else None
    if state is None:
        return ()
    named = machine.environment.get("COPILOT_HOME", "")
    usual = Path(named) if named else machine.home / ".copilot"
    return () if _same(state.parent, usual) else (("COPILOT_HOME", str(state.parent)),)


def _same(one: Path, other: Path) -> bool:
    try:
        return one == other or one.samefile(other)
    except OSError:
        return False


# -- VS Code


def _in_window(session: Session, window: Window, gone: bool) -> Opening:
    profile = (window.profile, window.profile_name) if window.profile else None
    found = Opening("vscode", window.kind, window.folder, window.uri, window.there, profile, None, ())
    if window.problem:
        return found._replace(window="", problem=f"{window.problem} {_hand_over(session)}")
    named = ("--profile", window.profile_name) if window.profile_name else ()
    command = Command(window.build.name, window.build.programs, (*named, *window.arguments))
    return found._replace(command=command, steps=_steps(session, window, gone))


def _steps(session: Session, window: Window, gone: bool) -> tuple[str, ...]:
    build = window.build.name
    what = {"empty": "a window without a folder", "workspace": "its workspace"}.get(window.kind, "its folder")
    steps = [f"Open {what} in {build}"]
    if window.profile and not window.profile_name:
        steps.append(
            f"It is a chat of the profile with the id {window.profile}, of which the name can't be read:"
            ' choose it with "Profiles: Switch Profile...".'
        )
    chat = f'"{session.title}"' if session.title else f"the one of {day(session.updated)}"
    holds = "of windows without a folder" if window.kind == "empty" else "of the window's folder"
    steps.append(f"{_LISTED} and choose {chat}: it lists the chats {holds} only.")
    if session.archived:
        steps.append("It is archived: have archived chats shown.")
    if gone:
        steps.append(f"Its file is gone, so it may not be listed. {_hand_over(session)}")
    return tuple(steps)


def _hand_over(session: Session) -> str:
    return f"deja-hooks handoff {short_id(session.sid)} hands its work to a new session."
