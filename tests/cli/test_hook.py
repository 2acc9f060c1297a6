import subprocess
import sys
from pathlib import Path

from .conftest import Run


def test_the_hot_program_answers(home: Path) -> None:
    """A project without history: silence, exit 0, and a line in the log that says so."""
    result = subprocess.run(
        [sys.executable, "-m", "deja_hooks", "hook", "UserPromptSubmit"],
        input=b'{"session_id": "s", "cwd": "/nowhere", "prompt": "hello"}',
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    line = (home / "deja" / "cache" / "ring.jsonl").read_text()
    assert '"e": "UserPromptSubmit"' in line


def test_an_unknown_event_is_wrong_use(deja: Run) -> None:
    result = deja("hook", "Notification")
    assert (result.code, result.out) == (2, "")
