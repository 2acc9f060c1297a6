from __future__ import annotations

from pathlib import Path

import pytest

from deja_hooks.memory.read import Memory, open_memory
from deja_hooks.memory.scope import project_key
from deja_hooks.tool.arguments import Unusable
from deja_hooks.tool.project import Place, chosen_place, folders_of
from tests.support.world import World, asked, said


@pytest.fixture
def two(world: World) -> Memory:
    """Two projects with a history, and a folder of the same name as one of them."""
    for number, folder in enumerate([world.project, world.home / "code" / "web", world.home / "old" / "shop"]):
        world.git(folder)
        world.cli_session(f"s{number}", asked("hello"), said("We decided it."), cwd=folder)
    world.index()
    memory = open_memory(world.layout.memory)
    assert memory is not None
    return memory


def place(folder: Path, *others: str) -> Place:
    return Place(str(folder), project_key(str(folder)), others)


def test_the_argument_wins(two: Memory, world: World) -> None:
    web = world.home / "code" / "web"
    (web / "src").mkdir()
    for argument in (str(web), web.as_uri(), "code/web", "WEB", "code\\web"):
        assert chosen_place(two, argument, [str(world.project)]) == place(web)
    assert chosen_place(two, str(web / "src"), [str(world.project)]) == Place(str(web / "src"), project_key(str(web)))


def test_a_home_relative_folder(two: Memory, world: World) -> None:
    assert chosen_place(two, "~/code/web", ["/"]) == place(world.home / "code" / "web")


@pytest.mark.parametrize(
    ("argument", "problem"),
    [("shop", "several projects have that name"), ("nothing", "no project has that name"), ("./web", "no project")],
)
def test_a_name_that_is_none(two: Memory, world: World, argument: str, problem: str) -> None:
    with pytest.raises(Unusable, match=f"^`project`: {problem}.*; give its folder as an absolute path"):
        chosen_place(two, argument, [str(world.project)])


def test_a_name_without_a_memory(world: World) -> None:
    with pytest.raises(Unusable, match="no project has that name"):
        chosen_place(None, "shop", [str(world.project)])


def test_the_first_of_the_clients_folders_that_has_a_history(two: Memory, world: World) -> None:
    new, web = world.home / "new", world.home / "code" / "web"
    assert chosen_place(two, "", [str(new), str(web)]) == place(web)
    assert chosen_place(two, "", [str(new)]) == place(new)
    assert chosen_place(two, "", [str(web), str(new), str(world.project)]) == place(web, "code/shop")


def test_the_clients_folder_that_holds_the_file(two: Memory, world: World) -> None:
    web = world.home / "code" / "web"
    folders = [str(world.project), str(web)]
    assert chosen_place(two, "", folders, str(web / "a.py")) == place(web, "code/shop")
    assert chosen_place(two, "", folders, "a.py") == place(world.project, "code/web")


def test_roots_are_uris() -> None:
    roots = ["file:///src/my%20app", "file:///c%3A/dev", "https://example.com/x", "file://server/share", "nonsense"]
    assert folders_of(roots) == ["/src/my app", "c:\\dev", "\\\\server\\share"]


def test_the_folder_of_a_name(two: Memory, world: World) -> None:
    assert chosen_place(two, "old/shop", ["/"]).folder == str(world.home / "old" / "shop")
    assert chosen_place(two, "old/shop", ["/"]).label == "old/shop"
