"""Large histories, made quickly: a few sessions of `tests.benchmarks.corpus`, written again under other names."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from pathlib import Path

from tests.benchmarks.corpus import Fact, generate, long_session

__all__ = ["OneLog", "many_sessions", "one_log"]

#: Sessions that are made; all others are these, with an id and a topic of their own.
_PATTERNS = 50
#: Turns to which Copilot CLI writes one system message of this many bytes (four fifths of its logs are such lines).
_TURNS_TO_A_SYSTEM_MESSAGE, _SYSTEM_MESSAGE = 3, 43_000


def many_sessions(folder: Path, count: int, turns: int) -> tuple[Path, list[Fact], int]:
    """Writes so many sessions of the CLI.

    Returns:
        The Copilot home, what each session settled, and the bytes of all.
    """
    corpus = generate(folder, min(count, _PATTERNS), turns)
    store = corpus.copilot_home / "session-state"
    facts, size = list(corpus.facts), corpus.size
    texts = {fact: (store / fact.session / "events.jsonl").read_text(encoding="utf-8") for fact in facts}
    for number in range(len(facts), count):
        pattern = corpus.facts[number % len(corpus.facts)]
        fact = _renamed(pattern, number)
        text = texts[pattern].replace(pattern.session, fact.session).replace(pattern.topic, fact.topic)
        (store / fact.session).mkdir()
        size += (store / fact.session / "events.jsonl").write_text(text, encoding="utf-8")
        facts.append(fact)
    return corpus.copilot_home, facts, size


class OneLog:
    """One session of the CLI with a very long log.

    Attributes:
        fact: what its last turn settled.
        path: its `events.jsonl`; size: its bytes; turns: how many it has.
    """

    def __init__(self, fact: Fact, path: Path, turns: int) -> None:
        self.fact = fact
        self.path = path
        self.size = path.stat().st_size
        self.turns = turns


def one_log(folder: Path, size: int) -> tuple[Path, OneLog]:
    """Writes a log of about so many bytes beside one other session; gives the Copilot home and the log."""
    corpus = generate(folder, 2, 2)
    fact = corpus.facts[0]
    log = long_session(corpus, fact.project, 7, 1_000_000)
    end = (corpus.copilot_home / "session-state" / fact.session / "events.jsonl").read_text(encoding="utf-8")
    topic = f"{fact.topic}_at_last"
    last = end[end.index('{"type": "user.message"') :].replace(fact.topic, topic)
    head, body = log.path.read_text(encoding="utf-8").split("\n", 1)
    body = _with_system_messages(body)
    times = max(1, (size - len(last)) // len(body))
    with log.path.open("w", encoding="utf-8") as file:
        file.write(head + "\n")
        for _ in range(times):
            file.write(body)
        file.write(last)
    turns = times * body.count('"type": "user.message"') + last.count('"type": "user.message"')
    settled = replace(fact, session=log.id, topic=topic, file=fact.file.replace(fact.topic, topic))
    return corpus.copilot_home, OneLog(settled, log.path, turns)


def _with_system_messages(body: str) -> str:
    message = json.dumps({"type": "system.message", "data": {"content": "x" * _SYSTEM_MESSAGE}}) + "\n"
    lines, turns = [], 0
    for line in body.splitlines(keepends=True):
        if line.startswith('{"type": "user.message"'):
            lines += [message] if turns % _TURNS_TO_A_SYSTEM_MESSAGE == 0 else []
            turns += 1
        lines.append(line)
    return "".join(lines)


def _renamed(fact: Fact, number: int) -> Fact:
    topic = f"{fact.topic}{number}"

    def named(text: str) -> str:
        return text.replace(fact.topic, topic)

    return replace(
        fact,
        session=str(uuid.uuid5(uuid.NAMESPACE_OID, f"{fact.session} {number}")),
        topic=topic,
        file=named(fact.file),
        failing=named(fact.failing),
        error=named(fact.error),
        wrong=named(fact.wrong),
        right=named(fact.right),
    )
