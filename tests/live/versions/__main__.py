"""`python -m tests.live.versions [VERSION...]`: what the installed hooks deliver in each version of the Copilot CLI."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from tests.live.copilot import Sandbox, cache_folder
from tests.live.played import play

from .npm import NotInstalledError, installed
from .seen import Seen, evidence, seen
from .table import failed, row, table, updated

#: Spread over the versions that have had hooks; the last one is what the project is built against.
VERSIONS = ("1.0.24", "1.0.39", "1.0.48", "1.0.60", "1.0.70", "1.0.78", "1.0.92", "1.0.102")


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.live.versions",
        description="Installs versions of the Copilot CLI from npm, plays two sessions in each, offline, with the hook"
        " file that `deja-hooks install` writes, and prints what reached the model.",
        epilog="Exit 1 where a version can't be run, rejects the hook file, shows a hook error or denies a tool.",
    )
    parser.add_argument(
        "versions", nargs="*", default=VERSIONS, metavar="VERSION", help=f"default: {' '.join(VERSIONS)}"
    )
    parser.add_argument(
        "--tools",
        type=Path,
        metavar="FOLDER",
        help="where the versions are kept, 170 to 490 MB each (default: a cache)",
    )
    parser.add_argument("--update", type=Path, metavar="FILE", help="write the rows into this document's table, too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Prints the table; 1 where a version fails, 2 where the document can't take it."""
    options = _arguments(arguments)
    try:
        if options.update is not None:
            updated(options.update.read_text(encoding="utf-8"), [])
    except (OSError, ValueError) as error:
        print(f"--update {options.update}: {error}", file=sys.stderr)
        return 2
    tools = (options.tools or cache_folder(os.environ) / "versions").resolve()
    run_on = f"{datetime.now(timezone.utc):%Y-%m-%d}, {platform.system()} {platform.machine()}"
    found = {version: _try(version, tools) for version in options.versions}
    rows = [row(version, run_on, each) for version, each in found.items()]
    print(table(rows))
    if options.update is not None:
        document = options.update.read_text(encoding="utf-8")
        options.update.write_text(updated(document, rows), encoding="utf-8")
    return 1 if any(failed(each) for each in found.values()) else 0


def _try(version: str, tools: Path) -> Seen | str:
    """What a version shows, or why it could not be run."""
    try:
        cli = installed(version, tools, _say, platform=sys.platform)
    except NotInstalledError as error:
        return str(error)
    _say(f"{version}: two sessions")
    # What it unpacks at its first run (up to 240 MB) goes again with the folder.
    with tempfile.TemporaryDirectory(prefix="deja-versions-", ignore_cleanup_errors=True) as folder:
        cache = Path(folder, "cache")
        cache.mkdir()
        played = play(Sandbox(Path(folder, "box"), cli, cache))
        found = evidence(played)
    if not played.sessions:
        return " ".join(played.runs[0].output[-200:].split()) or f"exit status {played.runs[0].exit_code}"
    if found.version and found.version != version:
        return f"it says that it is {found.version}"
    return seen(found)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
