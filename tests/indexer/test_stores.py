"""VS Code's two stores of one chat, forks, and files that hold nothing: each session once, whatever holds it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.sources.chats import mutation_log
from deja_hooks.sources.lines import LONGEST_LINE
from tests.indexer.dump import dump, expected_postings, gone, postings
from tests.support.world import NOON, World, asked, edited, ran, said

SID = "0f0f0f0f-chat"


def request(name: str, text: str, answer: str = "", at: int = NOON, **more: Any) -> dict[str, Any]:
    response = [{"value": answer}] if answer else []
    closed = {"modelState": {"value": 1, "completedAt": at + 5}} if answer else {}
    return {
        "requestId": name,
        "timestamp": at,
        "message": {"text": text},
        "response": response,
        "modelId": "copilot/gpt-5",
        **closed,
        **more,
    }


def chat(world: World, sid: str, *requests: dict[str, Any], created: int = NOON, folder: str = "chatSessions") -> Path:
    """Writes a chat of the project, old enough that its time stamp can be trusted."""
    workspace = world.user / "workspaceStorage" / "0123456789abcdef0123456789abcdef"
    path = workspace / folder / f"{sid}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    (workspace / "workspace.json").write_text(json.dumps({"folder": world.project.as_uri()}))
    state = {"version": 3, "creationDate": created, "sessionId": sid, "requests": list(requests)}
    path.write_text(json.dumps({"kind": 0, "v": state}) + "\n")
    return settled(path)


def settled(path: Path) -> Path:
    os.utime(path, (1_700_000_000, 1_700_000_000 + path.stat().st_size))
    return path


def sessions(world: World) -> dict[str, list[tuple[str, str]]]:
    """Session id → what was asked and answered in each of its turns."""
    found = dump(world.layout.memory)
    assert postings(world.layout.memory) == expected_postings(world.layout.memory)
    return {
        sid: [
            (turn["user"], turn["assistant"])
            for (owner, _), turns in sorted(found["turns"].items())
            for turn in turns
            if owner == sid
        ]
        for sid in found["sessions"]
    }


def problems(world: World) -> dict[str, str]:
    return {Path(path).name: row["problem"] for path, row in dump(world.layout.memory)["sources"].items()}


def same_as_afresh(world: World) -> None:
    before = dump(world.layout.memory)
    for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
        Path(world.layout.memory).with_name(name).unlink(missing_ok=True)
    world.index()
    assert dump(world.layout.memory) == before


class TestBothStores:
    def both(self, world: World) -> tuple[Path, Path]:
        transcript = world.vscode_transcript(SID, asked("fix it"), said("Do"), asked("go on"), said("Next."), at=NOON)
        return chat(world, SID, request("r1", "fix it", "Done.", NOON + 900)), settled(transcript)

    WHOLE = {SID: [("fix it", "Done."), ("go on", "Next.")]}  # noqa: RUF012

    def test_are_one_session_with_all_turns(self, world: World) -> None:
        self.both(world)
        world.index()
        assert sessions(world) == self.WHOLE
        found = dump(world.layout.memory)
        assert {Path(path).parent.name: row["session"] for path, row in found["sources"].items()} == {
            "chatSessions": SID,
            "transcripts": SID,
        }
        assert found["sessions"][SID]["store"] == "vscode-chat"
        same_as_afresh(world)

    @pytest.mark.parametrize("first", [0, 1])
    def test_in_whatever_order_they_come(self, world: World, first: int) -> None:
        paths = self.both(world)
        late = paths[1 - first]
        late.rename(late.with_suffix(".later"))
        world.index()
        late.with_suffix(".later").rename(late)
        world.index()
        assert sessions(world) == self.WHOLE
        same_as_afresh(world)

    def test_twice_changes_nothing(self, world: World) -> None:
        self.both(world)
        world.index()
        before = dump(world.layout.memory)
        for path in self.both(world):
            os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))  # a reason to look again
        assert world.index().changed == 2
        again = dump(world.layout.memory)
        for each in (before, again):
            for row in each["sources"].values():
                row["mtime"] = 0
        assert again == before

    def test_what_one_of_them_gets_is_there(self, world: World) -> None:
        paths = self.both(world)
        world.index()
        with paths[1].open("a") as log:
            log.write("".join(json.dumps({"type": k, "data": d, "timestamp": NOON + 9_000}) + "\n" for k, d in
                              (asked("thanks"), said("Welcome."))))  # fmt: skip
        assert world.index().changed == 2
        assert sessions(world) == {SID: [*self.WHOLE[SID], ("thanks", "Welcome.")]}

    def test_a_deleted_chat_leaves_the_transcript(self, world: World) -> None:
        self.both(world)[0].unlink()
        world.index()
        chat(world, SID, request("r1", "fix it", "Done.", NOON + 900))
        world.index()
        assert sessions(world) == self.WHOLE
        (
            world.user / "workspaceStorage" / "0123456789abcdef0123456789abcdef" / "chatSessions" / f"{SID}.jsonl"
        ).unlink()
        world.index()
        assert sessions(world) == {SID: [("fix it", "Do"), ("go on", "Next.")]}
        same_as_afresh(world)

    def test_a_rotated_transcript_leaves_all(self, world: World) -> None:
        paths = self.both(world)
        world.index()
        paths[1].unlink()
        world.index()
        assert (sessions(world), gone(world.layout.memory)) == (self.WHOLE, set())

    def test_both_deleted_is_deleted(self, world: World) -> None:
        paths = self.both(world)
        world.index()
        for path in paths:
            path.unlink()
        report = world.index()
        assert (report.dropped, report.changed) == (1, 0)
        assert (sessions(world), gone(world.layout.memory)) == ({}, set())

    def test_a_renamed_chat_is_the_same_session(self, world: World) -> None:
        paths = self.both(world)
        paths[0].rename(paths[0].with_name("renamed.jsonl"))
        world.index()
        assert sessions(world) == self.WHOLE
        world.index()
        assert sessions(world) == self.WHOLE
        paths[0].with_name("renamed.jsonl").rename(paths[0].with_name("again.jsonl"))
        world.index()
        assert sessions(world) == self.WHOLE
        same_as_afresh(world)

    def test_a_broken_chat_leaves_the_transcript(self, world: World) -> None:
        paths = self.both(world)
        world.index()
        paths[0].write_bytes(b"\0" * 500)
        world.index()
        assert sessions(world) == {SID: [("fix it", "Do"), ("go on", "Next.")]}
        assert [why for why in problems(world).values() if why] == [problems(world)[f"{SID}.jsonl"] or "?"]
        same_as_afresh(world)

    def test_two_workspaces_with_files_of_one_name(self, world: World) -> None:
        """Their names are the host's, and not always ids: what is in them says which session they are."""
        first = chat(world, "one", request("r1", "first?", "Yes."))
        other = first.parent.parent.with_name("f" * 32) / "chatSessions" / "one.jsonl"
        other.parent.mkdir(parents=True)
        state = {"version": 3, "creationDate": NOON, "sessionId": "two", "requests": [request("q1", "second?", "No.")]}
        other.write_text(json.dumps({"kind": 0, "v": state}) + "\n")
        settled(other)
        for _ in range(2):
            world.index()
            assert sessions(world) == {"one": [("first?", "Yes.")], "two": [("second?", "No.")]}


class TestForks:
    def fork(self, world: World) -> tuple[Path, Path]:
        first = [request("r1", "first?", "One."), request("r2", "second?", "Two.", NOON + 9)]
        origin = chat(world, "origin", *first, request("r3", "third?", "Three.", NOON + 19))
        return origin, chat(world, "fork", *first, request("q3", "instead?", "Else.", NOON + 29), created=NOON + 25)

    WHOLE = {  # noqa: RUF012
        "origin": [("first?", "One."), ("second?", "Two."), ("third?", "Three.")],
        "fork": [("instead?", "Else.")],
    }

    def marks(self, world: World) -> dict[str, tuple[str, int]]:
        found = dump(world.layout.memory)["sessions"]
        return {sid: (row["forked_from"], row["skipped"]) for sid, row in found.items()}

    @pytest.mark.parametrize("late", [0, 1, None])
    def test_the_copied_history_is_stored_once(self, world: World, late: int | None) -> None:
        paths = self.fork(world)
        if late is not None:
            aside = paths[late].rename(paths[late].with_suffix(".later"))
            world.index()
            aside.rename(paths[late])
        world.index()
        assert sessions(world) == self.WHOLE
        assert self.marks(world) == {"origin": ("", 0), "fork": ("origin", 2)}
        assert len([row for rows in dump(world.layout.memory)["usage"].values() for row in rows]) == 4
        assert world.index().changed == 0
        same_as_afresh(world)

    def test_a_fork_without_its_origin_is_whole(self, world: World) -> None:
        paths = self.fork(world)
        world.index()
        paths[0].unlink()
        world.index()
        assert sessions(world) == {"fork": [*self.WHOLE["origin"][:2], *self.WHOLE["fork"]]}
        assert self.marks(world) == {"fork": ("", 0)}
        same_as_afresh(world)

    def test_a_fork_that_goes_on_stays_one(self, world: World) -> None:
        paths = self.fork(world)
        world.index()
        with paths[1].open("a") as log:
            more = request("q4", "and?", "Or.", NOON + 50)
            log.write(json.dumps({"kind": 2, "k": ["requests"], "v": [more]}) + "\n")
        assert world.index().changed == 1
        assert sessions(world) == self.WHOLE | {"fork": [("instead?", "Else."), ("and?", "Or.")]}
        same_as_afresh(world)

    def test_a_fork_of_a_fork(self, world: World) -> None:
        self.fork(world)
        state = [request("r1", "first?", "One."), request("r2", "second?", "Two.", NOON + 9)]
        state += [request("q3", "instead?", "Else.", NOON + 29), request("p4", "last?", "Yes.", NOON + 39)]
        chat(world, "again", *state, created=NOON + 35)
        world.index()
        assert sessions(world) == self.WHOLE | {"again": [("last?", "Yes.")]}
        assert self.marks(world)["again"] == ("fork", 3)
        same_as_afresh(world)


class TestCutShort:
    """A pass that dies midway: the next one finds what was left undone, though no file has changed since."""

    class Killed(BaseException):
        pass

    def die(self, world: World, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
        def kill(*_: object, **__: object) -> None:
            raise self.Killed

        with monkeypatch.context() as patch:
            patch.setattr(f"deja_hooks.indexer.passing.Pass.{where}", kill)
            with pytest.raises(self.Killed):
                world.index()

    def test_before_the_forks_are_known(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        TestForks().fork(world)
        self.die(world, monkeypatch, "_fork_jobs")
        world.index()
        assert sessions(world) == TestForks.WHOLE
        same_as_afresh(world)

    def test_before_a_fork_is_whole_again(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        paths = TestForks().fork(world)
        world.index()
        paths[0].unlink()
        self.die(world, monkeypatch, "_fork_jobs")
        world.index()
        assert sessions(world) == {"fork": [*TestForks.WHOLE["origin"][:2], *TestForks.WHOLE["fork"]]}
        same_as_afresh(world)

    @pytest.mark.parametrize("where", ["_rounds", "_write"])
    def test_before_the_other_file_is_read(self, world: World, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
        paths = TestBothStores().both(world)
        world.index()
        paths[0].unlink()
        self.die(world, monkeypatch, where)
        world.index()
        assert sessions(world) == {SID: [("fix it", "Do"), ("go on", "Next.")]}
        same_as_afresh(world)
        assert world.index().changed == 0


class TestOneIdInBothHosts:
    """Copilot CLI's own log is the whole of it; what VS Code has under the same id is passed over, and says so."""

    @pytest.mark.parametrize("order", ["together", "chat first", "log first"])
    def test_the_log_stands(self, world: World, order: str) -> None:
        log = world.store / SID / "events.jsonl"
        if order != "log first":
            path = chat(world, SID, request("r1", "in the chat", "One."))
        if order == "chat first":
            world.index()
        settled(world.cli_session(SID, asked("in the log"), said("Two.")))
        world.index()
        if order == "log first":
            path = chat(world, SID, request("r1", "in the chat", "One."))
        world.index()
        assert sessions(world) == {SID: [("in the log", "Two.")]}
        found = dump(world.layout.memory)["sources"]
        assert [row["remarks"] for row in found.values() if row["remarks"]] == [
            f"the same session as {log}: that one is read"
        ]
        same_as_afresh(world)
        log.unlink()
        world.index()
        assert sessions(world) == {SID: [("in the chat", "One.")]}
        assert path.exists()

    def test_the_chat_that_can_no_longer_be_read_hides_nothing(self, world: World) -> None:
        path = chat(world, SID, request("r1", "in the chat", "One."))
        settled(world.cli_session(SID, asked("in the log"), said("Two.")))
        world.index()
        path.write_text('{"ki')
        world.index()
        assert sessions(world) == {SID: [("in the log", "Two.")]}
        same_as_afresh(world)


class TestOddForks:
    def test_a_turn_that_the_origin_has_withdrawn_stays_with_the_fork(self, world: World) -> None:
        first = [request("r1", "first?", "One."), request("r2", "second?", "Two.", NOON + 9)]
        withdrawn = first[1] | {"shouldBeRemovedOnSend": {"requestId": "r2"}}
        chat(world, "origin", first[0], withdrawn, request("r3", "third?", "Three.", NOON + 19))
        chat(world, "fork", *first, request("q3", "instead?", "Else.", NOON + 29), created=NOON + 25)
        world.index()
        assert sessions(world) == {
            "origin": [("first?", "One."), ("third?", "Three.")],
            "fork": [("second?", "Two."), ("instead?", "Else.")],
        }

    def test_a_request_without_an_id_ends_what_is_copied(self, world: World) -> None:
        nameless = request("", "second?", "Two.", NOON + 9)
        copied = [request("r1", "first?", "One."), nameless, request("r3", "third?", "Three.", NOON + 19)]
        chat(world, "origin", *copied)
        chat(world, "fork", *copied, created=NOON + 25)
        world.index()
        assert sessions(world)["fork"] == [("second?", "Two."), ("third?", "Three.")]


def test_an_early_turn_that_was_changed_in_place_is_seen(world: World) -> None:
    """At the same length, far before the place where reading goes on."""
    records = [each for n in range(60) for each in (asked(f"question {n:02d}"), said("Answer. " * 20))]
    path = settled(world.cli_session("s", *records))
    world.index()
    path.write_text(path.read_text().replace("question 07", "QUESTION 07"))
    world.index()
    assert sessions(world)["s"][7][0] == "QUESTION 07"
    same_as_afresh(world)


class TestNothingToRead:
    """What is reported, and harms no other session."""

    CASES: dict[str, Callable[[Path], object]] = {  # noqa: RUF012
        "zeros": lambda path: path.write_bytes(b"\0" * 4096),
        "empty": lambda path: path.write_bytes(b""),
        "no object": lambda path: path.write_bytes(b"[1, 2]\n"),
        "torn": lambda path: path.write_bytes(b'{"kind":0,"v":{"requests":['),
    }

    @pytest.mark.parametrize("name", CASES)
    def test_is_reported_and_not_read_again(self, world: World, name: str) -> None:
        good = chat(world, "good", request("r1", "fix it", "Done."))
        bad = good.with_name("bad.jsonl")
        self.CASES[name](bad)
        settled(bad)
        report = world.index()
        assert sessions(world) == {"good": [("fix it", "Done.")]}
        assert [Path(path).name for path, why in report.problems if why] == ["bad.jsonl"]
        assert problems(world)["bad.jsonl"] == report.problems[0][1]
        assert world.index().changed == 0
        same_as_afresh(world)

    def test_a_line_too_long_costs_that_line(self, world: World) -> None:
        path = chat(world, "long", request("r1", "fix it", "Done."))
        with path.open("a") as log:
            log.write('{"kind":1,"k":["customTitle"],"v":"' + "x" * LONGEST_LINE + '"}\n')
            log.write(json.dumps({"kind": 2, "k": ["requests"], "v": [request("r2", "more", "Yes.")]}) + "\n")
        world.index()
        assert sessions(world) == {"long": [("fix it", "Done."), ("more", "Yes.")]}
        row = dump(world.layout.memory)["sources"][str(path)]
        assert json.loads(row["tally"])[:3] == [3, 1, 2]
        assert "line" in row["remarks"]

    def test_a_file_that_cannot_be_read_now_is_read_later(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        path = chat(world, "s", request("r1", "fix it", "Done."))
        world.index()
        with path.open("a") as log:
            log.write(json.dumps({"kind": 2, "k": ["requests"], "v": [request("r2", "more", "Yes.")]}) + "\n")
        real = mutation_log.open_log

        def refuse(place: Path) -> FileIO:
            if place == path:
                raise PermissionError(13, "Permission denied", str(path))
            return real(place)

        with monkeypatch.context() as patch:
            patch.setattr(mutation_log, "open_log", refuse)
            report = world.index()
            assert [(p, "Permission denied" in why) for p, why in report.problems] == [(str(path), True)]
            assert sessions(world) == {"s": [("fix it", "Done.")]}
            assert "Permission denied" in problems(world)["s.jsonl"]
        world.index()
        assert sessions(world) == {"s": [("fix it", "Done."), ("more", "Yes.")]}
        assert problems(world)["s.jsonl"] == ""

    @pytest.mark.parametrize("place", ["workspace.json", "chat", "git"])
    def test_a_pipe_in_a_files_place_is_not_waited_for(
        self, world: World, monkeypatch: pytest.MonkeyPatch, place: str
    ) -> None:
        path = chat(world, "s", request("r1", "fix it", "Done."))
        chat(world, "good", request("g1", "other", "Done."))
        if place == "workspace.json":
            (path.parents[1] / place).unlink()
            os.mkfifo(path.parents[1] / place)
        elif place == "git":
            (world.project / ".git" / "HEAD").unlink()
            (world.project / ".git").rmdir()
            os.mkfifo(world.project / ".git")
        real = mutation_log.open_log

        def swap(at: Path) -> FileIO:  # between the look and the reading
            if place == "chat" and at == path:
                path.unlink()
                os.mkfifo(path)
            return real(at)

        monkeypatch.setattr(mutation_log, "open_log", swap)
        world.index()
        assert sessions(world)["good"] == [("other", "Done.")]

    def test_a_file_that_vanishes_while_it_is_read(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        path = chat(world, "s", request("r1", "fix it", "Done."))
        chat(world, "good", request("g1", "other", "Done."))
        real = mutation_log.open_log

        def vanish(place: Path) -> FileIO:
            if place == path:
                path.unlink(missing_ok=True)
            return real(place)

        with monkeypatch.context() as patch:
            patch.setattr(mutation_log, "open_log", vanish)
            report = world.index()
        assert [Path(p).name for p, _ in report.problems] == ["s.jsonl"]
        world.index()
        assert (sessions(world), list(problems(world))) == ({"good": [("other", "Done.")]}, ["good.jsonl"])


def test_only_the_changed_chat_is_read(world: World) -> None:
    """Counted in bytes: nothing of the other chats."""
    for n in range(5):
        chat(world, f"c{n}", request(f"r{n}", f"question {n}", "Answer. " * 500))
    world.index()
    path = chat(world, "c3", request("r3", "question 3", "Answer. " * 500), request("q", "more?", "No."))
    report = world.index()
    assert (report.changed, report.bytes_read, report.sessions) == (1, path.stat().st_size, 1)


def test_files_lines_and_usage_hang_on_their_turns(world: World) -> None:
    metadata = {
        "toolCallRounds": [
            {"response": "", "timestamp": NOON + 2, "toolCalls": [
                {"name": "create_file", "id": "c1__vscode-1",
                 "arguments": json.dumps({"filePath": str(world.project / "a.py"), "content": "one = 1\ntwo = 2\n"})},
            ]},
            {"response": "Done.", "toolCalls": []},
        ],
        "toolCallResults": {"c1__vscode-1": {"content": [{"value": "made"}]}},
        "resolvedModel": "gpt-5",
    }  # fmt: skip
    uri = {"$mid": 1, "path": str(world.project / "a.py"), "scheme": "file"}
    seen = {"$mid": 1, "path": str(world.project / "b.py"), "scheme": "file"}
    made = request("r1", "make a.py like b.py", "", NOON, promptTokens=1000, completionTokens=7, elapsedMs=30)
    made["result"] = {"metadata": metadata, "timings": {"firstProgress": 5, "totalElapsed": 31}}
    made["response"] = [
        {"kind": "inlineReference", "inlineReference": seen},
        {"kind": "textEditGroup", "uri": uri, "edits": [[{"text": "one = 1\ntwo = 2\n"}]], "done": True},
        {"value": " is the model."},
    ]
    chat(world, SID, made)
    world.index()
    found = dump(world.layout.memory)
    place = (SID, 0)
    key = f"git:{world.project}/.git"
    assert found["files"] == {place: [{"project": key, "path": "b.py"}]}
    assert [(row["path"], len(row["lines"])) for row in found["written"][place]] == [("a.py", 16)]
    assert [(row["kind"], row["path"], row["new"]) for row in found["work"][place]] == [
        ("edit", "a.py", "one = 1\ntwo = 2\n")
    ]
    assert found["usage"] == {
        place: [
            {
                "kind": "request", "request": "r1", "at": NOON, "model": "gpt-5", "rounds": 2, "input": 1000,
                "exact": 0, "cached": None, "output": 7, "credits": None, "elapsed": 30, "first": 5, "final": 1,
            }
        ]
    }  # fmt: skip


def test_a_growing_turn_is_replaced_and_not_added(world: World) -> None:
    path = chat(world, SID, request("r1", "fix it"))
    world.index()
    for key, value in (("promptTokens", 10), ("promptTokens", 20), ("completionTokens", 3)):
        with path.open("a") as log:
            log.write(json.dumps({"kind": 1, "k": ["requests", 0, key], "v": value}) + "\n")
        world.index()
    with sqlite3.connect(world.layout.memory) as db:
        rows = db.execute(f"SELECT turn & {(1 << TURN_BITS) - 1}, request, input, output, final FROM usage").fetchall()
    db.close()
    assert rows == [(0, "r1", 20, 3, 0)]


def rows_of(world: World) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table with its row id, but for when files were read."""
    tables = ("project", "session", "turn", "note", "work", "fix", "file", "written", "usage", "terms_data")
    with sqlite3.connect(world.layout.memory) as db:
        found = {table: [tuple(row) for row in db.execute(f"SELECT * FROM {table}")] for table in tables}
    db.close()
    return found


def test_reading_again_changes_no_row(world: World) -> None:
    """Not even its id: neither of a chat that was only touched, nor of the turns before one that is new."""
    path = chat(world, SID, request("r1", "fix it", "We decided to fix it."), request("r2", "go on", "Next."))
    settled(world.vscode_transcript(SID, asked("fix it"), said("We decided to fix it."), at=NOON))
    file = world.project / "a.py"
    work = [*ran("make x", 2, "E: no"), *edited(file, "1", "2"), *ran("make x", 0)]
    world.cli_session("c", asked("why?"), *work, said("We decided so."))
    world.index()
    before = rows_of(world)
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
    os.utime(world.store / "c" / "events.jsonl", (1_700_000_000, 1_700_000_000))
    assert world.index().changed == 3
    assert rows_of(world) == before
    with path.open("a") as log:
        log.write(json.dumps({"kind": 2, "k": ["requests"], "v": [request("r3", "more", "Yes.")]}) + "\n")
    report = world.index()
    assert report.turns == 1
    after = rows_of(world)
    assert [row for row in after["turn"] if row not in before["turn"]] == [after["turn"][2]]
    assert after["turn"][2][3:] == ("more", "Yes.")
    assert after["note"] == before["note"]
    same_as_afresh(world)


def test_more_turns_than_a_session_can_hold_are_said_to_be_cut(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.memory.write._MOST_PLACES", 3)
    path = chat(world, SID, *[request(f"r{n}", f"question {n}", "Yes.") for n in range(5)])
    world.index()
    assert [asked for asked, _ in sessions(world)[SID]] == ["question 0", "question 1", "question 2"]
    assert dump(world.layout.memory)["sources"][str(path)]["remarks"] == "only the first 3 turns are stored"
