"""A made-up history of Copilot CLI sessions with facts planted in it, the same for the same seed.

Prose is drawn from 20,000 invented words with the frequencies of a language (a few words everywhere, most
words rare), so that an index has work to do and a recall has something to tell apart. The files are laid out
as the CLI's `session-state/<id>/events.jsonl`. 1,500 sessions of 15 turns are 89 MB, 100 of 10 are 4 MB.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from .words import Words

__all__ = ["Corpus", "Fact", "LongSession", "generate", "long_session", "one_more"]

_PROJECTS = 20
_FOLDERS = ("internal/pool", "internal/auth", "pkg/retry", "cmd/server", "web/src", "db/migrations")
_COMMANDS = ("go test ./{}/...", "npm run build", "make lint", "pytest -q tests/{}", "docker compose up {}")
_ERRORS = (
    "ModuleNotFoundError: No module named '{}'",
    "bash: line 1: {}: command not found",
    "panic: runtime error: index out of range in {}",
    "fatal: unable to access remote {}: connection refused",
    "error TS2304: cannot find name '{}' in scope",
)
_FIRST_DAY = datetime(2026, 3, 1, 9, tzinfo=timezone.utc)
_SPAN_DAYS = 180


@dataclass(frozen=True)
class Fact:
    """What one session settled, and what it ran.

    Attributes:
        session: the session's id.
        project: the project's folder.
        topic: an identifier of this session alone.
        value: what the topic was set to.
        file: the file, below the project, that the decision names.
        failing: a command that failed until that file was edited.
        error: the line that the failure ended with.
        wrong, right: a command that fails here, and the form of it that works.
    """

    session: str
    project: Path
    topic: str
    value: str
    file: str
    failing: str
    error: str
    wrong: str
    right: str


@dataclass(frozen=True)
class Corpus:
    """A generated history: its Copilot home, what was planted, and its size in bytes."""

    copilot_home: Path
    facts: tuple[Fact, ...]
    size: int


class _Session:
    """Collects the records of one session."""

    def __init__(self, words: Words, start: datetime, fact: Fact) -> None:
        self.words = words
        self.fact = fact
        self.lines: list[str] = []
        self._now = start
        self._calls = 0
        place = {"cwd": str(fact.project), "gitRoot": str(fact.project), "branch": "main"}
        self.add("session.start", sessionId=fact.session, version=1, producer="copilot-agent", context=place)

    def add(self, kind: str, **data: object) -> None:
        """Appends one record, some seconds after the one before."""
        self._now += timedelta(seconds=self.words.random.randint(2, 40))
        self.lines.append(
            json.dumps(
                {
                    "type": kind,
                    "data": data,
                    "id": str(uuid.UUID(int=self.words.random.getrandbits(128))),
                    "timestamp": self._now.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                    "parentId": None,
                }
            )
        )

    def tool(self, name: str, arguments: dict[str, str], output: str, exit_code: int | None = None) -> None:
        """Appends a call and its result."""
        self._calls += 1
        call = f"call_{self._calls}"
        self.add("tool.execution_start", toolCallId=call, toolName=name, arguments=arguments)
        if exit_code is None:
            self.add("tool.execution_complete", toolCallId=call, success=True, result={"content": output})
            return
        output += f"\n<shellId: {self._calls} completed with exit code {exit_code}>"
        self.add(
            "tool.execution_complete",
            toolCallId=call,
            success=True,
            result={"content": output},
            shellExecution={"exitCode": exit_code},
        )

    def say(self, text: str) -> None:
        """Appends the assistant's words."""
        self.add("assistant.message", messageId=str(len(self.lines)), content=text, toolRequests=[])


def generate(folder: Path, sessions: int, turns: int, seed: int = 11) -> Corpus:
    """Writes a history below the folder: `.copilot` and the projects' (empty) git repositories."""
    words = Words(seed)
    copilot_home = folder / ".copilot"
    projects = [_project(folder / "code" / f"svc-{number:02d}") for number in range(_PROJECTS)]
    facts = []
    for start, fact in _plan(words, projects, sessions):
        _write(copilot_home, _session(words, start, fact, turns))
        facts.append(fact)
    size = sum(path.stat().st_size for path in copilot_home.glob("session-state/*/events.jsonl"))
    return Corpus(copilot_home, tuple(facts), size)


def one_more(corpus: Corpus, turns: int, seed: int = 12) -> Fact:
    """Writes one more session, after all others, into a project of the corpus."""
    words = Words(seed)
    fact = _fact(words, corpus.facts[0].project)
    start = _FIRST_DAY + timedelta(days=_SPAN_DAYS + 1)
    _write(corpus.copilot_home, _session(words, start, fact, turns))
    return fact


class LongSession:
    """A session in progress whose file grows.

    Attributes:
        id: the session's id.
        path: its `events.jsonl`.
    """

    def __init__(self, corpus: Corpus, words: Words, fact: Fact) -> None:
        self.id = fact.session
        self.path = corpus.copilot_home / "session-state" / self.id / "events.jsonl"
        self.path.parent.mkdir(parents=True)
        self._session = _Session(words, _FIRST_DAY + timedelta(days=_SPAN_DAYS + 2), fact)

    def grow(self, size: int) -> None:
        """Appends whole turns until at least so many bytes have come to it."""
        words, lines = self._session.words, self._session.lines
        grown = 0
        with self.path.open("a", encoding="utf-8") as file:
            while grown < size:
                self._session.add("user.message", content=f"now check {words.sentence(6, 18)}")
                _work(self._session)
                self._session.say(words.sentence(7, 40))
                grown += file.write("\n".join(lines) + "\n")
                lines.clear()


def long_session(corpus: Corpus, project: Path, seed: int, size: int) -> LongSession:
    """A session in progress in that project, with a file of at least so many bytes."""
    words = Words(seed)
    session = LongSession(corpus, words, _fact(words, project))
    session.grow(size)
    return session


def _plan(words: Words, projects: list[Path], count: int) -> Iterator[tuple[datetime, Fact]]:
    """Start and fact of each session, in the order of time."""
    for number in range(count):
        start = _FIRST_DAY + timedelta(minutes=number * 60 * 24 * _SPAN_DAYS // count)
        yield start, _fact(words, words.random.choice(projects))


def _write(copilot_home: Path, session: _Session) -> None:
    """Writes the session's file."""
    folder = copilot_home / "session-state" / session.fact.session
    folder.mkdir(parents=True)
    (folder / "events.jsonl").write_text("\n".join(session.lines) + "\n", encoding="utf-8")


def _project(folder: Path) -> Path:
    """What a git repository needs to be known as one, without running git."""
    for name in (".git/objects", ".git/refs/heads"):
        (folder / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (folder / ".git" / "config").write_text("[core]\n\trepositoryformatversion = 0\n", encoding="utf-8")
    return folder


def _fact(words: Words, project: Path) -> Fact:
    topic = f"{words.rare()}_{words.rare()}"
    return Fact(
        session=str(uuid.UUID(int=words.random.getrandbits(128), version=4)),
        project=project,
        topic=topic,
        value=f"{words.rare()}-{words.random.randint(2, 90)}",
        file=f"{words.random.choice(_FOLDERS)}/{topic}.go",
        failing=f"go run ./tools/check_{topic}",
        error=f"panic: {topic} starved while {words.rare()} waited",
        wrong=f"flake8 {topic}",
        right=f"python -m flake8 {topic}",
    )


def _session(words: Words, start: datetime, fact: Fact, turns: int) -> _Session:
    session = _Session(words, start, fact)
    for turn in range(turns):
        if turn == 0:
            session.add("user.message", content=f"why does {fact.topic} fail when {words.sentence(7, 9)}")
        else:
            session.add("user.message", content=f"now check {words.sentence(6, 18)}")
        _work(session)
        if turn == turns - 1:
            _settle(session)
        else:
            session.say(" ".join(words.sentence(7, 16) for _ in range(words.random.randint(1, 3))))
    session.add("session.shutdown", shutdownType="routine")
    return session


def _work(session: _Session) -> None:
    """A read, a command that fails one time in four, and half of the time an edit."""
    words = session.words
    folder, name = words.random.choice(_FOLDERS), words.all[words.random.randint(200, 3000)]
    path = str(session.fact.project / folder / f"{name}.go")
    session.tool("view", {"path": path}, words.lines(4, 20))
    command = words.random.choice(_COMMANDS).format(words.common())
    if words.random.random() < 0.25:
        error = words.random.choice(_ERRORS).format(words.all[words.random.randint(0, 400)])
        session.tool("bash", {"command": command}, f"{error}\n{words.lines(2, 10)}", 1)
    else:
        session.tool("bash", {"command": command}, words.lines(2, 10), 0)
    if words.random.random() < 0.5:
        change = {"path": path, "old_str": words.sentence(9, 9), "new_str": words.sentence(9, 9)}
        session.tool("edit", change, f"File {path} updated with changes.")


def _settle(session: _Session) -> None:
    """What the session found out: a wrong command, a failure and its fix, and the decision."""
    fact, words = session.fact, session.words
    missing = "bash: line 1: flake8: command not found"
    session.tool("bash", {"command": fact.wrong}, missing, 127)
    session.tool("bash", {"command": fact.right}, words.lines(2, 5), 0)
    session.tool("bash", {"command": fact.failing}, f"{words.lines(1, 3)}\n{fact.error}", 1)
    path = str(fact.project / fact.file)
    change = {"path": path, "old_str": f"{fact.topic} = unset", "new_str": f"{fact.topic} = {fact.value}"}
    session.tool("edit", change, f"File {path} updated with changes.")
    session.tool("bash", {"command": fact.failing}, words.lines(1, 3), 0)
    session.say(
        f"Root cause: {fact.topic} was too low. "
        f"We decided to set {fact.topic} to {fact.value} in {fact.file} "
        f"because the pool starved; fixed by pinning it. {words.sentence(7, 16)}"
    )
