"""How a new session is started with a prompt: `copilot -i PROMPT`, `code chat -m agent PROMPT`.

Both start in the working directory that they are given, `code chat` opens that folder's window. What VS Code reads from
stdin (`-`) it attaches to the prompt: on Windows `code` is a batch file, to which recalled text can't be handed as an
argument.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.history.gathered import ATTACHED
from deja_hooks.history.resume import Command
from deja_hooks.sources.places.origin import ANY_BUILD

if TYPE_CHECKING:
    from deja_hooks.history.resume import Opening

__all__ = ["NewSession", "new_session"]

#: It opens folders, but starts no chats.
_NO_CHATS = "code-server"


class NewSession(NamedTuple):
    """A new session, to be started.

    Attributes:
        command: None where it can't be started where the earlier one worked.
        stdin: what the command reads; None: nothing.
        problem: why there is no command; "" where there is one.
    """

    command: Command | None
    stdin: str | None = None
    problem: str = ""


def new_session(opening: Opening, prompt: str, host: str, platform: str) -> NewSession:
    """A new session in an earlier one's folder; where that had none, in the working directory.

    Args:
        opening: how the earlier one is opened.
        prompt: the first line is a sentence by itself.
        host: "vscode" or "copilot".
        platform: as `sys.platform`.
    """
    share = platform == "win32" and host == "copilot" and opening.folder.startswith("\\\\")
    if opening.there is False:
        return NewSession(None, problem=f"Its folder is gone: {opening.folder}.")
    if opening.there is None and (opening.folder or opening.uri) and not share:
        return NewSession(
            None, problem=f"Its folder, {opening.uri or opening.folder}, can't be worked in from here: open it first."
        )
    directory = opening.folder if opening.there or share else ""
    if opening.there and not Path(directory).is_dir():  # the file of a workspace
        directory = str(Path(directory).parent)
    if host == "copilot":
        return NewSession(Command("Copilot CLI", ("copilot",), ("-i", prompt), directory))
    named = ("--profile", opening.profile[1]) if opening.profile and opening.profile[1] else ()
    own = opening.command if opening.host == "vscode" else None
    programs = dict.fromkeys([*(own.programs if own else ()), *ANY_BUILD.programs])
    programs.pop(_NO_CHATS, None)
    command = Command(ANY_BUILD.name, tuple(programs), ("chat", "-m", "agent", *named), directory)
    if platform == "win32":
        sentence = ATTACHED + prompt.partition("\n")[0]
        return NewSession(command._replace(arguments=(*command.arguments, sentence, "-")), prompt)
    return NewSession(command._replace(arguments=(*command.arguments, prompt)))
