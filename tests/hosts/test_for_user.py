from pathlib import Path

import pytest

from deja_hooks.hosts.command import Program
from deja_hooks.hosts.for_user import plan_for_user
from deja_hooks.hosts.places import HOSTS
from deja_hooks.hosts.wanted import Wiring
from deja_hooks.memory.layout import Layout

PROGRAM = Program("/v/python", "/v/deja_hooks/hook/entry.py", "/c", "/g")


@pytest.mark.parametrize(
    ("found", "by_name", "written"),
    [
        (False, False, [".copilot/hooks/deja.json"]),
        (True, False, [".copilot/hooks/deja.json", ".copilot/mcp-config.json", ".copilot/skills/deja/SKILL.md"]),
        (False, True, [".copilot/hooks/deja.json", ".copilot/mcp-config.json", ".copilot/skills/deja/SKILL.md"]),
    ],
)
def test_a_hosts_own_files_come_where_it_is_or_is_meant(
    tmp_path: Path, found: bool, by_name: bool, written: list[str]
) -> None:
    if found:
        (tmp_path / ".copilot" / "session-state").mkdir(parents=True)
    wiring = Wiring.of(PROGRAM, {}, "linux", hooks=True, server=True)
    layout = Layout(str(tmp_path / "cache"), str(tmp_path / "config"))
    plan = plan_for_user(HOSTS, wiring, layout, {}, tmp_path, "linux", by_name=by_name)
    assert [str(change.path.relative_to(tmp_path)) for change in plan.pending] == written
