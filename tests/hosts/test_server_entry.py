"""Our server among the user's: in once, out without a trace, and nothing of theirs is kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.files import Change
from deja_hooks.hosts.jsonc import parse
from deja_hooks.hosts.server_entry import ServerEntry, is_ours
from tests.hosts.jsonc_texts import OURS, texts

FILE = Path("/h/mcp.json")
VALUE = {**OURS, "command": "/new/bin/python"}
PART = ServerEntry(FILE, "servers", VALUE)


def _servers(data: bytes | None) -> Any:
    root = parse(FILE, data or b"").root
    return root.value.get("servers") if root else None


@pytest.mark.parametrize(
    ("server", "ours"),
    [
        (OURS, True),
        ({"command": "C:\\v\\python.exe", "args": ["-m", "deja_hooks", "mcp"]}, True),
        ({"command": "/home/u/.local/bin/deja-hooks", "args": ["mcp"]}, True),
        ({"command": "C:\\bin\\deja-hooks.exe", "args": ["mcp"]}, True),
        ({"command": "deja-hooks", "args": ["mcp"]}, True),
        ({"command": "deja-hooks", "args": ["mcp", "--x"]}, True),
        ({"command": "python", "args": ["-I", "-m", "deja_hooks", "mcp", "--x"]}, True),
        ({"command": "python", "args": ["-m", "deja_hooks", "search", "mcp"]}, False),
        ({"command": "my-deja-hooks", "args": ["mcp"]}, False),
        ({"command": "deja-hooks", "args": ["search"]}, False),
        ({"command": "deja-hooks", "args": "mcp"}, False),
        ({"command": ["python"], "args": ["-m", "deja_hooks", "mcp"]}, False),
        ({"args": ["-m", "deja_hooks", "mcp"]}, False),
        (None, False),
        ("deja-hooks mcp", False),
    ],
)
def test_what_is_ours(server: object, ours: bool) -> None:
    assert is_ours(server) == ours


@given(texts(ours=False))
def test_in_once_and_out_byte_for_byte(text: str) -> None:
    before = text.encode()
    change = PART.put_in(before, None)
    assert change.after is not None
    assert _servers(change.after)["deja"] == VALUE
    again = PART.put_in(change.after, change.record)
    assert (again.verb, again.record) == ("unchanged", change.record)
    assert PART.take_out(change.after, change.record).after == before


@given(texts(ours=False), st.sampled_from(["\n\n", " ", "/* late */", "// late\n"]), st.booleans())
def test_what_changed_meanwhile_stays(text: str, late: str, ledger: bool) -> None:
    change = PART.put_in(text.encode(), None)
    assert change.after is not None
    users = change.after + late.encode()
    after = PART.take_out(users, change.record if ledger else None).after
    assert after is not None
    left = parse(FILE, after)
    assert left.data.endswith(late.encode())
    was, rest = parse(FILE, text.encode()).root, dict(left.root.value) if left.root else {}
    if not rest.get("servers"):  # a list of ours may stay empty where it isn't known to be ours
        rest.pop("servers", None)
    expected = dict(was.value) if was else {}
    if not expected.get("servers"):
        expected.pop("servers", None)
    assert rest == expected


@given(texts(), st.booleans())
def test_ours_of_other_environments_become_one(text: str, put_in: bool) -> None:
    """Whatever their names, and in however many lists of that name; foreign ones and comments stay."""
    before = text.encode()
    read = parse(FILE, before)
    change = (PART.put_in if put_in else PART.take_out)(before, None)
    assert change.after is not None
    after = parse(FILE, change.after)
    sections = [
        member.element.value for member in (after.root.members if after.root else ()) if member.key == "servers"
    ]
    ours = [name for section in sections for name, value in section.items() if is_ours(value)]
    foreign = [
        {name: value for name, value in member.element.value.items() if not is_ours(value)}
        for member in (read.root.members if read.root else ())
        if member.key == "servers"
    ]
    assert [{n: v for n, v in section.items() if not is_ours(v)} for section in sections][: len(foreign)] == foreign
    taken = bool(foreign) and "deja" in foreign[-1]
    assert ours == (["deja"] if put_in and not taken else [])
    assert bool(change.note) >= (put_in and taken)
    places = [[text.data[c.start : c.end] for c in text.comments] for text in (read, after)]
    assert places[0] == places[1]


def test_a_file_of_ours_goes_with_its_last_server() -> None:
    change = PART.put_in(None, None)
    assert change.after is not None
    assert PART.take_out(change.after, change.record) == Change(FILE, change.after, None, private=True)
    assert PART.take_out(change.after, None).after is None  # to the byte what we write
    # As `copilot mcp add` and `remove` leave it:
    rewritten = json.dumps(json.loads(change.after), indent=4).encode()
    assert PART.take_out(rewritten, change.record).after is None
    lost = PART.take_out(rewritten, None)  # whose file it is, only the ledger knows
    assert (_servers(lost.after), lost.note) == ({}, "whether it was there before deja-hooks is not known")
    with_more = json.dumps({"servers": {"deja": VALUE, "x": {}}}).encode()
    kept = PART.take_out(with_more, change.record)
    assert (kept.after, kept.note) == (b'{"servers": { "x": {}}}', "it holds more than our entries")


def test_a_killed_update_is_taken_back_from_either_state() -> None:
    before = b'{"a": 1}'
    old = ServerEntry(FILE, "servers", OURS).put_in(before, None)
    new = PART.put_in(old.after, old.record)
    assert old.record is not None
    assert new.record is not None
    during = {**new.record, "earlier": old.record}
    for state in (old.after, new.after):
        assert PART.take_out(state, during).after == before
        assert PART.put_in(state, during).after == new.after


def test_what_the_user_added_to_ours_stays_and_is_not_kept_elsewhere() -> None:
    theirs = {**OURS, "env": {"TOKEN": "s3cret", "DEJA_HOOKS_HOME": "/old"}, "tools": ["deja"], "type": "sse"}
    before = json.dumps({"servers": {"deja": theirs}}).encode()
    part = ServerEntry(FILE, "servers", {**VALUE, "tools": ["*"]})
    change = part.put_in(before, None)
    assert _servers(change.after) == {"deja": {**VALUE, "tools": ["deja"], "env": {"TOKEN": "s3cret"}}}
    assert "s3cret" not in json.dumps(change.record)
    assert part.put_in(change.after, change.record).verb == "unchanged"
    assert part.take_out(change.after, change.record).after == b'{"servers": {}}'


def test_what_goes_with_ours_is_named_but_not_shown() -> None:
    words = {"args": [*OURS["args"], "--token", "s3cret"], "env": {"TOKEN": "s3cret", "DEJA_HOOKS_HOME": "/d"}}
    before = json.dumps({"servers": {"deja": {**OURS, **words, "cwd": "/s3cret", "tools": ["*"]}}}).encode()
    change = PART.take_out(before, None)
    remark = "what was added to our server goes with it: arguments, env TOKEN, cwd"
    note = "whether it was there before deja-hooks is not known"
    assert change == Change(FILE, before, b'{"servers": {}}', note=note, remark=remark, private=True)
    again = PART.put_in(before, None)
    assert _servers(again.after)["deja"]["args"] == VALUE["args"]
    assert again.remark == "the arguments that were added to our server are gone"
    assert PART.put_in(again.after, again.record).remark == ""


@pytest.mark.parametrize("env", ["", ', "env": {"X": "deja_hooks"}'])
def test_another_program_of_our_name_is_named(env: str) -> None:
    before = b'{"servers": {"deja": {"command": "x"%s}}} // mine' % env.encode()
    note = 'another program has the name "deja" there'
    assert PART.take_out(before, None) == Change(FILE, before, before, note=note, private=True)


def test_a_list_that_was_there_without_servers_stays() -> None:
    change = PART.put_in(b"{}", None)
    assert PART.take_out(change.after, change.record).note == "it was there before deja-hooks"


def test_without_a_value_ours_goes() -> None:
    change = PART.put_in(b'{"a": 1}', None)
    assert ServerEntry(FILE, "servers").put_in(change.after, change.record).after == b'{"a": 1}'


@pytest.mark.parametrize("servers", ["[]", "null", "1"])
def test_a_list_that_is_none_is_named(servers: str) -> None:
    with pytest.raises(HookFileError) as caught:
        PART.put_in(b'{"servers": %s}' % servers.encode(), None)
    assert str(caught.value) == f"{FILE}: servers is not an object: mend it, and try again."
    assert PART.take_out(b'{"servers": %s}' % servers.encode(), None).verb == "unchanged"


@pytest.mark.parametrize("text", [b"{oops", b"\xff\xfe", b'{"servers": {"deja": {"command": "x"}}'])
def test_a_broken_file_that_never_was_ours_keeps_nobody_from_uninstalling(text: bytes) -> None:
    assert PART.take_out(text, None) == Change(FILE, text, text, private=True)
    with pytest.raises(HookFileError):
        PART.put_in(text, None)


@pytest.mark.parametrize(
    "record",
    [{}, {"pieces": 1}, {"pieces": [[1]]}, {"pieces": [["x", "y"]], "after": ""}, {"pieces": [[0, "{"]], "after": 1}],
)
def test_a_record_that_makes_no_sense_is_as_none(record: dict[str, Any]) -> None:
    change = PART.put_in(b'{"a": 1}', None)
    assert PART.take_out(change.after, {"before": "x", **record}).after == PART.take_out(change.after, None).after
