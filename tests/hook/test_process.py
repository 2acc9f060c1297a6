"""The hook as hosts run it: a real process, `-I -S`, whatever it is given and whatever is broken."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.world import ENTRY, World, asked, said

OLD = "11111111-aaaa-4000-8000-000000000001"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session(OLD, asked("about retry_budget"), said("We decided to set retry_budget to 7 because it starved."))
    world.index()
    return world


def payload(world: World, event: str = "UserPromptSubmit", **fields: Any) -> bytes:
    value = {"hook_event_name": event, "session_id": "asking", "cwd": str(world.project), **fields}
    return json.dumps(value).encode()


def recalls(stdout: bytes) -> bool:
    reply = json.loads(stdout)
    assert set(reply) == {"additionalContext", "hookSpecificOutput"}
    assert reply["hookSpecificOutput"]["additionalContext"] == reply["additionalContext"]
    return "set retry_budget to 7" in reply["additionalContext"]


class TestReply:
    def test_is_one_ascii_document(self, shop: World) -> None:
        done = shop.process("UserPromptSubmit", payload(shop, prompt="retry_budget?"))
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.isascii()
        assert recalls(done.stdout)

    @pytest.mark.parametrize("prefix", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf", b"\r\n  "])
    def test_survives_what_hosts_put_before(self, shop: World, prefix: bytes) -> None:
        done = shop.process("UserPromptSubmit", prefix + payload(shop, prompt="retry_budget?") + b"\r\n")
        assert recalls(done.stdout)

    @pytest.mark.parametrize(
        "data", [b"", b"garbage", b"{", b"[]", b"null", b'"x"', b"\x00\xff", b'{"session_id": 7}', b"[" * 9000]
    )
    def test_is_nothing_for_what_is_no_payload(self, shop: World, data: bytes) -> None:
        done = shop.process("UserPromptSubmit", data)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    def test_an_oversized_prompt_is_salvaged(self, shop: World) -> None:
        done = shop.process("UserPromptSubmit", payload(shop, prompt="retry_budget? " + "x y " * 500_000))
        assert recalls(done.stdout)

    @pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8", "xx_XX.ISO-8859-1"])
    def test_in_any_locale(self, shop: World, locale: str) -> None:
        shop.cli_session("22222222-bbbb", asked("über müßig_wert"), said("We decided to set müßig_wert to 3 - naïve."))
        shop.index()
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(ENTRY), "UserPromptSubmit", shop.layout.cache, shop.layout.config],
            input=payload(shop, prompt="what is müßig_wert?"),
            capture_output=True,
            env={**shop.environment, "LC_ALL": locale, "PYTHONIOENCODING": "ascii"},
            timeout=20,
            check=True,
        )
        assert "müßig_wert to 3" in json.loads(done.stdout)["additionalContext"]


class TestTime:
    def test_answers_while_the_pipe_stays_open(self, shop: World) -> None:
        hook = self.start(shop)
        assert hook.stdin is not None
        assert hook.stdout is not None
        hook.stdin.write(payload(shop, prompt="retry_budget?"))
        hook.stdin.flush()
        with hook:
            assert recalls(hook.stdout.read())
            assert hook.wait(5) == 1  # more may come: the command's shell drains it, see `test_written_file`

    def test_ends_by_itself_where_nothing_comes(self, shop: World) -> None:
        began = time.monotonic()
        with self.start(shop) as hook:
            assert hook.wait(15) == 1  # the command's shell drains what may still come, see `test_written_file`
            assert time.monotonic() - began < 10
            assert hook.stdout is not None
            assert hook.stdout.read() == b""

    def test_waits_for_the_second_half(self, shop: World) -> None:
        data = payload(shop, prompt="retry_budget?")
        with self.start(shop) as hook:
            assert hook.stdin is not None
            hook.stdin.write(data[:40])
            hook.stdin.flush()
            time.sleep(0.3)
            hook.stdin.write(data[40:])
            hook.stdin.close()
            assert hook.stdout is not None
            assert recalls(hook.stdout.read())

    @pytest.mark.parametrize(
        ("place", "before", "status"),
        [("session.py", "    ask = Ask(payload", 0), ("stdin.py", "    collector = _Collector(limit)", 1)],
        ids=["after reading", "while reading"],
    )
    def test_the_watchdog_ends_a_hook_that_is_stuck(
        self, shop: World, tmp_path: Path, place: str, before: str, status: int
    ) -> None:
        copy = tmp_path / "copy" / "deja_hooks"
        shutil.copytree(ENTRY.parent.parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
        stuck = copy / "hook" / place
        code = stuck.read_text()
        assert before in code
        stuck.write_text(code.replace(before, f"    import time; time.sleep(60)\n{before}"))
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(copy / "hook" / "entry.py"), "UserPromptSubmit", "/nowhere", "/nowhere"],
            input=payload(shop, prompt="retry_budget?"),
            capture_output=True,
            env=shop.environment,
            timeout=30,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (status, b"", b"")
        assert time.monotonic() - began < 15

    def start(self, world: World) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(ENTRY), "UserPromptSubmit", world.layout.cache, world.layout.config],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=world.environment,
        )


class TestDisk:
    def test_without_a_cache(self, world: World) -> None:
        done = world.process("UserPromptSubmit", payload(world, prompt="retry_budget?"))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    @pytest.mark.parametrize("name", ["memory.db", "state.db"])
    @pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + b"\xff" * 5000])
    def test_with_a_broken_database(self, shop: World, name: str, content: bytes) -> None:
        (Path(shop.layout.cache) / name).write_bytes(content)
        done = shop.process("UserPromptSubmit", payload(shop, prompt="retry_budget?"))
        assert (done.returncode, done.stderr) == (0, b"")
        if name == "state.db":
            assert recalls(done.stdout), "a broken state silences nothing"
        else:
            assert done.stdout == b""

    def test_with_a_truncated_memory(self, shop: World) -> None:
        memory = Path(shop.layout.memory)
        data = memory.read_bytes()
        for size in range(0, len(data), len(data) // 23):
            memory.write_bytes(data[:size])
            done = shop.process("UserPromptSubmit", payload(shop, prompt="retry_budget?"))
            assert (done.returncode, done.stderr) == (0, b"")

    def test_with_a_folder_in_the_place_of_the_cache(self, shop: World) -> None:
        shutil.rmtree(shop.layout.cache)
        Path(shop.layout.cache).parent.mkdir(exist_ok=True)
        Path(shop.layout.cache).write_text("a file")
        done = shop.process("UserPromptSubmit", payload(shop, prompt="retry_budget?"))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    def test_with_a_cache_of_another_user(self, shop: World, tmp_path: Path) -> None:
        """Recalls from a cache that it may read and not write."""
        python = interpreter_for_everybody()
        package = tmp_path / "package" / "deja_hooks"
        shutil.copytree(ENTRY.parent.parent, package, ignore=shutil.ignore_patterns("__pycache__"))
        for folder in (tmp_path.parent.parent, tmp_path.parent):
            folder.chmod(0o755)
        for path in [tmp_path, *tmp_path.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        entry = str(package / "hook" / "entry.py")
        done = subprocess.run(
            [python, "-I", "-S", entry, "UserPromptSubmit", shop.layout.cache, shop.layout.config],
            input=payload(shop, prompt="retry_budget?"),
            capture_output=True,
            env=shop.environment,
            timeout=30,
            check=False,
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert recalls(done.stdout)
        assert not list(Path(shop.layout.cache).glob("state.db*"))


NOBODY = 65534


def interpreter_for_everybody() -> str:
    """A Python that another user may run: ours may lie in a closed home."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("needs root to become another user")
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        probe = "import sys; sys.exit(sys.version_info < (3, 10))"
        try:
            done = subprocess.run([python, "-I", "-S", "-c", probe], user=NOBODY, group=NOBODY, check=False)
        except OSError:
            continue
        if done.returncode == 0:
            return python
    return pytest.skip("no interpreter here that another user may run")


class TestSwitches:
    def test_the_environments(self, shop: World) -> None:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(ENTRY), "UserPromptSubmit", shop.layout.cache, shop.layout.config],
            input=payload(shop, prompt="retry_budget?"),
            capture_output=True,
            env={**shop.environment, "DEJA_RECALL": "off"},
            timeout=20,
            check=True,
        )
        assert done.stdout == b""
        assert ring(shop)[-1]["r"] == "switched off by DEJA_RECALL"

    def test_a_late_writer_finds_the_pipe_open(self, shop: World) -> None:
        """No EPIPE for a host that writes after the hook has started, switched off or not."""
        hook = subprocess.Popen(
            [sys.executable, "-I", "-S", str(ENTRY), "UserPromptSubmit", shop.layout.cache, shop.layout.config],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**shop.environment, "DEJA_RECALL": "off"},
        )
        with hook:
            time.sleep(0.4)
            assert hook.stdin is not None
            hook.stdin.write(payload(shop, prompt="retry_budget?"))
            hook.stdin.close()
            assert hook.wait(10) == 0


class TestRing:
    def test_has_a_line_for_each_call(self, shop: World) -> None:
        shop.process("UserPromptSubmit", payload(shop, prompt="retry_budget?"))
        shop.process("PreToolUse", payload(shop, "PreToolUse", tool_name="view", tool_input={}))
        shop.process("PreToolUse", b"garbage")
        lines = ring(shop)
        assert [(each["e"], each["h"], each["r"]) for each in lines] == [
            ("UserPromptSubmit", "cli", "recalled: retry_budget (confidence 0.98)"),
            ("PreToolUse", "cli", "a tool that needs no memory"),
            ("PreToolUse", "", "no payload that can be read"),
        ]
        assert "set retry_budget to 7" in lines[0]["p"]
        assert [each["c"] for each in lines[1:]] == [0, 0]

    def test_is_bounded(self, shop: World) -> None:
        path = Path(shop.layout.ring)
        path.write_bytes(b"x" * (1 << 20))
        shop.process("PreToolUse", payload(shop, "PreToolUse", tool_name="view", tool_input={}))
        assert not path.exists()
        assert Path(f"{path}.1").stat().st_size > 1 << 20
        shop.process("PreToolUse", payload(shop, "PreToolUse", tool_name="view", tool_input={}))
        assert len(ring(shop)) == 1


def ring(world: World) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(world.layout.ring).read_text().splitlines()]


def bash(result: str) -> dict[str, Any]:
    """The fields of a command's result."""
    return {"tool_name": "bash", "tool_input": {"command": "m"}, "tool_result": {"text_result_for_llm": result}}


class TestModules:
    """What each event loads: start-up is the product."""

    IGNORED = frozenset({
        "_json", "deja_hooks", "deja_hooks.hook", "deja_hooks.hook.events", "deja_hooks.hook.host",
        "deja_hooks.hook.main", "deja_hooks.hook.payload", "deja_hooks.hook.reply", "deja_hooks.hook.ring",
        "deja_hooks.scan", "deja_hooks.hook.stdin", "deja_hooks.hook.switch", "deja_hooks.memory",
        "deja_hooks.memory.layout", "deja_hooks.system", "deja_hooks.tools", "zlib",
    })  # fmt: skip
    RECALLING = IGNORED | {
        "_sqlite3", "deja_hooks.hook.session", "deja_hooks.hook.result", "deja_hooks.hook.wake",
        "deja_hooks.feedback", "deja_hooks.feedback.specifics",
        "deja_hooks.memory.cursor", "deja_hooks.failures", "deja_hooks.failures.keys", "deja_hooks.memory.read",
        "deja_hooks.memory.schema",
        "deja_hooks.memory.scope", "deja_hooks.memory.sqlite",
        "deja_hooks.memory.state", "deja_hooks.memory.stopwords", "deja_hooks.memory.terms", "deja_hooks.recall",
        "deja_hooks.recall.after_tool", "deja_hooks.recall.ask", "deja_hooks.recall.asked",
        "deja_hooks.recall.before_command", "deja_hooks.recall.closer", "deja_hooks.recall.confidence",
        "deja_hooks.recall.dates", "deja_hooks.recall.before_tool", "deja_hooks.recall.symbols",
        "deja_hooks.recall.edited", "deja_hooks.recall.fence", "deja_hooks.recall.overturned",
        "deja_hooks.recall.passages",
        "deja_hooks.recall.prompt", "deja_hooks.recall.quote", "deja_hooks.recall.rank", "deja_hooks.recall.scope",
        "deja_hooks.recall.session_start", "deja_hooks.recall.standing", "deja_hooks.recall.thresholds",
        "deja_hooks.recall.transcript", "select",
    }  # fmt: skip

    PROBE = """
import sys
before = set(sys.modules)
import posix
leave = posix._exit
def report(code):
    posix.write(2, " ".join(sorted(set(sys.modules) - before)).encode())
    leave(code)
posix._exit = report
sys.argv = ["entry", *sys.argv[2:]]
path = {path!r}
exec(compile(open(path).read(), path, "exec"), {{"__name__": "__main__", "__file__": path}})
"""

    def loaded(self, world: World, event: str, data: bytes) -> set[str]:
        probe = self.PROBE.format(path=str(ENTRY))
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", probe, "-", event, world.layout.cache, world.layout.config],
            input=data,
            capture_output=True,
            env=world.environment,
            timeout=20,
            check=True,
        )
        return set(done.stderr.decode().split())

    def test_nothing_else_that_is_installed(self, shop: World) -> None:
        """The package's own folder is made known, not the one that it lies in with all that others have installed."""
        says_modules = '" ".join(sorted(set(sys.modules) - before))'
        probe = self.PROBE.format(path=str(ENTRY)).replace(says_modules, "str(sys.path)")
        asked = ["UserPromptSubmit", shop.layout.cache, shop.layout.config]
        command = [sys.executable, "-I", "-S", "-c", probe, "-", *asked]
        data = payload(shop, prompt="retry_budget?")
        done = subprocess.run(command, input=data, capture_output=True, env=shop.environment, timeout=20, check=True)
        bare = [sys.executable, "-I", "-S", "-c", "import sys; print(sys.path)"]
        own = subprocess.run(bare, capture_output=True, env=shop.environment, timeout=20, check=True).stdout
        assert b"retry_budget" in done.stdout
        assert done.stderr.strip() == own.strip()

    @pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse"])
    def test_an_ignored_tool_call(self, shop: World, event: str) -> None:
        found = self.loaded(shop, event, payload(shop, event, tool_name="view", tool_input={"path": "x"}))
        assert found <= self.IGNORED

    def test_a_command_that_worked(self, shop: World) -> None:
        """Where the host gives no call id there is nothing to note the end under, and nothing to say."""
        allowed = self.IGNORED | {"deja_hooks.hook.result", "deja_hooks.failures", "deja_hooks.failures.output"}
        data = payload(shop, "PostToolUse", **bash("ok\n<shellId: 0 completed with exit code 0>"))
        assert self.loaded(shop, "PostToolUse", data) <= allowed
        assert ring(shop)[-1]["r"] == "it worked"

    @pytest.mark.parametrize(
        ("event", "fields", "more"),
        [
            ("SessionStart", {"source": "new"}, ""),
            ("UserPromptSubmit", {"prompt": "retry_budget?"}, ""),
            ("PreToolUse", {"tool_name": "edit", "tool_input": {"path": "a.py", "old_str": "x"}}, ""),
            ("PreToolUse", {"tool_name": "bash", "tool_input": {"command": "make"}}, "command_form"),
            ("PostToolUse", bash("<shellId: 0 completed with exit code 0>"), "output"),
            ("PostToolUse", bash("x"), "output line forms"),
            ("PostToolUse", bash("cat: x: No such file or directory"), "output line forms signature"),
            (
                "PostToolUse",
                bash("app.py: error: no pool"),
                "output line forms signature program command_line",
            ),
            ("Stop", {}, ""),
            ("SessionEnd", {}, ""),
        ],
    )
    def test_the_other_events(self, shop: World, event: str, fields: dict[str, Any], more: str) -> None:
        # The claim keeps this test from starting an indexer.
        Path(shop.layout.index_claim).touch()
        allowed = self.RECALLING | {f"deja_hooks.failures.{name}" for name in more.split()}
        assert self.loaded(shop, event, payload(shop, event, **fields)) <= allowed

    def test_a_malformed_payload_loads_nothing_outside_the_standard_library(self, shop: World) -> None:
        found = self.loaded(shop, "PreToolUse", b'{"a": tru')
        outside = {name for name in found if name.partition(".")[0] not in sys.stdlib_module_names | {"deja_hooks"}}
        assert outside == set()


def test_a_hook_whose_host_dies_ends(shop: World) -> None:
    hook = subprocess.Popen(
        [sys.executable, "-I", "-S", str(ENTRY), "UserPromptSubmit", shop.layout.cache, shop.layout.config],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=shop.environment,
    )
    with hook:
        assert hook.stdout is not None
        hook.stdout.close()
        hook.stdout = None
        hook.communicate(payload(shop, prompt="retry_budget?"), timeout=10)
        assert hook.returncode == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_descriptors(shop: World, closed: str) -> None:
    command = f'"$0" -I -S "$1" UserPromptSubmit "$2" "$3" {closed}'
    arguments = [sys.executable, str(ENTRY), shop.layout.cache, shop.layout.config]
    done = subprocess.run(
        ["sh", "-c", command, *arguments],
        input=payload(shop, prompt="retry_budget?"),
        capture_output=True,
        env=shop.environment,
        timeout=20,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGPIPE)
    assert done.stderr == b""
