"""Whatever stands in a host's file, no check fails over it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deja_hooks.doctor.companions import check_companions
from deja_hooks.doctor.copies import check_copies, places_of_hooks
from deja_hooks.doctor.copilot_settings import check_copilot_settings
from deja_hooks.doctor.vscode_settings import check_policy, check_vscode_settings
from deja_hooks.doctor.windows import check_remote, check_trust
from deja_hooks.doctor.wiring import check_wiring, installed
from deja_hooks.memory.layout import Layout

from .conftest import machine_of, made_folder

#: Words that mean something somewhere, so that the documents get past the first look.
WORDS = st.sampled_from(
    [
        "hooks",
        "version",
        "Stop",
        "sessionStart",
        "SessionStart",
        "bash",
        "command",
        "python -I -S deja_hooks/hook/entry.py Stop /c /d",
        "chat.useHooks",
        "chat.hookFilesLocations",
        "~/.copilot/hooks",
        "disableAllHooks",
        "servers",
        "mcpServers",
        "deja",
        "folder",
        "vscode-remote://ssh-remote%2Bbox/x",
        "ChatHooks",
        "",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | WORDS | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=15,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=50)
@given(st.dictionaries(WORDS, VALUES, max_size=5))
def test_any_document(document: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        user, copilot, project = home / "User", home / ".copilot", home / "project"
        for path in (
            copilot / "hooks" / "deja.json",
            copilot / "settings.json",
            copilot / "mcp-config.json",
            user / "settings.json",
            user / "mcp.json",
            user / "workspaceStorage" / "a" / "workspace.json",
            project / ".github" / "hooks" / "x.json",
            home / "etc" / "vscode" / "policy.json",
        ):
            made_folder(path.parent)
            path.write_text(json.dumps(document))
        machine = machine_of(Layout(f"{home}/cache", f"{home}/config"), home)
        places = places_of_hooks(home, copilot, [project])
        own = [copilot / "hooks" / "deja.json"]
        found = [
            *check_wiring(machine, False),
            *check_copies(places, own),
            *check_copilot_settings(copilot, [project]),
            *check_vscode_settings([user], [project]),
            *check_policy("linux", home, "", None),
            *check_trust([user], (str(project),)),
            *check_remote([user], home, []),
            *check_companions([user], copilot, True),
        ]
        assert all(finding.check and finding.seen for finding in found)
        assert all(entry.event in document["hooks"] for _, entry in installed(machine))
