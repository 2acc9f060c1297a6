"""The real CLI starts our server, offers the tool to the model, and gives it an answer about an earlier session.

No hooks are installed here: what the model learns, it learns from the tool alone.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from . import scenario
from .copilot import Finished, Sandbox, cache_folder
from .model import Model, Reply, Request, ToolCall, serve
from .packets import packets

pytestmark = pytest.mark.live

#: As the CLI calls it: `<server>-<tool>`.
TOOL = "deja-hooks-deja"
QUESTION = "Which value did we choose for retry_budget?"


@dataclass(frozen=True)
class Asked:
    """The first session, and a second one in which the model asks our tool about it; then the first one resumed."""

    first: str
    second: tuple[Finished, Model]
    resumed: tuple[Finished, Model]


@pytest.fixture(scope="module")
def asked(cli: Path, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    box = Sandbox(tmp_path_factory.mktemp("tool") / "box", cli, cache_folder(os.environ))
    box.lay_out(scenario.FILES)
    entry = {"command": sys.executable, "args": ["-I", "-m", "deja_hooks", "mcp"], "tools": ["*"]}
    settings = {"mcpServers": {"deja-hooks": {**entry, "env": {"DEJA_HOOKS_HOME": str(box.deja_home)}}}}
    (box.copilot_home / "mcp-config.json").write_text(json.dumps(settings), encoding="utf-8")
    with serve(Model(scenario.first_session(box.project))) as model:
        box.ask(scenario.FIRST_PROMPT, model)
    (first,) = box.sessions()
    box.deja("index")
    recall = ToolCall(TOOL, {"mode": "recall", "question": QUESTION})
    session = ToolCall(TOOL, {"mode": "session", "session": first[:8]})
    replies = [
        Reply("prompt", tools=(recall,)),
        Reply("recalled", tools=(session,)),
        Reply("session", tools=(ToolCall(TOOL, {"mode": "fix"}),)),
        Reply("wrong", "It is 7."),
    ]
    with serve(Model(replies)) as model:
        second = (box.ask("What is it?", model), model)
    with serve(Model([Reply("prompt", tools=(recall,)), Reply("recalled", "Nothing.")])) as model:
        resumed = (box.ask("And now?", model, f"--resume={first}"), model)
    return Asked(first, second, resumed)


def result(request: Request) -> str:
    """What the tool gave, as it was put before the model."""
    message = request.messages[-1]
    assert message.role == "tool", request.messages
    return message.text


def test_all_runs_go_to_their_end(asked: Asked) -> None:
    for finished, model in (asked.second, asked.resumed):
        assert finished.exit_code == 0, finished.output
        assert model.replies == []


def test_the_model_is_offered_the_tool(asked: Asked) -> None:
    assert TOOL in asked.second[1].request("prompt").tools


def test_it_recalls_what_an_earlier_session_decided(asked: Asked) -> None:
    request = asked.second[1].request("recalled")
    (packet,) = [each for each in packets(request) if each.role == "tool"]
    assert packet.before == ""
    assert f'decided: "{scenario.DECISION}" [deja-hooks show {asked.first[:8]}]' in packet.text
    structured = json.loads(packet.after)
    assert structured["status"] == "found"
    assert structured["memories"][0]["text"] == scenario.DECISION


def test_it_opens_the_session_that_was_cited(asked: Asked) -> None:
    text = result(asked.second[1].request("session"))
    assert f'asked: "{scenario.FIRST_PROMPT}"' in text
    assert f"edited {scenario.SETTINGS}" in text
    assert f"`{scenario.CHECK}` (exit 1: BudgetStarvedError" in text


def test_a_wrong_call_is_an_error_that_names_the_argument(asked: Asked) -> None:
    assert result(asked.second[1].request("wrong")).endswith("`error` is missing: mode fix needs it.")


def test_a_session_is_told_nothing_of_itself(asked: Asked) -> None:
    assert "Nothing is known of that here" in result(asked.resumed[1].request("recalled"))
