"""Our entries in other files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deja_hooks.doctor.copies import check_copies, places_of_hooks, wired_projects
from deja_hooks.hosts.command import Program
from deja_hooks.hosts.hook_file import ours

from .conftest import made_folder, seen


def test_places_are_looked_at_once(tmp_path: Path) -> None:
    hooks = made_folder(tmp_path / ".copilot" / "hooks")
    (hooks / "b.json").write_text("{}")
    (hooks / "a.json").symlink_to(hooks / "b.json")
    (tmp_path / ".claude").symlink_to(made_folder(tmp_path / "claude"))
    (tmp_path / "claude" / "settings.json").write_text("{")
    found = places_of_hooks(tmp_path, tmp_path / ".copilot", [tmp_path])
    assert [place.path for place in found] == [hooks / "a.json", tmp_path / ".claude" / "settings.json"]
    assert seen(check_copies(found, [hooks / "b.json"])) == [
        (
            "note",
            str(tmp_path / ".claude" / "settings.json"),
            "not looked into: it is not a JSON object with comments (line 1, column 2)",
        ),
        ("ok", "other hook files", "deja-hooks is called from none of 1 other file with hooks or settings"),
    ]


def test_what_is_answered_twice(tmp_path: Path) -> None:
    """Within a project, or beside what counts everywhere; two projects that are wired alone are two."""
    hooks = ours(Program("/py", "/lib/deja_hooks/hook/entry.py", "/c", "/d"))["hooks"]
    one, two, own = tmp_path / "one", tmp_path / "two", tmp_path / ".copilot" / "hooks" / "deja.json"
    alone = [made_folder(project / ".github" / "hooks") / "deja.json" for project in (one, two)]
    for path in alone:
        path.write_text(json.dumps({"hooks": {"Stop": hooks["Stop"]}}))

    def found_now() -> list[tuple[str, str, str]]:
        return seen(check_copies(places_of_hooks(tmp_path, tmp_path / ".copilot", [one, two]), [own]))

    lone = "deja-hooks is called from here, in this project"
    twice = "deja-hooks is called from here too, at Stop: these are answered twice"
    assert found_now() == [("note", str(path), lone) for path in alone]
    assert wired_projects(places_of_hooks(tmp_path, tmp_path / ".copilot", [one, two])) == alone
    claude = made_folder(one / ".claude") / "settings.json"
    claude.write_text(json.dumps({"hooks": hooks}))
    assert found_now() == [
        ("broken", str(alone[0]), twice),
        ("broken", str(claude), twice),
        ("note", str(alone[1]), lone),
    ]
    claude.write_text(json.dumps({"hooks": {"SessionEnd": hooks["SessionEnd"]}}))
    assert [state for state, _, _ in found_now()] == ["note", "note", "note"]
    made_folder(own.parent)
    own.write_text(json.dumps({"hooks": hooks}))
    assert [state for state, _, _ in found_now()] == ["broken", "broken", "broken"]


@pytest.mark.parametrize(
    "command",
    [
        "deja-hooks hook Stop",
        "/opt/my tools/bin/deja-hooks hook Stop",
        '"C:\\Tools\\deja-hooks.exe" hook Stop',
        "FOO=1 exec deja-hooks  hook Stop 2>/dev/null",
        "cd /x && 'deja-hooks' hook Stop",
        "/py/bin/python -m deja_hooks hook Stop",
    ],
)
@pytest.mark.parametrize("name", [".claude/settings.json", ".github/hooks/z.json"])
def test_a_copy_that_was_written_by_hand(tmp_path: Path, command: str, name: str) -> None:
    own = made_folder(tmp_path / ".copilot" / "hooks") / "deja.json"
    own.write_text(json.dumps(ours(Program("/py", "/lib/deja_hooks/hook/entry.py", "/c", "/d"))))
    copy = tmp_path / "one" / name
    made_folder(copy.parent)
    entry = {"type": "command", "command": command}
    copy.write_text(json.dumps({"hooks": {"Stop": [{"matcher": "", "hooks": [entry]}], "PreToolUse": [{}]}}))
    found = list(check_copies(places_of_hooks(tmp_path, tmp_path / ".copilot", [tmp_path / "one"]), [own]))
    assert [each[:5] for each in found] == [
        (
            "hook-copies",
            "broken",
            str(copy),
            "deja-hooks is called from here too, at Stop: these are answered twice",
            "take the entries that call deja-hooks out of it",
        )
    ]


@pytest.mark.parametrize(
    "command", ["deja-hooks index", "my-deja-hooks hook Stop", "deja-hooks hook-file", "hook Stop"]
)
def test_what_is_no_call_of_a_hook(tmp_path: Path, command: str) -> None:
    copy = made_folder(tmp_path / ".claude") / "settings.json"
    copy.write_text(json.dumps({"hooks": {"Stop": [{"command": command}]}}))
    assert seen(check_copies(places_of_hooks(tmp_path, tmp_path / ".copilot", []), [])) == [
        ("ok", "other hook files", "deja-hooks is called from none of 1 other file with hooks or settings")
    ]


def test_a_copy_in_the_hook_file_itself(tmp_path: Path) -> None:
    own = made_folder(tmp_path / ".copilot" / "hooks") / "deja.json"
    document = ours(Program("/py", "/lib/deja_hooks/hook/entry.py", "/c", "/d"))
    document["hooks"]["Stop"].append({"type": "command", "bash": "deja-hooks hook Stop"})
    own.write_text(json.dumps(document))
    assert seen(check_copies(places_of_hooks(tmp_path, tmp_path / ".copilot", []), [own])) == [
        ("broken", str(own), "deja-hooks is called from here too, at Stop: these are answered twice")
    ]
