from __future__ import annotations

import sqlite3

import pytest

from deja_hooks.tool.results import Fix, Result
from tests.support.world import World, asked, ran, said

from .conftest import CAUSE, TRACE, Call, fenced
from .test_recall import NOTE

LINE = (
    "- About `python3 check.py` failing (BudgetStarvedError: budget 3 starves): 2026-11-29 here it went away after"
    f' edits to shop/settings.py (seen once, unconfirmed): "{CAUSE}" [deja-hooks show 5eed0001]'
)
LOCKED = "npm error code ELOCKED\nnpm ERR! Error: the lockfile of pnpm_store is stale"


def test_what_made_it_stay_away(shop: World, deja: Call) -> None:
    text, result = deja("fix", error=TRACE)
    assert text == fenced("a failure met before", LINE)
    fix = Fix(
        session="5eed0001",
        date="2026-11-29",
        failed="python3 check.py",
        failure="BudgetStarvedError: budget 3 starves",
        how="edit",
        what="shop/settings.py",
        evidence="seen once, unconfirmed",
        reason=CAUSE,
    )
    assert result == Result(mode="fix", status="found", project="code/shop", note=NOTE, fixes=[fix])


def test_it_says_what_the_hook_says(shop: World, deja: Call) -> None:
    told = shop.tool(
        "PostToolUse", "bash", result=f"{TRACE}\n<shellId: 0 completed with exit code 1>", command="x"
    ).text
    assert LINE in told
    assert LINE in deja("fix", error=f"some output\n{TRACE}\n<shellId: 0 completed with exit code 1>", command="x")[0]


def session_of(world: World, sid: str, failing: str, error: str, *fixes: str, at: int = 0) -> None:
    work = [*ran(failing, 1, error), *(each for fix in fixes for each in ran(fix, 0)), *ran(failing, 0)]
    world.cli_session(sid, asked("go"), *work, said("Works."), at=at)


PYTEST = "pytest -q tests/test_retry.py"
SAID = "shop.errors.DeliveryError: gave up after 2 attempts"


@pytest.mark.parametrize(
    "error",
    [
        f"E   {SAID}",
        f"E {SAID}",
        f"F [100%]\nE {SAID}\n1 failed in 0.31s",
        SAID,
        f"FAILED tests/test_retry.py::test_delivers - {SAID}",
        f"FAILED  tests/test_retry.py::test[a - b]  -  {SAID}\n1 failed in 0.31s",
    ],
)
def test_an_error_of_pytest_in_each_form_in_which_it_is_printed(world: World, deja: Call, error: str) -> None:
    """pytest's own, its summary's, and ours, where runs of blanks are one."""
    output = f"F [100%]\nshop/retry.py:34: in deliver\n    raise\nE   {SAID}\n1 failed in 0.31s"
    work = [*ran(PYTEST, 1, output), *ran("make schema", 0), *ran(PYTEST, 0)]
    world.cli_session("retry001-x", asked("go"), *work, said("Works."))
    world.index()
    found = deja("fix", error=error, command=PYTEST)[1].fixes
    assert [(each.failure, each.what) for each in found] == [(f"E {SAID}", "make schema")]


def test_several_that_worked_the_surest_first(world: World, deja: Call) -> None:
    session_of(world, "once0001-x", "npm test", LOCKED, "pnpm install --fix-lockfile")
    for number in range(2):
        session_of(world, f"twice{number:03d}-x", "npm test", LOCKED, "pnpm store update", at=world.now - 7_200_000)
    world.index()
    found = deja("fix", error=LOCKED, command="npm test")[1].fixes
    assert [(each.what, each.evidence) for each in found] == [
        ("pnpm store update", "worked 2 times"),
        ("pnpm install --fix-lockfile", "seen once, unconfirmed"),
    ]


def test_another_projects_fix_of_the_same_program_is_called_that(world: World, deja: Call) -> None:
    other = world.home / "code" / "other"
    world.git(other)
    work = [*ran("npm test", 1, LOCKED), *ran("pnpm store update", 0), *ran("npm test", 0)]
    world.cli_session("other001-x", asked("go"), *work, said("Works."), cwd=other)
    world.index()
    text, result = deja("fix", error=LOCKED, command="npm test")
    assert ": 2026-11-29 in another project it went away after `pnpm store update`" in text
    assert result.fixes[0].another_project
    assert deja("fix", error=LOCKED)[0] == (
        "No fix of this error is known here. With `command`, the command that failed, more can be found."
    )
    assert deja("fix", error=LOCKED, command="cargo test")[0] == "No fix of this error is known here."


def test_what_cannot_be_taken_back_is_never_told(shop: World, deja: Call) -> None:
    """The indexer keeps none; this is a memory that had been written before the command counted as such."""
    with sqlite3.connect(shop.layout.memory) as db:
        db.execute("UPDATE fix SET how='command', what='git reset --hard && rm -rf pool'")
    assert deja("fix", error=TRACE)[1].status == "nothing"


@pytest.mark.parametrize("error", ["cat: x: Permission denied", "", "   ", "error"])
def test_an_error_that_everyone_meets(shop: World, deja: Call, error: str) -> None:
    if error.strip():
        assert deja("fix", error=error)[1].status == "nothing"
