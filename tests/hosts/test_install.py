"""Plan, apply, undo: the user's files are as they were, whatever was in them."""

import errno
import json
import os
import stat
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deja_hooks.hosts import lock as lock_module
from deja_hooks.hosts.command import Program, posix_command, powershell_command
from deja_hooks.hosts.errors import HookFileError, HostsError, LockedError
from deja_hooks.hosts.files import Change, make_folders, replace
from deja_hooks.hosts.hook_entries import HookEntries
from deja_hooks.hosts.hook_file import ours
from deja_hooks.hosts.install import Plan, apply, plan_install, plan_uninstall
from deja_hooks.hosts.places import HOSTS, hook_files, own_file
from deja_hooks.memory.layout import Layout

EVENTS = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "Stop",
    "SessionEnd",
]
PROGRAM = Program("/venv/bin/python", "/venv/lib/deja_hooks/hook/entry.py", "/c", "/g")
MOVED = Program("C:\\old\\python.exe", "C:\\old\\deja_hooks\\hook\\entry.py", "C:\\c", "C:\\g")


class Home:
    """An empty home with our folders in it."""

    def __init__(self, path: Path, copilot: Path | None = None) -> None:
        self.path = path
        self.environment = {"COPILOT_HOME": str(copilot)} if copilot else {}
        self.layout = Layout(str(path / "ours" / "cache"), str(path / "ours" / "config"))
        self.file = path / ".copilot" / "hooks" / "deja.json"

    def install(self, hosts: tuple[str, ...] = HOSTS, program: Program = PROGRAM) -> Plan:
        return apply(lambda: self.plan(hosts, program), self.layout)[0]

    def plan(self, hosts: tuple[str, ...] = HOSTS, program: Program = PROGRAM) -> Plan:
        parts = [HookEntries(file, ours(program)) for file in hook_files(hosts, self.environment, self.path)]
        return plan_install(parts, self.layout)

    def uninstall(self, hosts: tuple[str, ...] = HOSTS) -> tuple[Plan, list[Path]]:
        parts = [HookEntries(own_file(host, self.environment, self.path)) for host in hosts]
        return apply(lambda: plan_uninstall(parts, self.layout, lambda _: set(hosts) == set(HOSTS)), self.layout)

    def foreign(self) -> list[str]:
        """Everything in the home that isn't in our own folder."""
        return sorted(str(p.relative_to(self.path)) for p in self.path.rglob("*") if "ours" not in p.parts)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def _entry(event: str, program: Program = PROGRAM) -> dict[str, object]:
    return {
        "type": "command",
        "bash": posix_command(program, event),
        "powershell": powershell_command(program, event),
        "timeoutSec": 10,
    }


def _hook_file(program: Program = PROGRAM) -> dict[str, object]:
    return {"version": 1, "hooks": {event: [_entry(event, program)] for event in EVENTS}}


def test_install_writes_the_hook_file(home: Home) -> None:
    plan = home.install()
    assert plan == Plan((Change(home.file, None, home.file.read_bytes(), {"kind": "hooks", "first": None}),))
    assert json.loads(home.file.read_bytes()) == _hook_file()
    assert home.foreign() == [".copilot", ".copilot/hooks", ".copilot/hooks/deja.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_what_is_made_is_private(home: Home) -> None:
    home.install()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (home.file, home.file.parent, home.file.parents[1])]
    assert modes == [0o600, 0o700, 0o700]


def test_a_second_install_changes_nothing(home: Home) -> None:
    home.install()
    before = home.file.stat()
    plan = home.install()
    assert plan.pending == ()
    assert [change.verb for change in plan.changes] == ["unchanged"]
    assert home.file.stat() == before


def test_a_mark_that_the_cli_stumbles_over_goes(home: Home) -> None:
    home.install()
    written = home.file.read_bytes()
    home.file.write_bytes(b"\xef\xbb\xbf" + written)
    home.install()
    assert home.file.read_bytes() == written


def test_planning_writes_nothing(home: Home) -> None:
    plan = home.plan()
    assert [change.verb for change in plan.changes] == ["create"]
    assert list(home.path.iterdir()) == []


def test_uninstall_gives_back_an_empty_home(home: Home) -> None:
    home.install()
    plan, removed = home.uninstall()
    assert [(change.path, change.verb) for change in plan.changes] == [(home.file, "remove")]
    assert removed == [home.file.parent, home.file.parents[1]]
    assert home.foreign() == []


def test_uninstall_leaves_folders_that_were_there_or_are_in_use(home: Home) -> None:
    home.file.parents[1].mkdir()
    home.install()
    (home.file.parent / "other.json").write_text("{}")
    _, removed = home.uninstall()
    assert removed == []
    assert home.foreign() == [".copilot", ".copilot/hooks", ".copilot/hooks/other.json"]


def test_uninstall_without_an_install_changes_nothing(home: Home) -> None:
    plan, removed = home.uninstall()
    assert (plan.pending, plan.kept, removed) == ((), (), [])
    assert list(home.path.iterdir()) == []


def test_entries_of_a_moved_environment_are_replaced(home: Home) -> None:
    home.install(program=MOVED)
    plan = home.install()
    assert [change.verb for change in plan.changes] == ["update"]
    assert json.loads(home.file.read_bytes()) == _hook_file()


USERS = """{ "description": "mine",
  "hooks": {"Stop": [{"type": "command", "bash": "beep"}], "Notification": [{"bash": "boop"}] } }"""


def test_a_users_entries_stay_and_the_file_comes_back_byte_for_byte(home: Home) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_text(USERS)
    home.install()
    wired = json.loads(home.file.read_bytes())
    assert wired == {
        "description": "mine",
        "version": 1,
        "hooks": {
            "Stop": [{"type": "command", "bash": "beep"}, _entry("Stop")],
            "Notification": [{"bash": "boop"}],
            **{event: [_entry(event)] for event in EVENTS if event != "Stop"},
        },
    }
    home.install(program=MOVED)  # what was there first is not forgotten by a second install
    plan, removed = home.uninstall()
    assert (plan.kept, removed) == ((home.file,), [])
    assert home.file.read_text() == USERS


def test_what_a_user_added_after_installing_is_kept(home: Home) -> None:
    home.install()
    document = json.loads(home.file.read_bytes())
    document["hooks"]["Stop"].insert(0, {"bash": "beep"})
    document["hooks"]["PreToolUse"] = [
        {"matcher": "Bash", "hooks": [*document["hooks"]["PreToolUse"], {"bash": "check"}]},
        {"matcher": "Edit", "hooks": document["hooks"]["PreToolUse"]},
    ]
    home.file.write_text(json.dumps(document))
    plan, removed = home.uninstall()
    assert (plan.kept, removed) == ((home.file,), [])
    assert json.loads(home.file.read_bytes()) == {
        "version": 1,
        "hooks": {
            "PreToolUse": [{"matcher": "Bash", "hooks": [{"bash": "check"}]}],
            "Stop": [{"bash": "beep"}],
        },
    }


@pytest.mark.parametrize(
    "content",
    [
        "",
        " \n",
        '{"version": 1}',
        '{"hooks": {}}',
        '\ufeff{"version": 1, "hooks": {}}',
        '{"version":1,"hooks":{"Stop":[]}}',
    ],
)
def test_a_file_with_nothing_in_it_comes_back(home: Home, content: str) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_text(content, encoding="utf-8")
    home.install()
    assert json.loads(home.file.read_bytes()) == _hook_file()
    home.uninstall()
    assert home.file.read_text(encoding="utf-8") == content


@pytest.mark.parametrize(
    "content",
    [
        '{"hooks": {"Stop": [], "Notification": []}}',
        '{"version":1,"hooks":{"Stop":[{"hooks":[]}]}}',
        '{"hooks": {"Stop": []}, "name": "\\ud800"}',
        '{\r\n"hooks":{"Stop":[]}}\r\n',
    ],
)
def test_what_holds_no_command_comes_back(home: Home, content: str) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_bytes(content.encode())
    home.install()
    assert json.loads(home.file.read_bytes())["hooks"]["Stop"][-1] == _entry("Stop")
    home.uninstall()
    assert home.file.read_bytes() == content.encode()


def test_a_users_file_stays_when_the_user_emptied_it(home: Home) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_text(USERS)
    home.install()
    document = json.loads(home.file.read_bytes())
    del document["description"], document["hooks"]["Notification"], document["hooks"]["Stop"][0]
    home.file.write_text(json.dumps(document))
    home.uninstall()
    assert json.loads(home.file.read_bytes()) == {"version": 1, "hooks": {}}


def test_the_text_given_back_is_that_of_the_last_install(home: Home) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_text("{}")
    home.install()
    home.file.write_text(USERS)  # our entries went by hand
    home.install()
    home.uninstall()
    assert home.file.read_text() == USERS


def test_a_file_that_is_not_json_is_named_and_left(home: Home) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_text("{oops")
    why = (
        "is not valid JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1)): "
        "mend it, or move it away, and try again."
    )
    with pytest.raises(HookFileError) as caught:
        home.install()
    assert str(caught.value) == f"{home.file} {why}"
    plan, _ = home.uninstall()
    left = Change(home.file, b"{oops", b"{oops", note=f"it {why}", private=True)
    assert plan == Plan((left,), (), (str(home.file),))
    assert home.file.read_text() == "{oops"


def test_a_file_that_broke_since_stays_known_until_it_is_mended(home: Home) -> None:
    home.install()
    written = home.file.read_bytes()
    home.file.write_bytes(written + b"}")
    home.uninstall()
    home.file.write_bytes(written)
    home.uninstall()
    assert list(home.path.iterdir()) == []


COMMENTED = """{
\t// mine
\t"version": 1,
\t"hooks": {
\t\t"Stop": [
\t\t\t{"bash": "beep"}, // keep
\t\t\tOURS,
\t\t],
\t\t"PreToolUse": [{"matcher": "Bash", "hooks": [OURS]}, OURS],
\t},
}
"""


def test_ours_goes_out_of_a_text_with_comments(home: Home) -> None:
    home.install()
    home.file.write_text(COMMENTED.replace("OURS", json.dumps(_entry("Stop"))))
    with pytest.raises(HookFileError) as caught:
        home.install()
    assert str(caught.value) == (
        f"{home.file} has comments or trailing commas, with which Copilot CLI (1.0.102) takes it for broken: "
        "take them out, or move it away, and try again."
    )
    plan, _ = home.uninstall()
    assert [(each.verb, each.note) for each in plan.changes] == [("update", "it holds more than our entries")]
    assert home.file.read_text() == (
        '{\n\t// mine\n\t"version": 1,\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"bash": "beep"}, // keep\n\t\t],\n\t},\n}\n'
    )


def test_a_file_of_ours_with_a_comma_too_many_goes(home: Home) -> None:
    home.install()
    home.file.write_bytes(home.file.read_bytes().rstrip().removesuffix(b"}") + b",}")
    home.uninstall()
    assert list(home.path.iterdir()) == []


TABBED = b"""{\r
\t"description": "mine",\r
\t"hooks": {\r
\t\t"Stop": [ { "bash": "beep" } ],\r
\t\t"Notification": [\r
\t\t\t{ "bash": "boop" }\r
\t\t]\r
\t}\r
}\r
"""


def test_the_users_layout_stays_while_installed_and_once_edited(home: Home) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_bytes(b"\xef\xbb\xbf" + TABBED)
    plan = home.install()
    assert [change.remark for change in plan.changes] == [
        "its byte order mark goes as long as our entries are in it, since Copilot CLI takes it for a broken file"
    ]
    wired = home.file.read_bytes()
    added = json.dumps(_entry("Stop"), ensure_ascii=False).encode()
    assert wired.startswith(
        TABBED.partition(b" ],")[0] + b", " + added + b' ],\r\n\t\t"Notification": [\r\n\t\t\t{ "bash": "boop" }'
        b'\r\n\t\t],\r\n\t\t"SessionStart": [\r\n\t\t\t{\r\n\t\t\t\t"type": "command",\r\n'
    )
    assert wired.endswith(b'\r\n\t\t]\r\n\t},\r\n\t"version": 1\r\n}\r\n')
    assert home.install().pending == ()
    home.install(program=MOVED)
    home.install()
    assert home.file.read_bytes() == wired
    home.file.write_bytes(wired.replace(b"boop", b"bop"))
    home.uninstall()
    users = TABBED.replace(b"boop", b"bop").replace(b"\t}\r\n}", b'\t},\r\n\t"version": 1\r\n}')
    assert home.file.read_bytes() == users


def test_a_byte_order_mark_comes_back(home: Home) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_bytes(b"\xef\xbb\xbf" + TABBED)
    home.install()
    home.uninstall()
    assert home.file.read_bytes() == b"\xef\xbb\xbf" + TABBED


def test_why_a_file_with_nothing_in_it_stays(home: Home) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_bytes(b"")
    assert [each.note for each in home.uninstall()[0].changes] == ["nothing of ours is in it"]
    home.install()
    assert [each.note for each in home.uninstall()[0].changes] == ["it was there before deja-hooks"]
    assert home.file.read_bytes() == b""


@pytest.mark.parametrize("content", ["[]", "null", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_a_file_of_another_shape_is_named_and_left(home: Home, content: str) -> None:
    home.file.parent.mkdir(parents=True)
    home.file.write_text(content)
    with pytest.raises(HookFileError) as caught:
        home.install()
    assert str(caught.value) == (
        f'{home.file} is not a hook file ({{"version": 1, "hooks": {{EVENT: [...]}}}}): '
        "mend it, or move it away, and try again."
    )
    assert home.file.read_text() == content


def test_an_unreadable_file_is_named(home: Home) -> None:
    home.file.mkdir(parents=True)
    with pytest.raises(HookFileError, match=r"deja\.json can't be read"):
        home.install()


def test_a_folder_that_cannot_be_made_is_named(home: Home) -> None:
    (home.path / ".copilot").write_text("a file in the way")
    with pytest.raises(HookFileError, match=r"deja\.json can't be"):
        home.install()


def test_a_file_that_changed_after_planning_is_left(home: Home) -> None:
    plan = home.plan()
    home.file.parent.mkdir(parents=True)
    home.file.write_text(USERS)
    with pytest.raises(HookFileError, match="was changed meanwhile: try again"):
        apply(lambda: plan, home.layout)
    assert home.file.read_text() == USERS


def test_one_at_a_time(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    filelock = pytest.importorskip("filelock")
    monkeypatch.setattr(lock_module, "_TIMEOUT", 0.05)
    Path(home.layout.config).mkdir(parents=True)
    with filelock.FileLock(home.layout.in_config("install.lock")), pytest.raises(LockedError):
        home.install()
    assert not home.file.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_our_own_folders_are_private_and_gone_afterwards(home: Home) -> None:
    ours = home.path / "ours"
    home.install()
    made = {str(path.relative_to(ours)): stat.S_IMODE(path.stat().st_mode) for path in [ours, *ours.rglob("*")]}
    assert made == {".": 0o700, "config": 0o700, "config/installed.json": 0o600}
    home.uninstall()
    assert not ours.exists()


def test_a_config_folder_that_was_there_stays(home: Home) -> None:
    Path(home.layout.config).mkdir(parents=True)
    home.install()
    home.uninstall()
    assert list(Path(home.layout.config).iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_the_lock_is_private(home: Home) -> None:
    with lock_module.install_lock(home.layout):
        assert stat.S_IMODE(Path(home.layout.in_config("install.lock")).stat().st_mode) == 0o600
    assert not (home.path / "ours").exists()


def test_a_folder_that_an_uninstall_takes_away_is_made_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def make(folder: Path) -> list[Path]:
        made.append(folder)
        if len(made) == 1:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return make_folders(folder)

    monkeypatch.setattr(lock_module, "make_folders", make)
    home.install()
    assert made == [Path(home.layout.config)] * 2
    home.uninstall()
    assert list(home.path.iterdir()) == []


def test_installs_at_the_same_time_are_one(home: Home) -> None:
    with ThreadPoolExecutor(6) as pool:
        plans = [future.result() for future in [pool.submit(home.install) for _ in range(6)]]
    assert sorted(plan.changes[0].verb for plan in plans) == ["create", *["unchanged"] * 5]
    assert json.loads(home.file.read_bytes()) == _hook_file()
    home.uninstall()
    assert list(home.path.iterdir()) == []


def test_a_plan_is_made_again_under_the_lock(home: Home) -> None:
    calls = []

    def plan() -> Plan:
        calls.append(home.plan())
        if len(calls) == 1:
            home.install()  # another one is faster
        return calls[-1]

    applied, _ = apply(plan, home.layout)
    assert ([each.changes[0].verb for each in calls], applied) == (["create", "unchanged"], calls[1])
    home.uninstall()
    assert list(home.path.iterdir()) == []


@pytest.mark.parametrize("full", ["deja.json", "installed.json"])
def test_a_full_disk_leaves_all_as_it_was(home: Home, monkeypatch: pytest.MonkeyPatch, full: str) -> None:
    def write(target: Path, data: bytes) -> None:
        if target.name == full:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(target, data)

    monkeypatch.setattr("deja_hooks.hosts.files.replace", write)
    monkeypatch.setattr("deja_hooks.hosts.ledger.replace", write)
    where = {"deja.json": home.file, "installed.json": home.layout.config}[full]
    with pytest.raises(HostsError) as caught:
        home.install()
    assert str(caught.value) == f"{where} can't be written (No space left on device)."
    assert list(home.path.iterdir()) == []


def test_the_first_file_is_given_back_where_the_second_fails(tmp_path: Path) -> None:
    home = Home(tmp_path, copilot=tmp_path / "elsewhere")
    first = tmp_path / "elsewhere" / "hooks" / "deja.json"
    first.parent.mkdir(parents=True)
    first.write_text(USERS)
    (tmp_path / ".copilot").write_text("")
    plan = Plan((Change(first, USERS.encode(), b"{}"), Change(home.file.parents[1], None, b"{}")))
    with pytest.raises(HookFileError, match="was changed meanwhile"):
        apply(lambda: plan, home.layout)
    assert first.read_text() == USERS
    assert home.foreign() == [".copilot", "elsewhere", "elsewhere/hooks", "elsewhere/hooks/deja.json"]
    assert not (tmp_path / "ours").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes and devices")
@pytest.mark.parametrize("make", [lambda path: os.mkfifo(path), lambda path: path.symlink_to(os.devnull)])
def test_a_pipe_or_a_device_is_not_read(home: Home, make: Callable[[Path], None]) -> None:
    home.file.parent.mkdir(parents=True)
    make(home.file)
    with pytest.raises(HookFileError) as caught:
        home.install()
    assert str(caught.value) == (f"{home.file} can't be read (it is not a regular file): move it away, and try again.")


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need rights there")
def test_a_linked_file_stays_a_link_with_its_mode(home: Home) -> None:
    target = home.path / "dotfiles" / "deja.json"
    target.parent.mkdir()
    target.write_text(USERS)
    target.chmod(0o644)
    home.file.parent.mkdir(parents=True)
    home.file.symlink_to(target)
    home.install()
    assert home.file.readlink() == target
    assert stat.S_IMODE(target.stat().st_mode) == 0o644
    assert "entry.py" in target.read_text()
    home.uninstall()
    assert (home.file.readlink(), target.read_text()) == (target, USERS)
    assert [path.name for path in target.parent.iterdir()] == ["deja.json"]


def test_with_copilot_home_elsewhere_vscode_gets_its_own(tmp_path: Path) -> None:
    home = Home(tmp_path, copilot=tmp_path / "elsewhere")
    elsewhere = tmp_path / "elsewhere" / "hooks" / "deja.json"
    assert [change.path for change in home.install(("copilot",)).changes] == [elsewhere]
    assert [change.path for change in home.install(("vscode",)).changes] == [elsewhere, home.file]
    home.uninstall(("vscode",))
    assert (elsewhere.exists(), home.file.exists()) == (True, False)
    home.install()
    home.environment = {}  # unset since: what was written there is still known
    home.uninstall()
    assert home.foreign() == []
