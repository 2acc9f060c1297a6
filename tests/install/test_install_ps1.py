"""install.ps1, where there is no PowerShell: it is PowerShell 5.1, and knows what install.sh knows."""

import re
from pathlib import Path

import pytest

from tests.support.powershell import faults

FOLDER = Path(__file__).parents[2] / "install"
SCRIPT = (FOLDER / "install.ps1").read_text(encoding="utf-8")


def test_it_is_powershell_5() -> None:
    assert faults(SCRIPT) == []


@pytest.mark.parametrize(
    "script", ["if ($x { }", "function f {", "'abc", "a && b", "a || b", "$a ?? 1", "foreach ($x of $y) {}"]
)
def test_what_is_none_is_found(script: str) -> None:
    assert faults(script) != []


def test_it_is_ascii() -> None:
    """Windows PowerShell reads a script without a mark in the console's code page."""
    assert SCRIPT.isascii()


def test_it_knows_the_arguments_of_install_sh() -> None:
    shell = (FOLDER / "install.sh").read_text(encoding="utf-8")
    options = re.compile(
        r"--(?:from|with|uninstall|help|dry-run|purge|yes|json|force|reinstall|upgrade|clear|bin|short)\b"
    )
    assert set(options.findall(SCRIPT)) == set(options.findall(shell))


def test_every_variable_is_set_before_it_is_used() -> None:
    """In the order of the lines; functions' parameters and PowerShell's own variables are set by their names."""
    own = {
        "args",
        "null",
        "true",
        "false",
        "_",
        "env",
        "global",
        "PSScriptRoot",
        "LASTEXITCODE",
        "ErrorActionPreference",
    }
    known = set(own)
    for line in SCRIPT.splitlines():
        known |= set(re.findall(r"\$(\w+)\s*=", line)) | set(re.findall(r"\[string(?:\[\])?\]\$(\w+)", line))
        known |= set(re.findall(r"foreach \(\$(\w+) in", line))
        code = re.sub(r"'[^']*'", "", line.partition("#")[0])
        assert set(re.findall(r"[$@](\w+)", code)) <= known, line
