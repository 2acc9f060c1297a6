"""`python -m tests.attack [--write]`: runs the attacks, prints their table or puts it into docs/security-tests.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

from tests.attack.counting import KEPT, Tally, table

_HERE = Path(__file__).parent
_DOCUMENT = _HERE.parents[1] / "docs" / "security-tests.md"
_BEGIN, _END = "<!-- made by python -m tests.attack --write -->\n", "<!-- end -->\n"


class Counting:
    """A plugin that gives the tests their table."""

    def __init__(self) -> None:
        self.tally = Tally()

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[KEPT] = self.tally


def main(arguments: list[str]) -> int:
    """The command; returns the exit status: pytest's, where not all held."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the table into {_DOCUMENT.name}")
    chosen = parser.parse_args(arguments)
    counting = Counting()
    status = int(pytest.main(["-q", str(_HERE)], plugins=[counting]))
    if status:
        return status
    made = table(list(counting.tally.rows.values()))
    if not chosen.write:
        print(made, end="")
        return 0
    text = _DOCUMENT.read_text(encoding="utf-8")
    head, _, rest = text.partition(_BEGIN)
    _DOCUMENT.write_text(f"{head}{_BEGIN}\n{made}\n{_END}{rest.partition(_END)[2]}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
