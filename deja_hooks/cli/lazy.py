"""A click group that imports a command when it is called, and none to list them."""

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["LazyCommand", "LazyGroup"]


class LazyCommand(NamedTuple):
    """A command that hasn't been imported: `module:attribute`, and its line in the list of commands."""

    target: str
    summary: str


class LazyGroup(click.Group):
    """A group of commands that are known by name only until one is called."""

    def __init__(self, *args: Any, lazy: dict[str, LazyCommand], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names in the order in which they were given."""
        return list(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of this name, imported now; None for an unknown name."""
        if cmd_name not in self._lazy:
            return None
        module, _, attribute = self._lazy[cmd_name].target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called. Raises click.UsageError, which names one that is meant perhaps."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], self._lazy, 1)
            if args[0].startswith("-") or not near:
                raise
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean {near[0]}?", ctx) from error

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """The commands and options that begin so; for their names, none is imported."""
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(n, help=c.summary) for n, c in self._lazy.items() if n.startswith(incomplete)]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Writes the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in self._lazy.items()])
