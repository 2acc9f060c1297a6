"""`python -m tests.live [ROUNDS]`: the cost of our hooks in a run of the real CLI, measured."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from .copilot import cache_folder, find_cli
from .timing import measure


def main() -> int:
    """Prints the seconds of each kind of hooks and what they say; 1 where the CLI isn't installed."""
    cli = find_cli(os.environ)
    if cli is None:
        print("no Copilot CLI: set COPILOT_BIN, or `npm install -g @github/copilot`", file=sys.stderr)
        return 1
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory(prefix="deja-live-") as folder:
        print(measure(Path(folder), cli, cache_folder(os.environ), rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
