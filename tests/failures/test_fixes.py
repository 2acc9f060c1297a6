"""What made a failure stay away, read off the order of a session's work."""

from __future__ import annotations

import pytest

from deja_hooks.failures.fixes import Fix, find_fixes
from deja_hooks.memory.rows import WorkRow


def failed(command: str, signature: str = "sig", failure: str = "it broke", exit_status: int | None = 1) -> WorkRow:
    return WorkRow("command", 5, "", command, exit_status, failure, signature, "", "")


def worked(command: str, exit_status: int | None = 0) -> WorkRow:
    return WorkRow("command", 5, "", command, exit_status, "", "", "", "")


def edit(path: str) -> WorkRow:
    return WorkRow("edit", 5, path, "", None, "", "", "a", "b")


def fixes(*work: WorkRow) -> list[tuple[object, ...]]:
    """Each fix as (turn where it worked, signature, form, failure, how, what); each piece of work is a turn."""
    return [tuple(fix)[:6] for fix in find_fixes(list(enumerate(work)))]


TEST = "pytest -q tests/test_a.py"


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        # the same command after edits: the edited files, each once, the last three
        ([failed(TEST), edit("a.py"), worked(TEST)], [(2, "sig", TEST, "it broke", "edit", "a.py")]),
        (
            [failed(TEST), edit("a.py"), edit("b.py"), edit("a.py"), worked(TEST)],
            [(4, "sig", TEST, "it broke", "edit", "a.py, b.py")],
        ),
        (
            [failed(TEST), *(edit(f"{c}.py") for c in "abcde"), worked(TEST)],
            [(6, "sig", TEST, "it broke", "edit", "c.py, d.py, e.py")],
        ),
        # after another command: that one
        (
            [failed("npm test"), worked("npm install"), worked("npm test")],
            [(2, "sig", "npm test", "it broke", "command", "npm install")],
        ),
        (
            [failed("pytest"), worked("pip install x"), worked("pytest")],
            [(2, "sig", "pytest", "it broke", "command", "pip install x")],
        ),
        # another form of the same program, soon
        (
            [failed("flake8 src"), worked("python -m flake8 src")],
            [(1, "sig", "flake8 src", "it broke", "form", "python -m flake8 src")],
        ),
        ([failed("flake8 src"), *(worked("ls") for _ in range(4)), worked("python -m flake8 src")], []),
        # nothing made it: it just worked later, it was never tried again, it failed again
        ([failed(TEST), worked(TEST)], []),
        ([failed(TEST), edit("a.py")], []),
        ([worked(TEST), edit("a.py"), worked(TEST)], []),
        ([failed(TEST), edit("a.py"), failed(TEST)], []),
        # the second failure of one kind has the fix, the first has not
        ([failed(TEST), failed(TEST), edit("a.py"), worked(TEST)], [(3, "sig", TEST, "it broke", "edit", "a.py")]),
        # a command of which the host does not say how it ended helps nobody, but the same form unharmed does
        ([failed("pytest"), worked("pip install x", None), worked("pytest")], []),
        ([failed(TEST), edit("a.py"), worked(TEST, None)], []),  # how it ended is not known
        # what only looks or checks has helped nobody; of the others the one that names what the failure names
        ([failed(TEST), worked("ls"), worked("ruff check ."), worked(TEST)], []),
        (
            [failed("npm test"), worked("npm ci"), worked("git status"), worked("npm test")],
            [(3, "sig", "npm test", "it broke", "command", "npm ci")],
        ),
        (
            [failed("./run", failure="no broker"), worked("./broker start"), worked("npm ci"), worked("./run")],
            [(3, "sig", "./run", "no broker", "command", "./broker start")],
        ),
        # edits, and the installation that they asked for
        (
            [failed(TEST), edit("package.json"), edit("a.md"), worked("npm install"), worked(TEST)],
            [(4, "sig", TEST, "it broke", "edit", "package.json, then `npm install`")],
        ),
        # it came back: it did not stay away
        ([failed(TEST), edit("a.py"), worked(TEST), failed(TEST)], []),
        # another failure on the way: what was done until then took the first one away
        (
            [failed(TEST, "one"), edit("a.py"), failed(TEST, "two"), edit("b.py"), worked(TEST)],
            [(4, "one", TEST, "it broke", "edit", "a.py"), (4, "two", TEST, "it broke", "edit", "b.py")],
        ),
        # tried in vain
        (
            [failed(TEST), worked("npm ci"), failed(TEST), edit("a.py"), worked(TEST)],
            [(2, "sig", TEST, "it broke", "vain", "npm ci"), (4, "sig", TEST, "it broke", "edit", "a.py")],
        ),
        # in the wrong folder
        (
            [failed("npm test"), worked("cd web && npm test")],
            [(1, "sig", "npm test", "it broke", "form", "cd web && npm test")],
        ),
        ([failed("npm test"), worked("cd /home/ann/shop && npm test")], []),
        # no edit brings a program; a command that compares has not failed
        ([failed("gti st", failure="gti: command not found"), edit("a.py"), worked("gti st")], []),
        ([failed("diff a b"), edit("a"), worked("diff a b")], []),
        # what cannot be taken back is never told as a fix
        ([failed("pytest"), worked("rm -rf build"), worked("pytest")], []),
        ([failed("git push"), worked("git push --force")], []),
        # a failed tool that is no command has none
        ([WorkRow("failure", 5, "a.py", "", None, "no match", "s", "", ""), edit("a.py"), worked(TEST)], []),
        ([], []),
    ],
)
def test_find_fixes(work: list[WorkRow], expected: list[tuple[object, ...]]) -> None:
    assert fixes(*work) == expected


def test_a_fix_keeps_when_it_worked_and_is_cut() -> None:
    late = worked(TEST)._replace(at=77)
    long = edit("d/" * 300 + "a.py")
    (fix,) = find_fixes([(3, failed(TEST)), (3, long), (4, late)])
    assert isinstance(fix, Fix)
    assert (fix.turn, fix.at, len(fix.what)) == (4, 77, 400)


def test_a_long_session_takes_time_in_proportion() -> None:
    import time

    work = [each for i in range(300) for each in (failed(f"make part{i}"), edit(f"{i}.py"))]
    started = time.monotonic()
    assert fixes(*work) == []
    assert time.monotonic() - started < 3.0
