"""Which commands can have changed anything, and which is likeliest to have helped."""

import pytest
from hypothesis import given, settings

from deja_hooks.failures.helping import changes_something, helpfulness, only_looks
from tests.failures.outputs import ODD_TEXTS


@pytest.mark.parametrize(
    "command",
    [
        "ls -la", "git status", "git diff HEAD", "git -C x log", "cat a | grep b", "pytest -q", "npm test",
        "npm run lint",
        "python -m pytest", "docker ps -a", "kubectl get pods", "echo done", "cd src && ls", "pip list", "go vet ./...",
        "npm --version", "sed -n 1p a", "git add . && git commit -m x", "terraform plan", "ruff check .",
        "./gradlew test",
        "npm install --dry-run",
    ],
)  # fmt: skip
def test_changes_nothing(command: str) -> None:
    assert not changes_something(command)


@pytest.mark.parametrize(
    "command",
    [
        "npm install", "pip install x", "docker compose up -d", "./setup.sh", "make generate", "cp a b", "mkdir -p x",
        "git submodule update --init", "git pull", "ruff check --fix .", "eslint --fix src", "sudo systemctl start db",
        "export A=1; ./configure", "python manage.py migrate", "terraform init", "cargo build", "chmod +x a",
        "sed -i s/a/b/ f",
        "ls && npm ci", "git config --global user.name x",
    ],
)  # fmt: skip
def test_changes_something(command: str) -> None:
    assert changes_something(command)


@pytest.mark.parametrize(
    ("command", "failure", "expected"),
    [
        ("pip install pyyaml", "No module named 'yaml'", 1),
        ("pip install requests", "ModuleNotFoundError: No module named 'requests'", 3),
        ("./sweep", "it broke", 0),
        ("npx prisma generate", "Error: @prisma/client did not initialize", 3),
    ],
)
def test_helpfulness(command: str, failure: str, expected: int) -> None:
    assert helpfulness(command, failure) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [("diff a b", True), ("cd x && grep -q a b", True), ("curl http://x", False), ("pytest", False), ("", False)],
)
def test_only_looks(command: str, expected: bool) -> None:
    assert only_looks(command) is expected


@settings(max_examples=200, deadline=None)
@given(ODD_TEXTS)
def test_nothing_raises(text: str) -> None:
    assert changes_something(text) in (True, False)
    assert only_looks(text) in (True, False)
    assert helpfulness(text, text) >= 0
