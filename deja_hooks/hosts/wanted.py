"""What is to stand in which file, for the hosts that are asked for."""

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deja_hooks.hosts.command import Program
from deja_hooks.hosts.hook_entries import HookEntries
from deja_hooks.hosts.hook_file import Document, ours
from deja_hooks.hosts.own_text import OwnText
from deja_hooks.hosts.parts import Part
from deja_hooks.hosts.places import copilot_home, hook_files, own_file, vscode_folders
from deja_hooks.hosts.server_entry import HOME, ServerEntry, Value

__all__ = [
    "Wiring",
    "hooked_work_tree",
    "is_workspace_file",
    "removable_parts",
    "removable_workspace_parts",
    "user_parts",
    "workspace_hooks",
    "workspace_parts",
]

_SECTIONS = {"vscode": "servers", "copilot": "mcpServers"}


class Wiring(NamedTuple):
    """What is put into the files.

    Attributes:
        document: the hook file's content; None leaves hooks alone.
        servers: by host, our server as its list holds it; without one, an entry of ours goes.
        program: how a terminal calls `deja-hooks`.
    """

    document: Document | None = None
    servers: Mapping[str, Value] = {}
    program: str = ""

    @classmethod
    def of(
        cls, program: Program, environment: Mapping[str, str], platform: str, *, hooks: bool, server: bool
    ) -> "Wiring":
        """The wiring to a program.

        Args:
            program: what the hooks run.
            environment: read for `PATH` and `DEJA_HOOKS_HOME`.
            platform: as `sys.platform`.
            hooks: whether hooks are wanted.
            server: whether there is a server to name (the extra `mcp`).

        Raises:
            HostsError: a path can't be written into a file.
        """
        document = ours(program)  # also where it isn't wanted: it refuses paths that no host can name
        servers = _servers(program.python, environment) if server else {}
        return cls(document if hooks else None, servers, _terminal(program.python, environment, platform))


def user_parts(
    hosts: tuple[str, ...],
    hooks_for: tuple[str, ...],
    wiring: Wiring,
    environment: Mapping[str, str],
    home: Path,
    platform: str,
) -> list[Part]:
    """What makes these hosts know us in all projects.

    Args:
        hosts: those that get a server and texts.
        hooks_for: those that get hooks.
        wiring: what is put into the files.
        environment: environment variables.
        home: the user's home folder.
        platform: as `sys.platform`.
    """
    files = hook_files(hooks_for, environment, home) if hooks_for and wiring.document is not None else []
    parts: list[Part] = [HookEntries(file, wiring.document) for file in files]
    for host in hosts:
        parts += _of_host(host, wiring, environment, home, platform)
    return parts


def removable_parts(hosts: tuple[str, ...], environment: Mapping[str, str], home: Path, platform: str) -> list[Part]:
    """Where something of ours may stand in these hosts' files, wired by whichever version."""
    parts: list[Part] = [HookEntries(own_file(host, environment, home)) for host in hosts]
    for host in hosts:
        parts += _of_host(host, Wiring(), environment, home, platform)
    return parts


def workspace_parts(hosts: tuple[str, ...], wiring: Wiring, folder: Path) -> list[Part]:
    """What makes these hosts know us in one work tree."""
    github = folder / ".github"
    parts: list[Part] = []
    if wiring.document is not None:
        parts.append(HookEntries(workspace_hooks(folder), wiring.document))
    if "vscode" in hosts:
        parts += [
            ServerEntry(folder / ".vscode" / "mcp.json", _SECTIONS["vscode"], wiring.servers.get("vscode")),
            OwnText(github / "instructions" / "deja.instructions.md", "deja.instructions.md", wiring.program),
            OwnText(github / "prompts" / "deja.prompt.md", "deja.prompt.md", wiring.program),
        ]
    return parts


def removable_workspace_parts(hosts: tuple[str, ...], folder: Path) -> list[Part]:
    """Where something of ours may stand in a work tree."""
    return [HookEntries(workspace_hooks(folder)), *workspace_parts(hosts, Wiring(), folder)]


def workspace_hooks(folder: Path) -> Path:
    """The hook file of a work tree, which both hosts read."""
    return folder / ".github" / "hooks" / "deja.json"


def hooked_work_tree(path: Path) -> Path | None:
    """The work tree that a file which the ledger names is the hook file of; None for any other file."""
    if path.parts[-3:-2] != (".github",):
        return None
    tree = path.parents[2]
    return tree if path == workspace_hooks(tree) else None


def is_workspace_file(path: Path) -> bool:
    """Whether a file that the ledger names is one of a work tree."""
    return path.parts[-3:-2] == (".github",) or path.parts[-2:-1] == (".vscode",)


def _of_host(host: str, wiring: Wiring, environment: Mapping[str, str], home: Path, platform: str) -> list[Part]:
    server, section = wiring.servers.get(host), _SECTIONS[host]
    if host == "copilot":
        folder = copilot_home(environment, home)
        skill = folder / "skills" / "deja" / "SKILL.md"
        return [
            ServerEntry(folder / "mcp-config.json", section, server),
            OwnText(skill, "deja.skill.md", wiring.program),
        ]
    parts: list[Part] = []
    for folder in vscode_folders(environment, home, platform):
        parts += [
            ServerEntry(folder / "mcp.json", section, server),
            OwnText(folder / "prompts" / "deja.instructions.md", "deja.instructions.md", wiring.program),
            OwnText(folder / "prompts" / "deja.prompt.md", "deja.prompt.md", wiring.program),
        ]
    return parts


def _servers(python: str, environment: Mapping[str, str]) -> dict[str, Value]:
    home = environment.get(HOME)
    words = ["-I", "-m", "deja_hooks", "mcp"]
    rest = {"env": {HOME: home}} if home else {}
    return {
        "vscode": {"type": "stdio", "command": python, "args": words, **rest},
        "copilot": {"type": "local", "command": python, "args": words, **rest, "tools": ["*"]},
    }


def _terminal(python: str, environment: Mapping[str, str], platform: str) -> str:
    """How a terminal calls us: by name where it finds us, else by the interpreter."""
    if shutil.which("deja-hooks", path=environment.get("PATH", "")):
        return "deja-hooks"
    if platform == "win32":  # PowerShell, the terminal of both hosts there
        return f"& '{python.replace(chr(39), chr(39) * 2)}' -I -m deja_hooks"
    return f"{shlex.quote(python)} -I -m deja_hooks"
