"""A whole file of ours: written, renewed and removed as long as it is what we wrote."""

from pathlib import Path

import pytest

from deja_hooks.hosts.files import Change
from deja_hooks.hosts.own_text import OwnText
from deja_hooks.hosts.templates import template

NAMES = ["deja.instructions.md", "deja.prompt.md", "deja.skill.md"]
FILE = Path("/h/deja.md")
KEPT = "it is not what deja-hooks wrote there"


@pytest.fixture(params=NAMES)
def part(request: pytest.FixtureRequest) -> OwnText:
    return OwnText(FILE, request.param, "'/my home/python' -I -m deja_hooks")


def test_it_names_the_program_and_nothing_is_left_open(part: OwnText) -> None:
    change = part.put_in(None, None)
    assert change.after == template(part.template).replace("@DEJA@", part.program).encode()
    assert b"`'/my home/python' -I -m deja_hooks search WORDS`" in change.after
    assert (change.verb, part.put_in(change.after, change.record).verb) == ("create", "unchanged")


@pytest.mark.parametrize("lost", [False, True])
def test_it_is_known_with_and_without_a_record(part: OwnText, lost: bool) -> None:
    old = part.put_in(None, None)
    record = None if lost else old.record
    moved = part._replace(program="deja-hooks").put_in(old.after, record)
    assert (moved.verb, moved.record != old.record) == ("update", True)
    assert part.take_out(old.after, record) == Change(FILE, old.after, None)
    assert part.take_out(moved.after, record).after is None


def test_an_older_versions_text_is_known_by_its_record(part: OwnText) -> None:
    written = part.put_in(None, None)
    assert written.after is not None
    assert written.record is not None
    for older in ({**written.record, "template": "gone.md"}, {"kind": "text", "sum": "x", "earlier": written.record}):
        assert OwnText(FILE, "gone.md").take_out(written.after, older).after is None


def test_an_editors_line_ends_do_not_make_it_another(part: OwnText) -> None:
    change = part.put_in(None, None)
    assert change.after is not None
    crlf = change.after.replace(b"\n", b"\r\n")
    assert part.put_in(crlf, change.record).verb == "unchanged"
    assert part.take_out(crlf, change.record).after is None


@pytest.mark.parametrize("record", [None, {"kind": "text", "sum": "x"}])
def test_what_the_user_wrote_stays(part: OwnText, record: dict[str, str] | None) -> None:
    mine = template(part.template).replace("@DEJA@", "x").encode() + b"\nAnd be brief.\n"
    for change in (part.put_in(mine, record), part.take_out(mine, record)):
        assert change == Change(FILE, mine, mine, note=KEPT)


def test_what_is_in_every_request_is_short() -> None:
    """It costs the user with every request: the instructions as a whole, of a skill its head."""
    assert len(template("deja.instructions.md").split()) < 120
    assert len(template("deja.skill.md").split("---")[1].split()) < 70
