import json
import re
import sys
from pathlib import Path

import pytest

from tests.support.built import Built, command, edit, turns

from .conftest import NOW_MS, Result, Run

HOUR = 3_600_000
DAY = 24 * HOUR
#: NOW_MS is Sunday, 2026-03-01T12:00:00Z.
IDS = {
    "today": "aaaa1111-0000-4000-8000-000000000001",
    "yesterday": "bbbb1111-0000-4000-8000-000000000002",
    "week": "cccc1111-0000-4000-8000-000000000003",
    "old": "cccc2222-0000-4000-8000-000000000004",
    "empty": "dddd1111-0000-4000-8000-000000000005",
}


@pytest.fixture
def memory(home: Path) -> None:
    """Five sessions, the last one without a turn, a folder or a time."""
    built = Built(home / "deja" / "cache" / "memory.db")
    app = f"dir:{home / 'src' / 'app'}"
    work = [edit("src/login.py", "a", "b"), command("gh pr view 77")]
    built.session(
        IDS["today"],
        {"user": "Mend the Größe of the login", "assistant": "See #123.", "at": NOW_MS - HOUR, "work": work},
        key=app,
        archived=0,
    )
    built.session(
        IDS["yesterday"],
        *turns("Add a retry", "Why https://github.com/o/r/issues/45?", at=NOW_MS - DAY),
        key=app,
        host="vscode",
        store="vscode-chat",
        archived=1,
        title="Retry budget",
        forked_from=IDS["old"],
        skipped=2,
    )
    built.session(IDS["week"], {"user": "Look", "at": NOW_MS - 3 * DAY, "files": ["src/pool.py"]}, key="dir:/srv/api")
    built.session(IDS["old"], *turns("Once", at=NOW_MS - 40 * DAY), key="git:/srv/api/.git", gone=1)
    built.session(IDS["empty"], key="")
    built.close()


def _ids(result: Result) -> list[str]:
    assert (result.code, result.err) == (0, "")
    found = [each["session_id"] for each in json.loads(result.out)]
    return [name for sid in found for name, known in IDS.items() if known == sid]


def test_no_memory(deja: Run) -> None:
    assert deja("sessions") == Result(1, "", "Error: There is no memory yet: run deja-hooks index.\n")


def test_in_a_pipe_each_is_a_line(deja: Run, memory: None) -> None:
    assert deja("sessions") == Result(
        0,
        f"{IDS['today']}  2026-03-01 11:00:00  cli     1 turn   src/app  Mend the Größe of the login\n"
        f"{IDS['yesterday']}  2026-02-28 12:01:00  vscode  2 turns  src/app  Retry budget  (archived, forked)\n"
        f"{IDS['week']}  2026-02-26 12:00:00  cli     1 turn   srv/api  Look\n"
        f"{IDS['old']}  2026-01-20 12:00:00  cli     1 turn   srv/api  Once  (no longer on disk)\n"
        f"{IDS['empty']}  -                    cli     0 turns  -        (untitled)\n",
    )


def test_json(deja: Run, memory: None) -> None:
    found = json.loads(deja("sessions", "--json").out)
    assert len(found) == len(IDS)
    assert found[1] == {
        "session_id": IDS["yesterday"],
        "host": "vscode",
        "store": "vscode-chat",
        "project": "src/app",
        "title": "Retry budget",
        "turns": 2,
        "started": "2026-02-28T12:00:00.000+00:00",
        "updated": "2026-02-28T12:01:00.000+00:00",
        "archived": True,
        "forked_from": IDS["old"],
    }
    assert found[4] == {
        "session_id": IDS["empty"],
        "host": "cli",
        "store": "cli-events",
        "project": "-",
        "title": "",
        "turns": 0,
        "started": None,
        "updated": None,
        "archived": None,
        "forked_from": None,
    }
    assert [each["archived"] for each in found] == [False, True, None, None, None]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--host vscode", "yesterday"),
        ("--host VSCode", "yesterday"),
        ("--project APP", "today yesterday"),
        ("--project -", "empty"),
        ("--project .", "today yesterday"),
        ("--project ~/src/app", "today yesterday"),
        ("--project /srv/api", "week"),
        ("--since 2h", "today"),
        ("--since 2w", "today yesterday week"),
        ("--since 2026-02-28", "today yesterday"),
        ("--until 2026-02-26", "week old"),
        ("--since 2026-02-26 --until 2026-02-26T12:00", ""),
        ("--text GRÖSSE", "today"),
        ("--text retry", "yesterday"),
        ("--file login.py", "today"),
        ("--file src/login.py", "today"),
        ("--file app/src/login.py", ""),
        ("--file ogin.py", ""),
        ("--file ./src/login.py", "today"),
        ("--file /srv/api/src/pool.py", "week"),
        ("--file ~/src/app/src/login.py", "today"),
        ("--pr 123", "today"),
        ("--pr #123", "today"),
        ("--pr 77", "today"),
        ("--pr 12", ""),
        ("--issue 123", "today"),
        ("--issue 45", "yesterday"),
        ("--pr 45", ""),
        ("--archived", "yesterday"),
        ("--no-archived", "today week old empty"),
        ("--limit 2", "today yesterday"),
        ("--project app --text login --limit 1", "today"),
    ],
)
def test_filters(deja: Run, memory: None, options: str, expected: str) -> None:
    assert _ids(deja("sessions", "--json", *options.split())) == expected.split()


def test_each_word_occurs_somewhere(deja: Run, memory: None) -> None:
    assert _ids(deja("sessions", "--json", "--text", "budget WHY")) == ["yesterday"]
    assert deja("sessions", "--text", "budget login") == Result(
        0, "No session fits. Without options, deja-hooks sessions lists all.\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--text", " "), "Error: --text is empty: give one or more words.\n"),
        (("--file", "."), None),
        (("--file", "/"), "Error: --file names no file: give its path, or the last parts of it.\n"),
        (
            ("--project", ""),
            "Error: --project is empty: give a part of a name, a folder, or - for sessions without one.\n",
        ),
    ],
)
def test_a_filter_that_says_nothing(deja: Run, memory: None, options: tuple[str, ...], said: "str | None") -> None:
    if said is None:
        assert deja("sessions", *options) == Result(
            0, "No session fits. Without options, deja-hooks sessions lists all.\n"
        )
    else:
        assert deja("sessions", *options) == Result(1, "", said)


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--since", "soon", "'soon' is no time: write 90m, 2h, 3d, 2w, 2026-11-01 or 2026-11-01T14:30."),
        ("--pr", "#x", "'#x' is no number: write 123 or '#123'."),
        ("--pr", "0", "'0' is no number: write 123 or '#123'."),
    ],
)
def test_wrong_values(deja: Run, memory: None, option: str, value: str, why: str) -> None:
    result = deja("sessions", option, value)
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(f"Error: Invalid value for '{option}': {why}\n")


def test_text_that_is_not_utf8_finds_nothing(deja: Run, memory: None) -> None:
    for option in ("--text", "--file", "--project"):
        assert deja("sessions", option, "\udcff") == Result(
            0, "No session fits. Without options, deja-hooks sessions lists all.\n"
        )


def test_an_empty_memory(deja: Run, home: Path) -> None:
    Built(home / "deja" / "cache" / "memory.db").close()
    assert deja("sessions") == Result(0, "No sessions yet: deja-hooks sources says where they are looked for.\n")
    assert deja("sessions", "--json") == Result(0, "[]\n")


def _plain(text: str) -> list[str]:
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()]


def test_on_a_terminal_they_are_grouped(deja: Run, memory: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    for name, value in (("COLUMNS", "100"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    assert _plain(deja("sessions").out) == [
        "Today",
        "11:00             aaaa1111  cli     src/app  1  Mend the Größe of the login",
        "",
        "Yesterday",
        "12:01             bbbb1111  vscode  src/app  2  Retry budget  (archived, forked)",
        "",
        "This week",
        "2026-02-26 12:00  cccc1111  cli     srv/api  1  Look",
        "",
        "Earlier",
        "2026-01-20 12:00  cccc2222  cli     srv/api  1  Once  (no longer on disk)",
        "-                 dddd1111  cli     -        0  (untitled)",
    ]


LONG = {
    60: [
        "Today",
        "11:00             aaaa1111  cli     averylo…  1  Delegate t…",
        "",
        "This week",
        "2026-02-26 12:01  bbbb1111  vscode  averylo…  2  重试预算 …",
    ],
    80: [
        "Today",
        "11:00             aaaa1111  cli     averylongfolde…  1  Delegate this very long…",
        "",
        "This week",
        "2026-02-26 12:01  bbbb1111  vscode  averylongfolde…  2  重…  (no longer on disk)",
    ],
    140: [
        "Today",
        "11:00             aaaa1111  cli     averylongfoldername/averylongname  1  "
        "Delegate this very long task to a sub-agent and then report all t…",
        "",
        "This week",
        "2026-02-26 12:01  bbbb1111  vscode  averylongfoldername/averylongname  2  "
        "重试预算 重试预算 重试预算 重试预算 重试预算…  (no longer on disk)",
    ],
}


@pytest.mark.parametrize("columns", LONG)
def test_a_long_title_gives_way(deja: Run, home: Path, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    built = Built(home / "deja" / "cache" / "memory.db")
    key = "dir:/srv/averylongfoldername/averylongname"
    prompt = "Delegate this very long task to a sub-agent and then report all that it found"
    built.session(IDS["today"], *turns(prompt, at=NOW_MS - HOUR), key=key)
    long = turns("重试预算 " * 12, "x", at=NOW_MS - 3 * DAY)
    built.session(IDS["yesterday"], *long, key=key, host="vscode", gone=1)
    built.close()
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    assert _plain(deja("sessions").out) == LONG[columns]


def test_ids_that_begin_alike_are_shown_as_long_as_they_must(
    deja: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = Built(home / "deja" / "cache" / "memory.db")
    ids = [f"aaaaaaaa-0000-4000-8000-00000000000{n}" for n in (1, 2)]
    for sid in ids:
        built.session(sid, *turns("word " * 20, at=NOW_MS - HOUR))
    built.close()
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    monkeypatch.setenv("COLUMNS", "60")
    second = "    src/app  1  word word word word word word word word wor…"
    assert _plain(deja("sessions").out) == [
        "Today",
        f"11:00  {ids[1]}  cli",
        second,
        f"11:00  {ids[0]}  cli",
        second,
    ]


def test_hostile_fields_stay_on_their_line(deja: Run, home: Path) -> None:
    built = Built(home / "deja" / "cache" / "memory.db")
    built.session("e\x1b[2J", *turns("x", at=NOW_MS), key="dir:/a/\x1b[41mb", title="\x1b]0;pwn\x07a\nb\u202e")
    built.close()
    assert deja("sessions").out == (
        "e\ufffd[2J  2026-03-01 12:00:00  cli  1 turn  a/\ufffd[41mb  \ufffd]0;pwn\ufffda b\ufffd\n"
    )


def test_a_time_that_no_calendar_has(deja: Run, home: Path) -> None:
    built = Built(home / "deja" / "cache" / "memory.db")
    built.session("far", *turns("x", at=1 << 60))
    built.close()
    assert deja("sessions").out == "far  ?  cli  1 turn  src/app  x\n"
    assert json.loads(deja("sessions", "--json").out)[0]["updated"] is None
