"""`--help` of every command there is: examples, `--json` wherever something is printed for reading, 80 columns."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from deja_hooks.cli.main import cli

from .conftest import Run

#: Commands without --json, and why.
NO_JSON = {
    "off": "a sentence about a switch; `on` says whether it was off",
    "on": "a sentence about a switch",
    "hook": "prints the reply, which is JSON, as a host gets it",
    "export": "`--format json` is its JSON",
    "completion": "prints a script",
    "mcp": "speaks a protocol, which is JSON",
    "config path": "prints a path and nothing else",
    "config schema": "prints JSON",
}


def commands(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words that name each command, groups too."""
    for name in group.list_commands(click.Context(group)):
        words = (*before, name)
        yield words
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, words)


COMMANDS = [" ".join(words) for words in commands(cli)]


def command_of(name: str) -> click.Command:
    """The command of these words."""
    found: click.Command = cli
    for word in name.split():
        assert isinstance(found, click.Group)
        command = found.get_command(click.Context(found), word)
        assert command is not None
        found = command
    return found


@pytest.fixture
def help_of(deja: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The help of a command on a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    return lambda name: deja(*name.split(), "--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_it_has_examples_of_this_very_command(help_of: Run, name: str) -> None:
    out = help_of(name).out
    assert "\n  Examples:\n" in out
    examples = out.partition("\n  Examples:\n")[2].partition("\n\n")[0]
    assert f"deja-hooks {name}" in examples


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_it_fits_80_columns(help_of: Run, name: str) -> None:
    result = help_of(name)
    assert (result.code, result.err) == (0, "")
    assert [line for line in result.out.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_it_prints_json_or_has_a_reason_not_to(name: str) -> None:
    command = command_of(name)
    options = [option for parameter in command.params for option in parameter.opts]
    assert ("--json" in options) != (name in NO_JSON or isinstance(command, click.Group))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name: str) -> None:
    options = [each for each in command_of(name).params if isinstance(each, click.Option)]
    assert [option.opts for option in options if not option.help] == []


def test_the_list_names_every_command_in_one_line(help_of: Run) -> None:
    listed = help_of("").out.partition("\nCommands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == [name for name in COMMANDS if " " not in name]


def test_the_exceptions_are_commands() -> None:
    assert set(NO_JSON) <= set(COMMANDS)
