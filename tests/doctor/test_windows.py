"""Which folders VS Code trusts, and on which side of a remote window hooks run."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deja_hooks.doctor.windows import check_remote, check_trust

from .conftest import made_folder, seen


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
    assert seen(check_trust([user], inside)) == []  # it never had it open
    _workspace(user, "a", project.as_uri())
    assert seen(check_trust([user], inside)) == []  # it doesn't say
    _trust(user, {"uri": {"scheme": "file", "path": "/other"}, "trusted": True})
    assert seen(check_trust([user], inside)) == [("note", str(project), untrusted)]
    assert seen(check_trust([user], (str(tmp_path),))) == []
    trusted = {"uri": {"$mid": 1, "scheme": "file", "path": str(tmp_path)}, "trusted": True}
    _trust(user, {**trusted, "trusted": False})
    assert seen(check_trust([user], inside)) == [("note", str(project), untrusted)]
    before = sorted(_trust(user, trusted).parent.iterdir())
    assert seen(check_trust([user], inside)) == [("ok", str(project), "VS Code trusts it")]
    assert sorted((user / "globalStorage").iterdir()) == before
    _trust(user)
    (user / "settings.json").write_text('{"security.workspace.trust.enabled": false} // all are')
    assert seen(check_trust([user], inside)) == []


@pytest.mark.parametrize("value", ["[]", "null", '{"uriTrustInfo": [3]}', "{"])
def test_a_trust_that_cannot_be_understood_says_nothing(tmp_path: Path, value: str) -> None:
    user, project = tmp_path / "User", made_folder(tmp_path / "project")
    _workspace(user, "a", project.as_uri())
    path = _trust(user)
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE ItemTable SET value=?", (value,))
        db.commit()
    assert seen(check_trust([user], (str(project),))) == []
    path.write_bytes(b"no database at all" * 100)
    assert seen(check_trust([user], (str(project),))) == []


def test_on_which_side_hooks_run(tmp_path: Path) -> None:
    user = tmp_path / "User"
    none = [("ok", "remote windows", "none: hooks run on this machine")]
    assert seen(check_remote([user], tmp_path, [])) == none
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
    assert seen(check_remote([user], tmp_path, [])) == remote
    assert seen(check_remote([], tmp_path, ["WSL_DISTRO_NAME"])) == [("ok", "WSL", here)]
    made_folder(tmp_path / ".vscode-server")
    assert seen(check_remote([user], tmp_path, [])) == [*remote, ("ok", "~/.vscode-server", here)]
