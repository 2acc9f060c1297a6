"""The real process, asked by the SDK's own client over stdio, in both generations of the protocol."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters, stdio_client, types

from deja_hooks import __version__
from deja_hooks.tool.server import Installation, server_of
from tests.support.world import World

from .conftest import DECISION, RAISED, TRACE, Call
from .test_answers import CALLS

#: As installing writes it.
COMMAND = ["-I", "-m", "deja_hooks", "mcp"]
ERAS = pytest.mark.parametrize("era", ["auto", "legacy"])
LIMIT = 60
T = TypeVar("T")


def with_client(
    world: World,
    use: Callable[[Client], Awaitable[T]],
    *,
    era: str = "auto",
    roots: Sequence[str] | Exception | None = None,
    cwd: Path | None = None,
    **environment: str,
) -> T:
    """What `use` makes of a client that is connected to the process; `roots`: what the client says of them."""

    async def list_roots(_context: object) -> types.ListRootsResult | types.ErrorData:
        if isinstance(roots, Exception):
            return types.ErrorData(code=types.INTERNAL_ERROR, message=str(roots))
        return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in roots or ()])  # type: ignore[arg-type]

    async def run() -> T:
        server = StdioServerParameters(
            command=sys.executable, args=COMMAND, env={**world.environment, **environment}, cwd=cwd or world.home
        )
        callback = None if roots is None else list_roots
        with anyio.fail_after(LIMIT):
            async with Client(stdio_client(server), mode=era, list_roots_callback=callback) as client:
                return await use(client)

    return anyio.run(run)


def called(world: World, calls: Sequence[Mapping[str, Any]], **options: Any) -> list[types.CallToolResult]:
    """The results of some calls of the tool, by one client."""

    async def use(client: Client) -> list[types.CallToolResult]:
        return [await client.call_tool("deja", dict(arguments)) for arguments in calls]

    return with_client(world, use, **options)


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@ERAS
def test_there_is_one_tool_that_says_what_it_is(world: World, era: str) -> None:
    async def use(client: Client) -> list[types.Tool]:
        return list((await client.list_tools()).tools)

    (tool,) = with_client(world, use, era=era)
    assert (tool.name, tool.title) == ("deja", "Recall earlier sessions")
    assert tool.annotations == types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    assert tool.description
    assert len(tool.description) < 500
    assert tool.output_schema is not None
    for schema in (tool.input_schema, tool.output_schema):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"


def test_the_server_says_who_it_is(world: World) -> None:
    async def use(client: Client) -> types.Implementation | None:
        return client.server_info

    info = with_client(world, use, era="legacy")
    assert info is not None
    assert (info.name, info.version) == ("deja-hooks", __version__)


@ERAS
def test_every_mode_in_both_forms(shop: World, deja: Call, era: str) -> None:
    calls = [{"mode": mode, **CALLS[mode]} for mode in CALLS]
    results = called(shop, calls, era=era, roots=[shop.project.as_uri()])
    for mode, result in zip(CALLS, results, strict=True):
        text, expected = deja(mode, **CALLS[mode])
        nonce = text_of(result)[len("<deja-") :].partition(" ")[0]
        assert text_of(result) == text.replace("deja-0", f"deja-{nonce}")
        assert result.structured_content == expected.model_dump(mode="json", exclude_defaults=True)
        assert not result.is_error


def test_each_answer_has_a_nonce_of_its_own(shop: World) -> None:
    results = called(shop, [{"mode": "search", "query": "retry_budget"}] * 3, cwd=shop.project)
    nonces = {text_of(result)[len("<deja-") :].partition(" ")[0] for result in results}
    assert len(nonces) == 3
    assert {len(nonce) for nonce in nonces} == {8}


@ERAS
def test_the_structured_form_is_what_the_schema_says(shop: World, era: str) -> None:
    async def use(client: Client) -> tuple[types.Tool, list[types.CallToolResult]]:
        (tool,) = (await client.list_tools()).tools
        calls = [*({"mode": mode, **CALLS[mode]} for mode in CALLS), {"mode": "search", "query": "zebra"}]
        return tool, [await client.call_tool("deja", call) for call in calls]

    tool, results = with_client(shop, use, era=era, cwd=shop.project)
    assert tool.output_schema is not None
    for result in results:
        Draft202012Validator(tool.output_schema).validate(result.structured_content)


QUESTION = {"mode": "recall", "question": "which retry_budget did we choose?"}


@ERAS
def test_the_project_is_that_of_the_clients_roots(shop: World, era: str) -> None:
    other = (shop.home / "other").as_uri()
    for roots, found in (([shop.project.as_uri()], True), ([other, shop.project.as_uri()], True), ([other], False)):
        (result,) = called(shop, [QUESTION], era=era, roots=roots)
        assert (DECISION in text_of(result)) is found


@ERAS
@pytest.mark.parametrize("roots", [None, []])
def test_without_roots_it_is_that_of_the_working_directory(shop: World, era: str, roots: list[str] | None) -> None:
    (result,) = called(shop, [QUESTION], era=era, roots=roots, cwd=shop.project)
    assert DECISION in text_of(result)


def test_a_client_that_fails_to_name_its_roots_is_one_without(shop: World) -> None:
    """(Of the older protocol: in the newer one such a client never calls again.)"""
    (result,) = called(shop, [QUESTION], era="legacy", roots=ValueError("none today"), cwd=shop.project)
    assert DECISION in text_of(result)


@ERAS
def test_the_argument_wins(shop: World, era: str) -> None:
    root = [(shop.home / "other").as_uri()]
    (result,) = called(shop, [{**QUESTION, "project": str(shop.project)}], era=era, roots=root)
    assert DECISION in text_of(result)


@ERAS
def test_a_call_that_cannot_be_used_is_an_error_and_not_the_end(shop: World, era: str) -> None:
    results = called(shop, [{"mode": "recall"}, {"mode": "?"}, {}, QUESTION], era=era, cwd=shop.project)
    assert [(result.is_error, text_of(result)) for result in results[:3]] == [
        (True, "`question` is missing: mode recall needs it."),
        (True, "`mode` is none that there is: give one of recall, search, session, file, fix."),
        (True, "`mode` is missing: give one of recall, search, session, file, fix."),
    ]
    assert DECISION in text_of(results[3])


@ERAS
def test_another_tool_is_none(world: World, era: str) -> None:
    async def use(client: Client) -> None:
        with pytest.raises(MCPError, match="There is one tool here: deja"):
            await client.call_tool("vu", {})

    with_client(world, use, era=era)


class TestTheAskingSession:
    """What it said itself is no memory."""

    def test_as_vs_code_names_it(self, shop: World) -> None:
        async def use(client: Client) -> list[types.CallToolResult]:
            metas = [{"vscode.conversationId": sid} for sid in (RAISED, "another")]
            return [await client.call_tool("deja", QUESTION, meta=meta) for meta in metas]  # type: ignore[arg-type]

        own, others = with_client(shop, use, cwd=shop.project)
        assert text_of(own).startswith("Nothing is known of that here")
        assert DECISION in text_of(others)

    def test_as_the_cli_names_it(self, shop: World) -> None:
        (own,) = called(shop, [QUESTION], cwd=shop.project, COPILOT_AGENT_SESSION_ID=RAISED)
        assert text_of(own).startswith("Nothing is known of that here")


def test_a_fault_of_ours_says_nothing_of_history(
    shop: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("words of history")

    monkeypatch.setattr("deja_hooks.tool.answers.chosen_place", broken)

    def ask(**environment: str) -> types.CallToolResult:
        server = server_of(Installation(shop.layout, [str(shop.project)], environment))

        async def run() -> types.CallToolResult:
            async with Client(server) as client:
                return await client.call_tool("deja", QUESTION)

        return anyio.run(run)

    result = ask()
    assert result.is_error
    assert text_of(result) == (
        "Unexpected error (KeyError). This is a fault of deja-hooks; DEJA_HOOKS_TRACE=1 in the server's environment"
        " shows where, on stderr."
    )
    assert "KeyError" not in capsys.readouterr().err
    ask(DEJA_HOOKS_TRACE="1")
    assert "KeyError: 'words of history'" in capsys.readouterr().err


def test_there_is_no_memory(world: World) -> None:
    (result,) = called(world, [QUESTION])
    assert text_of(result).startswith("There is no memory yet")
    assert not result.is_error


def test_it_is_switched_off(shop: World) -> None:
    (result,) = called(shop, [QUESTION], cwd=shop.project, DEJA_RECALL="off")
    assert text_of(result).startswith("deja-hooks is switched off by DEJA_RECALL")
    assert result.structured_content is not None
    assert result.structured_content["status"] == "silent"


def test_a_memory_that_comes_later_is_seen(world: World) -> None:
    async def use(client: Client) -> list[str]:
        before = text_of(await client.call_tool("deja", {"mode": "search", "query": "retry_budget"}))
        world.cli_session(RAISED, ("user.message", {"content": "about retry_budget"}))
        world.index()
        return [before, text_of(await client.call_tool("deja", {"mode": "search", "query": "retry_budget"}))]

    before, after = with_client(world, use, cwd=world.project)
    assert before.startswith("There is no memory yet")
    assert "[deja-hooks show 5eed0001]" in after


def run(world: World, stdin: bytes, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *COMMAND],
        input=stdin,
        capture_output=True,
        env=world.environment,
        cwd=cwd,
        timeout=LIMIT,
        check=False,
    )


def test_it_ends_when_stdin_ends(world: World) -> None:
    done = run(world, b"", world.home)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_what_stands_in_the_folder_is_never_run(shop: World) -> None:
    """A repository is untrusted: what it holds under the names of our modules stays there."""
    for name in ("mcp", "deja_hooks", "anyio", "pydantic", "json"):
        (shop.project / f"{name}.py").write_text("open('ran', 'w')\nraise SystemExit(7)\n")
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    call = {"name": "deja", "arguments": {"mode": "fix", "error": TRACE}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    done = run(shop, b"".join(json.dumps(line).encode() + b"\n" for line in lines), shop.project)
    answers = [json.loads(line) for line in done.stdout.splitlines()]  # the protocol's alone
    assert (done.returncode, done.stderr) == (0, b"")
    assert answers[0]["result"]["serverInfo"]["name"] == "deja-hooks"
    assert [answer["id"] for answer in answers] == [1, 2]
    assert "edits to shop/settings.py" in answers[1]["result"]["content"][0]["text"]
    assert not (shop.project / "ran").exists()


def test_lines_that_are_no_messages_end_nothing(shop: World) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    done = run(shop, b"nonsense\n\xff\xfe\n[]\n" + json.dumps(ping).encode() + b"\n", shop.project)
    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[-1])["id"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_it_ends_at_an_interrupt(world: World) -> None:
    with subprocess.Popen(
        [sys.executable, *COMMAND],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=world.environment,
    ) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        server.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        server.send_signal(signal.SIGINT)
        assert server.wait(LIMIT) == -signal.SIGINT
        assert server.stderr.read() == b""
