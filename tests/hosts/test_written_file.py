"""Every command of the written hook file, run by `sh -c`, on real payloads and on broken ones."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deja_hooks.hook.events import EVENTS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the POSIX command")

FIXTURES = Path(__file__).parents[1] / "contract" / "fixtures"
SAMPLES = [json.loads(line) for file in sorted(FIXTURES.glob("*.jsonl")) for line in file.read_text().splitlines()]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty home with the hooks installed, without an index."""
    home = tmp_path_factory.mktemp("it's a home")
    subprocess.run(
        [sys.executable, "-m", "deja_hooks", "install", "--no-index"],
        env=_environment(home),
        check=True,
        capture_output=True,
    )
    return home


def _environment(home: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(home), "PATH": os.environ["PATH"], **more}


def _commands(home: Path) -> dict[str, str]:
    document = json.loads((home / ".copilot" / "hooks" / "deja.json").read_bytes())
    return {event: entry["bash"] for event, [entry] in document["hooks"].items()}


def _call(home: Path, event: str, data: bytes, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["sh", "-c", _commands(home)[event]],
        input=data,
        capture_output=True,
        env=_environment(home, **environment),
        check=False,
        timeout=10,
    )


def _holds(result: "subprocess.CompletedProcess[bytes]") -> None:
    """Exit 0, nothing on stderr, one ASCII JSON object or nothing."""
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == b"" or isinstance(json.loads(result.stdout.decode("ascii")), dict)


def _sample(event: str) -> bytes:
    payload = next(each["payload"] for each in SAMPLES if each["name"].split(".")[0] == event)
    return json.dumps(payload).encode()


@pytest.mark.parametrize("sample", SAMPLES, ids=[each["name"] for each in SAMPLES])
def test_each_sample_payload(home: Path, sample: dict[str, object]) -> None:
    event = str(sample["name"]).partition(".")[0]
    if event in EVENTS:
        _holds(_call(home, event, json.dumps(sample["payload"]).encode()))


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "two BOMs": lambda data: b"\xef\xbb\xbf\xef\xbb\xbf" + data,
    "empty": lambda _: b"",
    "garbage": lambda _: b"\xff\xfe{[}\x00",
    "an array": lambda _: b"[1]",
    "cut off": lambda data: data[: len(data) // 2],
    "huge": lambda data: data[:-1] + b', "more": "' + b"x" * 3_000_000 + b'"}',
}


@pytest.mark.parametrize("broken", list(BROKEN))
@pytest.mark.parametrize("event", list(EVENTS))
def test_each_command_with_a_broken_payload(home: Path, event: str, broken: str) -> None:
    _holds(_call(home, event, BROKEN[broken](_sample(event))))


@pytest.mark.parametrize("event", list(EVENTS))
def test_each_command_in_the_c_locale_without_a_home(home: Path, event: str) -> None:
    _holds(_call(home, event, _sample(event), LC_ALL="C", HOME=""))


@pytest.mark.parametrize("event", list(EVENTS))
@pytest.mark.parametrize("sent", ["whole", "nothing"])
def test_each_command_with_the_pipe_left_open(home: Path, event: str, sent: str) -> None:
    read_end, write_end = os.pipe()
    started = time.monotonic()
    with subprocess.Popen(
        ["sh", "-c", _commands(home)[event]],
        stdin=read_end,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(home),
    ) as process:
        os.close(read_end)
        os.write(write_end, _sample(event) if sent == "whole" else b"")
        out, error = process.communicate(timeout=10)
    took = time.monotonic() - started
    os.close(write_end)
    _holds(subprocess.CompletedProcess([], process.returncode, out, error))
    assert took < 3


@pytest.mark.parametrize("event", list(EVENTS))
def test_each_command_with_a_corrupt_memory_and_a_file_for_a_cache(home: Path, event: str) -> None:
    elsewhere = home / "elsewhere"
    cache = elsewhere / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    for name in ("memory.db", "state.db"):
        (cache / name).write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    _holds(_call(home, event, _sample(event), DEJA_HOOKS_HOME=str(elsewhere)))
    (home / "file").mkdir(exist_ok=True)
    (home / "file" / "cache").write_text("no folder")
    _holds(_call(home, event, _sample(event), DEJA_HOOKS_HOME=str(home / "file")))


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop"])
def test_a_payload_that_comes_too_late_meets_an_open_pipe(home: Path, event: str) -> None:
    """The hook gives up after a second, and the shell exits; what the host still writes is read all the same."""
    data = _sample(event)
    read_end, write_end = os.pipe()
    started = time.monotonic()
    with subprocess.Popen(
        ["sh", "-c", _commands(home)[event]],
        stdin=read_end,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(home),
    ) as process:
        os.close(read_end)
        os.write(write_end, data[:-1])
        out, error = process.communicate(timeout=10)
    took = time.monotonic() - started
    _holds(subprocess.CompletedProcess([], process.returncode, out, error))
    time.sleep(max(0.0, 1.5 - took))
    for _ in range(5):  # more than a pipe holds
        os.write(write_end, b" " * 65_536)
    os.write(write_end, data[-1:])
    os.close(write_end)
    assert took < 3


@pytest.mark.parametrize("event", ["UserPromptSubmit", "PreToolUse", "Stop"])
@pytest.mark.parametrize("pause", [0.0, 0.02, 0.1], ids=["at once", "meanwhile", "afterwards"])
def test_blanks_behind_the_value_meet_an_open_pipe(home: Path, event: str, pause: float) -> None:
    """More than a pipe holds, in pieces: the answer waits for none of them, the writer fails at none of them."""
    read_end, write_end = os.pipe()
    with subprocess.Popen(
        ["sh", "-c", _commands(home)[event]],
        stdin=read_end,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(home),
    ) as process:
        os.close(read_end)
        os.write(write_end, _sample(event))
        for _ in range(20):
            time.sleep(pause)
            os.write(write_end, b" " * 10_000)
            if pause == 0.1:
                process.wait(5)  # with nineteen pieces to come
        out, error = process.communicate(timeout=10)
        os.close(write_end)
    _holds(subprocess.CompletedProcess([], process.returncode, out, error))
