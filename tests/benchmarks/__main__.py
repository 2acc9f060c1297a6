"""`python -m tests.benchmarks [--quick] [--sessions N] [--rounds N] [--json]`.

Makes two histories in a temporary folder, installs deja-hooks beside each, and measures indexing and hooks.
The default takes some minutes; it asserts nothing about time, and exits 1 only where a call that has to be
answered was not (its time would be that of a silence).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from .chats import Chats, generate_chats, go_on
from .corpus import Corpus, generate, one_more
from .hot_path import Times, cases, distinct_projects, long_transcript_case, prompt_case, run
from .installation import Installation
from .report import History, as_json, as_markdown

_LARGE_TURNS, _SMALL_TURNS = 15, 10
_CHAT_BYTES = 1_000_000


def main() -> int:
    """Measures and prints."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="deja-bench-") as folder:
        times, histories = _measure(Path(folder), options)
    if options.json:
        print(json.dumps(as_json(times, histories), indent=2))
    else:
        print(as_markdown(times, histories))
    silent = [case.name for case in times if case.speaks and case.answered < len(case.milliseconds)]
    if silent:
        print(f"not always answered: {', '.join(silent)}", file=sys.stderr)
    return 1 if silent else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measures deja-hooks.")
    parser.add_argument("--quick", action="store_true", help="150 and 50 sessions, 30 chats, 5 rounds: under a minute")
    parser.add_argument("--sessions", type=int, help="sessions of the large history (1500)")
    parser.add_argument("--chats", type=int, help="chats of 1 MB beside them (300)")
    parser.add_argument("--rounds", type=int, help="calls of each kind (40)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    options.small = 50 if options.quick else 100
    options.sessions = options.sessions or (150 if options.quick else 1500)
    options.chats = options.chats or (30 if options.quick else 300)
    options.rounds = options.rounds or (5 if options.quick else 40)
    return options


def _measure(root: Path, options: argparse.Namespace) -> tuple[list[Times], list[History]]:
    large, small, rounds = options.sessions, options.small, options.rounds
    made = []
    for name, sessions, turns in (("large", large, _LARGE_TURNS), ("small", small, _SMALL_TURNS)):
        _say(f"making {sessions} sessions of {turns} turns")
        corpus = generate(root / name, sessions, turns)
        installation = Installation(root / name / "installed", corpus.copilot_home)
        commands = installation.install()
        _say("indexing them")
        made.append((corpus, installation, commands, _index(corpus, installation, turns)))
    (corpus, installation, commands, history), (few, beside, their_commands, short) = made
    mixed = _index_with_chats(root / "mixed", corpus, options.chats)
    facts = list(distinct_projects(reversed(corpus.facts)))
    prompt = commands["UserPromptSubmit"]
    _say("preparing long transcripts")
    calls = [
        *cases(installation, commands, facts[:5]),
        prompt_case(installation, prompt, facts[5], f"prompt, {large:,} sessions"),
        prompt_case(beside, their_commands["UserPromptSubmit"], few.facts[-1], f"prompt, {small:,} sessions"),
        long_transcript_case(installation, commands, corpus, facts[6], rounds),
    ]
    installation.index()
    _say("calling hooks")
    return run(calls, rounds), [history, short, mixed]


def _index(corpus: Corpus, installation: Installation, turns: int) -> History:
    return _passes(installation, len(corpus.facts), 0, corpus.size, lambda: one_more(corpus, turns))


def _index_with_chats(root: Path, corpus: Corpus, count: int) -> History:
    """The CLI's sessions and VS Code's chats, in a memory of their own."""
    _say(f"making {count} chats, and indexing all")
    installation = Installation(root, corpus.copilot_home)
    projects = sorted({fact.project for fact in corpus.facts})
    chats: Chats = generate_chats(installation.user, projects, count, _CHAT_BYTES)
    return _passes(
        installation, len(corpus.facts), count, corpus.size + chats.size, lambda: go_on(chats.paths[0], projects[0])
    )


def _passes(installation: Installation, sessions: int, chats: int, size: int, change: Callable[[], object]) -> History:
    build = installation.index()
    database = installation.database_size()
    # Files read within two seconds of their last change are read once more: that is not "nothing new".
    time.sleep(2)
    installation.index()
    unchanged = installation.index()
    change()
    added = installation.index()
    background = installation.index_in_background()
    return History(sessions, chats, size, build, database, unchanged, added, background)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
