"""The settings: what they may hold, and errors that name the field."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from deja_hooks.contract.settings import Budgets, Events, Exclusions, Settings, problems_of
from deja_hooks.memory.hook_settings import PACKETS
from deja_hooks.recall.thresholds import BUDGET_BOUNDS


def test_all_may_be_left_out() -> None:
    assert Settings.model_validate({}).model_dump() == {
        "schema_of_file": None,
        "exclude": {"projects": [], "paths": []},
        "events": dict.fromkeys(PACKETS, True),
        "budgets": {
            "session_start": 2_000,
            "prompt": 1_500,
            "before_edit": 480,
            "before_command": 480,
            "after_failure": 480,
            "after_compaction": 4_000,
        },
    }


def test_the_model_names_what_hooks_know_and_says_what_it_is_for() -> None:
    assert tuple(Events.model_fields) == tuple(Budgets.model_fields) == PACKETS
    assert set(BUDGET_BOUNDS) == set(PACKETS)
    for part in (Exclusions, Events, Budgets):
        assert all(field.description for field in part.model_fields.values())


def test_its_schema_names_bounds_and_the_file_may_name_its_schema() -> None:
    schema = Settings.model_json_schema()
    prompt = schema["$defs"]["Budgets"]["properties"]["prompt"]
    assert (prompt["minimum"], prompt["maximum"], prompt["default"]) == (600, 3_000, 1_500)
    assert "$schema" in schema["properties"]
    assert Settings.model_validate({"$schema": "./settings.schema.json"}) != Settings()


@pytest.mark.parametrize("project", ["/home/me/x", "~", "~/x", "C:\\dev", "c:/dev", "\\\\server\\share"])
def test_folders(project: str) -> None:
    assert Settings.model_validate({"exclude": {"projects": [project], "paths": [f"{project}/x*"]}})


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"exclude": {"projects": ["x"]}}, "exclude.projects.0: 'x' is no absolute folder: begin it with / or ~/ (on"
         " Windows also C:\\)"),
        ({"exclude": {"projects": "/x"}}, 'exclude.projects: write a list of texts, such as ["~/clients/*"]'),
        ({"exclude": {"paths": ["ok", "~/*"], "x": 1}}, "exclude.x: there is no such setting"),
        ({"exclude": {"paths": ["*"]}}, "exclude.paths.0: '*' would exclude everything"),
        ({"exclude": {"paths": ["/a\nproject dir:/b"]}}, "exclude.paths.0: is empty or has control characters"),
        ({"excludes": {}}, "excludes: there is no such setting"),
        ({"exclude": {"paths": [7]}}, "exclude.paths.0: write a text between quotation marks"),
        ({"events": {"prompt": "off"}}, "events.prompt: write true or false"),
        ({"events": {"prompt": 1}}, "events.prompt: write true or false"),
        ({"events": []}, "events: write an object, such as {}"),
        ({"budgets": {"prompt": 50}}, "budgets.prompt: write a whole number from 600 to 3000"),
        ({"budgets": {"prompt": "900"}}, "budgets.prompt: write a whole number from 600 to 3000"),
        ({"budgets": {"prompt": True}}, "budgets.prompt: write a whole number from 600 to 3000"),
        ({"budgets": {"after_compaction": 7_001}}, "budgets.after_compaction: write a whole number from 1000 to 7000"),
        ({"budgets": {"promt": 900}}, "budgets.promt: there is no such setting"),
        ([], "the file: write an object, such as {}"),
    ],
)  # fmt: skip
def test_errors_name_the_field(value: object, problem: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(value)
    assert problems_of(caught.value) == [problem]
