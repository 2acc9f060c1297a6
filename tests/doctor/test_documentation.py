"""The page on `doctor` names every check that there is, and no other."""

from __future__ import annotations

import re
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
#: Calls that make a finding, with the check's name or its constant first.
_FINDING = re.compile(r'\b(?:ok|note|broken|_check)\(\s*("[a-z-]+"|_[A-Z]+)')
_CONSTANTS = re.compile(r'^(_[A-Z]+(?:, _[A-Z]+)*) = ("[a-z-]+"(?:, "[a-z-]+")*)$', re.MULTILINE)


def _named_in(source: str) -> set[str]:
    constants: dict[str, str] = {}
    for names, values in _CONSTANTS.findall(source):
        constants.update(zip(names.split(", "), re.findall(r'"([a-z-]+)"', values), strict=True))
    return {found.strip('"') if found[0] == '"' else constants[found] for found in _FINDING.findall(source)}


def test_every_check_is_described() -> None:
    sources = [path.read_text() for path in (CHECKOUT / "deja_hooks" / "doctor").glob("*.py")]
    table = re.findall(r"^\| (`.*?) \|", (CHECKOUT / "docs" / "doctor.md").read_text(), re.MULTILINE)
    described = re.findall(r"`([a-z-]+)`", " ".join(table))
    assert sorted(described) == sorted({name for source in sources for name in _named_in(source)})
