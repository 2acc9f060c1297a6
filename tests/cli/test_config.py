"""`deja-hooks config`: exclusions, and the settings' file."""

import json
import os
import stat
from pathlib import Path

import pytest

from deja_hooks.contract.settings import Settings
from tests.support.bytes_kept import holding

from .conftest import Result, Run
from .sessions import login_session, said, write_session

MEND = "\nMend it there; deja-hooks config schema prints all that it may hold."
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


def excluded(deja: Run) -> tuple[list[str], list[str]]:
    found = {each["name"]: each["value"] for each in json.loads(deja("config", "list", "--json").out)["settings"]}
    return found["exclude.projects"], found["exclude.paths"]


def put(file: Path, content: str | None) -> None:
    """A file of this content; None: a pipe in its place."""
    file.unlink()
    if content is None:
        os.mkfifo(file)
    else:
        file.write_text(content)


def test_a_project_out_and_in_again(deja: Run, home: Path) -> None:
    app = home / "src" / "app"
    assert excluded(deja) == ([], [])
    assert deja("config", "exclude", "--project", "--dry-run") == Result(0, "1 session would be erased.\n")
    assert listed(deja) == {"aaaa", "bbbb"}
    assert deja("config", "exclude", "--project", "--yes") == Result(0, f"Excluded: {app}. 1 session erased.\n")
    assert listed(deja) == {"bbbb"}
    assert holding(home / "deja" / "cache", ["refresh_session"]) == {}
    assert deja("config", "exclude", "--project", "--yes") == Result(0, f"Excluded: {app}. Nothing was kept of it.\n")
    assert excluded(deja) == ([str(app)], [])
    file = home / "deja" / "config" / "settings.json"
    assert json.loads(file.read_text()) == {"exclude": {"projects": [str(app)]}}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    deja("index")
    assert deja("index").out.startswith("Nothing new in 2 files")
    assert deja("config", "include", "--project") == Result(0, f"Included again: {app}. 1 session read.\n")
    assert listed(deja) == {"aaaa", "bbbb"}
    assert excluded(deja) == ([], [])


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
        (("exclude", "--project", "nowhere"), "nowhere is not a folder: name one of the project."),
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


@pytest.mark.parametrize("arguments", [("exclude",), ("include", "--project", "x", "--path", "y")])
def test_one_thing_at_a_time(deja: Run, arguments: tuple[str, ...]) -> None:
    result = deja("config", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith("\nError: Give either --project [PATH] or --path PATTERN.\n")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", " is not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1)): mend it, "
         "or delete it."),
        ('{"exclude": {"project": []}}', " can't be used:\n  exclude.project: there is no such setting" + MEND),
        ('{"exclude": {"projects": ["src"]}}', " can't be used:\n  exclude.projects.0: 'src' is no absolute folder: "
         "begin it with / or ~/ (on Windows also C:\\)" + MEND),
        ('{"budgets": {"prompt": 7}, "events": {"prompt": 7}, "exclude": {"projects": ["~/src/app"]}}',
         " can't be used:\n  events.prompt: write true or false\n  budgets.prompt: write a whole number from 600 to"
         " 3000" + MEND),
        (None, " can't be read (It is not a file): mend it, or delete it."),
        ("[]", " can't be used:\n  the file: write an object, such as {}" + MEND),
    ],
)  # fmt: skip
def test_a_broken_file_is_named_with_its_field(deja: Run, home: Path, content: str | None, why: str) -> None:
    deja("config", "exclude", "--project", "--yes")
    file = home / "deja" / "config" / "settings.json"
    put(file, content)
    commands = ("list", "get events.prompt", "set events.prompt on", "unset events.prompt", "exclude --path x",
                "include --path x")  # fmt: skip
    for command in map(str.split, commands):
        assert deja("config", *command) == Result(1, "", f"Error: {file}{why}\n")
    done = deja("index")
    assert (done.code, done.err) == (0, f"{file}{why}\nUntil then, what can't be used of it stays as it was before.\n")
    assert listed(deja) == {"bbbb"}
    assert content is None or file.read_text() == content


def test_it_asks_on_a_terminal(deja: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.cli.setting_change.on_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", lambda text, **_: print(text) or False)
    assert deja("config", "exclude", "--project") == Result(
        1, "Erase 1 session from the memory? (The hosts' files stay.)\n", "Error: Nothing was changed.\n"
    )
    assert excluded(deja) == ([], [])


def test_without_a_terminal_it_wants_to_be_told(deja: Run, home: Path) -> None:
    asked = "Erase 1 session from the memory? (The hosts' files stay.)"
    hint = "There is no terminal to ask on: add --yes, or --dry-run to only look. Nothing was changed."
    assert deja("config", "exclude", "--project") == Result(1, "", f"Error: {asked} {hint}\n")
    assert listed(deja) == {"aaaa", "bbbb"}
    assert excluded(deja) == ([], [])
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


LIST = """\
   setting                   value          default  what it is for
   exclude.projects          []             []       Folders (absolute, or beginning with ~/): their projects, and all that lies below.
*  exclude.paths             ["*-private"]  []       Patterns of folders, such as ~/clients/* or *-private: all that lies in or below one.
   events.session_start      true           true     Speak at a session's start.
   events.prompt             true           true     Speak before a prompt.
   events.before_edit        true           true     Speak before a file is edited.
*  events.before_command     false          true     Speak before a command is run.
   events.after_failure      true           true     Speak after a command or a tool has failed.
   events.after_compaction   true           true     Hand back what a compaction's summary dropped.
   budgets.session_start     2000           2000     Most characters of it, 600 to 4000.
*  budgets.prompt            900            1500     Most characters of it, 600 to 3000.
   budgets.before_edit       480            480      Most characters of it, 400 to 960.
   budgets.before_command    480            480      Most characters of it, 400 to 960.
   budgets.after_failure     480            480      Most characters of it, 400 to 960.
   budgets.after_compaction  4000           4000     Most characters of it, 1000 to 7000.

"""  # noqa: E501


class TestOneSetting:
    """`get`, `set`, `unset`, and the list of all."""

    def test_there_and_back(self, deja: Run, home: Path) -> None:
        file, hooks = home / "deja" / "config" / "settings.json", home / "deja" / "config" / "settings.hooks"
        off = deja("config", "set", "events.before_command", "OFF")
        assert off == Result(0, "events.before_command is false (was true).\n")
        assert deja("config", "set", "budgets.prompt", "900") == Result(0, "budgets.prompt is 900 (was 1500).\n")
        assert hooks.read_text() == "silent before_command\nbudget prompt 900\n"
        assert deja("config", "set", "exclude.paths", "*-private").code == 0
        assert deja("config", "list") == Result(0, f"{LIST}{file}\n")
        assert deja("config", "get", "events.before_command") == Result(0, "false\n")
        assert deja("config", "get", "budgets.prompt") == Result(0, "900\n")
        assert json.loads(file.read_text()) == {
            "exclude": {"paths": ["*-private"]},
            "events": {"before_command": False},
            "budgets": {"prompt": 900},
        }
        again = deja("config", "set", "budgets.prompt", "900")
        assert again == Result(0, "budgets.prompt is 900 (as it was).\n")
        gone = deja("config", "unset", "budgets.prompt")
        assert gone == Result(0, "budgets.prompt is 1500, the default (was 900).\n")
        assert hooks.read_text() == "silent before_command\n"
        deja("config", "set", "events.before_command", "true")
        deja("config", "unset", "exclude.paths")
        assert not hooks.exists()
        assert json.loads(file.read_text()) == {}

    def test_json(self, deja: Run, home: Path) -> None:
        made = json.loads(deja("config", "set", "budgets.prompt", "900", "--json").out)
        whole = {"name": "budgets.prompt", "value": 900, "before": 1500, "default": 1500, "dry_run": False}
        assert made == {**whole, "erased": 0, "read": 0}
        got = json.loads(deja("config", "get", "budgets.prompt", "--json").out)
        assert got == {
            "name": "budgets.prompt",
            "value": 900,
            "default": 1500,
            "differs": True,
            "allowed": "a whole number from 600 to 3000",
            "about": "Most characters of what is said before a prompt.",
        }
        listed = json.loads(deja("config", "list", "--json").out)
        file = str(home / "deja" / "config" / "settings.json")
        assert (listed["file"], listed["exists"]) == (file, True)
        assert [each for each in listed["settings"] if each["differs"]] == [got]
        back = json.loads(deja("config", "unset", "budgets.prompt", "--json").out)
        assert back == {**whole, "value": 1500, "before": 900, "erased": 0, "read": 0}

    def test_a_list_is_replaced_erased_and_read_again(self, deja: Run, home: Path) -> None:
        """As by `exclude` and `include`: nothing is erased unasked."""
        asked = "Erase 1 session from the memory? (The hosts' files stay.)"
        hint = "There is no terminal to ask on: add --yes, or --dry-run to only look. Nothing was changed."
        given = ("config", "set", "exclude.paths", '["~/clients/*", "*-private"]')
        assert deja(*given) == Result(1, "", f"Error: {asked} {hint}\n")
        both = '["~/clients/*", "*-private"]'
        assert deja(*given, "--dry-run") == Result(
            0, f"exclude.paths would be {both} (now []).\n1 session would be erased.\n"
        )
        assert listed(deja) == {"aaaa", "bbbb"}
        assert deja(*given, "--yes") == Result(0, f"exclude.paths is {both} (was []).\n1 session erased.\n")
        assert listed(deja) == {"aaaa"}
        assert deja("config", "get", "exclude.paths") == Result(0, "~/clients/*\n*-private\n")
        one = deja("config", "set", "exclude.paths", "*-private", "*-private")
        assert one == Result(0, f'exclude.paths is ["*-private"] (was {both}).\n1 session read.\n')
        assert listed(deja) == {"aaaa", "bbbb"}
        folder = str(home / "src" / "app")
        assert deja("config", "set", "exclude.projects", folder, "--yes").code == 0
        assert listed(deja) == {"bbbb"}
        assert deja("config", "unset", "exclude.projects") == Result(
            0, f'exclude.projects is [], the default (was ["{folder}"]).\n1 session read.\n'
        )

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            ("get budgets.promt", "There is no setting 'budgets.promt'. Did you mean budgets.prompt? deja-hooks config"
             " list names all."),
            ("get after_failure", "There is no setting 'after_failure'. Did you mean events.after_failure? deja-hooks"
             " config list names all."),
            ("get xyz", "There is no setting 'xyz'. deja-hooks config list names all."),
            ("unset exclude", "exclude is a group of settings: name one of it, such as exclude.projects (deja-hooks"
             " config list)."),
            ("set events.prompt maybe", "events.prompt takes true or false, not 'maybe': deja-hooks config set"
             " events.prompt true"),
            ("set events.prompt true false", "events.prompt takes true or false, not 'true false': deja-hooks config"
             " set events.prompt true"),
            *((f"set budgets.prompt {bad}", "budgets.prompt takes a whole number from 600 to 3000, not "
               f"{bad!r}: deja-hooks config set budgets.prompt 1500") for bad in ("599", "3001", "1e3", "9" * 5000)),
            ("set budgets.after_compaction true", "budgets.after_compaction takes a whole number from 1000 to 7000, not"
             " 'true': deja-hooks config set budgets.after_compaction 4000"),
            ("set exclude.paths [1]", "exclude.paths takes one or more values, or a JSON array of texts, not '[1]':"
             ' deja-hooks config set exclude.paths "~/clients/*"'),
            ("set exclude.paths [x", "exclude.paths takes one or more values, or a JSON array of texts, not '[x':"
             ' deja-hooks config set exclude.paths "~/clients/*"'),
            ("set exclude.paths ok a/b", "exclude.paths.1: 'a/b' is neither absolute nor a single name: write"
             " /home/me/clients/*, ~/clients/* or secret-*"),
            ("set exclude.projects src", "exclude.projects.0: 'src' is no absolute folder: begin it with / or ~/ (on"
             " Windows also C:\\)"),
        ],
    )  # fmt: skip
    def test_errors_name_the_field_what_is_allowed_and_the_command(
        self, deja: Run, home: Path, arguments: str, error: str
    ) -> None:
        assert deja("config", *arguments.split()) == Result(1, "", f"Error: {error}\n")
        assert not (home / "deja" / "config" / "settings.json").exists()

    def test_the_place_and_the_schema(self, deja: Run, home: Path) -> None:
        file = home / "deja" / "config" / "settings.json"
        assert deja("config", "path") == Result(0, f"{file}\n")
        assert deja("config", "list").out.endswith(f"\n{file} (not there yet: all is as by default)\n")
        assert json.loads(deja("config", "schema").out) == Settings.model_json_schema()

    def test_an_edit_by_hand_is_followed_from_the_next_pass_on(self, deja: Run, home: Path) -> None:
        file = home / "deja" / "config" / "settings.json"
        hint = "It was edited by hand: hooks follow it from the next pass on; deja-hooks index makes one now."
        for content in ('{"events": {"prompt": false}}', '{"exclude": {"paths": ["*-private"]}}', "{}"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(content)
            assert deja("config", "list").out.endswith(f"{file}\n{hint}\n")
            assert json.loads(deja("config", "list", "--json").out)["followed"] is False
            deja("index")
            assert deja("config", "list").out.endswith(f"\n{file}\n")
            assert json.loads(deja("config", "list", "--json").out)["followed"] is True

    def test_a_file_keeps_the_place_of_its_schema_and_its_own(self, deja: Run, home: Path) -> None:
        """What an editor needs, and a link (to a folder of dotfiles, say), outlast a change."""
        kept = home / "dotfiles" / "deja.json"
        kept.parent.mkdir()
        kept.write_text('{"$schema": "./settings.schema.json"}')
        file = home / "deja" / "config" / "settings.json"
        file.parent.mkdir(exist_ok=True)
        file.symlink_to(kept)
        assert deja("config", "set", "events.prompt", "false").code == 0
        assert file.is_symlink()
        assert json.loads(kept.read_text()) == {"$schema": "./settings.schema.json", "events": {"prompt": False}}
