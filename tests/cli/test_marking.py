"""`remember`, `promote`, `reject` and `undo`, as a person sees them, and as the memory has them."""

import json
import stat
import time
from pathlib import Path

import pytest

from deja_hooks.cli.main import main
from deja_hooks.memory.layout import Layout
from deja_hooks.memory.marks_read import NOTES, SessionMark, is_rejected, mark_of, notes_of
from deja_hooks.memory.read import Memory, open_memory
from deja_hooks.memory.scope import project_key
from tests.support.bytes_kept import holding
from tests.support.world import World, asked, said

from .conftest import NOW_MS, Result, Run
from .sessions import login_session

SID = "aaaa1111-0000-4000-8000-000000000001"
NOTE = "The staging database is aurora_seven, and read-only."


def layout(home: Path) -> Layout:
    return Layout(str(home / "deja" / "cache"), str(home / "deja" / "config"))


def memory(home: Path) -> Memory:
    found = open_memory(layout(home).memory)
    assert found is not None
    return found


def standing(home: Path) -> SessionMark | None:
    opened = memory(home)
    try:
        assert is_rejected(opened, SID) == ((mark_of(opened, SID) or SessionMark("", 0, "")).kind == "reject")
        return mark_of(opened, SID)
    finally:
        opened.close()


def noted(home: Path) -> list[str]:
    opened = memory(home)
    try:
        project = opened.project(project_key(str(home / "src" / "app")))
        return [session.sid for session in notes_of(opened, project.id, 5)] if project else []
    finally:
        opened.close()


class TestRemember:
    def test_is_found_shown_and_taken_back(self, deja: Run, home: Path) -> None:
        done = deja("remember", *NOTE.split())
        sid = done.out.rpartition(" ")[2].strip()
        assert done == Result(0, f"Remembered for src/app: {sid}\n")
        assert (len(sid), sid[:5], noted(home)) == (8, "note-", [sid])
        hit = json.loads(deja("search", "--json", "aurora_seven").out)
        assert [(h["session_id"], h["host"], h["project"], h["text"]) for h in hit] == [(sid, "you", "src/app", NOTE)]
        assert deja("show", sid).out == (
            f"{NOTE}\nyou  src/app  2026-03-01 12:00:00  {sid}\n\n1. 2026-03-01 12:00:00\n  > {NOTE}\n"
        )
        shown = json.loads(deja("show", sid, "--json").out)
        assert (shown["store"], shown["cwd"]) == (NOTES, str(home / "src" / "app"))
        assert deja("undo", sid) == Result(0, f"Taken back: {sid} ({NOTE})\n")
        assert noted(home) == []
        assert holding(home / "deja", ["aurora_seven"]) == {}
        assert deja("undo", sid) == Result(
            1,
            "",
            f"Error: No note, promotion or rejection of {sid!r} stands: deja-hooks sessions --marked promoted (or"
            " rejected) lists what is marked.\n",
        )

    def test_is_told_by_hooks(self, world: World, capsys: pytest.CaptureFixture[str]) -> None:
        world.cli_session("other", asked("hello"), said("Hello."))
        world.index()
        assert main(["remember", "--project", str(world.project), NOTE]) == 0
        sid = capsys.readouterr().out.rpartition(" ")[2].strip()
        told = world.call("UserPromptSubmit", prompt="may I write to aurora_seven?").text
        assert f'"{NOTE}" [deja-hooks show {sid}]' in told
        assert f'"{NOTE}" [deja-hooks show {sid}]' in world.call("SessionStart", "new", source="startup").text
        # Nobody waits for hooks where nothing is erased.
        began = time.monotonic()
        assert main(["remember", "--project", str(world.project), "and another"]) == 0
        assert time.monotonic() - began < 1

    def test_outlives_the_cache(self, deja: Run, home: Path) -> None:
        sid = deja("remember", NOTE).out.rpartition(" ")[2].strip()
        login_session(home)
        for path in (home / "deja" / "cache").iterdir():
            path.unlink()
        deja("index")
        opened = memory(home)
        newest = opened.db.execute("SELECT sid FROM session ORDER BY id DESC LIMIT 1").fetchone()[0]
        opened.close()
        assert (newest, noted(home)) == (sid, [sid])

    def test_secrets_are_cut_out_and_the_log_is_private(self, deja: Run, home: Path) -> None:
        deja("remember", "token is ghp_0123456789abcdefghijABCDEFGHIJ012345")
        assert holding(home / "deja", ["ghp_0123456789"]) == {}
        log = Path(layout(home).marks)
        assert [stat.S_IMODE(path.stat().st_mode) for path in (log, log.parent)] == [0o600, 0o700]
        assert "[redacted:github-token]" in log.read_text()

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            ((" ",), "There is nothing to remember: give the note's text."),
            (("x" * 2_001,), "The note has 2,001 characters: keep it below 2,000."),
            (("--project", "nowhere", "x"), "nowhere is not a folder: name one of the project."),
        ],
    )
    def test_what_can_not_be_kept(self, deja: Run, arguments: tuple[str, ...], error: str) -> None:
        assert deja("remember", *arguments) == Result(1, "", f"Error: {error}\n")

    def test_decisions_are_told_as_such(self, deja: Run, home: Path) -> None:
        deja("remember", "We decided to use tenacity for retries.")
        deja("remember", "Never deploy on Fridays.")
        opened = memory(home)
        found = opened.db.execute("SELECT kind, text FROM note ORDER BY id").fetchall()
        opened.close()
        assert found == [
            ("decision", "We decided to use tenacity for retries."), ("rule", "Never deploy on Fridays."),
        ]  # fmt: skip


class TestPromoteAndReject:
    @pytest.fixture(autouse=True)
    def indexed(self, deja: Run, home: Path) -> None:
        login_session(home)
        deja("index")

    def test_the_last_one_stands(self, deja: Run, home: Path) -> None:
        title = "Why does refresh_session time out?"
        assert standing(home) is None
        assert deja("promote", "aaaa") == Result(0, f"Promoted: {title}  {SID}\n")
        mark = standing(home)
        assert mark is not None
        assert (mark.kind, mark.at, mark.note) == ("promote", NOW_MS, "")
        assert deja("reject", "aaaa", "--note", "we moved\nto Postgres") == Result(
            0, f"Rejected (it was promoted): {title}  {SID}\n"
        )
        mark = standing(home)
        assert mark is not None
        assert (mark.kind, mark.at, mark.note) == ("reject", NOW_MS, "we moved to Postgres")
        assert deja("undo") == Result(0, f"Taken back: reject {SID} ({title}). It is again promoted.\n")
        mark = standing(home)
        assert mark is not None
        assert mark.kind == "promote"
        assert deja("undo", "aa") == Result(0, f"Taken back: promote {SID} ({title})\n")
        assert standing(home) is None
        assert deja("undo") == Result(1, "", "Error: There is nothing to take back in this project.\n")

    def test_it_outlives_the_cache(self, deja: Run, home: Path) -> None:
        deja("reject", "aaaa")
        Path(layout(home).memory).unlink()
        deja("index")
        assert is_rejected(memory(home), SID)

    def test_no_such_session(self, deja: Run) -> None:
        error = "Error: No session has an id that begins with 'zz': deja-hooks sessions lists ids.\n"
        assert deja("promote", "zz") == Result(1, "", error)
        assert deja("reject", "aaaa", "--note", "x" * 301) == Result(
            1, "", "Error: The note has 301 characters: keep it below 300.\n"
        )

    def test_several_are_named(self, deja: Run) -> None:
        notes = sorted(deja("remember", text).out.rpartition(" ")[2].strip() for text in ("one thing", "another"))
        listed = "".join(f"  {note}\n" for note in notes)
        assert deja("undo", "note") == Result(
            1, "", f"Error: Several have an id that begins with 'note', give more of it:\n{listed}"
        )

    def test_an_equal_mark_changes_nothing(self, deja: Run) -> None:
        title = "Why does refresh_session time out?"
        assert deja("promote", "aaaa", "--note", "ours").out == f"Promoted: {title}  {SID}\n"
        same = Result(0, f'Nothing changed, it is already promoted, "ours": {title}  {SID}\n')
        assert deja("promote", "aaaa", "--note", "ours") == same
        assert deja("promote", "aaaa") == same
        assert deja("promote", "aaaa", "--note", "better") == Result(
            0, f'Promoted (it was promoted, "ours"): {title}  {SID}\n'
        )
        assert deja("undo").out == f'Taken back: promote {SID} ({title}). It is again promoted, "ours".\n'
        assert deja("reject", "aaaa").out == f'Rejected (it was promoted, "ours"): {title}  {SID}\n'
        assert deja("undo").code == deja("undo").code == 0
        assert deja("undo").code == 1

    def test_json(self, deja: Run) -> None:
        title = "Why does refresh_session time out?"
        promoted: dict[str, object] = {
            "session_id": SID, "title": title, "mark": {"kind": "promote", "note": "x"}, "changed": True,
        }  # fmt: skip
        assert json.loads(deja("promote", "aaaa", "--note", "x", "--json").out) == promoted
        assert json.loads(deja("promote", "aaaa", "--json").out) == {**promoted, "changed": False}
        rejected = {**promoted, "mark": {"kind": "reject", "note": ""}}
        assert json.loads(deja("reject", "aaaa", "--json").out) == rejected
        assert json.loads(deja("undo", "--json").out) == {
            "session_id": SID, "kind": "reject", "text": "", "title": title, "mark": promoted["mark"],
        }  # fmt: skip
        note = json.loads(deja("remember", "one thing", "--json").out)
        sid = note["session_id"]
        assert note == {"session_id": sid, "project": "src/app", "text": "one thing"}
        assert json.loads(deja("undo", "--json").out) == {
            "session_id": sid, "kind": "remember", "text": "one thing", "title": "", "mark": None,
        }  # fmt: skip

    def test_undo_is_about_this_project(self, deja: Run, home: Path) -> None:
        deja("promote", "aaaa")
        other = home / "src" / "other"
        other.mkdir()
        note = deja("remember", "--project", str(other), "another thing").out.rpartition(" ")[2].strip()
        assert deja("undo", "").err == deja("undo", " ").err
        assert deja("undo", "") == Result(
            1, "", "Error: The ID is empty: give the beginning of one, or none for this project's last mark.\n"
        )
        assert deja("undo").out == f"Taken back: promote {SID} (Why does refresh_session time out?)\n"
        assert deja("undo") == Result(
            1, "", "Error: There is nothing to take back in this project. "
            f"The last mark elsewhere: deja-hooks undo {note}.\n",
        )  # fmt: skip
        assert deja("undo", note) == Result(0, f"Taken back: {note} (another thing)\n")

    def test_the_list_of_sessions_shows_them(self, deja: Run) -> None:
        line = f"{SID}  2026-02-20 10:09:00  cli  2 turns  src/app  Why does refresh_session time out?"
        assert deja("sessions", "--marked", "rejected") == Result(
            0, "No session fits. Without options, deja-hooks sessions lists all.\n"
        )
        deja("reject", "aaaa")
        assert deja("sessions", "--marked", "rejected") == Result(0, f"{line}  (rejected)\n")
        assert deja("sessions", "--marked", "promoted") == Result(
            0, "No session fits. Without options, deja-hooks sessions lists all.\n"
        )
        deja("promote", "aaaa")
        assert deja("sessions") == Result(0, f"{line}  (promoted)\n")
        assert [each["session_id"] for each in json.loads(deja("sessions", "--marked", "promoted", "--json").out)] == [
            SID
        ]

    def test_in_an_excluded_folder(self, deja: Run, home: Path) -> None:
        app = home / "src" / "app"
        deja("config", "exclude", "--project", "--yes")
        assert deja("remember", "one thing") == Result(
            1, "", f"Error: {app} is excluded, and so would the note be: deja-hooks config list names the entry, "
            "deja-hooks config include takes it back.\n",
        )  # fmt: skip
        assert deja("search", "refresh_session") == Result(
            0, "This folder is excluded, and nothing of it is kept: deja-hooks config list. "
            "(--all looks in all projects.)\n",
        )  # fmt: skip
