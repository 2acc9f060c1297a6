"""`deja-hooks mcp`: the recall tool, for a host that speaks the Model Context Protocol."""

import signal
import sys

import click

from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.errors import DejaError

__all__ = ["mcp"]

#: What the SDK brings with it.
_SDK = ("mcp", "mcp_types", "anyio")


@click.command()
@click.pass_obj
def mcp(here: Here) -> None:
    """Serve the recall tool on stdin and stdout, as a host calls it.

    The tool is called deja. It answers from the memory, changes nothing, and ends when stdin ends. The project is the
    one that the client names, else that of the working directory.

    `deja-hooks install` writes the hosts' entries for it. By hand, in ~/.copilot/mcp-config.json (VS Code's mcp.json
    has "servers"): {"mcpServers": {"deja": {"command": "deja-hooks", "args": ["mcp"], "tools": ["*"]}}}

    \b
    Examples:
      deja-hooks mcp
    """
    try:
        from deja_hooks.tool.server import Installation, serve  # 1 s, and it may be missing
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _SDK:
            raise
        raise DejaError("The recall tool needs the MCP SDK, 2.0 or later: pip install 'deja-hooks[mcp]'") from error
    if sys.stdin.isatty():
        click.echo("Waiting for a host on stdin; Ctrl-C ends it.", err=True)
    # The SDK's wait for stdin can't be interrupted from Python; there is nothing that would have to be put away.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    serve(Installation(here.layout, working_folders(here.environment), here.environment))
