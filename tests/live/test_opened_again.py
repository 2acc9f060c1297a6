"""`deja-hooks resume --open` and `deja-hooks handoff --to copilot` start the real CLI, which takes what it is given."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from .copilot import Sandbox, cache_folder
from .model import Model, Reply, Request, serve
from .terminal import Terminal, on_terminal

pytestmark = [pytest.mark.live, pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")]

FIRST = "Say how retry_budget is set."
DECIDED = "We decided to set retry_budget to 7, because the pool has 8 connections."


@pytest.fixture
def box(cli: Path, tmp_path: Path) -> Sandbox:
    """With one session of one turn, that was read."""
    made = Sandbox(tmp_path / "box", cli, cache_folder(os.environ))
    made.lay_out({"README.md": "A shop.\n"})
    (made.root / "bin").mkdir()
    (made.root / "bin" / "copilot").symlink_to(cli)
    with serve(Model([Reply("first", DECIDED)])) as model:
        assert made.ask(FIRST, model).exit_code == 0
    made.deja("index")
    return made


def played(box: Sandbox, model: Model, *arguments: str, typed: str = "") -> Request:
    """The request that the CLI makes when our command has started it, from another folder."""
    path = f"{box.root / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**box.environment(), **box.offline(model), "PATH": path}
    command = [sys.executable, "-m", "deja_hooks", *arguments]
    with on_terminal(command, box.root, environment) as terminal:
        _trust(terminal, box.project)
        if typed:
            terminal.shows("? help")
            terminal.type(typed)
            terminal.shows(typed)
            terminal.type("\r")
        terminal.until(lambda: any(request.name == "second" for request in model.requests), "the request")
    return model.request("second")


def _trust(terminal: Terminal, folder: Path) -> None:
    terminal.shows("Do you trust the files in this folder?")
    assert str(folder) in terminal.shown
    terminal.type("\r")


def test_the_session_is_resumed(box: Sandbox) -> None:
    (sid,) = box.sessions()
    with serve(Model([Reply("second", "Gladly.")])) as model:
        request = played(box, model, "resume", sid[:8], "--open", typed="And why?")
    said = [message for message in request.messages if message.role != "system"]
    assert [message.role for message in said] == ["user", "assistant", "user"]
    assert said[0].text.endswith(FIRST)
    assert said[1].text == DECIDED
    assert said[2].text.endswith("And why?")
    assert box.sessions() == [sid]


def test_the_work_is_handed_over(box: Sandbox) -> None:
    (sid,) = box.sessions()
    with serve(Model([Reply("second", "Gladly.")])) as model:
        request = played(box, model, "handoff", sid[:8], "--to", "copilot")
    (said,) = [message.text for message in request.messages if message.role == "user"]
    assert f"\n\nGo on with the work of Copilot session {sid[:8]}: " in said
    assert f'"{FIRST}"\n' in said
    assert f'"{DECIDED}"\n' in said
