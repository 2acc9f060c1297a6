"""Versions are installed once, and what npm says is passed on. npm is a script here: no test downloads."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .npm import NotInstalledError, installed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script in the place of npm")

WORKS = """#!/bin/sh
echo "$@" >> "$0.calls"
mkdir -p "$3/node_modules/.bin" && head -c 2400000 /dev/zero > "$3/node_modules/.bin/copilot"
"""
FAILS = """#!/bin/sh
cat >&2 <<END

npm error code ETARGET
npm error notarget No matching version found for it.
npm error A complete log is kept.
END
exit 1
"""


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    script = tmp_path / "bin" / "npm"
    script.parent.mkdir()
    monkeypatch.setenv("PATH", f"{script.parent}:/usr/bin:/bin")
    return script


def write(script: Path, text: str) -> None:
    script.write_text(text)
    script.chmod(0o755)


def test_is_downloaded_once(npm: Path, tmp_path: Path) -> None:
    write(npm, WORKS)
    said: list[str] = []
    tools = tmp_path / "tools"
    for _ in range(2):
        program = installed("1.0.60", tools, said.append, platform="linux")
        assert program == tools / "1.0.60" / "node_modules" / ".bin" / "copilot"
    folder = tools / "1.0.60"
    assert said == [
        f"1.0.60: npm downloads @github/copilot@1.0.60 into {folder}",
        f"1.0.60: 2 MB are in {folder}",
    ]
    assert Path(f"{npm}.calls").read_text() == (
        f"install --prefix {folder} --no-save --no-audit --no-fund --loglevel=error @github/copilot@1.0.60\n"
    )


@pytest.mark.parametrize(
    ("script", "platform", "message"),
    [
        (FAILS, "linux", "npm failed: code ETARGET; notarget No matching version found for it."),
        ("#!/bin/sh\nexit 3\n", "linux", "npm failed: exit status 3"),
        ("#!/bin/sh\n", "linux", "@github/copilot@9.9.9 has no program for this machine"),
        (WORKS, "win32", "@github/copilot@9.9.9 has no program for this machine"),
    ],
)
def test_why_not(npm: Path, tmp_path: Path, script: str, platform: str, message: str) -> None:
    write(npm, script)
    with pytest.raises(NotInstalledError) as raised:
        installed("9.9.9", tmp_path / "tools", lambda _: None, platform=platform)
    assert str(raised.value) == message


def test_without_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotInstalledError, match="npm is not on the PATH"):
        installed("1.0.60", tmp_path / "tools", lambda _: None, platform="linux")
