"""The parts that read hosts' files: JSON with comments, commands, settings, policies, windows, companions."""

from __future__ import annotations

import json
import plistlib
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.doctor.companions import check_companions
from deja_hooks.doctor.copies import check_copies, places_of_hooks
from deja_hooks.doctor.entries import command_of, our_entries, program_of
from deja_hooks.doctor.finding import Finding
from deja_hooks.doctor.jsonc import JsoncError, read_jsonc
from deja_hooks.doctor.vscode_settings import check_policy, check_vscode_settings
from deja_hooks.doctor.windows import check_remote, check_trust
from deja_hooks.hosts.command import Program, posix_command, powershell_command
from deja_hooks.hosts.hook_file import ours

from .conftest import made_folder

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
#: Any text that a path may be: no NUL, and nothing that UTF-8 can't say.
PATHS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


def _seen(findings: object) -> list[tuple[str, str, str]]:
    return [(each.state, each.about, each.seen) for each in findings if isinstance(each, Finding)]  # type: ignore[attr-defined]


# -- JSON with comments


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_a_document_is_read_with_and_without_comments(value: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "settings.json")
        path.write_bytes(json.dumps(value).encode())
        assert read_jsonc(path) == value
        lines = json.dumps(value, indent=1, ensure_ascii=False)
        comma = "," if value else ""
        path.write_text(f"// one, {{\n/* two */ {lines[:-1].rstrip()}{comma}\n}} // end", encoding="utf-8")
        assert read_jsonc(path) == value


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"[1]", "it holds no JSON object"),
        (b"\xff\xfe", "it is not UTF-8"),
        (b"{", "it is not JSON (Expecting value. "),
        (b'{"a": 1 "b": 2}', "it is not JSON (Syntax Error. "),
        (b"// nothing", "it is not JSON (Expecting value. "),
        (b'{"a": ' + b"[" * 100_000, "it is nested too deeply"),
        (b" " * (1 << 20) + b"{}", "it can't be read ("),
    ],
)
def test_what_is_no_document_is_said(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    with pytest.raises(JsoncError) as error:
        read_jsonc(path)
    assert str(error.value).startswith(why)


def test_nothing_and_a_blank_file(tmp_path: Path) -> None:
    assert read_jsonc(tmp_path / "none.json") is None
    (tmp_path / "blank.json").write_text("\ufeff \n")
    assert read_jsonc(tmp_path / "blank.json") == {}


# -- commands


@given(PATHS, PATHS, PATHS, PATHS)
def test_what_a_command_runs_is_known_again(python: str, script: str, cache: str, config: str) -> None:
    program = Program(python, script, cache, config)
    assert program_of(posix_command(program, "Stop")) == program
    # PowerShell's other single quotes are doubled as well, and read as they were written.
    if not any(quote in "".join(program) for quote in "\u2018\u2019\u201a\u201b"):
        assert program_of(powershell_command(program, "Stop")) == program


@given(st.text())
def test_no_other_command_is_taken_for_ours(text: str) -> None:
    assert program_of(text) is None


def test_which_command_a_host_takes() -> None:
    entry = {"command": "c", "bash": "b", "powershell": "p"}
    assert [command_of(entry, each) for each in ("linux", "darwin", "win32", "freebsd13")] == ["b", "b", "p", "b"]
    named = {**entry, "linux": "l", "osx": "o", "windows": "w"}
    assert [command_of(named, each) for each in ("linux", "darwin", "win32")] == ["l", "o", "w"]
    assert [command_of({"bash": "", "command": "c"}, "linux"), command_of({"bash": 3}, "linux")] == ["c", ""]


@pytest.mark.parametrize("document", [{}, {"hooks": 1}, {"hooks": {"Stop": 1}}, {"hooks": {"Stop": [1, {"hooks": 2}]}}])
def test_files_without_entries_of_ours(document: dict[str, Any]) -> None:
    assert our_entries(document) == []


def test_our_entries_in_groups_too() -> None:
    hooks = ours(Program("/py", "/lib/deja_hooks/hook/entry.py", "/c", "/d"))["hooks"]
    document = {"hooks": {"Stop": [{"hooks": hooks["Stop"]}, {"bash": "true"}], "SessionEnd": hooks["SessionEnd"]}}
    assert [(each.event, each.grouped) for each in our_entries(document)] == [("Stop", True), ("SessionEnd", False)]


# -- copies


def test_places_are_looked_at_once(tmp_path: Path) -> None:
    hooks = made_folder(tmp_path / ".copilot" / "hooks")
    (hooks / "b.json").write_text("{}")
    (hooks / "a.json").symlink_to(hooks / "b.json")
    (tmp_path / ".claude").symlink_to(made_folder(tmp_path / "claude"))
    (tmp_path / "claude" / "settings.json").write_text("{")
    found = places_of_hooks(tmp_path, tmp_path / ".copilot", [tmp_path])
    assert found == [hooks / "a.json", tmp_path / ".claude" / "settings.json"]
    assert _seen(check_copies(found, [hooks / "b.json"])) == [
        (
            "note",
            str(tmp_path / ".claude" / "settings.json"),
            "not looked into: it is not JSON (Expecting value. Unexpected EOF at: line 1 column 2 (char 1). "
            "Was expecting RBRACE or key)",
        ),
        ("ok", "other hook files", "deja-hooks is called from none of 1 other file with hooks or settings"),
    ]


# -- VS Code's settings and policies


def test_every_side_of_vs_code_is_looked_at(tmp_path: Path) -> None:
    user = made_folder(tmp_path / ".vscode-server" / "data" / "User")
    (made_folder(user.parent / "Machine") / "settings.json").write_text('{"chat.useHooks": false}')
    (user / "settings.json").write_text(
        '{"chat.useHooks": 0, "chat.hookFilesLocations": {"~/.copilot/hooks": true, "x": false}}'
    )
    assert _seen(check_vscode_settings([user], [])) == [
        ("broken", str(user.parent / "Machine" / "settings.json"), "chat.useHooks is false: VS Code calls no hook")
    ]
    (user.parent / "Machine" / "settings.json").write_text("{")
    assert [state for state, _, _ in _seen(check_vscode_settings([user, user], []))] == ["note", "note", "ok"]


OFF = "the policy ChatHooks is off: VS Code calls no hook"


@pytest.mark.parametrize("value", [False, 0])
def test_policies(tmp_path: Path, value: object) -> None:
    on = [("ok", "VS Code's policies", "none forbids hooks")]
    assert _seen(check_policy("linux", tmp_path, "", None)) == on
    linux = made_folder(tmp_path / "etc" / "vscode") / "policy.json"
    linux.write_text(json.dumps({"ChatHooks": value}))
    assert _seen(check_policy("linux", tmp_path, "", None)) == [("broken", str(linux), OFF)]
    linux.write_text("[]")
    assert _seen(check_policy("linux", tmp_path, "", None)) == on
    linux.write_text('{"ChatHooks": true}')
    assert _seen(check_policy("linux", tmp_path, "", None)) == on

    managed = made_folder(tmp_path / "Library" / "Managed Preferences" / "uma") / "com.microsoft.VSCode.plist"
    managed.write_bytes(plistlib.dumps({"ChatHooks": value}, fmt=plistlib.FMT_BINARY))
    assert _seen(check_policy("darwin", tmp_path, "uma", None)) == [("broken", str(managed), OFF)]
    assert _seen(check_policy("darwin", tmp_path, "ada", None)) == on
    managed.write_bytes(b"bplist00 and no more")
    assert _seen(check_policy("darwin", tmp_path, "uma", None)) == on

    products = {"VSCode": {}, "VSCodeInsiders": {"ChatHooks": value}}
    assert _seen(check_policy("win32", tmp_path, "", products.__getitem__)) == [
        ("broken", "Software\\Policies\\Microsoft\\VSCodeInsiders", OFF)
    ]


# -- windows


def _workspace(user: Path, name: str, uri: str) -> None:
    (made_folder(user / "workspaceStorage" / name) / "workspace.json").write_text(json.dumps({"folder": uri}))


def _trust(user: Path, *entries: object) -> Path:
    path = made_folder(user / "globalStorage") / "state.vscdb"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE ItemTable(key TEXT, value BLOB)")
        value = json.dumps({"uriTrustInfo": entries})
        db.execute("INSERT INTO ItemTable VALUES ('content.trust.model.key', ?)", (value,))
        db.commit()
    return path


def test_trust(tmp_path: Path) -> None:
    project, user = made_folder(tmp_path / "project" / "sub").parent, tmp_path / "User"
    made_folder(user)
    inside = (str(project / "sub"),)
    untrusted = f"the VS Code of {user} doesn't say that it trusts it: there it would call no hook"
    assert _seen(check_trust([user], inside)) == []  # it never had it open
    _workspace(user, "a", project.as_uri())
    assert _seen(check_trust([user], inside)) == []  # it doesn't say
    _trust(user, {"uri": {"scheme": "file", "path": "/other"}, "trusted": True})
    assert _seen(check_trust([user], inside)) == [("note", str(project), untrusted)]
    assert _seen(check_trust([user], (str(tmp_path),))) == []
    trusted = {"uri": {"$mid": 1, "scheme": "file", "path": str(tmp_path)}, "trusted": True}
    _trust(user, {**trusted, "trusted": False})
    assert _seen(check_trust([user], inside)) == [("note", str(project), untrusted)]
    before = sorted(_trust(user, trusted).parent.iterdir())
    assert _seen(check_trust([user], inside)) == [("ok", str(project), "VS Code trusts it")]
    assert sorted((user / "globalStorage").iterdir()) == before
    _trust(user)
    (user / "settings.json").write_text('{"security.workspace.trust.enabled": false} // all are')
    assert _seen(check_trust([user], inside)) == []


@pytest.mark.parametrize("value", ["[]", "null", '{"uriTrustInfo": [3]}', "{"])
def test_a_trust_that_cannot_be_understood_says_nothing(tmp_path: Path, value: str) -> None:
    user, project = tmp_path / "User", made_folder(tmp_path / "project")
    _workspace(user, "a", project.as_uri())
    path = _trust(user)
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE ItemTable SET value=?", (value,))
        db.commit()
    assert _seen(check_trust([user], (str(project),))) == []
    path.write_bytes(b"no database at all" * 100)
    assert _seen(check_trust([user], (str(project),))) == []


def test_on_which_side_hooks_run(tmp_path: Path) -> None:
    user = tmp_path / "User"
    none = [("ok", "remote windows", "none: hooks run on this machine")]
    assert _seen(check_remote([user], tmp_path, [])) == none
    for name, uri in (
        ("a", "vscode-remote://ssh-remote%2Bbox/home/u/x"),
        ("b", "vscode-remote://ssh-remote%2Bbox/home/u/y"),
        ("c", "vscode-remote://wsl%2BUbuntu/home/u/z"),
        ("d", "file:///home/u/z"),
        ("e", "vscode-remote://[bad"),
    ):
        _workspace(user, name, uri)
    (made_folder(user / "workspaceStorage" / "f") / "workspace.json").write_text("{")
    remote = [
        ("note", "ssh-remote+box", "2 workspaces opened there: their hooks run on that side"),
        ("note", "wsl+Ubuntu", "1 workspace opened there: their hooks run on that side"),
    ]
    here = "remote windows of this machine run the hooks of this home"
    assert _seen(check_remote([user], tmp_path, [])) == remote
    assert _seen(check_remote([], tmp_path, ["WSL_DISTRO_NAME"])) == [("ok", "WSL", here)]
    made_folder(tmp_path / ".vscode-server")
    assert _seen(check_remote([user], tmp_path, [])) == [*remote, ("ok", "~/.vscode-server", here)]


# -- companions


def test_companions(tmp_path: Path) -> None:
    user, copilot = made_folder(tmp_path / "User"), made_folder(tmp_path / ".copilot")
    absent = [
        ("note", "the recall tool", "no host has it: agents can't ask on their own"),
        ("note", "instructions and prompt file", "VS Code has neither"),
    ]
    assert _seen(check_companions([user], copilot)) == absent
    (user / "mcp.json").write_text('{"servers": {"other": {"command": "/no"}}} // mine')
    (copilot / "mcp-config.json").write_text('{"mcpServers": []}')
    assert _seen(check_companions([user], copilot)) == absent
    (copilot / "mcp-config.json").write_text("{")
    mcp = copilot / "mcp-config.json"
    for entry, state, seen in (
        ({"command": sys.executable}, "ok", f"it starts {sys.executable}"),
        ({"command": "deja-hooks"}, "note", "it starts deja-hooks from the PATH of the host"),
        ({"command": ""}, "broken", 'its entry "deja" has no command'),
        (3, "broken", 'its entry "deja" has no command'),
        ({"command": "/no/deja-hooks"}, "broken", "it starts /no/deja-hooks: it is not there"),
    ):
        mcp.write_text(json.dumps({"mcpServers": {"deja": entry}}))
        assert _seen(check_companions([user], copilot))[0] == (state, str(mcp), seen)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Nothing to run.", "it names no program"),
        ("Run `/no/bin/python -m deja_hooks`", "it names /no/bin/python: it is not there: "),
        ("Run `'/no dir/bin/python3' -m deja_hooks`", "it names /no dir/bin/python3: it is not there: "),
        ("Run /no/python3.11 -m deja_hooks search", "it names /no/python3.11: it is not there: "),
        ('run "C:\\no\\deja-hooks.exe" search', "it names C:\\no\\deja-hooks.exe: it is not there"),
        ("see https://example.invalid/python and src/python", "it names no program"),
    ],
)
def test_programs_that_texts_name(tmp_path: Path, text: str, seen: str) -> None:
    path = made_folder(tmp_path / "prompts") / "deja.prompt.md"
    path.write_text(text)
    found = _seen(check_companions([tmp_path], tmp_path))
    assert (len(found), found[1][1], found[1][2].startswith(seen)) == (2, str(path), True), found
