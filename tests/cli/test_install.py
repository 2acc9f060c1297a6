import contextlib
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import Result, Run

NOT_FOUND = (
    "VS Code Copilot Chat was not found on this machine; it is served as soon as it is there.\n"
    "Copilot CLI was not found on this machine; it is served as soon as it is there.\n"
)
NO_USER_FOLDER = "VS Code has no User folder yet: start it once, and run deja-hooks install again for the rest.\n"


@pytest.fixture
def file(home: Path, extra: None) -> Path:
    return home / ".copilot" / "hooks" / "deja.json"


@pytest.fixture
def extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra `mcp` is there, whatever this environment has."""
    monkeypatch.setattr("deja_hooks.cli.install.find_spec", lambda _: object())


@pytest.fixture
def no_extra(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.cli.install.find_spec", lambda _: None)


def _start(answer: Any) -> Any:
    """A stand-in for the indexer's start: it says how it was called by its answer."""

    def start(layout: object, executable: str) -> bool:
        if isinstance(answer, OSError):
            raise answer
        return bool(answer)

    return start


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (True, "The background indexer has started to read this machine's sessions.\n"),
        (False, "The background indexer is already reading this machine's sessions.\n"),
        (
            OSError(13, "Permission denied"),
            "The background indexer could not be started (failed: Permission denied): run deja-hooks index.\n",
        ),
    ],
)
def test_install_starts_the_indexer_and_says_so(
    deja: Run, file: Path, monkeypatch: pytest.MonkeyPatch, answer: object, said: str
) -> None:
    monkeypatch.setattr("deja_hooks.indexer.start.start", _start(answer))
    assert deja("install") == Result(
        0,
        f"{NOT_FOUND}created {file}\n"
        "Installed: from the next prompt in VS Code, and the next session in Copilot CLI.\n" + said,
    )


def test_install_twice(deja: Run, home: Path, file: Path) -> None:
    (home / ".copilot" / "session-state").mkdir(parents=True)
    (home / ".vscode-server").mkdir()
    deja("install", "--no-index")
    before = file.read_bytes()
    assert deja("install", "--no-index") == Result(
        0,
        f"unchanged {file}\n"
        f"unchanged {home}/.copilot/mcp-config.json\n"
        f"unchanged {home}/.copilot/skills/deja/SKILL.md\n"
        f"{NO_USER_FOLDER}"
        "Already installed: nothing was changed.\n",
    )
    assert file.read_bytes() == before


def test_the_written_command_names_our_folders(deja: Run, home: Path, file: Path) -> None:
    deja("install", "--no-index")
    command = json.loads(file.read_bytes())["hooks"]["Stop"][0]["bash"]
    assert f"entry.py Stop {home}/deja/cache {home}/deja/config || " in command


def test_dry_run_shows_what_would_be_written(deja: Run, home: Path, file: Path) -> None:
    result = deja("install", "--dry-run")
    lines = result.out.splitlines()
    assert lines[2:8] == [
        f"would create {file}",
        "--- ",
        "+++ ",
        "@@ -0,0 +1,69 @@",
        "+{",
        '+  "version": 1,',
    ]
    assert (result.code, result.err, list(home.glob(".copilot")), list(home.glob("deja"))) == (0, "", [], [])


def test_json(deja: Run, file: Path) -> None:
    hosts = [{"name": "vscode", "found": False}, {"name": "copilot", "found": False}]
    changes = [{"path": str(file), "action": "create"}]
    same: dict[str, Any] = {"hosts": hosts, "changes": changes, "notes": [], "indexer": "skipped", "mcp": True}
    assert json.loads(deja("install", "--dry-run", "--json").out) == {"dry_run": True, **same}
    assert json.loads(deja("install", "--no-index", "--json").out) == {"dry_run": False, **same}
    removed = json.loads(deja("uninstall", "--json").out)
    assert removed == {
        "dry_run": False,
        "hosts": hosts,
        "changes": [{"path": str(file), "action": "remove"}],
        "notes": [],
        "kept": [],
        "folders": [str(file.parent), str(file.parents[1])],
    }


def test_one_host(deja: Run, home: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COPILOT_HOME", str(home / "elsewhere"))
    assert deja("install", "copilot", "--no-index") == Result(
        0,
        "Copilot CLI was not found on this machine; it is served as soon as it is there.\n"
        f"created {home}/elsewhere/hooks/deja.json\n"
        f"created {home}/elsewhere/mcp-config.json\n"
        f"created {home}/elsewhere/skills/deja/SKILL.md\n"
        "Installed: from the next prompt in VS Code, and the next session in Copilot CLI.\n",
    )
    assert not file.exists()


def test_uninstall(deja: Run, home: Path, file: Path) -> None:
    stays = f"The memory stays in {home}/deja/cache; delete that folder to forget it.\n"
    assert deja("uninstall") == Result(0, f"Nothing of ours is installed: nothing was changed.\n{stays}")
    deja("install", "--no-index")
    assert deja("uninstall", "--dry-run") == Result(0, f"would remove {file}\n{stays}")
    assert file.exists()
    assert deja("uninstall") == Result(0, f"removed {file}\nremoved {file.parent}\nremoved {file.parents[1]}\n{stays}")
    assert not (home / ".copilot").exists()


def test_uninstall_names_what_it_keeps(deja: Run, home: Path, file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text('{"hooks": {"Stop": [{"bash": "beep"}]}}')
    deja("install", "--no-index")
    assert deja("uninstall") == Result(
        0,
        f"updated {file}\nkept {file}: it holds more than our entries\n"
        f"The memory stays in {home}/deja/cache; delete that folder to forget it.\n",
    )
    assert file.read_text() == '{"hooks": {"Stop": [{"bash": "beep"}]}}'


def test_a_broken_hook_file(deja: Run, home: Path, file: Path) -> None:
    skill = home / ".copilot" / "skills" / "deja" / "SKILL.md"
    deja("install", "copilot", "--no-index")
    written = file.read_bytes()
    file.write_text("{")
    said = (
        f"{file} is not valid JSON (Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)): mend it, or move it away, and try again.\n"
    )
    assert deja("install", "--no-index") == Result(1, "", f"Error: {said}")
    kept = f"kept {file}: it {said.removeprefix(f'{file} ')}"
    stays = f"The memory stays in {home}/deja/cache; delete that folder to forget it.\n"
    gone = [home / ".copilot" / "mcp-config.json", skill, skill.parent, skill.parents[1]]
    told = "".join(f"removed {each}\n" for each in gone)
    assert deja("uninstall") == Result(1, f"unchanged {file}\n{told}{kept}{stays}")
    assert deja("uninstall") == Result(1, f"unchanged {file}\n{kept}Nothing was changed.\n{stays}")
    assert file.read_text() == "{"
    file.write_bytes(written)
    assert deja("uninstall").out.startswith(f"removed {file}\n")


def test_uninstall_with_a_broken_record(deja: Run, home: Path, file: Path, vscode: Path) -> None:
    (vscode / "prompts").mkdir()
    for name in ("session-state", "skills"):
        (home / ".copilot" / name).mkdir(parents=True)
    deja("install", "all", "--no-index")
    ledger = home / "deja" / "config" / "installed.json"
    ledger.write_text("{oops")
    why = "this record of what was installed is broken, and is put aside as installed.json.broken"
    notes = json.loads(deja("uninstall", "--dry-run", "--json").out)["notes"]
    assert notes == [{"path": str(ledger), "note": why}]
    assert ledger.read_text() == "{oops"
    result = deja("uninstall")
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith(
        f"removed {home}/.copilot/skills/deja\nnote {ledger}: {why}\n"
        f"The memory stays in {home}/deja/cache; delete that folder to forget it.\n"
    )
    assert "kept" not in result.out
    assert [each.name for each in ledger.parent.iterdir()] == ["installed.json.broken"]
    left = [*(home / ".copilot").rglob("*"), *(each for each in vscode.rglob("*") if each.is_file())]
    assert sorted(left) == [home / ".copilot" / name for name in ("hooks", "session-state", "skills")]


def test_install_with_a_broken_record(deja: Run, home: Path, file: Path) -> None:
    ledger = home / "deja" / "config" / "installed.json"
    deja("install", "--no-index")
    ledger.write_text("")
    assert f"note {ledger}: this record of what was installed is broken" in deja("install", "--no-index").out
    assert ledger.with_name("installed.json.broken").read_text() == ""
    assert "note" not in deja("uninstall").out
    assert not file.exists()


def test_a_foreign_server_of_our_name_is_kept_and_named(deja: Run, home: Path, file: Path) -> None:
    servers = home / ".copilot" / "mcp-config.json"
    servers.parent.mkdir()
    servers.write_text('{"mcpServers": {"deja": {"command": "x"}}}')
    deja("install", "copilot", "--no-index")
    result = json.loads(deja("uninstall", "--json").out)
    note = {"path": str(servers), "note": 'another program has the name "deja" there'}
    assert (result["kept"], result["notes"]) == ([str(servers)], [note])


def test_what_was_added_to_our_server_is_said_at_uninstall(deja: Run, home: Path, file: Path) -> None:
    deja("install", "copilot", "--no-index")
    servers = home / ".copilot" / "mcp-config.json"
    document = json.loads(servers.read_bytes())
    document["mcpServers"]["deja"]["env"]["TOKEN"] = "s3cret"
    document["mcpServers"]["deja"]["args"].append("--x")
    servers.write_text(json.dumps(document))
    out = deja("uninstall").out
    assert f"note {servers}: what was added to our server goes with it: arguments, env TOKEN\n" in out
    assert "s3cret" not in out
    assert not servers.exists()


def test_the_file_that_serves_both_stays_while_the_other_host_is_wired(
    deja: Run, home: Path, file: Path, vscode: Path
) -> None:
    before = sorted(home.rglob("*"))
    deja("install", "vscode", "--no-index")
    deja("install", "copilot", "--no-index")
    own = [home / ".copilot" / "mcp-config.json", home / ".copilot" / "skills" / "deja" / "SKILL.md"]
    told = "".join(f"removed {each}\n" for each in (*own, own[1].parent, own[1].parents[1]))
    stays = f"The memory stays in {home}/deja/cache; delete that folder to forget it.\n"
    kept = f"kept {file}: VS Code Copilot Chat, which is still wired, reads it too\n"
    assert deja("uninstall", "copilot") == Result(0, f"unchanged {file}\n{told}{kept}{stays}")
    assert file.exists()
    deja("install", "copilot", "--no-index")
    assert "Copilot CLI, which is still wired, reads it too" in deja("uninstall", "vscode").out
    deja("uninstall", "copilot")
    assert sorted(home.rglob("*")) == before


def test_the_clis_file_elsewhere_serves_vscode_too(
    deja: Run, home: Path, file: Path, vscode: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COPILOT_HOME", str(home / "elsewhere"))
    elsewhere = home / "elsewhere" / "hooks" / "deja.json"
    deja("install", "vscode", "--no-index")
    assert f"kept {elsewhere}: VS Code" in deja("uninstall", "copilot").out
    assert (elsewhere.exists(), file.exists()) == (True, True)
    deja("uninstall", "vscode")
    deja("uninstall", "copilot")
    assert (elsewhere.exists(), file.exists()) == (False, False)


def test_without_a_sign_of_the_other_host_it_goes(deja: Run, home: Path, file: Path) -> None:
    deja("install", "--no-index")
    deja("uninstall", "copilot")
    assert not (home / ".copilot").exists()


def test_the_root_is_no_project(deja: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    said = "Error: / holds all projects and is none: go to a project's folder, or leave --scope out.\n"
    for command in (["install", "--no-index"], ["uninstall"]):
        assert deja(*command, "--scope", "workspace") == Result(1, "", said)


def test_a_record_of_the_roots_files_breaks_nothing(deja: Run, home: Path, file: Path) -> None:
    deja("install", "--no-index")
    ledger = home / "deja" / "config" / "installed.json"
    document = json.loads(ledger.read_bytes())
    document["files"]["/.vscode/mcp.json"] = {"kind": "server", "section": "servers"}
    ledger.write_text(json.dumps(document))
    result = deja("install", "--no-index")
    assert (result.code, result.err) == (0, "")


def test_a_home_that_is_not_there_is_not_made(deja: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "none" / "x"
    monkeypatch.setenv("HOME", str(home))
    said = f"Error: The home folder {home} is not there: set HOME to one that is.\n"
    assert deja("install", "--no-index") == Result(1, "", said)
    assert not home.parent.exists()


def test_the_hint_about_the_extra_is_in_the_json_too(deja: Run, file: Path, no_extra: None) -> None:
    notes = json.loads(deja("install", "--no-index", "--json").out)["notes"]
    assert notes == [
        {
            "path": None,
            "note": "The tool deja was left out: it needs the extra mcp. Install deja-hooks[mcp] in the place of "
            "deja-hooks, and run deja-hooks install again.",
        }
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="hard links")
def test_a_hard_link_that_is_lost_is_said(deja: Run, home: Path, vscode: Path) -> None:
    (vscode / "mcp.json").write_text("{}")
    (home / "mine.json").hardlink_to(vscode / "mcp.json")
    said = f"note {vscode}/mcp.json: it is a hard link no longer: the file's other names keep what it held\n"
    assert said in deja("install", "--no-index").out
    assert said not in deja("install", "--no-index").out
    assert (home / "mine.json").read_text() == "{}"


def test_a_shim_is_refused(deja: Run, home: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = home / "python"
    shim.write_text("#!/bin/sh\n")
    monkeypatch.setattr("deja_hooks.cli.context.sys.executable", str(shim))
    result = deja("install", "--no-index")
    assert (result.code, result.out, file.exists()) == (1, "", False)
    assert result.err.startswith(f"Error: {shim} is a shim that looks for an interpreter at every call: ")


@pytest.fixture
def vscode(home: Path, file: Path) -> Path:
    """The User folder of a VS Code with one profile."""
    user = home / ".config" / "Code" / "User"
    (user / "profiles" / "1a2b").mkdir(parents=True)
    return user


def _server(home: Path, **more: object) -> dict[str, object]:
    command = {"command": sys.executable, "args": ["-I", "-m", "deja_hooks", "mcp"]}
    return {**command, "env": {"DEJA_HOOKS_HOME": f"{home}/deja"}, **more}


def test_both_hosts_get_all_that_is_theirs(deja: Run, home: Path, file: Path, vscode: Path) -> None:
    copilot = home / ".copilot"
    (copilot / "session-state").mkdir(parents=True)
    texts = [
        folder / "prompts" / name
        for folder in (vscode, vscode / "profiles" / "1a2b")
        for name in ("deja.instructions.md", "deja.prompt.md")
    ]
    skill = copilot / "skills" / "deja" / "SKILL.md"
    files = [
        file,
        vscode / "mcp.json",
        *texts[:2],
        vscode / "profiles" / "1a2b" / "mcp.json",
        *texts[2:],
        copilot / "mcp-config.json",
        skill,
    ]
    before = sorted(home.rglob("*"))
    told = "".join(f"created {each}\n" for each in files)
    assert deja("install", "--no-index") == Result(
        0, told + "Installed: from the next prompt in VS Code, and the next session in Copilot CLI.\n"
    )
    for folder in (vscode, vscode / "profiles" / "1a2b"):
        assert json.loads((folder / "mcp.json").read_bytes()) == {"servers": {"deja": _server(home, type="stdio")}}
    assert json.loads((copilot / "mcp-config.json").read_bytes()) == {
        "mcpServers": {"deja": _server(home, type="local", tools=["*"])}
    }
    program = f"{sys.executable} -I -m deja_hooks"  # no PATH finds us here
    for text in (*texts, skill):
        assert f"`{program} search WORDS`" in text.read_text(encoding="utf-8")
        assert "@" not in text.read_text(encoding="utf-8")
    deja("uninstall")
    assert sorted(home.rglob("*")) == before


def test_without_the_extra_the_tool_is_left_out_with_a_hint(
    deja: Run, file: Path, vscode: Path, no_extra: None
) -> None:
    (vscode / "mcp.json").write_text('{"servers": {"other": {"command": "x"}}}')
    told = "".join(
        f"created {each}\n"
        for each in (
            file,
            *(vscode / "prompts" / name for name in ("deja.instructions.md", "deja.prompt.md")),
            *(vscode / "profiles" / "1a2b" / "prompts" / name for name in ("deja.instructions.md", "deja.prompt.md")),
        )
    )
    assert deja("install", "vscode-auto", "--no-index") == Result(
        0,
        f"{told}The tool deja was left out: it needs the extra mcp. "
        "Install deja-hooks[mcp] in the place of deja-hooks, and run deja-hooks install again.\n"
        "Installed: from the next prompt in VS Code, and the next session in Copilot CLI.\n",
    )
    assert (vscode / "mcp.json").read_text() == '{"servers": {"other": {"command": "x"}}}'


def test_no_hooks(deja: Run, home: Path, file: Path) -> None:
    deja("install", "copilot-auto", "--no-hooks", "--no-index")
    assert not file.exists()
    assert (home / ".copilot" / "mcp-config.json").exists()


def test_a_dry_run_shows_nothing_of_a_file_with_tokens(deja: Run, vscode: Path) -> None:
    text = '{"servers": {"x": {"env": {"PASSWORD": "plain words"}}}}'
    (vscode / "mcp.json").write_text(text)
    out = deja("install", "--dry-run").out
    server = json.dumps({"deja": json.loads(out.partition('+, "deja": ')[2].partition("\n")[0])})
    assert f"would update {vscode}/mcp.json\n+, {server[1:-1]}\n" in out
    assert "plain words" not in out
    deja("install", "--no-index")
    deja("uninstall", "--dry-run")
    assert "plain words" not in deja("uninstall", "--dry-run").out
    assert "plain words" not in (vscode.parents[2] / "deja" / "config" / "installed.json").read_text()


def test_another_program_of_that_name_and_a_changed_text_are_left(deja: Run, vscode: Path) -> None:
    (vscode / "mcp.json").write_text('{"servers": {"deja": {"command": "x"}}}')
    (vscode / "prompts").mkdir()
    (vscode / "prompts" / "deja.prompt.md").write_text("my own")
    result = deja("install", "--no-index")
    assert f'left {vscode}/mcp.json: another program has the name "deja" there\n' in result.out
    assert f"left {vscode}/prompts/deja.prompt.md: it is not what deja-hooks wrote there\n" in result.out
    instructions = vscode / "prompts" / "deja.instructions.md"
    instructions.write_text("changed")
    assert f"kept {instructions}: it is not what deja-hooks wrote there\n" in deja("uninstall").out
    assert (vscode / "mcp.json").read_text() == '{"servers": {"deja": {"command": "x"}}}'
    assert [(each.name, each.read_text()) for each in sorted((vscode / "prompts").iterdir())] == [
        ("deja.instructions.md", "changed"),
        ("deja.prompt.md", "my own"),
    ]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.cli.install.on_terminal", lambda: True)


@pytest.mark.parametrize("answer", ["y\n", "\n", "n\n"])
def test_on_a_terminal_it_asks_once(deja: Run, home: Path, file: Path, answer: str, terminal: None) -> None:
    (home / ".copilot" / "session-state").mkdir(parents=True)
    copilot = home / ".copilot"
    asked = "".join(
        f"would create {each}\n" for each in (file, copilot / "mcp-config.json", copilot / "skills/deja/SKILL.md")
    )
    result = deja("install", "--no-index", stdin=answer)
    assert result.err.startswith(f"{asked}Let Copilot CLI call deja-hooks? [Y/n]: ")
    assert (result.code, file.exists()) == ((1, False) if answer == "n\n" else (0, True))
    assert result.err.endswith("Error: Nothing was written.\n") == (answer == "n\n")
    if answer != "n\n":
        assert deja("install", "--no-index").err == ""  # nothing to ask about


@pytest.mark.parametrize("arguments", [["copilot"], ["all"], ["--yes"], ["--json"], ["--dry-run"]])
def test_what_is_said_is_not_asked(deja: Run, file: Path, arguments: list[str], terminal: None) -> None:
    result = deja("install", "--no-index", *arguments)
    assert (result.code, result.err) == (0, "")


@pytest.fixture
def tree(home: Path) -> Path:
    tree = home / "src" / "app"
    (tree / ".git").mkdir()
    (tree / "below").mkdir()
    return tree


def test_a_workspace_is_wired_and_given_back(
    deja: Run, tree: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / ".vscode").mkdir()
    (tree / ".vscode" / "mcp.json").write_text("// ours\n{}\n")
    before = sorted(tree.rglob("*"))
    monkeypatch.chdir(tree / "below")
    files = [
        tree / ".github" / "hooks" / "deja.json",
        tree / ".vscode" / "mcp.json",
        tree / ".github" / "instructions" / "deja.instructions.md",
        tree / ".github" / "prompts" / "deja.prompt.md",
    ]
    assert deja("install", "--scope", "workspace", "--no-index") == Result(
        0,
        f"created {files[0]}\nupdated {files[1]}\ncreated {files[2]}\ncreated {files[3]}\n"
        "These files name paths of this machine: don't commit them.\n"
        "Installed: from the next prompt in VS Code, and the next session in Copilot CLI.\n",
    )
    assert not file.exists()
    again = deja("install", "--scope", "workspace", "--no-index")
    assert again.out.endswith("Already installed: nothing was changed.\n")
    twice = f"Hooks run twice in {tree}: run deja-hooks uninstall --scope workspace there.\n"
    assert twice in deja("install", "--no-index").out
    deja("uninstall", "--scope", "user")
    assert (files[0].exists(), file.exists()) == (True, False)
    deja("uninstall", "--scope", "workspace")
    assert sorted(tree.rglob("*")) == before
    assert files[1].read_text() == "// ours\n{}\n"


def test_a_work_trees_file_that_serves_both(deja: Run, tree: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    deja("install", "--scope", "workspace", "--no-index")
    hooks = tree / ".github" / "hooks" / "deja.json"
    assert f"kept {hooks}: VS Code" in deja("uninstall", "copilot", "--scope", "workspace").out
    deja("uninstall", "vscode", "--scope", "workspace")
    assert sorted(each.name for each in tree.iterdir()) == [".git", "below"]


def test_uninstall_without_a_scope_takes_work_trees_along(
    deja: Run, tree: Path, home: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deja("install", "--scope", "workspace", "--no-index")
    monkeypatch.chdir(home)
    deja("uninstall")
    assert sorted(each.name for each in tree.iterdir()) == [".git", "below"]


def test_a_workspace_beside_a_wired_user_is_an_error(deja: Run, tree: Path, file: Path) -> None:
    deja("install", "--no-index")
    assert deja("install", "--scope", "workspace", "--no-index") == Result(
        1,
        "",
        f"Error: {file} already calls deja-hooks in every project, so each hook would run twice in {tree}: "
        "run deja-hooks uninstall --scope user first, or add --no-hooks.\n",
    )
    assert deja("install", "--scope", "workspace", "--no-index", "--no-hooks").code == 0
    assert sorted(each.name for each in (tree / ".github").iterdir()) == ["instructions", "prompts"]


def test_the_home_is_no_workspace(deja: Run, home: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    assert deja("install", "--scope", "workspace") == Result(
        1,
        "",
        f"Error: {home} is the home folder, not a project: go to a project's folder, or leave --scope out.\n",
    )


def test_purge(deja: Run, home: Path, file: Path) -> None:
    session = home / ".copilot" / "session-state" / "s1" / "events.jsonl"
    session.parent.mkdir(parents=True)
    session.write_text("{}\n")
    before = sorted(home.rglob("*"))
    deja("install", "--no-index")
    deja("index")
    deja("remember", "a note")
    deja("off")
    refused = deja("uninstall", "--purge")
    assert (refused.code, file.exists()) == (1, True)
    assert refused.err == (
        f"Error: Erase the memory, state, marks and settings in {home}/deja/cache and {home}/deja/config for good? "
        "There is no terminal to ask on: add --yes, or --dry-run to only look. Nothing was changed.\n"
    )
    assert deja("uninstall", "--purge", "--dry-run").out.endswith(
        f"would erase {home}/deja/cache\nwould erase {home}/deja/config\n"
    )
    done = deja("uninstall", "--purge", "--yes")
    assert (done.code, done.out.endswith(f"erased {home}/deja/cache\nerased {home}/deja/config\n")) == (0, True)
    assert sorted(home.rglob("*")) == before
    assert json.loads(deja("uninstall", "--purge", "--yes", "--json").out)["erased"] == []


def test_purge_goes_with_everything(deja: Run) -> None:
    for arguments in (["copilot"], ["--scope", "user"]):
        result = deja("uninstall", "--purge", "--yes", *arguments)
        assert (result.code, result.out) == (2, "")
        assert result.err.endswith("Error: --purge goes with everything: leave HOSTS and --scope out.\n")


def test_a_newer_ledger_is_left_alone(deja: Run, home: Path, file: Path) -> None:
    ledger = home / "deja" / "config" / "installed.json"
    ledger.parent.mkdir(parents=True)
    text = '{"version": 99, "files": {}, "folders": []}'
    ledger.write_text(text)
    for command in ("install", "uninstall"):
        assert deja(command) == Result(
            1, "", f"Error: {ledger} was written by a newer deja-hooks: use that one, or upgrade this one.\n"
        )
    assert (ledger.read_text(), file.exists()) == (text, False)


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need rights there")
def test_what_can_hold_nothing_of_ours_keeps_nobody_from_uninstalling(deja: Run, file: Path, vscode: Path) -> None:
    (vscode / "mcp.json").symlink_to("mcp.json")
    (vscode / "profiles" / "1a2b" / "mcp.json").mkdir()
    refused = deja("install", "--no-index")
    assert refused.err.startswith(f"Error: {vscode}/mcp.json can't be read (Too many levels of symbolic links")
    assert (refused.code, file.exists()) == (1, False)
    assert deja("install", "copilot", "--no-index").code == 0
    assert deja("uninstall").code == 0
    assert not file.exists()


def test_an_older_versions_wiring_state_and_memory(deja: Run, home: Path, file: Path) -> None:
    """A ledger without a version, a command of another shape, databases of other schemas: all is renewed."""
    session = home / ".copilot" / "session-state" / "s1" / "events.jsonl"
    session.parent.mkdir(parents=True)
    session.write_text(
        '{"type":"session.start","data":{"sessionId":"s1","version":1,"startTime":"2026-02-01T10:00:00.000Z",'
        f'"context":{{"cwd":"{home}/src/app"}}}},"id":"e1","timestamp":"2026-02-01T10:00:00.000Z"}}\n'
        '{"type":"user.message","data":{"content":"Which retry_budget?"},"id":"e2",'
        '"timestamp":"2026-02-01T10:00:01.000Z"}\n'
    )
    before = sorted(home.rglob("*"))
    config, cache = home / "deja" / "config", home / "deja" / "cache"
    for folder in (config, cache, file.parent):
        folder.mkdir(parents=True)
    users = '{"version": 1, "hooks": {"Stop": [{"type": "command", "bash": "beep"}]}}'
    old = {"type": "command", "bash": "exec /old/python -I -S /old/deja_hooks/hook/entry.py Stop"}
    wired = json.loads(users)
    wired["hooks"]["Stop"].append(old)
    wired["hooks"]["SubagentStop"] = [old]  # an event that it had then
    file.write_text(json.dumps(wired))
    (config / "installed.json").write_text(json.dumps({"files": {str(file): users}, "folders": []}))
    for name in ("memory.db", "state.db"):
        with contextlib.closing(sqlite3.connect(cache / name)) as db:
            db.executescript("CREATE TABLE session(old); PRAGMA user_version=1;")
    assert f"updated {file}\n" in deja("install", "--no-index").out
    renewed = json.loads(file.read_bytes())["hooks"]
    assert [len(renewed["Stop"]), "SubagentStop" in renewed, "/old/" in json.dumps(renewed)] == [2, False, False]
    assert deja("index").code == 0
    assert json.loads(deja("sessions", "--json").out)[0]["session_id"] == "s1"
    deja("uninstall", "--purge", "--yes")
    assert file.read_text() == users
    assert sorted(home.rglob("*")) == sorted([*before, file, *file.parents[:1]])
