import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.contract.hook_file import HookFile
from deja_hooks.hook.events import EVENTS
from deja_hooks.hosts.command import Program
from deja_hooks.hosts.hook_file import is_ours, ours, parse, render, with_ours, without_ours

PROGRAM = Program("/venv/bin/python", "/venv/deja_hooks/hook/entry.py", "/c", "/g")


def test_our_file_is_what_the_contract_says() -> None:
    document = ours(PROGRAM)
    HookFile.model_validate_json(render(document))
    assert list(document["hooks"]) == list(EVENTS)
    assert "@" not in render(document).decode()


@pytest.mark.parametrize(
    "command",
    [
        "/old/venv/bin/python -I -S /old/lib/deja_hooks/hook/entry.py Stop /c /g",
        r"& 'C:\old\deja_hooks\hook\entry.py' Stop",
        r"C:\\old\\deja_hooks\\hook\\entry.py",
    ],
)
@pytest.mark.parametrize("key", ["bash", "powershell", "command", "windows", "linux", "osx"])
def test_an_entry_of_any_environment_of_ours_is_ours(key: str, command: str) -> None:
    assert is_ours({"type": "command", key: command})


@pytest.mark.parametrize("entry", [None, [], "deja_hooks/hook/entry.py", {}, {"bash": "deja"}, {"bash": 1}])
def test_nothing_else_is(entry: object) -> None:
    assert not is_ours(entry)


_entries = st.lists(
    st.one_of(
        st.fixed_dictionaries({"bash": st.text(max_size=5)}),
        st.fixed_dictionaries({"matcher": st.text(max_size=3), "hooks": st.lists(st.none(), max_size=2)}),
        st.integers(),
    ),
    min_size=1,
    max_size=3,
)
_documents = st.fixed_dictionaries(
    {"hooks": st.dictionaries(st.sampled_from(["Stop", "PreToolUse", "stop", "Other"]), _entries)},
    optional={"description": st.text(max_size=5)},
)


@given(_documents)
def test_taking_ours_out_gives_back_what_was_there(document: dict[str, object]) -> None:
    wired = with_ours(document, ours(PROGRAM))
    assert without_ours(wired) == {"version": 1, **document}
    assert with_ours(wired, ours(PROGRAM)) == wired
    assert parse(Path("deja.json"), render(wired)) == json.loads(render(wired)) == wired
