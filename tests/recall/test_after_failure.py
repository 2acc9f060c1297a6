"""After a failure: a hundred errors of many tools, of which forty have a fix that this machine has seen."""

from __future__ import annotations

from typing import Any

import pytest

from deja_hooks.hook.main import Outcome
from tests.failures.errors import ERRORS
from tests.support.world import World, asked, edited, ran, said

#: What varies, on the day of the history and on the day of the question.
THEN = {
    "dir": "/home/ann/shop", "line": "12", "col": "5", "n": "7", "sha": "ab12cd34ef56ab12", "short": "ab12cd3",
    "ver": "1.2.3", "took": "0.123s", "uuid": "123e4567-e89b-12d3-a456-426614174000", "port": "5432", "pid": "4242",
    "addr": "0x7f12ab", "ip": "10.0.0.1", "date": "2024-01-02", "time": "01:02:03",
    "stamp": "2024-01-02T01:02:03.123456Z", "tmp": "/tmp/tmpab12cd3x",
}  # fmt: skip
NOW = {
    "dir": "/builds/7/shop", "line": "9999", "col": "55", "n": "70123", "sha": "0a12cd34ef56ab12a1", "short": "0b12cd3",
    "ver": "11.20.0", "took": "17ms", "uuid": "323e4567-e89b-12d3-a456-426614174fff", "port": "5433", "pid": "14242",
    "addr": "0x7fffffab", "ip": "192.168.0.1", "date": "2025-11-30", "time": "11:02:03",
    "stamp": "2025-01-02T01:02:03.120456Z", "tmp": "/tmp/tmp_b12cd3x",
}  # fmt: skip
LOOKED = ("ls -la", "git status", "cat package.json", "npm ls --depth=0", "docker ps -a", "git log --oneline -3")
#: What ended the failures that have a fix; `{i}` tells them apart.
HELPED = (
    "npm install helper-{i}", "docker compose up -d svc{i}", "./scripts/setup.sh --part {i}",
    "pip install 'helper-{i}'",
    "python manage.py migrate app{i}",
)  # fmt: skip
Records = list[tuple[str, dict[str, Any]]]


def known(i: int) -> bool:
    """Whether the failure of this number has a fix: 40 of 100."""
    return i % 5 in (0, 3)


def command_of(i: int) -> str:
    return f"./tool{i} --all"


def what_helped(i: int) -> str:
    return f"part{i}/mended.py" if i % 3 == 0 else HELPED[i % len(HELPED)].format(i=i)


def mended(world: World, i: int, output: str) -> Records:
    """Failed, looked around, did what helps, looked again, worked."""
    fix: Records = list(ran(what_helped(i), 0))
    if i % 3 == 0:
        fix = list(edited(world.project / what_helped(i), "a", "b"))
    return [
        *ran(command_of(i), 1, output),
        *ran(LOOKED[i % len(LOOKED)], 0),
        *fix,
        *ran(LOOKED[(i + 1) % len(LOOKED)], 0),
        *ran(f"cd {world.project} && {command_of(i)}", 0),
    ]


def unmended(world: World, i: int, output: str) -> Records:
    """Failed, and what came after proves no fix."""
    failed, worked = list(ran(command_of(i), 1, output)), list(ran(command_of(i), 0))
    install = list(ran(f"npm install helper-{i}", 0))
    change = list(edited(world.project / f"part{i}" / "other.py", "a", "b"))
    endings: tuple[Records, ...] = (
        [*install],  # never tried again
        [*change, *ran(command_of(i), 1, output)],  # failed again
        [*ran(LOOKED[i % len(LOOKED)], 0), *ran("pytest -q", 0), *worked],  # nothing was changed: it came and went
        [*ran(f"rm -rf build{i}", 0), *worked],  # can't be taken back
        [*install, *worked, *ran(command_of(i), 1, output)],  # it came back
        [*install, *ran(command_of(i), 1, output), *install, *ran(command_of(i), 1, output)],  # in vain, twice
        [*ran(f"bash -c 'git reset --hard HEAD~{i}'", 0), *worked],
        [*ran(f"npm install helper-{i}", 1, "npm error network"), *worked],  # what failed has helped nobody
    )
    return [*failed, *endings[i // 5 % len(endings)]]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("failures"))
    for i, error in enumerate(ERRORS):
        records = (mended if known(i) else unmended)(world, i, error.format(**THEN))
        world.cli_session(
            f"{i:08x}-aaaa-4000-8000-000000000001", asked("go on"), *records, said("Done."),
            at=world.now - 86_400_000 + i * 60_000,
        )  # fmt: skip
    world.index()
    return world


def fail(world: World, command: str, output: str, sid: str) -> Outcome:
    result = f"{output}\n<shellId: 4 completed with exit code 1>"
    return world.tool("PostToolUse", "bash", sid=sid, result=result, command=command)


def test_there_are_forty_of_a_hundred() -> None:
    assert (len(ERRORS), sum(known(i) for i in range(len(ERRORS)))) == (100, 40)


@pytest.mark.parametrize("i", range(100))
def test_each_has_its_own_fix_or_none(machine: World, i: int) -> None:
    outcome = fail(machine, command_of(i), ERRORS[i].format(**NOW), f"asking-{i}")
    if known(i):
        assert what_helped(i) in outcome.text
        assert outcome.text.count("[deja-hooks show") == 1
    else:
        assert outcome.text == ""


class TestEvidence:
    ERROR = "RuntimeError: the broker of orders is gone"

    def session(self, world: World, number: int, *records: tuple[str, dict[str, Any]]) -> None:
        sid = f"{number}0000000-aaaa-4000-8000-000000000001"
        world.cli_session(sid, asked("go on"), *records, at=world.now - 86_400_000 + number * 1_000_000)

    def tried(self, command: str, status: int) -> Records:
        failed = list(ran("./serve", 1, self.ERROR))
        again = list(ran("./serve", status, self.ERROR if status else ""))
        return [*failed, *ran(command, 0), *again]

    def ask(self, world: World, sid: str = "asking") -> str:
        world.index()
        return fail(world, "./serve", self.ERROR, sid).text

    def test_what_worked_most_often_comes_before_the_latest(self, world: World) -> None:
        for number, command in enumerate(["./broker start", "./broker start", "./tidy up"], 1):
            self.session(world, number, *self.tried(command, 0))
        assert "went away after `./broker start` (worked 2 times)" in self.ask(world)

    def test_what_was_in_vain_counts_too(self, world: World) -> None:
        for number, status in enumerate([0, 1, 0], 1):
            self.session(world, number, *self.tried("./broker start", status))
        assert "went away after `./broker start` (worked 2 of 3 times)" in self.ask(world)

    def test_what_was_mostly_in_vain_is_not_told(self, world: World) -> None:
        for number, status in enumerate([0, 1, 1], 1):
            self.session(world, number, *self.tried("./broker start", status))
        assert self.ask(world) == ""

    def test_the_command_that_failed_is_no_fix_of_itself(self, world: World) -> None:
        error = "bash: line 1: flake8: command not found"
        self.session(world, 1, *ran("flake8 src", 127, error), *ran("python -m flake8 src", 0))
        world.index()
        assert fail(world, "python -m flake8 src", error, "asking").text == ""

    def test_another_error_on_the_way_ends_the_first(self, world: World) -> None:
        first, second = "KeyError: 'retries'", "KeyError: 'timeout'"
        self.session(
            world, 1, *ran("./serve", 1, first), *edited(world.project / "retries.py", "a", "b"),
            *ran("./serve", 1, second), *edited(world.project / "timeout.py", "a", "b"), *ran("./serve", 0),
        )  # fmt: skip
        world.index()
        assert "after edits to retries.py (" in fail(world, "./serve", first, "one").text
        assert "after edits to timeout.py (" in fail(world, "./serve", second, "two").text

    def test_edits_and_the_installation_that_followed(self, world: World) -> None:
        self.session(
            world, 1, *ran("./serve", 1, self.ERROR), *edited(world.project / "package.json", "a", "b"),
            *ran("npm install", 0), *ran("./serve", 0),
        )  # fmt: skip
        assert "after edits to package.json, then `npm install` (seen once" in self.ask(world)

    def test_the_folder_was_wrong(self, world: World) -> None:
        error = 'npm error Missing script: "dev"'
        self.session(world, 1, *ran("npm run dev", 1, error), *ran("cd web && npm run dev", 0))
        world.index()
        assert "`cd web && npm run dev` worked instead" in fail(world, "npm run dev", error, "asking").text

    def test_a_test_of_another_project_is_another_test(self, world: World) -> None:
        error = "FAILED tests/test_pool.py::test_load - RuntimeError: pool starved"
        self.session(world, 1, *ran("pytest", 1, error), *ran("./broker start", 0), *ran("pytest", 0))
        world.index()
        other = world.home / "code" / "other"
        world.git(other)
        result = {"result_type": "success", "text_result_for_llm": f"{error}\n<shellId: 4 completed with exit code 1>"}
        fields: dict[str, Any] = {"tool_name": "bash", "tool_input": {"command": "pytest"}, "tool_result": result}
        assert world.call("PostToolUse", cwd=str(other), **fields).text == ""
        assert world.call("PostToolUse", **fields).text

    @pytest.mark.parametrize(
        ("then", "now", "told"),
        [
            ("config/local.yaml", "config/local.yaml", True),
            ("config/local.yaml", "/home/ann/shop/config/local.yaml", True),
            ("config/local.yaml", "config/other.yaml", False),
            ("config/local.yaml", "web/local.yaml", False),
            ("/tmp/x/local.yaml", "/tmp/x/local.yaml", False),
        ],
    )
    def test_a_missing_file_only_if_it_is_the_very_same(self, world: World, then: str, now: str, told: bool) -> None:
        error = "FileNotFoundError: [Errno 2] No such file or directory: '{}'"
        copy = "cp config/example.yaml config/local.yaml"
        self.session(world, 1, *ran("./serve", 1, error.format(then)), *ran(copy, 0), *ran("./serve", 0))
        world.index()
        assert (copy in fail(world, "./serve", error.format(now), "asking").text) is told


class TestBeforeACommand:
    def flake8(self, world: World) -> None:
        world.cli_session(
            "10000000-aaaa", asked("lint"), *ran("flake8 src", 127, "bash: flake8: command not found"),
            *ran("python -m flake8 src", 0), at=world.now - 7_200_000,
        )  # fmt: skip

    def test_a_form_that_has_worked_since_is_left_alone(self, world: World) -> None:
        self.flake8(world)
        world.index()
        assert world.tool("PreToolUse", "bash", command="flake8 src").text
        world.cli_session("20000000-aaaa", asked("lint"), *ran("flake8 src", 0), at=world.now - 3_600_000)
        world.index()
        outcome = world.tool("PreToolUse", "bash", sid="another", command="flake8 src")
        assert (outcome.text, outcome.reason) == ("", "the same form worked later")

    def test_what_was_tried_in_vain_says_nothing(self, world: World) -> None:
        error = "RuntimeError: the broker of orders is gone"
        failed = [each for _ in range(2) for each in (*ran("./serve", 1, error), *ran("./broker start", 0))]
        world.cli_session("10000000-aaaa", asked("serve"), *failed, *ran("./serve", 1, error))
        world.index()
        outcome = world.tool("PreToolUse", "bash", command="./serve")
        assert (outcome.text, outcome.reason) == ("", "not known to fail here")
