import json
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from tests.support.built import Built

from .conftest import Result, Run


@pytest.fixture
def cli(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The CLI's folder of sessions, and two places of VS Code: an empty folder and one that isn't there."""
    chats = home / "User"
    chats.mkdir()
    monkeypatch.setenv("DEJA_COPILOT_CHAT_ROOTS", f"{chats}:{home / 'none'}")
    folder = home / ".copilot" / "session-state"
    folder.mkdir(parents=True)
    return folder


def _session(cli: Path, name: str, text: str = "{}\n") -> Path:
    path = cli / name / "events.jsonl"
    path.parent.mkdir()
    path.write_text(text)
    return path


def _read(built: Built, path: Path, *tally: Any, session: "int | None" = None, **fields: Any) -> None:
    """Notes the file as it is now."""
    status = path.stat()
    about = {"dev": status.st_dev, "ino": status.st_ino, "size": status.st_size, "mtime": status.st_mtime_ns}
    built.source(str(path), tally, session, **{**about, **fields})


@pytest.fixture
def memory(home: Path, cli: Path) -> None:
    """Files in every state, and one folder that is named like a file."""
    built = Built(home / "deja" / "cache" / "memory.db")
    session = built.session("a")
    _read(built, _session(cli, "a"), 10, 1, 5, 2, 1, ["x", "y"], session=session, version="1.0.102", remarks="Old\nOdd")
    _read(built, _session(cli, "b", "[1]\n"), 1, 0, 0, 1, 0, [], version="2.0")
    _read(built, _session(cli, "c"), 0, 0, 0, 0, 0, [], size=-1, problem="Permission denied")
    _read(built, _session(cli, "d"), 3, 0, 3, 0, 0, [], size=1, version="1.0.102", session=built.session("d"))
    _session(cli, "e")
    gone = built.session("f", gone=1)
    built.source(str(cli / "f" / "events.jsonl"), [4, 0, 4, 0, 0, []], gone, size=99, version="1.0.102")
    built.source("/elsewhere/g.jsonl", [1, 0, 1, 0, 0, []], built.session("g"), size=9, store="vscode-transcript")
    (cli / "h" / "events.jsonl").mkdir(parents=True)
    built.close()


def _not_there(home: Path) -> str:
    return f"DEJA_COPILOT_CHAT_ROOTS names {home / 'none'}, which is not there.\n"


FAULT = "nothing in it was understood: is it of a version that deja-hooks doesn't know?"


def test_a_table(deja: Run, home: Path, cli: Path, memory: None) -> None:
    numbers = "files  sessions  lines  understood  skipped  unknown  bad  failed  changed  unread  deleted"
    assert deja("sources") == Result(
        0,
        f"{cli}\n"
        f"store       version  {numbers}\n"
        "cli-events  -            2         0      0           0        0        0 "
        "   0       1        0       1        0\n"
        "cli-events  1.0.102      2         3     17          12        2        2 "
        "   1       0        1       0        1\n"
        "cli-events  2.0          1         0      1           0        0        1 "
        "   0       1        0       0        0\n"
        "\n"
        "Elsewhere (named to a hook, or read before from a place that isn't looked in now)\n"
        f"store              version  {numbers}\n"
        "vscode-transcript  -            0         1      1           1        0        0    0"
        "       0        0       0        1\n"
        "\n"
        "1 more place to look in is not there (--all names them).\n"
        f"Nothing in {home / 'User'}\n"
        "\n"
        "Could not be read:\n"
        f"  {cli}/b/events.jsonl: {FAULT}\n"
        f"  {cli}/c/events.jsonl: Permission denied\n"
        "\n"
        "Passed over:\n"
        f"  {cli}/h/events.jsonl: a folder, named like a file\n"
        "\n"
        "Remarks:\n"
        f"  {cli}/a/events.jsonl: Old\n"
        f"  {cli}/a/events.jsonl: Odd\n"
        f"  {cli}/a/events.jsonl: 2 lines of unknown kind: x, y\n"
        f"  {cli}/a/events.jsonl: 1 line could not be understood\n"
        f"  {cli}/a/events.jsonl: 1 record would begin another session; the file counts as one\n"
        f"  {cli}/b/events.jsonl: 1 line of unknown kind\n",
        _not_there(home),
    )
    assert f"Not there:\n  {home / 'none'}\n" in deja("sources", "--all").out


def test_json(deja: Run, home: Path, cli: Path, memory: None) -> None:
    places = json.loads(deja("sources", "--json").out)
    assert [(each["kind"], each["path"], each["exists"], len(each["files"])) for each in places] == [
        ("cli", str(cli), True, 6),
        ("vscode", str(home / "User"), True, 0),
        ("vscode", str(home / "none"), False, 0),
        ("elsewhere", None, True, 1),
    ]
    (store,) = places[0]["stores"]
    versions = store.pop("versions")
    assert store == {
        "store": "cli-events",
        "files": 5,
        "sessions": 3,
        "lines": 18,
        "understood": 12,
        "skipped": 2,
        "unknown": 3,
        "bad": 1,
        "foreign": 1,
        "failed": 2,
        "changed": 1,
        "unread": 1,
        "deleted": 1,
    }
    assert [(each["version"], each["files"]) for each in versions] == [("", 2), ("1.0.102", 2), ("2.0", 1)]
    assert places[0]["passed_over"] == [{"path": f"{cli}/h/events.jsonl", "why": "a folder, named like a file"}]
    assert places[0]["files"][0] == {
        "path": f"{cli}/a/events.jsonl",
        "store": "cli-events",
        "state": "read",
        "version": "1.0.102",
        "session_id": "a",
        "size": 3,
        "tally": {"lines": 10, "bad": 1, "understood": 5, "unknown": 2, "foreign": 1, "names": ["x", "y"]},
        "problem": "",
        "remarks": ["Old", "Odd"],
    }
    states = [(each["state"], each["session_id"], each["problem"]) for each in places[0]["files"][1:]]
    assert states == [
        ("failed", None, FAULT),
        ("failed", None, "Permission denied"),
        ("changed", "d", ""),
        ("not read yet", None, ""),
        ("deleted", "f", ""),
    ]


def test_without_a_memory_nothing_is_read_yet(deja: Run, cli: Path) -> None:
    _session(cli, "a")
    result = deja("sources")
    said = "There is no memory yet: deja-hooks index reads what is there.\n"
    assert (result.code, result.err) == (0, _not_there(cli.parents[1]) + said)
    root, heading, line, *_ = result.out.splitlines()
    assert (root, heading[-11:]) == (str(cli), "bad  unread")
    assert line.split() == ["cli-events", "-", *"1 0 0 0 0 0 0 1".split()]
    (file,) = json.loads(deja("sources", "--json").out)[0]["files"]
    assert (file["state"], file["size"]) == ("not read yet", 3)


def test_a_memory_that_cannot_be_read(deja: Run, home: Path, cli: Path) -> None:
    _session(cli, "a")
    path = home / "deja" / "cache" / "memory.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database" * 1000)
    result = deja("sources")
    said = f"{path} can't be read, or is of another version: run deja-hooks index.\n"
    assert (result.code, result.err) == (0, _not_there(home) + said)
    assert "unread" in result.out


def test_nothing_at_all(deja: Run, cli: Path) -> None:
    cli.rmdir()
    assert deja("sources").out == (
        "No session of VS Code Copilot Chat or Copilot CLI was found where DEJA_COPILOT_CHAT_ROOTS says.\n\n"
        "2 more places to look in are not there (--all names them).\n"
        f"Nothing in {cli.parent.parent / 'User'}\n"
    )


def test_ten_are_named(deja: Run, home: Path, cli: Path) -> None:
    built = Built(home / "deja" / "cache" / "memory.db")
    for number in range(12):
        _read(built, _session(cli, f"{number:02}"), 0, 0, 0, 0, 0, [], problem="Bad \x1b[31m")
    built.close()
    *_, last, more = deja("sources").out.splitlines()
    assert last == f"  {cli}/09/events.jsonl: Bad \ufffd[31m"
    assert more == "  and 2 more (--all names them)"
    assert deja("sources", "--all").out.splitlines()[-1] == f"  {cli}/11/events.jsonl: Bad \ufffd[31m"


def test_a_file_with_two_names_is_one(deja: Run, home: Path, cli: Path) -> None:
    path = _session(cli, "a")
    built = Built(home / "deja" / "cache" / "memory.db")
    _read(built, path, 1, 0, 1, 0, 0, [], session=built.session("a"))
    built.close()
    link = cli / "b"
    link.symlink_to(path.parent)
    places = json.loads(deja("sources", "--json").out)
    assert [each["path"] for each in places[0]["files"]] == [str(path)]


def test_nothing_where_no_place_was_named(deja: Run, home: Path) -> None:
    assert deja("sources").out.startswith(
        "No session of VS Code Copilot Chat or Copilot CLI was found on this machine.\n\n"
    )


def test_places_that_were_named_wrongly(deja: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DEJA_COPILOT_ROOT", "DEJA_COPILOT_CHAT_ROOTS"):
        monkeypatch.setenv(name, f"{home}:/no/{name[13:]}")
    said = (
        "DEJA_COPILOT_ROOT names /no/ROOT, which is not there.\n"
        "DEJA_COPILOT_CHAT_ROOTS names /no/CHAT_ROOTS, which is not there.\n"
    )
    assert deja("index").err == said
    assert deja("sources", "--json").err == said
    assert deja("sources") == Result(
        0,
        "No session of VS Code Copilot Chat or Copilot CLI was found where DEJA_COPILOT_ROOT and "
        "DEJA_COPILOT_CHAT_ROOTS say.\n\n"
        "2 more places to look in are not there (--all names them).\n"
        f"Nothing in {home}\n"
        f"Nothing in {home}\n",
        said,
    )


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_on_a_terminal_no_store_or_number_is_cut(
    deja: Run, memory: None, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    lines = click.unstyle(deja("sources").out).splitlines()
    at = lines.index("Elsewhere (named to a hook, or read before from a place that isn't looked in now)")
    wide = ["store              version  files  sessions  lines  understood  skipped  unknown  bad  failed  changed"]
    assert (
        lines[at + 1 : at + 4]
        == {
            60: [
                "vscode-transcript  -",
                "  files 0  sessions 1  lines 1  understood 1  skipped 0",
                "  unknown 0  bad 0  failed 0  changed 0  unread 0  deleted 1",
            ],
            80: [
                "vscode-transcript  -",
                "  files 0  sessions 1  lines 1  understood 1  skipped 0  unknown 0  bad 0",
                "  failed 0  changed 0  unread 0  deleted 1",
            ],
            120: [
                wide[0] + "  unread  deleted",
                "vscode-transcript  -            0         1      1           1        0        0    0       0        0"
                "       0        1",
                "",
            ],
        }[columns]
    )


def test_a_user_folder_that_a_hook_was_told_of(deja: Run, home: Path) -> None:
    user = home / "portable" / "User"
    (user / "workspaceStorage").mkdir(parents=True)
    config = home / "deja" / "config"
    config.mkdir(parents=True)
    (config / "user-folders").write_text(f"{user}\n{home / 'gone'}\n")
    text = deja("sources", "--all").out
    assert f"  {home / 'gone'} (a host named it to a hook)\n" in text
    assert f"Nothing in {user} (a host named it to a hook)\n" in text
    found = {place["path"]: place["remembered"] for place in json.loads(deja("sources", "--json").out)}
    assert [path for path, remembered in found.items() if remembered] == [str(user), str(home / "gone")]
