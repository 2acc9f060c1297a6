"""The server: one tool over stdio, with the official SDK. It holds nothing between two calls.

Two generations of the protocol ask a client for its roots in two ways: until 2025-11-25 by a request of the server's
own, since 2026-07-28 by an answer that asks for them, after which the client calls again with them.
"""

from __future__ import annotations

import secrets
import time
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import anyio
from mcp import MCPError, types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from deja_hooks import __version__
from deja_hooks.memory.layout import Layout
from deja_hooks.tool.answers import Asker, answer
from deja_hooks.tool.arguments import Unusable, arguments_schema, read_arguments
from deja_hooks.tool.project import folders_of
from deja_hooks.tool.results import result_schema

__all__ = ["Installation", "serve", "server_of"]

_DESCRIPTION = (
    "What earlier Copilot sessions of this project decided, tried, broke and fixed, from this machine's own history,"
    " quoted with date and session id. Call it before you settle again what may have been settled, when the user speaks"
    ' of earlier work ("as we agreed", "why did we", "again"), before you undo code whose reason you do not know,'
    " and when a command fails."
)
_ROOTS = "roots"
#: Seconds that a client may take to name its roots.
_ROOTS_LIMIT = 5.0
#: How VS Code names the chat that calls (1.99 and later), and Copilot CLI its session (1.0.102).
_VSCODE_SESSION = "vscode.conversationId"
_CLI_SESSION = "COPILOT_AGENT_SESSION_ID"


class Installation(NamedTuple):
    """What the server knows of its machine.

    Attributes:
        layout: our folders.
        folders: the working directory, by all its names.
        environment: the environment variables.
    """

    layout: Layout
    folders: Sequence[str]
    environment: Mapping[str, str]


def serve(installation: Installation) -> None:
    """Serves the tool on stdin and stdout until stdin ends."""
    anyio.run(_serve, installation)


async def _serve(installation: Installation) -> None:
    server = server_of(installation)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def server_of(installation: Installation) -> Server[Any]:
    """The server, on no transport yet."""

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool()])

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        if params.name != "deja":
            raise MCPError(code=types.INVALID_PARAMS, message="There is one tool here: deja.")
        roots = await _roots(context, params)
        if roots is None:
            return types.InputRequiredResult(input_requests={_ROOTS: types.ListRootsRequest()})
        folders = folders_of(roots) or list(installation.folders)
        now_ms = time.time_ns() // 1_000_000
        asker = Asker(folders, _session_id(installation, params), now_ms, secrets.token_hex(4))
        return _called(installation, asker, params.arguments)

    return Server("deja-hooks", version=__version__, on_list_tools=list_tools, on_call_tool=call_tool)


def _tool() -> types.Tool:
    return types.Tool(
        name="deja",
        title="Recall earlier sessions",
        description=_DESCRIPTION,
        input_schema=arguments_schema(),
        output_schema=result_schema(),
        annotations=types.ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )


def _called(installation: Installation, asker: Asker, values: Mapping[str, Any] | None) -> types.CallToolResult:
    try:
        text, result = answer(installation.layout, asker, read_arguments(values))
    except Unusable as error:
        return _failed(str(error))
    except Exception as error:
        # The boundary: the SDK would send the exception's own words, which may be of history and have no fence.
        if installation.environment.get("DEJA_HOOKS_TRACE"):
            traceback.print_exc()
        return _failed(
            f"Unexpected error ({type(error).__name__}). This is a fault of deja-hooks; DEJA_HOOKS_TRACE=1 in the"
            " server's environment shows where, on stderr."
        )
    structured = result.model_dump(mode="json", exclude_defaults=True)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=structured)


def _failed(why: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=why)], is_error=True)


def _session_id(installation: Installation, params: types.CallToolRequestParams) -> str:
    """The session that asks, which is told nothing of itself; "" where the client doesn't say."""
    named = dict(params.meta or {}).get(_VSCODE_SESSION)
    return named if isinstance(named, str) else installation.environment.get(_CLI_SESSION, "")


async def _roots(context: ServerRequestContext[Any], params: types.CallToolRequestParams) -> list[str] | None:
    """The client's roots; None where it is still to be asked for them."""
    session = context.session
    capabilities = session.client_capabilities
    if capabilities is None or capabilities.roots is None:
        return []
    if session.can_send_request:
        try:
            found = await session.send_request(
                types.ListRootsRequest(), types.ListRootsResult, request_read_timeout_seconds=_ROOTS_LIMIT
            )
        except (MCPError, ValueError):  # a client that has none after all, or answers something else
            return []
        return [str(root.uri) for root in found.roots]
    if params.input_responses is None:
        return None
    given = params.input_responses.get(_ROOTS)
    return [str(root.uri) for root in given.roots] if isinstance(given, types.ListRootsResult) else []
