import os
import stat
import sys
from pathlib import Path

import pytest

from deja_hooks.hook.switch import silenced
from deja_hooks.memory.layout import Layout

from .conftest import NOW_MS, Result, Run


def _why(home: Path, folder: str = "src/app", after_ms: int = 0) -> str:
    """What a hook in that folder says, so long after the command."""
    layout = Layout(str(home / "deja" / "cache"), str(home / "deja" / "config"))
    return silenced(layout, str(home / folder), NOW_MS + after_ms)


def test_off_until_on(deja: Run, home: Path) -> None:
    assert deja("off") == Result(0, "Silent in all projects until deja-hooks on. Sessions go on being indexed.\n")
    assert _why(home) == "switched off"
    assert deja("on") == Result(0, "Speaking again in all projects.\n")
    assert _why(home) == ""
    assert deja("on") == Result(0, "It was not switched off in all projects.\n")


@pytest.mark.parametrize(
    ("span", "ms", "until"),
    [
        ("90s", 90_000, "2026-03-01 12:01:30"),
        ("30m", 1_800_000, "2026-03-01 12:30:00"),
        ("2h", 7_200_000, "2026-03-01 14:00:00"),
        ("1d", 86_400_000, "2026-03-02 12:00:00"),
    ],
)
def test_off_for_a_time(deja: Run, home: Path, span: str, ms: int, until: str) -> None:
    assert deja("off", "--for", span) == Result(
        0, f"Silent in all projects until {until}. Sessions go on being indexed.\n"
    )
    assert (_why(home, after_ms=ms - 1), _why(home, after_ms=ms)) == ("switched off", "")


@pytest.mark.parametrize("span", ["", "2", "h", "-1h", "0m", "2 hours", "1w"])
def test_what_is_no_time(deja: Run, span: str) -> None:
    assert deja("off", "--for", span) == Result(
        2,
        "",
        "Usage: deja-hooks off [OPTIONS]\nTry 'deja-hooks off --help' for help.\n\n"
        f"Error: Invalid value for '--for': {span!r} is not a length of time: write 90s, 30m, 2h or 1d.\n",
    )


def test_one_project(deja: Run, home: Path) -> None:
    assert deja("off", "--project", "--for", "2h") == Result(
        0, "Silent in src/app until 2026-03-01 14:00:00. Sessions go on being indexed.\n"
    )
    assert (_why(home), _why(home, "src")) == ("switched off for this project", "")
    assert deja("on") == Result(
        0,
        "It was not switched off in all projects.\n"
        "But single projects are switched off: deja-hooks on --project PATH.\n",
    )
    assert deja("on", "--project") == Result(0, "Speaking again in src/app.\n")
    assert _why(home) == ""


def test_a_project_by_its_folder(deja: Run, home: Path) -> None:
    (home / "repo" / ".git").mkdir(parents=True)
    (home / "repo" / "deep").mkdir()
    assert deja("off", "--project", str(home / "repo" / "deep")).out.startswith(
        f"Silent in {home.name}/repo until deja-hooks on --project. "
    )
    assert (_why(home, "repo"), _why(home)) == ("switched off for this project", "")


def test_a_linked_project_by_either_name(deja: Run, home: Path) -> None:
    (home / "link").symlink_to(home / "src" / "app")
    deja("off", "--project", str(home / "link"))
    assert (_why(home, "link"), _why(home)) == ("switched off for this project",) * 2
    deja("on", "--project", str(home / "link"))
    assert (_why(home, "link"), _why(home)) == ("", "")


def test_no_folder(deja: Run, home: Path) -> None:
    assert deja("off", "--project", "nowhere") == Result(
        1, "", "Error: nowhere is not a folder: name one of the project.\n"
    )


def test_on_says_what_still_silences(deja: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    deja("off")
    monkeypatch.setenv("DEJA_RECALL", "off")
    assert deja("on", "--project") == Result(
        0,
        "It was not switched off in src/app.\n"
        "But DEJA_RECALL in this environment silences every hook that is started from it.\n"
        "But all projects are switched off: deja-hooks on.\n",
    )


@pytest.mark.parametrize("content", ["\u00b2", "\u0663", "soon", "9" * 5000])
def test_a_switch_that_tells_no_time_is_off_for_good(deja: Run, home: Path, content: str) -> None:
    deja("off")
    (home / "deja" / "config" / "off").write_text(content, encoding="utf-8")
    assert deja("on") == Result(0, "Speaking again in all projects.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and pipes")
def test_the_switch_is_private_and_a_pipe_in_its_place_is_removed(deja: Run, home: Path) -> None:
    deja("off")
    file = home / "deja" / "config" / "off"
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, *file.parents[:2])] == [0o600, 0o700, 0o700]
    file.unlink()
    os.mkfifo(file)
    assert deja("on") == Result(0, "Speaking again in all projects.\n")
