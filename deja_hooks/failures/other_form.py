"""Whether one command line is another form of another: the same program on the same things, started otherwise."""

from deja_hooks.failures.command_form import command_form
from deja_hooks.failures.command_line import bare_name, simple_commands
from deja_hooks.failures.program import program

__all__ = ["is_other_form"]

#: Options with which a program only looks, lists or explains.
_LOOKING = frozenset(
    (
        "--dry-run", "-n", "--help", "-h", "--version", "-V", "--collect-only", "--co", "--list", "-l", "--check",
        "--plan", "--preview", "--no-op", "--noop", "--what-if", "-WhatIf", "--diff", "--status", "--print", "--show",
    )
)  # fmt: skip

#: Beginnings of options with which a program passes over what had failed.
_EVADING = (
    "--no-verify", "--deselect", "--ignore", "--skip", "-DskipTests", "-Dmaven.test.skip", "--passWithNoTests",
    "--exit-zero", "--no-fail", "--force", "--exclude", "--allow-fail", "--continue-on", "--testPathIgnorePatterns",
)  # fmt: skip


def is_other_form(failed: str, worked: str) -> bool:
    """Whether `worked` does what `failed` was to do, started otherwise (`python -m flake8 src` for `flake8 src`).

    The operands must be the same, options may differ. Where there are none, the way to the program must differ:
    `make -k` is no answer to a failing `make`. A dry run, a listing, a version is never an answer,
    nor is leaving out what had failed.
    """
    name = program(failed)
    if not name or program(worked) != name or command_form(failed) == command_form(worked):
        return False
    before, after = _taken_apart(failed, name), _taken_apart(worked, name)
    if before is None or after is None or before[1] != after[1]:
        return False
    if any(option in _LOOKING and option not in before[2] for option in after[2]):
        return False
    if any(option.startswith(_EVADING) and option not in before[2] for option in after[2]):
        return False
    return bool(before[1]) or before[0] != after[0]


def _taken_apart(command: str, name: str) -> "tuple[list[str], list[str], list[str]] | None":
    """What stands before the program, its operands, its options; None where the line is more than one command."""
    found = [words for words in simple_commands(command) if words and bare_name(words[0]) not in ("cd", "pushd")]
    if len(found) != 1:
        return None
    words = found[0]
    first = name.partition(" ")[0]
    at = next((i for i, word in enumerate(words) if bare_name(word) == first), None)
    if at is None:
        return None
    rest = words[at + 1 :]
    options = [word for word in rest if word.startswith("-")]
    return words[:at], [word for word in rest if not word.startswith("-")], options
