"""What installing writes beside the hooks reaches the real CLI: its model's requests, and its list of servers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from deja_hooks.hosts.command import Program
from deja_hooks.hosts.server_entry import ServerEntry
from deja_hooks.hosts.templates import template
from deja_hooks.hosts.wanted import Wiring

from .copilot import Sandbox, cache_folder
from .model import Model, Reply, ToolCall, serve

pytestmark = pytest.mark.live


@pytest.fixture
def box(cli: Path, tmp_path: Path) -> Sandbox:
    box = Sandbox(tmp_path / "box", cli, cache_folder(os.environ))
    box.lay_out({"a.py": "x = 1\n"})
    return box


def test_the_skill_is_named_in_the_request_and_read_when_it_is_called(box: Sandbox) -> None:
    box.deja("install", "copilot", "--no-index")
    script = [Reply("first", tools=(ToolCall("skill", {"skill": "deja"}),)), Reply("second", "done")]
    with serve(Model(script)) as model:
        run = box.ask("Did we settle the retry budget?", model)
    assert run.exit_code == 0, run.output
    _, head, body = template("deja.skill.md").split("---\n", 2)
    description = head.split('description: "')[1].split('"\n')[0]
    system = model.request("first").messages[0]
    assert system.role == "system"
    assert f"<name>deja</name>\n  <description>{description}</description>\n  <location>user</location>" in system.text
    assert body.strip().splitlines()[-1] not in system.text
    program = (
        box.copilot_home.joinpath("skills", "deja", "SKILL.md").read_text("utf-8").split("`")[7].split(" search")[0]
    )
    later = "\n".join(message.text for message in model.request("second").messages)
    assert body.replace("@DEJA@", program).strip() in later


def test_the_cli_lists_our_server_beside_the_users(box: Sandbox) -> None:
    file = box.copilot_home / "mcp-config.json"
    users = '\ufeff// mine\r\n{\r\n  "mcpServers": {\r\n    "o": {"command": "x", "args": []}, // o\r\n  },\r\n}\r\n'
    program = Program("/venv/bin/python", "/venv/deja_hooks/hook/entry.py", "/c", "/g")
    value = Wiring.of(program, box.environment(), "linux", hooks=True, server=True).servers["copilot"]
    change = ServerEntry(file, "mcpServers", value).put_in(users.encode(), None)
    assert change.after is not None
    file.write_bytes(change.after)
    assert _copilot(box, "mcp", "list") == "User servers:\n  o (local)\n  deja (local)\n\n"
    assert "Command: /venv/bin/python -I -m deja_hooks mcp\n" in _copilot(box, "mcp", "get", "deja")


def _copilot(box: Sandbox, *arguments: str) -> str:
    environment = {**box.environment(), "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false"}
    done = subprocess.run(
        [box.cli, *arguments], env=environment, cwd=box.project, capture_output=True, text=True, timeout=180, check=True
    )
    return done.stdout
