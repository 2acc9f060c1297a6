"""A command line in the form in which it is compared with others."""

import pytest
from hypothesis import given, settings

from deja_hooks.failures.command_form import command_form, proven_forms
from tests.failures.outputs import ODD_TEXTS

FORMS = [
    ("", ""),
    ("pytest  -q\t tests", "pytest -q tests"),
    ("cd /x && pytest -q", "pytest -q"),
    ("cd 'a && b' && pytest", "pytest"),
    ("cd /x; cd y && make", "make"),
    ("cd /x", "cd /x"),
    ("cd /x || exit 1", "cd /x || exit 1"),
    ("make &&\n  make test", "make && make test"),
    ("a" * 400, "a" * 300),
]


@pytest.mark.parametrize(("command", "expected"), FORMS)
def test_command_form(command: str, expected: str) -> None:
    assert command_form(command) == expected


@settings(max_examples=300, deadline=None)
@given(ODD_TEXTS)
def test_nothing_raises_and_the_form_is_bounded(text: str) -> None:
    assert len(command_form(text)) <= 300


@pytest.mark.parametrize(
    ("command", "forms"),
    [
        ("pytest -q", ["pytest -q"]),
        ("sleep 2; python3 test_app.py && echo passed", ["python3 test_app.py", "echo passed"]),
        ("cd lib && make", ["cd lib", "make"]),
        ("pytest -q | tail -3", []),
        ("pytest || true", []),
        ("make & wait", []),
        ("echo 'a && b'", []),
        ("", []),
    ],
)
def test_the_forms_that_an_exit_of_0_proves(command: str, forms: list[str]) -> None:
    assert proven_forms(command) == forms
