"""Faults planted in a healthy home, each found by name; and mended where `--fix` says that it can be."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from deja_hooks.indexer.report import keep_fault
from tests.support.world import World

from .conftest import Deja, made_folder
from .plants import (
    SECRET,
    Plant,
    alias,
    both_spellings,
    corrupt,
    document,
    foreign,
    grouped,
    hooks,
    in_commands,
    interpreter,
    json_file,
    nothing,
    ring_as_folder,
    ring_line,
    shim,
    silent_script,
    sql,
    stale_claim,
    text_file,
    twice,
    unread,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes, links and shells")

TOOL = ["-m", "deja_hooks", "mcp"]
FIXABLE: dict[str, tuple[Plant, set[str]]] = {
    "VS Code's recall tool deleted": (lambda w: (w.user / "mcp.json").unlink(), {"mcp"}),
    "the CLI's recall tool deleted": (lambda w: (w.home / ".copilot" / "mcp-config.json").unlink(), {"mcp"}),
    "the prompt file deleted": (lambda w: (w.user / "prompts" / "deja.prompt.md").unlink(), {"instructions"}),
    "the skill deleted": (lambda w: (w.home / ".copilot" / "skills" / "deja" / "SKILL.md").unlink(), {"instructions"}),
    "no hook file": (lambda world: hooks(world).unlink(), {"hook-file"}),
    "a hook file of another version": (document(lambda d: d.update(version=2)), {"hook-file"}),
    "an event missing": (document(lambda d: d["hooks"].pop("Stop")), {"hook-entries"}),
    "an event answered twice": (document(twice), {"hook-entries"}),
    "an entry in a group": (document(grouped), {"hook-entries"}),
    "a stale entry": (document(lambda d: d["hooks"]["Stop"][0].update(timeoutSec=30)), {"hook-entries"}),
    "our entry under an event of others": (
        document(lambda d: d["hooks"].update(Notification=d["hooks"]["Stop"])),
        {"hook-entries"},
    ),
    "a removed environment": (interpreter(nothing), {"hook-entries", "interpreter", "run"}),
    "an environment without its Python": (
        interpreter(lambda path: path.symlink_to("/no/python3")),
        {"hook-entries", "interpreter", "run"},
    ),
    "a shim": (interpreter(shim), {"interpreter"}),
    "a Store alias": (alias, {"interpreter"}),
    "no script": (
        in_commands("hook/entry.py", "hook/entry.py/deja_hooks/hook/entry.py"),
        {"hook-entries", "interpreter", "run"},
    ),
    "an exit that denies tools": (in_commands("; exit 0", "; exit 1"), {"hook-entries", "run"}),
    "words on stderr": (in_commands("exec 2>/dev/null;", "echo token=hunter2hunter2 >&2;"), {"hook-entries", "run"}),
    "words on stdout": (in_commands("exec 2>/dev/null;", "exec 2>/dev/null; echo hello;"), {"hook-entries", "run"}),
    "a hook file that others can write": (lambda world: hooks(world).chmod(0o666), {"hook-modes"}),
    "a hook folder that others can write": (lambda world: hooks(world).parent.chmod(0o777), {"hook-modes"}),
    "a corrupt memory": (corrupt("memory.db"), {"memory-db"}),
    "another program's database as memory": (foreign("memory.db"), {"memory-db"}),
    "a memory of another version": (sql("memory.db", "PRAGMA user_version=1"), {"memory-db"}),
    "a corrupt state": (corrupt("state.db"), {"state-db"}),
    "another program's database as state": (foreign("state.db"), {"state-db"}),
    "a database that others can read": (lambda world: Path(world.layout.memory).chmod(0o644), {"permissions"}),
    "a folder that others can read": (lambda world: Path(world.layout.cache).chmod(0o755), {"permissions"}),
    "a dead indexer's claim": (stale_claim, {"index-claim"}),
    "an indexer that failed": (lambda world: keep_fault(world.layout, OSError("no space")), {"index-error"}),
    "sessions that nobody has read": (unread, {"index"}),
}

OTHERS: dict[str, tuple[Plant, set[str]]] = {
    "a hook file that is no JSON": (lambda world: hooks(world).write_text('{"version": 1,'), {"hook-file"}),
    "a hook file that is a folder": (lambda w: (hooks(w).unlink(), hooks(w).mkdir()), {"hook-file"}),
    "two spellings of one event": (document(both_spellings), {"hook-file"}),
    "a hook file that disables hooks": (document(lambda d: d.update(disableAllHooks=True)), {"hook-file"}),
    "a copy in the repository": (json_file("SHOP", ".github", "hooks", "x.json", hooks="@HOOKS@"), {"hook-copies"}),
    "a copy in Claude's settings": (json_file("SHOP", ".claude", "settings.json", hooks="@HOOKS@"), {"hook-copies"}),
    "a copy in the user's Claude settings": (
        json_file(".claude", "settings.local.json", hooks="@HOOKS@"),
        {"hook-copies"},
    ),
    "a copy in another hook file": (json_file(".copilot", "hooks", "x.json", hooks="@HOOKS@"), {"hook-copies"}),
    "a copy in the CLI's settings": (json_file(".copilot", "settings.json", hooks="@HOOKS@"), {"hook-copies"}),
    "a recall tool without its interpreter": (
        json_file(".copilot", "mcp-config.json", mcpServers={"deja": {"command": "/no/python", "args": TOOL}}),
        {"mcp"},
    ),
    "VS Code's recall tool without its interpreter": (
        json_file(
            ".config",
            "Code",
            "User",
            "profiles",
            "p",
            "mcp.json",
            servers={"deja": {"command": "/no/python3", "args": TOOL}},
        ),
        {"mcp"},
    ),
    "instructions without their interpreter": (
        text_file(
            lambda world: str(world.user / "prompts" / "deja.instructions.md"),
            "Run `/no/bin/python -m deja_hooks search WORDS` first.\n",
        ),
        {"instructions"},
    ),
    "chat.useHooks off": (
        text_file(lambda world: str(world.user / "settings.json"), '{\n  // no\n  "chat.useHooks": false,\n}\n'),
        {"vscode-hooks"},
    ),
    "chat.useHooks off in a profile": (
        json_file(".config", "Code", "User", "profiles", "p", "settings.json", **{"chat.useHooks": False}),
        {"vscode-hooks"},
    ),
    "chat.useHooks off in the project": (
        json_file("SHOP", ".vscode", "settings.json", **{"chat.useHooks": False}),
        {"vscode-hooks"},
    ),
    "the hooks' folder switched off": (
        json_file(
            ".config", "Code", "User", "settings.json", **{"chat.hookFilesLocations": {"~/.copilot/hooks/": False}}
        ),
        {"vscode-hooks"},
    ),
    "a policy": (
        text_file(
            lambda world: str(world.home.parent / "system" / "etc" / "vscode" / "policy.json"), '{"ChatHooks": false}'
        ),
        {"vscode-policy"},
    ),
    "disableAllHooks": (json_file(".copilot", "settings.json", disableAllHooks=True), {"cli-hooks"}),
    "disableAllHooks in the project": (
        json_file("SHOP", ".github", "copilot", "settings.json", disableAllHooks=True),
        {"cli-hooks"},
    ),
    "a script that does nothing": (silent_script, {"run"}),
    "a format that nobody understands": (
        sql("memory.db", "UPDATE source SET tally='[3, 0, 0, 3, 0, []]', version='9.0' WHERE store='cli-events'"),
        {"stores"},
    ),
    "a secret in the memory": (sql("memory.db", f"UPDATE turn SET user='use {SECRET}'"), {"secrets"}),
    "a secret in the ring": (ring_line({"e": "Stop", "p": f"export TOKEN={SECRET}"}), {"secrets"}),
    "a secret in a recording": (
        lambda w: (
            made_folder(Path(w.layout.recordings)).chmod(0o700)
            or text_file(lambda w: w.layout.recordings + "/1-1-Stop.json", f'{{"prompt": "{SECRET}"}}')(w)
        ),
        {"secrets"},
    ),
    "a ledger that can't be understood": (text_file(lambda w: w.layout.in_config("installed.json"), "{"), {"ledger"}),
    "an empty ledger": (text_file(lambda w: w.layout.in_config("installed.json"), ""), {"ledger"}),
    "a newer ledger": (text_file(lambda w: w.layout.in_config("installed.json"), '{"version": 99}'), {"ledger"}),
    "settings that can't be used": (text_file(lambda world: world.layout.settings, '{"exclud": {}}'), {"decisions"}),
    "a mark that can't be understood": (text_file(lambda world: world.layout.marks, '{"kind": "x"}\n'), {"decisions"}),
    "a folder as the ring": (ring_as_folder, {"calls"}),
    "a call that failed": (ring_line({"e": "Stop", "r": "failed: OSError: no space"}), {"calls"}),
    "a switch that can't be read": (lambda w: made_folder(Path(w.layout.off)).chmod(0o700), {"switched-off"}),
}


@pytest.fixture(autouse=True)
def _one_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """One command is run instead of all fourteen: test_run has the others."""
    monkeypatch.setattr("deja_hooks.doctor.run.EVENTS", ["Stop"])


def _broken(out: str) -> set[str]:
    return {line.split()[1] for line in out.splitlines() if line.startswith("  BROKEN ")}


@pytest.mark.parametrize("fault", list(FIXABLE))
def test_a_fault_is_found_and_mended(healthy: World, deja: Deja, fault: str) -> None:
    plant, checks = FIXABLE[fault]
    plant(healthy)
    found = deja("doctor")
    assert (found.code, _broken(found.out)) == (1, checks), found.out
    assert "hunter2" not in found.out
    mended = deja("doctor", "--fix")
    assert mended.out.startswith("Mended (")
    assert (mended.code, _broken(mended.out)) == (0, set()), mended.out
    again = deja("doctor")
    assert (again.code, _broken(again.out)) == (0, set()), again.out


@pytest.mark.parametrize("fault", list(OTHERS))
def test_a_fault_is_found(healthy: World, deja: Deja, fault: str) -> None:
    plant, checks = OTHERS[fault]
    plant(healthy)
    found = deja("doctor", "--json")
    assert SECRET not in found.out
    faults = [finding for finding in json.loads(found.out)["findings"] if finding["state"] == "broken"]
    assert (found.code, {fault["check"] for fault in faults}) == (1, checks), found.out
    assert all(fault["do"] and not fault["fixable"] for fault in faults)
