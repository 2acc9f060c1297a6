"""The recall tool and the texts, and the programs that they name."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from deja_hooks.doctor.companions import check_companions

from .conftest import made_folder, seen


def test_companions(tmp_path: Path) -> None:
    user, copilot = made_folder(tmp_path / "User"), made_folder(tmp_path / ".copilot")
    absent = [
        ("note", "the recall tool", "no host has it: agents can't ask on their own"),
        ("note", "instructions, prompt and skill", "no host has any of them"),
    ]
    assert seen(check_companions([user], copilot, True)) == absent
    (user / "mcp.json").write_text('{"servers": {"other": {"command": "/no"}}} // mine')
    (copilot / "mcp-config.json").write_text('{"mcpServers": []}')
    assert seen(check_companions([user], copilot, True)) == absent
    (copilot / "mcp-config.json").write_text("{")
    mcp = copilot / "mcp-config.json"
    foreign = 'another program has the name "deja" there: agents can\'t ask deja-hooks from this host'
    ours = ["-m", "deja_hooks", "mcp"]
    for entry, state, said in (
        ({"command": sys.executable, "args": ours}, "ok", f"it starts {sys.executable}"),
        ({"command": "deja-hooks", "args": ["mcp"]}, "note", "it starts deja-hooks from the PATH of the host"),
        (
            {"command": "/no/deja-hooks", "args": ["mcp"]},
            "broken",
            "it starts /no/deja-hooks: it is not there",
        ),
        ({"command": sys.executable}, "note", foreign),
        ({"command": "/no/other"}, "note", foreign),
        ({"command": "", "args": ours[:1]}, "note", foreign),
        ({"url": "https://example.invalid"}, "note", foreign),
        (3, "note", foreign),
    ):
        mcp.write_text(json.dumps({"mcpServers": {"deja": entry}}))
        assert seen(check_companions([user], copilot, True))[0] == (state, str(mcp), said)


def test_what_to_do(tmp_path: Path) -> None:
    assert [next(check_companions([], tmp_path, extra)).do for extra in (True, False)] == [
        "run deja-hooks install",
        "install deja-hooks[mcp] in the place of deja-hooks, then run deja-hooks install",
    ]
    (tmp_path / "mcp-config.json").write_text(json.dumps({"mcpServers": {"deja": {"command": "/bin/other"}}}))
    assert next(check_companions([], tmp_path, True)).do == (
        "give that server another name and run deja-hooks install, or keep it as it is"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Nothing to run.", "it names no program"),
        ("Run `/no/bin/python -m deja_hooks`", "it names /no/bin/python: it is not there: "),
        ("Run `'/no dir/bin/python3' -m deja_hooks`", "it names /no dir/bin/python3: it is not there: "),
        ("Run /no/python3.11 -m deja_hooks search", "it names /no/python3.11: it is not there: "),
        ('run "C:\\no\\deja-hooks.exe" search', "it names C:\\no\\deja-hooks.exe: it is not there"),
        ("see https://example.invalid/python and src/python", "it names no program"),
    ],
)
def test_programs_that_texts_name(tmp_path: Path, text: str, said: str) -> None:
    path = made_folder(tmp_path / "prompts") / "deja.prompt.md"
    path.write_text(text)
    found = seen(check_companions([tmp_path], tmp_path, True))
    assert (len(found), found[1][1], found[1][2].startswith(said)) == (2, str(path), True), found
