"""Which window a VS Code chat belongs to, and how that window is opened from outside.

A folder of this machine is opened by its path; a share, a remote folder and one of the other side of WSL by a URI,
which is how VS Code itself names them. They are not looked at: a dead share would be waited for.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deja_hooks.sources.places.origin import ANY_BUILD, Build, Origin, build_of, origin_of, profile_name
from deja_hooks.sources.places.workspace import folder_of_uri, opened_in, uri_of_path

__all__ = ["Window", "window_of"]

#: It opens folders in a window that is there, and no window without one (seen in 4.139.1).
_IN_BROWSER = "code-server"
_WORKSPACE_FILE = ".code-workspace"


class Window(NamedTuple):
    """A window, and how it is opened.

    Attributes:
        kind: "folder", "workspace", "empty"; "" unknown.
        folder: the folder or the workspace's file, as its machine writes it; "" none, or none of a file system.
        uri: the same as a URI; "" none.
        there: whether it is there; None where that can't be seen from here.
        build: which VS Code has it.
        arguments: that open it, after the program.
        profile, profile_name: the profile's id and name; "" for the default one, or where the name can't be read.
        problem: why it can't be opened; "" where it can.
    """

    kind: str
    folder: str
    uri: str
    there: bool | None
    build: Build = ANY_BUILD
    arguments: tuple[str, ...] = ()
    profile: str = ""
    profile_name: str = ""
    problem: str = ""


def window_of(files: list[Path], cwd: str, platform: str) -> Window:
    """The window of a chat.

    Args:
        files: that the chat was read from, the best first.
        cwd: its folder, where the memory knows it; used where the files don't say more.
        platform: as `sys.platform`.
    """
    known = [(file, origin) for file in files if (origin := origin_of(file)) is not None]
    if not known:
        window = _at(uri_of_path(cwd) if _is_absolute(cwd) else "", cwd.endswith(_WORKSPACE_FILE), platform)
        return window if window.kind or not files else window._replace(problem=_no_place(files[0]))
    origin = next((origin for file, origin in known if _is_file(file)), known[0][1])
    build = build_of(Path(origin.user))
    window = _empty(build) if origin.window == "empty" else _of_workspace(origin, cwd, platform)
    name = profile_name(Path(origin.user), origin.profile) if origin.profile else ""
    return window._replace(build=build, profile=origin.profile, profile_name=name)


def _of_workspace(origin: Origin, cwd: str, platform: str) -> Window:
    opened = opened_in(Path(origin.workspace)) if origin.workspace else None
    if opened is not None:
        return _at(opened.uri, opened.is_file, platform)
    window = _at(uri_of_path(cwd) if _is_absolute(cwd) else "", cwd.endswith(_WORKSPACE_FILE), platform)
    if window.kind:
        return window
    if origin.window == "moving":
        return window._replace(problem="It was on its way from one window into another, and which one isn't known.")
    return window._replace(problem=f"{origin.workspace} doesn't say which folder it belongs to.")


def _empty(build: Build) -> Window:
    if build.programs[0] == _IN_BROWSER:
        problem = 'Its window had no folder: close the folder in the browser ("File: Close Folder"), no command does.'
        return Window("empty", "", "", None, problem=problem)
    return Window("empty", "", "", None, arguments=("--new-window",))


def _at(uri: str, is_file: bool, platform: str) -> Window:
    """The window of what the URI names; of no kind for ""."""
    folder = folder_of_uri(uri)
    if not uri or "\0" in uri + folder:
        return Window("", "", "", None, problem="Its folder is not known.")
    kind = "workspace" if is_file else "folder"
    if not _is_local(uri, folder, platform):
        window = Window(kind, folder, uri, None, arguments=("--file-uri" if is_file else "--folder-uri", uri))
    else:
        window = Window(kind, folder, uri, _is_there(Path(folder)), arguments=(folder,))
    if is_file and not uri.endswith(_WORKSPACE_FILE):
        return window._replace(
            arguments=(),
            problem="Its workspace was never saved as a file, so no command opens it:"
            ' look for it in VS Code under "File: Open Recent...".',
        )
    if window.there is False:
        return window._replace(
            arguments=(), problem=f"Its folder is gone: {folder}. VS Code takes a folder that is made anew for another."
        )
    return window


def _is_local(uri: str, folder: str, platform: str) -> bool:
    """Whether it is a path of this machine's kind: no share, no other machine's, none of the other side of WSL."""
    if not uri.lower().startswith("file:") or not folder or folder.startswith("\\\\"):
        return False
    return (folder[1:2] == ":") == (platform == "win32")


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\\\")) or (path[1:2] == ":" and path[2:3] in ("", "/", "\\"))


def _is_there(path: Path) -> bool | None:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return None
    return True


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _no_place(file: Path) -> str:
    return f"It was read from {file}, where VS Code doesn't look for chats."
