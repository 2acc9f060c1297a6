"""Which program a command line really runs."""

import pytest
from hypothesis import given, settings

from deja_hooks.failures.program import program
from tests.failures.outputs import ODD_TEXTS

PROGRAMS = [
    ("", ""),
    ("pytest -q", "pytest"),
    ("cd /x && pytest -q | tail -5", "pytest"),
    ("cd 'my dir'; ls -la", "ls"),
    ("cd x", "cd"),
    ("FOO=1 BAR='a b' sudo -u bob time python3 -m pytest -q", "pytest"),
    ("env A=b cargo test", "cargo"),
    ("nohup ./server &", "server"),
    ("timeout 10 node x.js", "node"),
    ("python3 test_app.py", "python"),
    ("python3.11 -m mypy .", "mypy"),
    ("/usr/bin/git status", "git"),
    ("npx -y tsc@5 --noEmit", "tsc"),
    ("npx tsc", "tsc"),
    ("npm run build -- --x", "npm run build"),
    ("npm test", "npm test"),
    ("pnpm run lint", "pnpm run lint"),
    ("yarn exec jest", "jest"),
    ("poetry run python -m mypy .", "mypy"),
    ("uv run --with x pytest", "pytest"),
    ("./gradlew test", "gradlew"),
    ("C:\\tools\\rg.exe foo", "rg"),
    ("bash -lc 'cd x && make all'", "make"),
    ("sh ./build.sh", "build.sh"),
    ("echo 'a && b' && go test ./...", "go"),
    ("echo hi", "echo"),
    ("export A=1; docker compose up", "docker"),
    ("2>/dev/null foo", "foo"),
    ("(cd x && make)", "make"),
    ("true || false; terraform plan", "false"),
    ('git commit -m "x; rm y"', "git"),
    ("'unterminated", "unterminated"),
]


@pytest.mark.parametrize(("command", "expected"), PROGRAMS)
def test_program(command: str, expected: str) -> None:
    assert program(command) == expected


@settings(max_examples=300, deadline=None)
@given(ODD_TEXTS)
def test_nothing_raises(text: str) -> None:
    assert isinstance(program(text), str)
