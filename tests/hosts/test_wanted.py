"""Which files get what, by host and scope."""

import json
from pathlib import Path

import pytest

from deja_hooks.hosts.command import Program
from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.hook_entries import HookEntries
from deja_hooks.hosts.hook_file import ours
from deja_hooks.hosts.own_text import OwnText
from deja_hooks.hosts.server_entry import ServerEntry
from deja_hooks.hosts.wanted import (
    Wiring,
    is_workspace_file,
    removable_parts,
    removable_workspace_parts,
    user_parts,
    workspace_parts,
)

PROGRAM = Program("/v/python", "/v/deja_hooks/hook/entry.py", "/c", "/g")
WORDS = ["-I", "-m", "deja_hooks", "mcp"]
WIRING = Wiring.of(PROGRAM, {}, "linux", hooks=True, server=True)
VSCODE = {"type": "stdio", "command": "/v/python", "args": WORDS}
COPILOT = {"type": "local", "command": "/v/python", "args": WORDS, "tools": ["*"]}


def test_the_wiring() -> None:
    assert Wiring(ours(PROGRAM), {"vscode": VSCODE, "copilot": COPILOT}, "/v/python -I -m deja_hooks") == WIRING
    assert Wiring.of(PROGRAM, {}, "linux", hooks=False, server=False) == Wiring(None, {}, WIRING.program)
    moved = Wiring.of(PROGRAM, {"DEJA_HOOKS_HOME": "/d"}, "linux", hooks=False, server=True)
    assert moved.servers == {
        "vscode": {**VSCODE, "env": {"DEJA_HOOKS_HOME": "/d"}},
        "copilot": {**COPILOT, "env": {"DEJA_HOOKS_HOME": "/d"}},
    }


@pytest.mark.parametrize(
    ("python", "platform", "program"),
    [
        ("/it's/py thon", "linux", "'/it'\"'\"'s/py thon' -I -m deja_hooks"),
        ("C:\\it's\\python.exe", "win32", "& 'C:\\it''s\\python.exe' -I -m deja_hooks"),
    ],
)
def test_how_a_terminal_calls_us(tmp_path: Path, python: str, platform: str, program: str) -> None:
    moved = PROGRAM._replace(python=python)
    assert Wiring.of(moved, {"PATH": str(tmp_path)}, platform, hooks=True, server=True).program == program
    for name in ("deja-hooks", "deja-hooks.exe"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    assert Wiring.of(moved, {"PATH": str(tmp_path)}, platform, hooks=True, server=True).program == "deja-hooks"


def test_a_path_that_no_file_can_hold_is_refused_without_hooks_too() -> None:
    with pytest.raises(HostsError, match="not valid UTF-8"):
        Wiring.of(PROGRAM._replace(python="/py\udcff"), {}, "linux", hooks=False, server=True)


def test_each_hosts_files(tmp_path: Path) -> None:
    user = tmp_path / ".config" / "Code" / "User"
    user.mkdir(parents=True)
    hooks = HookEntries(tmp_path / ".copilot" / "hooks" / "deja.json", WIRING.document)
    vscode = [
        ServerEntry(user / "mcp.json", "servers", VSCODE),
        OwnText(user / "prompts" / "deja.instructions.md", "deja.instructions.md", WIRING.program),
        OwnText(user / "prompts" / "deja.prompt.md", "deja.prompt.md", WIRING.program),
    ]
    copilot = [
        ServerEntry(tmp_path / ".copilot" / "mcp-config.json", "mcpServers", COPILOT),
        OwnText(tmp_path / ".copilot" / "skills" / "deja" / "SKILL.md", "deja.skill.md", WIRING.program),
    ]
    both = ("vscode", "copilot")
    for hosts, hooks_for, parts in (
        (both, both, [hooks, *vscode, *copilot]),
        (("vscode",), both, [hooks, *vscode]),
        (("copilot",), ("copilot",), [hooks, *copilot]),
        ((), both, [hooks]),
    ):
        assert user_parts(hosts, hooks_for, WIRING, {}, tmp_path, "linux") == parts
    bare = user_parts(both, both, WIRING._replace(document=None), {}, tmp_path, "linux")
    assert bare == [*vscode, *copilot]
    removable = removable_parts(both, {}, tmp_path, "linux")
    assert {part.path for part in removable} == {part.path for part in [hooks, *vscode, *copilot]}


def test_a_work_trees_files(tmp_path: Path) -> None:
    names = [
        ".github/hooks/deja.json",
        ".vscode/mcp.json",
        ".github/instructions/deja.instructions.md",
        ".github/prompts/deja.prompt.md",
    ]
    parts = workspace_parts(("vscode", "copilot"), WIRING, tmp_path)
    assert [part.path for part in parts] == [tmp_path / name for name in names]
    assert [part.path for part in removable_workspace_parts(("vscode",), tmp_path)] == [tmp_path / n for n in names]
    assert workspace_parts(("copilot",), WIRING, tmp_path) == [HookEntries(tmp_path / names[0], WIRING.document)]
    assert all(is_workspace_file(part.path) for part in parts)


def test_a_homes_files_are_no_work_trees(tmp_path: Path) -> None:
    (tmp_path / ".config" / "Code" / "User").mkdir(parents=True)
    parts = removable_parts(("vscode", "copilot"), {}, tmp_path, "linux")
    assert [part.path for part in parts if is_workspace_file(part.path)] == []


def test_what_is_written_is_what_each_host_reads() -> None:
    """VS Code documents `servers` and `type: stdio`; `copilot mcp add` of CLI 1.0.102 writes the other one."""
    change = ServerEntry(Path("mcp-config.json"), "mcpServers", COPILOT).put_in(None, None)
    assert json.loads(change.after or b"") == {"mcpServers": {"deja": COPILOT}}
