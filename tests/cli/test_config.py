"""`deja-hooks config`: exclusions, and the settings' file."""

import json
import os
import stat
from pathlib import Path

import pytest

from tests.support.bytes_kept import holding

from .conftest import Result, Run
from .sessions import login_session, said, write_session

OTHER = "bbbb2222-0000-4000-8000-000000000002"


@pytest.fixture(autouse=True)
def indexed(deja: Run, home: Path) -> None:
    login_session(home)
    (home / "clients" / "acme").mkdir(parents=True)
    write_session(home, OTHER, home / "clients" / "acme", said("about quokka_budget"))
    for path in home.rglob("events.jsonl"):  # long enough ago that the time stamps can be trusted
        os.utime(path, (1_700_000_000, 1_700_000_000))
    deja("index")


def listed(deja: Run) -> set[str]:
    return {session["session_id"][:4] for session in json.loads(deja("sessions", "--json").out)}


def test_a_project_out_and_in_again(deja: Run, home: Path) -> None:
    app = home / "src" / "app"
    assert deja("config", "list") == Result(0, "Nothing is excluded.\n")
    assert deja("config", "exclude", "--project", "--dry-run") == Result(0, "1 session would be erased.\n")
    assert listed(deja) == {"aaaa", "bbbb"}
    assert deja("config", "exclude", "--project", "--yes") == Result(0, f"Excluded: {app}. 1 session erased.\n")
    assert listed(deja) == {"bbbb"}
    assert holding(home / "deja" / "cache", ["refresh_session"]) == {}
    assert deja("config", "exclude", "--project", "--yes") == Result(0, f"Excluded: {app}. Nothing was kept of it.\n")
    assert deja("config", "list") == Result(0, f"excluded  what\nproject   {app}\n")
    file = home / "deja" / "config" / "settings.json"
    assert json.loads(file.read_text()) == {"exclude": {"projects": [str(app)]}}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    deja("index")
    assert deja("index").out.startswith("Nothing new in 2 files")
    assert deja("config", "include", "--project") == Result(0, f"Included again: {app}. 1 session read.\n")
    assert listed(deja) == {"aaaa", "bbbb"}
    assert json.loads(deja("config", "list", "--json").out) == {"exclude": {"projects": [], "paths": []}}


def test_a_pattern(deja: Run, home: Path) -> None:
    assert deja("config", "exclude", "--path", "~/clients/*", "--yes") == Result(
        0, "Excluded: ~/clients/*. 1 session erased.\n"
    )
    assert listed(deja) == {"aaaa"}
    assert deja("config", "exclude", "--project", str(home / "clients" / "acme"), "--yes").code == 0
    assert deja("config", "include", "--project", str(home / "clients" / "acme")) == Result(
        0,
        f"Included again: {home}/clients/acme. 0 sessions read.\n"
        "But another entry still excludes it: deja-hooks config list.\n",
    )
    assert deja("config", "include", "--path", "~/clients/*") == Result(
        0, "Included again: ~/clients/*. 1 session read.\n"
    )


def test_notes_of_an_excluded_project_come_back(deja: Run) -> None:
    sid = deja("remember", "the aurora_seven is read-only").out.rpartition(" ")[2].strip()
    deja("config", "exclude", "--project", "--yes")
    assert listed(deja) == {"bbbb"}
    deja("config", "include", "--project")
    assert listed(deja) == {"aaaa", "bbbb", sid[:4]}


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("exclude",), "Give either --project [PATH] or --path PATTERN."),
        (("include", "--project", "x", "--path", "y"), "Give either --project [PATH] or --path PATTERN."),
        (("exclude", "--project", "nowhere"), "nowhere is not a folder."),
        (
            ("exclude", "--path", "clients/x"),
            "'clients/x' is neither absolute nor a single name: write /home/me/clients/*, ~/clients/* or secret-*",
        ),
        (("exclude", "--path", "/**"), "'/**' would exclude everything"),
        (("exclude", "--path", ""), "is empty or has control characters"),
        (("include", "--path", "x"), "x is not excluded: deja-hooks config list."),
        (("include", "--project"), ". is not excluded: deja-hooks config list."),
    ],
)
def test_what_can_not_be_done(deja: Run, arguments: tuple[str, ...], error: str) -> None:
    assert deja("config", *arguments) == Result(1, "", f"Error: {error}\n")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", " is not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1)): mend it, "
         "or delete it."),
        ('{"exclude": {"project": []}}', " can't be used:\n  exclude.project: there is no such setting"),
        ('{"exclude": {"projects": ["src"]}}', " can't be used:\n  exclude.projects.0: 'src' is no absolute folder: "
         "begin it with / or ~/ (on Windows also C:\\)"),
        ('{"exclude": {"paths": [7]}}', " can't be used:\n  exclude.paths.0: Input should be a valid string"),
        ("[]", " can't be used:\n  the file: Input should be a valid dictionary or instance of Settings"),
    ],
)  # fmt: skip
def test_a_broken_file_is_named_with_its_field(deja: Run, home: Path, content: str, why: str) -> None:
    deja("config", "exclude", "--project", "--yes")
    file = home / "deja" / "config" / "settings.json"
    file.write_text(content)
    for command in (("list",), ("exclude", "--path", "x"), ("include", "--path", "x")):
        assert deja("config", *command) == Result(1, "", f"Error: {file}{why}\n")
    deja("index")
    assert file.read_text() == content


def test_it_asks_on_a_terminal(deja: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.cli.config.on_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", lambda text, **_: print(text) or False)
    assert deja("config", "exclude", "--project") == Result(
        1, "Erase 1 session from the memory? (The hosts' files stay.)\n", "Error: Nothing was changed.\n"
    )
    assert deja("config", "list") == Result(0, "Nothing is excluded.\n")


def test_without_a_terminal_it_wants_to_be_told(deja: Run, home: Path) -> None:
    asked = "Erase 1 session from the memory? (The hosts' files stay.)"
    hint = "There is no terminal to ask on: add --yes, or --dry-run to only look. Nothing was changed."
    assert deja("config", "exclude", "--project") == Result(1, "", f"Error: {asked} {hint}\n")
    assert listed(deja) == {"aaaa", "bbbb"}
    assert deja("config", "list") == Result(0, "Nothing is excluded.\n")
    # Nothing would be erased: there is nothing to ask.
    assert deja("config", "exclude", "--path", "*-private") == Result(
        0, "Excluded: *-private. Nothing was kept of it.\n"
    )


def test_json(deja: Run, home: Path) -> None:
    app = str(home / "src" / "app")
    excluded = {"excluded": app, "dry_run": True, "sessions": 1}
    assert json.loads(deja("config", "exclude", "--project", "--dry-run", "--json").out) == excluded
    excluded["dry_run"] = False
    assert json.loads(deja("config", "exclude", "--project", "--yes", "--json").out) == excluded
    included = {"included": app, "sessions": 1, "still_excluded": False}
    assert json.loads(deja("config", "include", "--project", "--json").out) == included


def test_a_folder_that_is_gone(deja: Run, home: Path) -> None:
    acme = home / "clients" / "acme"
    acme.rmdir()
    assert deja("config", "exclude", "--project", str(acme), "--yes") == Result(
        0, f"Excluded: {acme}. 1 session erased.\n"
    )
    assert listed(deja) == {"aaaa"}
    assert deja("config", "include", "--project", str(acme)) == Result(0, f"Included again: {acme}. 1 session read.\n")
    assert listed(deja) == {"aaaa", "bbbb"}
