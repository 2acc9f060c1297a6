"""The benchmarks' history is the same every time, and what is planted in it is there."""

from __future__ import annotations

import json
from pathlib import Path

from .corpus import Corpus, generate, one_more


def files_of(corpus: Corpus) -> dict[str, str]:
    home = corpus.copilot_home
    return {
        str(path.relative_to(home)): path.read_text("utf-8").replace(str(home.parent), "@HOME@")
        for path in home.rglob("events.jsonl")
    }


def test_same_seed_same_history(tmp_path: Path) -> None:
    first, second = (generate(tmp_path / name, sessions=4, turns=3, seed=5) for name in ("a", "b"))
    assert files_of(first) == files_of(second)
    assert len(files_of(first)) == 4
    assert files_of(first) != files_of(generate(tmp_path / "c", sessions=4, turns=3, seed=6))


def test_facts_are_in_their_sessions_alone(tmp_path: Path) -> None:
    corpus = generate(tmp_path, sessions=5, turns=2)
    texts = {name.split("/")[1]: text for name, text in files_of(corpus).items()}
    for fact in corpus.facts:
        assert [session for session, text in texts.items() if fact.topic in text] == [fact.session]
        text = texts[fact.session]
        assert f"We decided to set {fact.topic} to {fact.value} in {fact.file} because" in text
        assert all(part in text for part in (fact.failing, fact.error, fact.wrong, fact.right))
        assert (fact.project / ".git" / "HEAD").is_file()


def test_records_are_those_of_the_cli(tmp_path: Path) -> None:
    corpus = generate(tmp_path, sessions=1, turns=1)
    path = corpus.copilot_home / "session-state" / corpus.facts[0].session / "events.jsonl"
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert {tuple(record) for record in records} == {("type", "data", "id", "timestamp", "parentId")}
    kinds = [record["type"] for record in records]
    assert kinds[:2] == ["session.start", "user.message"]
    assert kinds[-2:] == ["assistant.message", "session.shutdown"]
    stamps = [record["timestamp"] for record in records]
    assert stamps == sorted(stamps)


def test_one_more_is_the_last(tmp_path: Path) -> None:
    corpus = generate(tmp_path, sessions=3, turns=1)
    fact = one_more(corpus, turns=1)
    records = [json.loads(text.splitlines()[0]) for text in files_of(corpus).values()]
    starts = {record["timestamp"]: record["data"]["sessionId"] for record in records}
    assert len(starts) == 4
    assert starts[max(starts)] == fact.session
