"""The settings: what they may hold, and errors that name the field."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from deja_hooks.contract.settings import Settings, problems_of


def test_all_may_be_left_out() -> None:
    assert Settings.model_validate({}).model_dump() == {"exclude": {"projects": [], "paths": []}}


@pytest.mark.parametrize("project", ["/home/me/x", "~", "~/x", "C:\\dev", "c:/dev", "\\\\server\\share"])
def test_folders(project: str) -> None:
    assert Settings.model_validate({"exclude": {"projects": [project], "paths": [f"{project}/x*"]}})


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"exclude": {"projects": ["x"]}}, "exclude.projects.0: 'x' is no absolute folder: begin it with / or ~/ (on"
         " Windows also C:\\)"),
        ({"exclude": {"projects": "/x"}}, "exclude.projects: Input should be a valid list"),
        ({"exclude": {"paths": ["ok", "~/*"], "x": 1}}, "exclude.x: there is no such setting"),
        ({"exclude": {"paths": ["*"]}}, "exclude.paths.0: '*' would exclude everything"),
        ({"exclude": {"paths": ["/a\nproject dir:/b"]}}, "exclude.paths.0: is empty or has control characters"),
        ({"excludes": {}}, "excludes: there is no such setting"),
    ],
)  # fmt: skip
def test_errors_name_the_field(value: object, problem: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(value)
    assert problems_of(caught.value) == [problem]
