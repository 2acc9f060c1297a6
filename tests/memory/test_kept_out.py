"""Which folders a rule or a pattern fits."""

from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.memory.kept_out import Rules, parse_rules, pattern_fits

names = st.text("ab-", min_size=1, max_size=4)
folders = st.lists(names, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))


@pytest.mark.parametrize(
    ("pattern", "folder", "fits"),
    [
        ("/home/me/clients/*", "/home/me/clients/acme", True),
        ("/home/me/clients/*", "/home/me/clients/acme/web/src", True),
        ("/home/me/clients/*", "/home/me/clients", False),
        ("/home/me/clients", "/home/me/clients2", False),
        ("/home/**/secret", "/home/secret", True),
        ("/home/**/secret", "/home/a/b/secret/c", True),
        ("/home/**/secret", "/srv/secret", False),
        ("/**/a?c", "/x/abc", True),
        ("/**/a?c", "/x/ac", False),
        ("*-private", "/x/my-private/y", True),
        ("private", "/x/my-private/y", False),
        ("c:/dev/*", "c:/dev/app", True),
        ("c:\\dev\\*", "c:/dev/app", True),
        ("/a/[b]", "/a/b", False),
    ],
)
def test_patterns(pattern: str, folder: str, fits: bool) -> None:
    assert pattern_fits(pattern, folder) is fits


@given(st.text("ab*?-", min_size=1, max_size=8), names)
def test_one_name_as_fnmatch_has_it(pattern: str, name: str) -> None:
    assert pattern_fits(pattern, "/" + name) is fnmatch.fnmatchcase(name, pattern)


@given(folders, folders)
def test_a_folder_fits_itself_and_all_below(folder: str, below: str) -> None:
    assert pattern_fits(folder, folder + below)
    assert pattern_fits("/**", folder)
    assert pattern_fits(folder.rpartition("/")[2], folder + below)


def test_many_stars_take_no_time() -> None:
    assert not pattern_fits("*a" * 40, "/" + "a" * 30 + "b")
    assert not pattern_fits("/**" * 40 + "/x", "/a" * 40)


@given(st.lists(folders), st.lists(folders), st.lists(folders))
def test_the_file_gives_the_rules_back(projects: list[str], paths: list[str], patterns: list[str]) -> None:
    rules = Rules(tuple(f"dir:{each}" for each in projects), tuple(paths), tuple(patterns))
    again = parse_rules(rules.lines() + "another kind\n\n")
    assert (again.projects, again.folders, again.paths) == (rules.projects, rules.folders, rules.paths)
    assert bool(again) == bool(projects or paths or patterns)


def test_by_the_folder_or_by_the_project() -> None:
    rules = Rules(("git:/a/.git",), ("/b",), ("/c/*",))
    fits = {
        ("/x", "git:/a/.git"): True,  # a worktree elsewhere
        ("/b/sub", "dir:/b/sub"): True,
        ("/link", "dir:/b/sub"): True,  # its real folder lies there
        ("/link", "git:/c/d/.git"): True,
        ("/bb", "dir:/bb"): False,
        ("", ""): False,
    }
    assert {each: rules.fit(*each) for each in fits} == fits
