"""LoCoMo's conversations and DevMemBench's sessions, asked word for word by `deja-hooks search -`.

Each LoCoMo conversation is the history of one project: a session is a chat in which the one who speaks first is the
user and the other the assistant; right is each session that holds evidence. DevMemBench is one project, since its
questions go across; its abstention questions are asked as prompts. LoCoMo is CC BY-NC 4.0: it is read where it lies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from .figures import Figure, Miss, at_most
from .machine import Machine, lines_of
from .told import Told, Turn, identity

__all__ = ["Question", "devmembench", "locomo", "ranked", "score"]

_DATE = "%I:%M %p on %d %B, %Y"
_LOCOMO_TARGETS = (78.0, 94.0, 0.85)
_DEVMEMBENCH_TARGETS = (78.0, 98.0, None)
#: LoCoMo's adversarial questions: their evidence is where the right answer to another question stands.
_ADVERSARIAL = 5


@dataclass(frozen=True)
class Question:
    """A question, and the ids of the sessions that answer it (none: nothing does)."""

    text: str
    right: frozenset[str]
    kind: str


def ranked(hits: list[dict[str, Any]], right: frozenset[str]) -> int:
    """The place of the first right session, from 1; 0 where it isn't among the hits."""
    return next((place for place, hit in enumerate(hits, 1) if hit["session_id"] in right), 0)


def score(ranks: list[int]) -> tuple[float, float, float]:
    """hit@1 and hit@5 in per cent, and the mean reciprocal rank."""
    count = max(1, len(ranks))
    first = 100 * sum(rank == 1 for rank in ranks) / count
    five = 100 * sum(0 < rank <= 5 for rank in ranks) / count
    return first, five, sum(1 / rank for rank in ranks if rank) / count


def locomo(root: Path, data: Path, most: int | None = None) -> Iterator[Figure]:
    """The conversations of the folder, or its first so many; nothing where there is none."""
    ranks: list[int] = []
    plain: list[int] = []
    misses = []
    for path in sorted((data / "recall" / "locomo").glob("conversation_*.json"))[:most]:
        machine = Machine(root / path.stem)
        conversation = json.loads(path.read_text(encoding="utf-8"))
        folder = machine.project(path.stem)
        machine.remember(_conversation(path.stem, folder, session) for session in conversation["sessions"])
        asked = list(_asked(path.stem, conversation))
        for question, hits in zip(asked, machine.search([q.text for q in asked], folder), strict=True):
            rank = ranked(hits, question.right)
            ranks.append(rank)
            if question.kind != str(_ADVERSARIAL):
                plain.append(rank)
            if rank != 1:
                misses.append(Miss(f"{path.stem}: {question.text}", "first", str(rank)))
    if ranks:
        yield _figure("LoCoMo", f"{len(ranks)} questions", ranks, _LOCOMO_TARGETS, misses)
        yield _figure("LoCoMo", f"{len(plain)} of them not adversarial", plain)


def _conversation(name: str, folder: Path, session: dict[str, Any]) -> Told:
    turns: list[list[str]] = []
    said = session["turns"]
    for turn in said:
        text = f"{turn['speaker']}: {turn['text']}"
        if turn["speaker"] == said[0]["speaker"]:
            turns.append([text, ""])
        elif turns[-1][1]:
            turns[-1][1] += "\n" + text
        else:
            turns[-1][1] = text
    at = datetime.strptime(session["date_time"].upper(), _DATE).replace(tzinfo=timezone.utc)
    ms = int(at.timestamp() * 1000)
    return Told(identity(name, session["id"]), folder, ms, tuple(Turn(user, said) for user, said in turns))


def _asked(name: str, conversation: dict[str, Any]) -> Iterator[Question]:
    known = {session["id"] for session in conversation["sessions"]}
    for asked in conversation["qa"]:
        named = {found for evidence in asked.get("evidence") or () for found in re.findall(r"D\d+", evidence)}
        right = frozenset(identity(name, session) for session in named & known)
        if right:
            yield Question(asked["question"], right, str(asked["category"]))


def devmembench(root: Path, data: Path) -> Iterator[Figure]:
    """The 175 answerable questions as searches, the 25 others as prompts; nothing where the files are absent."""
    sessions, questions = (data / "recall" / f"devmembench_{name}.json" for name in ("sessions", "questions"))
    if not sessions.exists():
        return
    machine = Machine(root / "devmembench")
    folder = machine.project("devmembench")
    machine.remember(_coding(folder, session) for session in json.loads(sessions.read_text(encoding="utf-8")))
    asked = [
        Question(
            each["question"],
            frozenset(identity("devmembench", s) for s in each["haystackSessionIds"]),
            each["questionType"],
        )
        for each in json.loads(questions.read_text(encoding="utf-8"))
    ]
    answerable = [question for question in asked if question.right]
    hits = machine.search([question.text for question in answerable], folder)
    ranks = [ranked(found, question.right) for found, question in zip(hits, answerable, strict=True)]
    misses = [Miss(q.text, "first", str(rank)) for q, rank in zip(answerable, ranks, strict=True) if rank != 1]
    yield _figure("DevMemBench", f"{len(ranks)} answerable questions", ranks, _DEVMEMBENCH_TARGETS, misses)
    others = [question for question in asked if not question.right]
    packets = [machine.prompt(question.text, f"other-{n}", folder) for n, question in enumerate(others)]
    spoken = [
        Miss(question.text, "silence", "\n".join(lines_of(packet)))
        for question, packet in zip(others, packets, strict=True)
        if packet
    ]
    yield at_most("DevMemBench", "abstention questions: a packet", len(spoken), len(others), None, spoken)


def _coding(folder: Path, session: dict[str, Any]) -> Told:
    at = datetime.fromisoformat(session["metadata"]["date"]).replace(hour=9, tzinfo=timezone.utc)
    said = session["messages"]
    pairs = tuple(Turn(a["content"], b["content"]) for a, b in zip(said[::2], said[1::2], strict=False))
    if len(said) % 2:
        pairs += (Turn(said[-1]["content"], ""),)
    return Told(identity("devmembench", session["sessionId"]), folder, int(at.timestamp() * 1000), pairs)


def _figure(
    part: str,
    name: str,
    ranks: list[int],
    targets: tuple[float, float, float | None] | None = None,
    misses: list[Miss] | None = None,
) -> Figure:
    first, five, mean = score(ranks)
    shown = f"{first:.1f} / {five:.1f} / {mean:.3f}"
    values = {"hit@1": first, "hit@5": five, "MRR": mean, "of": len(ranks)}
    name = f"hit@1 / hit@5 / MRR, {name}"
    if targets is None:
        return Figure(part, name, shown, values=values, misses=tuple(misses or ()))
    wanted = [target for target in targets if target is not None]
    target = " / ".join(f">= {each:g}" for each in wanted)
    met = all(found >= each for found, each in zip((first, five, mean), wanted, strict=False))
    return Figure(part, name, shown, target, met, values, tuple(misses or ()))
