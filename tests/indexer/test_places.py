"""User folders that only hooks were told of: which are taken, kept, looked in, and shown."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.indexer.places import MOST, places_to_look, remember, user_folder_of
from deja_hooks.indexer.run import index
from deja_hooks.memory.state import Cursor, State
from deja_hooks.sources.places.roots import Root
from tests.support.world import NOON, World, asked, iso, line, said

SID = "11111111-aaaa-4000-8000-000000000001"
OTHER = "22222222-bbbb-4000-8000-000000000002"


def user_folder(world: World, *names: str) -> Path:
    """A User folder where nobody would look, with a transcript and, of another session, a chat in it."""
    user = world.home.joinpath(*names, "User")
    workspace = user / "workspaceStorage" / "0123456789abcdef0123456789abcdef"
    transcript = workspace / "GitHub.copilot-chat" / "transcripts" / f"{SID}.jsonl"
    transcript.parent.mkdir(parents=True)
    (workspace / "workspace.json").write_text(json.dumps({"folder": world.project.as_uri()}))
    records = [("session.start", {"sessionId": SID, "version": 1, "startTime": iso(NOON)}), asked("why?"), said("so")]
    transcript.write_text("".join(line(kind, data, NOON) for kind, data in records))
    (workspace / "chatSessions").mkdir()
    answer = [{"value": "We decided to set portable_budget to 7."}]
    request = {"requestId": "r", "timestamp": NOON, "message": "portable_budget?", "response": answer, "result": {}}
    state = {"version": 3, "creationDate": NOON, "sessionId": OTHER, "requests": [request]}
    (workspace / "chatSessions" / f"{OTHER}.jsonl").write_text(json.dumps({"kind": 0, "v": state}) + "\n")
    return user


def transcript_in(user: Path) -> Path:
    return next(user.glob("workspaceStorage/*/GitHub.copilot-chat/transcripts/*.jsonl"))


def named_by_a_hook(world: World, user: Path) -> None:
    world.call("UserPromptSubmit", sid=SID, prompt="anything", transcript_path=str(transcript_in(user)))


def looked_in(world: World, **environment: str) -> list[Root]:
    return [root for root in places_to_look(world.layout, environment, world.home, "linux") if root.remembered]


@pytest.mark.parametrize("names", [("portable", "data", "user-data"), ("my data",)], ids=["portable", "user-data-dir"])
def test_a_folder_that_a_host_names_is_looked_in_from_then_on(world: World, names: tuple[str, ...]) -> None:
    user = user_folder(world, *names)
    named_by_a_hook(world, user)
    world.index()
    told = world.call("UserPromptSubmit", sid="another", prompt="why is portable_budget what it is?").text
    assert "We decided to set portable_budget to 7." in told
    assert Path(world.layout.user_folders).read_text() == f"{user}\n"
    # Nothing else says where it is: it stays known when the state is gone.
    Path(world.layout.state).unlink()
    assert looked_in(world) == [Root("vscode", user, remembered=True)]


def test_nothing_is_kept_of_a_folder_that_is_known_anyway(world: World) -> None:
    path = world.vscode_transcript(SID, asked("why?"))
    world.call("UserPromptSubmit", sid=SID, prompt="x", transcript_path=str(path))
    world.index()
    assert not Path(world.layout.user_folders).exists()


def test_places_that_the_environment_names_are_all(world: World) -> None:
    user = user_folder(world, "portable")
    named_by_a_hook(world, user)
    assert looked_in(world)
    assert looked_in(world, DEJA_COPILOT_CHAT_ROOTS=str(world.home / "only")) == []


def test_a_folder_that_is_gone_for_a_while_stays_known(world: World) -> None:
    user = user_folder(world, "portable")
    named_by_a_hook(world, user)
    world.index()
    user.rename(world.home / "away")
    world.index()
    assert looked_in(world) == [Root("vscode", user, remembered=True)]
    assert world.call("UserPromptSubmit", sid="another", prompt="why is portable_budget what it is?").text


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes of POSIX")
@pytest.mark.parametrize("what", ["open to all", "a link", "no storage", "storage is a link", "not ours"])
def test_a_folder_that_is_no_users_is_not_taken(world: World, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    user = user_folder(world, "portable")
    path = transcript_in(user)
    if what == "open to all":
        user.chmod(0o777)
    elif what == "a link":
        real = user.rename(user.with_name("real"))
        user.symlink_to(real)
    elif what == "storage is a link":
        real = (user / "workspaceStorage").rename(user / "real")
        (user / "workspaceStorage").symlink_to(real)
    world.call("UserPromptSubmit", sid=SID, prompt="x", transcript_path=str(path))
    if what == "no storage":
        (user / "workspaceStorage").rename(user / "gone")
    elif what == "not ours":
        monkeypatch.setattr(os, "geteuid", lambda: 4242)
    assert looked_in(world) == []


@pytest.mark.parametrize(
    "text", [b"", b"\n\n", b"relative\n", b"/a\0b\n", b"\xff\xfe\n", b"/a\tb\n", b"/x" * 40_000, b"../../etc\n"]
)
def test_a_list_that_is_damaged_harms_nothing(world: World, text: bytes) -> None:
    user = user_folder(world, "portable")
    Path(world.layout.config).mkdir(parents=True)
    Path(world.layout.user_folders).write_bytes(text)
    assert looked_in(world) == []
    named_by_a_hook(world, user)
    world.index()
    assert Path(world.layout.user_folders).read_text() == f"{user}\n"


def test_a_pipe_in_the_lists_place_is_not_waited_for(world: World) -> None:
    Path(world.layout.config).mkdir(parents=True)
    os.mkfifo(world.layout.user_folders)
    assert looked_in(world) == []


def test_so_many_are_kept(world: World) -> None:
    """Of more, those that are gone go first, then the oldest."""
    there = [world.home / f"there{i}" / "User" for i in range(MOST)]
    gone = [world.home / f"gone{i}" / "User" for i in range(3)]
    for each in there:
        (each / "workspaceStorage").mkdir(parents=True)
    Path(world.layout.config).mkdir(parents=True)
    Path(world.layout.user_folders).write_text("".join(f"{each}\n" for each in (there[0], *gone)))
    roots = [Root("vscode", each, remembered=True) for each in there]
    remember(world.layout, roots)
    assert Path(world.layout.user_folders).read_text() == "".join(f"{each}\n" for each in there)
    newest = Root("vscode", world.home / "newest", remembered=True)
    newest.path.mkdir()
    remember(world.layout, [newest])
    expected = [*there[1:], newest.path]
    assert Path(world.layout.user_folders).read_text() == "".join(f"{each}\n" for each in expected)
    assert Path(world.layout.user_folders).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        (
            "/p/data/user-data/User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/a.jsonl",
            "/p/data/user-data/User",
        ),
        ("/p/User/profiles/-1/workspaceStorage/1f/GitHub.copilot-chat/transcripts/a.jsonl", "/p/User"),
        ("d:\\p\\User\\workspaceStorage\\1f\\GitHub.copilot-chat\\transcripts\\a.jsonl", "d:\\p\\User"),
        ("/home/u/.copilot/session-state/a/events.jsonl", ""),
        ("/p/User/elsewhere/1f/GitHub.copilot-chat/transcripts/a.jsonl", ""),
        ("/workspaceStorage/1f/GitHub.copilot-chat/transcripts/a.jsonl", ""),
        ("/p/../User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/a.jsonl", ""),
        ("p/User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/a.jsonl", ""),
        ("/p\n/User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/a.jsonl", ""),
        ("/p\udcff/User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/a.jsonl", ""),
        ("/" + "p" * 4100 + "/User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/a.jsonl", ""),
        ("/etc/passwd", ""),
        ("", ""),
    ],
)
def test_the_user_folder_of_a_transcript(transcript: str, expected: str) -> None:
    assert user_folder_of(transcript) == expected


def test_what_a_state_of_another_making_says_is_looked_at(world: World) -> None:
    """A path that no hook would have accepted makes no root."""
    state = State(world.layout.state)
    names: list[Any] = ["/etc/passwd", "../x", f"{world.home}/workspaceStorage/x", "\0", 7]
    for number, name in enumerate(names):
        state.enter(f"s{number}", "vscode", "", NOON, prompt=True)
        state.advance(f"s{number}", Cursor(name, 0, 0, 0, 0, 0, 0), [], anew=False)
    state.close()
    assert looked_in(world) == []
    index(world.layout, environment={}, home=world.home, platform="linux")
    assert not Path(world.layout.user_folders).exists()
