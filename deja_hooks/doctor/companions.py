"""What may be wired beside the hooks: the recall tool (MCP), VS Code's instructions and prompt file, the CLI's skill.

Each may be absent. One that is there has to name an interpreter that is there too.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.interpreter import interpreter_fault
from deja_hooks.doctor.jsonc import JsoncError, read_jsonc
from deja_hooks.hosts.server_entry import is_ours
from deja_hooks.sources.places.small import read_small

__all__ = ["check_companions", "lists_of_servers"]

_INSTALL = "run deja-hooks install"
_EXTRA = f"install deja-hooks[mcp] in the place of deja-hooks, then {_INSTALL}"
_NAME = "deja"
_TEXTS = ("deja.instructions.md", "deja.prompt.md")
#: An absolute path of an interpreter or of our own program in a text, up to a quote or a letter that ends a word.
_QUOTED = re.compile(r"""(["'`])((?:/|[A-Za-z]:[\\/])[^"'`\n]*?(?:python[\w.]*|deja-hooks(?:\.exe)?))(?=\1|\s)""")
_BARE = re.compile(
    r"""(?<![\w"'`/\\:.~-])((?:/|[A-Za-z]:[\\/])[^\s"'`]*?(?:python[\d.]*(?:\.exe)?|deja-hooks(?:\.exe)?))(?=\s|$)"""
)


def check_companions(user_folders: list[Path], copilot_home: Path, extra: bool) -> Iterator[Finding]:
    """The recall tool and the texts, as each host keeps them.

    Args:
        user_folders: VS Code's User folders that are there.
        copilot_home: the CLI's folder.
        extra: whether the extra `mcp` is installed, without which `install` leaves the tool out.
    """
    found = [finding for path, key in lists_of_servers(user_folders, copilot_home) for finding in _server(path, key)]
    absent = note(
        "mcp", "the recall tool", "no host has it: agents can't ask on their own", _INSTALL if extra else _EXTRA
    )
    yield from found or [absent]
    texts = [folder / "prompts" / name for folder in _with_profiles(user_folders) for name in _TEXTS]
    texts.append(copilot_home / "skills" / _NAME / "SKILL.md")
    found = [_text(path) for path in texts if path.is_file()]
    yield from found or [note("instructions", "instructions, prompt and skill", "no host has any of them")]


def lists_of_servers(user_folders: list[Path], copilot_home: Path) -> list[tuple[Path, str]]:
    """Each host's list of servers, whether it is there or not, and the key that the servers stand under."""
    places = [(folder / "mcp.json", "servers") for folder in _with_profiles(user_folders)]
    return [*places, (copilot_home / "mcp-config.json", "mcpServers")]


def _with_profiles(user_folders: list[Path]) -> Iterator[Path]:
    for folder in user_folders:
        yield folder
        yield from sorted(path for path in (folder / "profiles").glob("*") if path.is_dir())


def _server(path: Path, key: str) -> Iterator[Finding]:
    try:
        servers = (read_jsonc(path) or {}).get(key)
    except JsoncError as error:
        yield note("mcp", path, str(error), "mend it, or the host starts none of its tools")
        return
    entry = servers.get(_NAME) if isinstance(servers, dict) else None
    if entry is not None:
        yield _entry(path, entry)


def _entry(path: Path, entry: Any) -> Finding:
    if not is_ours(entry):  # `install` leaves it
        seen = f'another program has the name "{_NAME}" there: agents can\'t ask deja-hooks from this host'
        return note("mcp", path, seen, f"give that server another name and {_INSTALL}, or keep it as it is")
    command = entry["command"]
    if not Path(command).is_absolute():
        return note("mcp", path, f"it starts {command} from the PATH of the host", _INSTALL)
    fault = _fault(command)
    if fault:
        return broken("mcp", path, f"it starts {command}: {fault}", _INSTALL)
    return ok("mcp", path, f"it starts {command}")


def _text(path: Path) -> Finding:
    try:
        text = read_small(path).decode("utf-8", "replace")
    except OSError as error:
        return broken("instructions", path, f"it can't be read ({error.strerror or error})", _INSTALL)
    named = dict.fromkeys(
        [*(found[2] for found in _QUOTED.finditer(text)), *(found[1] for found in _BARE.finditer(text))]
    )
    for program in named:
        fault = _fault(program)
        if fault:
            return broken("instructions", path, f"it names {program}: {fault}", _INSTALL)
    return ok("instructions", path, f"it names {', '.join(named)}" if named else "it names no program")


def _fault(program: str) -> str:
    """What is wrong with a program that is named; our own script may be one, an interpreter has to be real."""
    if Path(program).stem.startswith("python"):
        return interpreter_fault(program)
    return "" if Path(program).is_file() else "it is not there"
