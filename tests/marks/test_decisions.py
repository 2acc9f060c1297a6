"""What stands after a log of marks."""

from __future__ import annotations

import pytest

from deja_hooks.marks.barred import Barred
from deja_hooks.marks.decisions import Decisions, Span, decide
from deja_hooks.marks.model import Forgotten, Mark
from deja_hooks.memory.forks import request_keys
from deja_hooks.memory.kept_out import EXCLUDED, FORGOTTEN, Rules


def promoted(name: str, at: int, sid: str = "s", kind: str = "promote") -> Mark:
    return Mark(name, at, kind, session=sid)


def test_nothing() -> None:
    assert decide([]) == Decisions((), {}, {}, ())


def test_the_last_that_was_not_taken_back_stands() -> None:
    first, second = promoted("a", 1), promoted("b", 2, kind="reject")
    assert decide([first, second]).standing == {"s": second}
    assert decide([first, second, Mark("c", 3, "undo", undoes="b")]).standing == {"s": first}
    assert decide([first, Mark("c", 3, "undo", undoes="a"), second]).standing == {"s": second}


def test_nothing_takes_a_forgetting_back() -> None:
    gone = Forgotten("s", 5, b"12345678")
    log = [promoted("a", 1), Mark("b", 2, "forget", sessions=(gone,)), Mark("c", 3, "undo", undoes="b")]
    assert decide(log) == Decisions((), {}, {"s": gone}, ())


def test_notes() -> None:
    kept, undone, blank = (
        Mark(n, 5, "remember", projects=("p",), text=t) for n, t in (("a", "x"), ("b", "y"), ("c", ""))
    )
    log = [kept, undone, blank, Mark("d", 6, "undo", undoes="b")]
    assert decide(log).notes == (kept,)
    assert decide([*log, Mark("e", 7, "forget", projects=("p",), rule=True)]).notes == ()
    assert decide([*log, Mark("e", 7, "forget", projects=("q",), rule=True)]).notes == (kept,)
    assert decide([*log, Mark("e", 7, "forget", sessions=(Forgotten("note-a"),))]).notes == ()


@pytest.mark.parametrize(
    ("span", "key", "started", "times", "held"),
    [
        (Span(("p",), None, 100), "p", 50, (200,), True),  # it goes on, and is forgotten
        (Span(("p",), None, 100), "q", 50, (60,), False),
        (Span(("p",), None, 100), "p", 150, (200,), False),
        (Span(("p",), None, 100), "p", 0, (150, 200), False),
        (Span(("p",), None, 100), "p", 0, (), True),
        (Span((), 90, 100), "q", 50, (60, 95, 200), True),
        (Span((), 90, 100), "q", 50, (60, 200), False),  # active before and after, not then
        (Span((), 90, 100), "q", 92, (), True),
        (Span((), 90, 100), "q", 0, (0,), False),
    ],
)
def test_spans(span: Span, key: str, started: int, times: tuple[int, ...], held: bool) -> None:
    assert span.holds(key, started, times) is held


def test_why() -> None:
    barred = Barred(decide([Mark("a", 9, "forget", sessions=(Forgotten("s"),))]), Rules((), ("/secret",), ()))
    assert barred.why("s", "/x", None, 1, ()) == FORGOTTEN
    assert barred.why("t", "/secret/x", None, 1, ()) == EXCLUDED
    assert barred.why("t", "/x", None, 1, ()) == ""


def test_a_beginning_belongs_to_the_older_one() -> None:
    keys = [request_keys(list(letters)) or b"" for letters in ("xyz", "xyq", "p")]
    barred = Barred(decide([Mark("a", 9, "forget", sessions=(Forgotten("s", 50, keys[0]),))]), Rules((), (), ()))
    assert barred.beginning("t", 60, keys[1]) == 2
    assert barred.beginning("t", 40, keys[1]) == 0
    assert barred.beginning("t", 60, keys[2]) == 0
    assert barred.beginning("t", 60, None) == 0
