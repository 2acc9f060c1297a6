import time

import pytest

from deja_hooks.history.mentions import Mention, mentions

EITHER = [
    "#123",
    "See #123.",
    "(#123)",
    "fixes #123, closes #4",
    "microsoft/vscode#123",
    "in a/b-c.d#123:",
    "GH-123",
    "a\n#123\nb",
    "#123: title",
]
PULL = [
    "https://github.com/o/r/pull/123",
    "https://github.com/o/r/pull/123/files#diff-1",
    "https://gitlab.com/o/r/-/merge_requests/123",
    "PR 123",
    "PR #123",
    "pull request 123",
    "Pull Request: #123",
    "gh pr checkout 123",
]
ISSUE = ["https://github.com/o/r/issues/123#issuecomment-9", "issue 123", "Issue #123", "gh issue view 123"]
NEITHER = [
    "",
    "123",
    "#1234",
    "#0123",
    "#12 3",
    "#123a",
    "#123.5",
    "&#123;",
    "https://example.com/page#123",
    "https://github.com/o/r/pull/1234",
    "/pull/123x",
    "word#123",
    "spr 123",
    "tissue 123",
    "port 123",
]


@pytest.mark.parametrize("text", EITHER + PULL)
def test_a_pull_request(text: str) -> None:
    assert mentions(text, Mention("pull", 123))


@pytest.mark.parametrize("text", EITHER + ISSUE)
def test_an_issue(text: str) -> None:
    assert mentions(text, Mention("issue", 123))


@pytest.mark.parametrize("text", NEITHER + ISSUE)
def test_no_pull_request(text: str) -> None:
    assert not mentions(text, Mention("pull", 123))


@pytest.mark.parametrize("text", NEITHER + PULL)
def test_no_issue(text: str) -> None:
    assert not mentions(text, Mention("issue", 123))


@pytest.mark.parametrize("hostile", ["a/" * 20_000, "#12" * 20_000, "pull request " * 5_000, "-12 " * 20_000])
def test_hostile_text_costs_its_length(hostile: str) -> None:
    began = time.process_time()
    assert not mentions(hostile, Mention("pull", 12)) or hostile.startswith("#12")
    assert time.process_time() - began < 2
