"""Versions of the Copilot CLI, each in a folder of its own, as npm installs them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

__all__ = ["NotInstalledError", "installed"]

PACKAGE = "@github/copilot"
#: Seconds for one version: 170 to 490 MB are unpacked.
_LIMIT = 900


class NotInstalledError(Exception):
    """npm could not install a version; the message holds what it says first."""


def installed(version: str, tools: Path, say: Callable[[str], None], *, platform: str) -> Path:
    """The CLI's executable of a version, which npm installs first where it isn't there.

    Args:
        tools: the versions' folders are made in it.
        say: is told what is downloaded, and how large it was.
        platform: as `sys.platform` names it.

    Raises:
        NotInstalledError: npm is missing or has failed.
    """
    folder = tools / version
    program = folder / "node_modules" / ".bin" / ("copilot.cmd" if platform == "win32" else "copilot")
    if not program.exists():
        say(f"{version}: npm downloads {PACKAGE}@{version} into {folder}")
        _install(version, folder)
        if not program.exists():
            raise NotInstalledError(f"{PACKAGE}@{version} has no program for this machine")
        say(f"{version}: {_megabytes(folder)} MB are in {folder}")
    return program.resolve()


def _install(version: str, folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstalledError("npm is not on the PATH")
    folder.mkdir(parents=True, exist_ok=True)
    options = ["--prefix", str(folder), "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]
    command = [npm, "install", *options, f"{PACKAGE}@{version}"]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotInstalledError(f"npm did not end within {_LIMIT} s") from None
    if done.returncode:
        told = [line.removeprefix("npm error ").strip() for line in done.stderr.splitlines() if line.strip()]
        raise NotInstalledError(f"npm failed: {'; '.join(told[:2]) or f'exit status {done.returncode}'}")


def _megabytes(folder: Path) -> int:
    sizes = (path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
    return round(sum(sizes) / 1e6)
