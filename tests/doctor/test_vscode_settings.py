"""What VS Code's settings and an administrator's policies silence."""

from __future__ import annotations

import json
import plistlib
from pathlib import Path

import pytest

from deja_hooks.doctor.vscode_settings import check_policy, check_vscode_settings

from .conftest import made_folder, seen


def test_every_side_of_vs_code_is_looked_at(tmp_path: Path) -> None:
    user = made_folder(tmp_path / ".vscode-server" / "data" / "User")
    (made_folder(user.parent / "Machine") / "settings.json").write_text('{"chat.useHooks": false}')
    (user / "settings.json").write_text(
        '{"chat.useHooks": 0, "chat.hookFilesLocations": {"~/.copilot/hooks": true, "x": false}}'
    )
    assert seen(check_vscode_settings([user], [])) == [
        ("broken", str(user.parent / "Machine" / "settings.json"), "chat.useHooks is false: VS Code calls no hook")
    ]
    (user.parent / "Machine" / "settings.json").write_text("{")
    assert [state for state, _, _ in seen(check_vscode_settings([user, user], []))] == ["note", "note", "ok"]


OFF = "the policy ChatHooks is off: VS Code calls no hook"


@pytest.mark.parametrize("value", [False, 0])
def test_policies(tmp_path: Path, value: object) -> None:
    on = [("ok", "VS Code's policies", "none forbids hooks")]
    assert seen(check_policy("linux", tmp_path, "", None)) == on
    linux = made_folder(tmp_path / "etc" / "vscode") / "policy.json"
    linux.write_text(json.dumps({"ChatHooks": value}))
    assert seen(check_policy("linux", tmp_path, "", None)) == [("broken", str(linux), OFF)]
    linux.write_text("[]")
    assert seen(check_policy("linux", tmp_path, "", None)) == on
    linux.write_text('{"ChatHooks": true}')
    assert seen(check_policy("linux", tmp_path, "", None)) == on

    managed = made_folder(tmp_path / "Library" / "Managed Preferences" / "uma") / "com.microsoft.VSCode.plist"
    managed.write_bytes(plistlib.dumps({"ChatHooks": value}, fmt=plistlib.FMT_BINARY))
    assert seen(check_policy("darwin", tmp_path, "uma", None)) == [("broken", str(managed), OFF)]
    assert seen(check_policy("darwin", tmp_path, "ada", None)) == on
    managed.write_bytes(b"bplist00 and no more")
    assert seen(check_policy("darwin", tmp_path, "uma", None)) == on

    products = {"VSCode": {}, "VSCodeInsiders": {"ChatHooks": value}}
    assert seen(check_policy("win32", tmp_path, "", products.__getitem__)) == [
        ("broken", "Software\\Policies\\Microsoft\\VSCodeInsiders", OFF)
    ]
