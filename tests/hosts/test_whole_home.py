"""A home with everything in it: wired once by however many, given back, and whole at whatever moment we are killed."""

import contextlib
import json
import os
import stat
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deja_hooks.hosts.command import Program
from deja_hooks.hosts.hook_entries import has_ours
from deja_hooks.hosts.install import Plan, apply, plan_install, plan_uninstall
from deja_hooks.hosts.places import HOSTS
from deja_hooks.hosts.wanted import Wiring, removable_parts, user_parts
from deja_hooks.memory.layout import Layout

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and file modes")

PROGRAM = Program("/v e/ö'\"/bin/python", "/v e/ö'\"/deja_hooks/hook/entry.py", "/c", "/g")
USERS_HOOKS = b'{"version": 1,\r\n "hooks": {"Stop": [{"type": "command", "bash": "beep"}]}}\r\n'
CRLF = '\ufeff// mine\r\n{\r\n\t"servers": {\r\n\t\t"x": {"command": "y"} // keep\r\n\t},\r\n}\r\n'.encode()

#: Path of a file (or of a folder, None) → its bytes, the link that it is, and its mode.
Snapshot = dict[str, tuple[bytes | None, str, int]]


class Home:
    """A home whose path needs every quoting, with several hosts, profiles, links and foreign files."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "a 'home' \"of\" ünïcode $x"
        self.layout = Layout(str(self.path / "ours" / "cache"), str(self.path / "ours" / "config"))
        self.environment = {"COPILOT_HOME": str(self.path / "co pilot"), "DEJA_HOOKS_HOME": str(self.path / "ours")}
        code = self.path / ".config" / "Code" / "User"
        insiders = self.path / ".config" / "Code - Insiders" / "User"
        for made in (
            code / "profiles" / "1a",
            code / "profiles" / "2b",
            insiders,
            self.path / ".vscode-server/data/User",
        ):
            made.mkdir(parents=True)
        dotfiles = self.path / "dotfiles"
        for made in (dotfiles, self.path / ".copilot" / "hooks", self.path / "co pilot" / "session-state"):
            made.mkdir(parents=True)
        (code / "mcp.json").write_bytes(CRLF)
        (code / "mcp.json").chmod(0o640)
        (dotfiles / "mcp.json").write_text('{"servers":{},}')
        for profile in ("1a", "2b"):
            (code / "profiles" / profile / "mcp.json").symlink_to(dotfiles / "mcp.json")
        (insiders / "prompts").mkdir()
        (insiders / "prompts" / "mine.prompt.md").write_text("mine")
        (self.path / ".copilot" / "hooks" / "deja.json").write_bytes(USERS_HOOKS)
        (self.path / ".copilot" / "hooks" / "other.json").write_text('{"version": 1, "hooks": {}}')
        (self.path / "co pilot" / "mcp-config.json").write_text(
            '{\n  "mcpServers": {\n    "t": {"env": {"T": "1"}}\n  }\n}'
        )

    def plan(self) -> Plan:
        wiring = Wiring.of(PROGRAM, self.environment, "linux", hooks=True, server=True)
        parts = user_parts(HOSTS, HOSTS, wiring, self.environment, self.path, "linux")
        return plan_install(parts, self.layout)

    def install(self) -> Plan:
        return apply(self.plan, self.layout)[0]

    def uninstall(self) -> Plan:
        parts = removable_parts(HOSTS, self.environment, self.path, "linux")
        return apply(lambda: plan_uninstall(parts, self.layout, lambda _: True), self.layout)[0]

    def snapshot(self) -> Snapshot:
        """Everything but our own folder."""
        found: Snapshot = {}
        for path in self.path.rglob("*"):
            name = str(path.relative_to(self.path))
            if name.split("/")[0] != "ours":
                link = str(path.readlink()) if path.is_symlink() else ""
                found[name] = (path.read_bytes() if path.is_file() else None, link, stat.S_IMODE(path.stat().st_mode))
        return found

    def our_files(self) -> list[str]:
        return sorted(path.name for path in (self.path / "ours").rglob("*") if path.is_file())


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_twice_is_once_and_all_comes_back(home: Home) -> None:
    before = home.snapshot()
    assert len(home.install().pending) == 18
    wired = home.snapshot()
    assert {name for name in before if before[name] != wired[name]} == {
        ".config/Code/User/mcp.json",
        ".config/Code/User/profiles/1a/mcp.json",
        ".config/Code/User/profiles/2b/mcp.json",
        ".copilot/hooks/deja.json",
        "co pilot/mcp-config.json",
        "dotfiles/mcp.json",
    }
    assert home.install().pending == ()
    assert home.snapshot() == wired
    home.uninstall()
    assert (home.snapshot(), (home.path / "ours").exists()) == (before, False)


def test_all_of_ours_is_found_without_a_ledger(home: Home) -> None:
    home.install()
    (home.path / "ours" / "config" / "installed.json").unlink()
    home.uninstall()
    left = {path: path.read_text("utf-8") for path in home.path.rglob("*") if path.is_file()}
    assert [path.name for path, text in left.items() if "deja_hooks" in text or path.suffix == ".md"] == [
        "mine.prompt.md"
    ]
    assert not has_ours(home.path / ".copilot/hooks/deja.json", (home.path / ".copilot/hooks/deja.json").read_bytes())


def test_an_older_ledger_gives_back_what_it_knows(home: Home) -> None:
    """Version 1 knew hook files only, by their text."""
    before = home.snapshot()
    home.install()
    file = home.path / "ours" / "config" / "installed.json"
    ledger = json.loads(file.read_bytes())
    hooks = {path: kept["first"] for path, kept in ledger["files"].items() if kept["kind"] == "hooks"}
    file.write_text(json.dumps({"files": hooks, "folders": ledger["folders"]}))
    assert home.install().pending == ()
    home.uninstall()
    hooks_now = {name: kept for name, kept in home.snapshot().items() if "hooks" in name}
    assert hooks_now == {name: kept for name, kept in before.items() if "hooks" in name}


def test_what_a_vanished_profile_left_in_the_ledger_is_no_fault(home: Home) -> None:
    before = home.snapshot()
    home.install()
    server = home.path / ".vscode-server" / "data" / "User"
    (server / "mcp.json").rename(home.path / "moved.json")
    (home.path / "moved.json").unlink()
    home.uninstall()
    assert home.snapshot() == before


def test_twelve_at_once_leave_one_whole_result(home: Home) -> None:
    before = home.snapshot()
    with ThreadPoolExecutor(12) as pool:
        plans = [future.result() for future in [pool.submit(home.install) for _ in range(12)]]
    assert sorted(len(plan.pending) for plan in plans) == [0] * 11 + [18]
    wired = home.snapshot()
    assert (home.install().pending, home.our_files()) == ((), ["installed.json"])
    home.uninstall()
    assert home.snapshot() == before
    home.install()
    assert home.snapshot() == wired


def test_twelve_processes_at_once(tmp_path: Path) -> None:
    """As a person's scripts would: the command itself."""
    home = tmp_path / "a home"
    (home / ".config" / "Code" / "User").mkdir(parents=True)
    (home / ".config" / "Code" / "User" / "mcp.json").write_bytes(CRLF)
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "DEJA_HOOKS_HOME": str(home / "ours")}
    command = [sys.executable, "-m", "deja_hooks", "install", "--no-index", "--json"]
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) for _ in range(12)
    ]
    reports = [json.loads(process.communicate(timeout=120)[0]) for process in started]
    assert [process.returncode for process in started] == [0] * 12
    did = [{change["action"] for change in report["changes"]} - {"unchanged"} for report in reports]
    assert sorted(map(len, did))[:11] == [0] * 11
    assert json.loads((home / ".copilot" / "hooks" / "deja.json").read_bytes())["version"] == 1
    subprocess.run([*command[:3], "uninstall"], env=environment, check=True, stdout=subprocess.DEVNULL)
    left = [path for path in home.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert [(path.name, path.read_bytes()) for path in left] == [("mcp.json", CRLF)]


# -- killed

_WRITES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.truncate"}


def _killed_at(number: int, work: Callable[[], object], folder: Path) -> bool:
    """Runs the work in a child that dies before its write of this number; whether it came to that."""

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal number
        writes = event in _WRITES
        if event == "open":
            flags = arguments[2]
            writes = isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        if writes and str(folder) in str(arguments[0]):
            number -= 1
            if number < 0:
                os._exit(9)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside other tests' threads
        child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            sys.addaudithook(watch)
            work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def _is_whole(now: Snapshot, before: Snapshot, after: Snapshot) -> None:
    """Each file is the old or the new one; besides, there is what a write left unfinished, under a name of ours."""
    for name, kept in now.items():
        if ".deja-hooks-" in Path(name).name:
            continue
        possible = [state[name] for state in (before, after) if name in state]
        assert kept in possible, name
    for name in before.keys() & after.keys():
        assert name in now


@pytest.mark.parametrize("then", ["install", "uninstall"])
def test_killed_at_any_write_of_an_install(tmp_path: Path, then: str) -> None:
    number = 0
    while True:
        home = Home(tmp_path / str(number))
        before = home.snapshot()
        killed = _killed_at(number, home.install, home.path)
        now = home.snapshot()
        if then == "install" or not killed:
            home.install()
        after = home.snapshot()
        if then == "install":
            assert home.our_files() == ["installed.json"]
            _is_whole(now, before, after)
            assert not [name for name in after if ".deja-hooks-" in name]
        home.uninstall()
        assert (home.snapshot(), home.our_files()) == (before, [])
        if not killed:
            break
        number += 3 if then == "uninstall" else 1
    assert number > 60


@pytest.mark.parametrize("then", ["install", "uninstall"])
def test_killed_at_any_write_of_an_uninstall(tmp_path: Path, then: str) -> None:
    number = 0
    while True:
        home = Home(tmp_path / str(number))
        before = home.snapshot()
        home.install()
        wired = home.snapshot()
        killed = _killed_at(number, home.uninstall, home.path)
        _is_whole(home.snapshot(), wired, before)
        if then == "install":
            home.install()
            assert home.snapshot() == wired
        home.uninstall()
        assert (home.snapshot(), home.our_files()) == (before, [])
        if not killed:
            break
        number += 3 if then == "install" else 1
    assert number > 30
