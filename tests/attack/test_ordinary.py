"""Redaction leaves ordinary text as it is: the standard library's own lines, and those of recorded sessions.

Nothing is copied: the lines are those of the Python that runs the tests.
"""

from __future__ import annotations

import re
import sysconfig
from pathlib import Path

from deja_hooks.redaction.redact import redact
from tests.attack.counting import Tally

#: They show cookies and passwords as examples: those are to be removed.
_WITH_SECRETS = frozenset(("cookies.py", "register.py", "request.py"))
_NOT_READ = frozenset(("site-packages", "test", "tests", "idlelib", "__pycache__"))
#: Lines that hold a word which redaction looks at.
_HARD = re.compile(r"(?i)pass|token|secret|key|auth|credential|cookie|bearer|basic|://")
_EACH = 1_000
_PAYLOADS = Path(__file__).parents[2] / "hook_payloads"


def library() -> list[str]:
    """The lines of the standard library's modules, each once."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    lines: dict[str, None] = {}
    for path in sorted(folder.rglob("*.py")):
        if not _NOT_READ & set(path.parts) and path.name not in _WITH_SECRETS:
            lines.update(dict.fromkeys(path.read_text(encoding="utf-8", errors="replace").splitlines()))
    return [line for line in lines if line.strip()]


def spread(lines: list[str], count: int) -> list[str]:
    """So many of the lines, evenly over all."""
    return lines[:: max(1, len(lines) // count)][:count]


def test_no_ordinary_line_is_changed(tally: Tally) -> None:
    lines = library()
    hard = [line for line in lines if _HARD.search(line)]
    chosen = spread(hard, _EACH) + spread([line for line in lines if not _HARD.search(line)], _EACH)
    recorded = [
        line
        for path in sorted(_PAYLOADS.rglob("*"))
        if path.is_file()
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    changed = [line for line in chosen + recorded if redact(line) != line]
    assert changed == []
    assert len(chosen) == 2 * _EACH
    tally.add(
        "ordinary text",
        "lines of the standard library (half of them with `key`, `token`, `password` …) and of recorded sessions",
        len(chosen + recorded),
        len(changed),
        "the line itself",
    )
    joined = "\n".join(chosen)
    assert redact(joined) == joined
