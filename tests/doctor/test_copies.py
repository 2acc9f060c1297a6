"""Our entries in other files."""

from __future__ import annotations

import json
from pathlib import Path

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
    assert wired_projects(places_of_hooks(tmp_path, tmp_path / ".copilot", [one, two]))
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
