"""How sessions of both hosts are opened again: whole answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.history.resume import Command, Machine, Opening, opening_of
from deja_hooks.memory.read import Memory, open_memory
from tests.support.built import Built, turns

ID = "aaaa1111-0000-4000-8000-000000000001"
#: 2026-02-20T10:00:00Z
TEN = 1_771_581_600_000
HANDOFF = "deja-hooks handoff aaaa1111 hands its work to a new session."
LISTED = (
    'Run "Chat: Show Chats..." from the Command Palette (newer builds: "Chat Agent Sessions: Focus Agent Sessions")'
)
CHOOSE = f'{LISTED} and choose "Why does it time out?": it lists the chats of the window\'s folder only.'


class Home:
    """A home with a memory of one session."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.memory = home / "memory.db"
        self.folder = home / "app"
        self.folder.mkdir()
        self._open: list[Memory] = []

    def session(self, file: Path | None, *, there: bool = True, transcript: Path | None = None, **fields: Any) -> None:
        """A session that was read from that file, and from a transcript that is there."""
        built = Built(self.memory)
        row = {"cwd": str(self.folder), **fields}
        session = built.session(row.pop("sid", ID), *turns("Why does it time out?", at=TEN), **row)
        if file is not None:
            built.source(str(file), [], session, store=row.get("store", "cli-events"))
            file.parent.mkdir(parents=True, exist_ok=True)
            if there:
                file.touch()
        if transcript is not None:
            built.source(str(transcript), [], session, store="vscode-transcript")
            transcript.parent.mkdir(parents=True)
            transcript.touch()
        built.close()

    def cli(self, *, state: str = ".copilot/session-state", **fields: Any) -> None:
        self.session(self.home / state / fields.get("sid", ID) / "events.jsonl", **fields)

    def chat(self, below: str = "workspaceStorage/1f/chatSessions/a.jsonl", **fields: Any) -> None:
        file = self.home / ".config/Code/User" / below
        self.session(file, host="vscode", store="vscode-chat", **fields)
        (file.parent.parent / "workspace.json").write_text(json.dumps({"folder": self.folder.as_uri()}))

    def opening(self, platform: str = "linux", **environment: str) -> Opening:
        memory = open_memory(str(self.memory))
        assert memory is not None
        self._open.append(memory)
        (row,) = memory.db.execute("SELECT id FROM session").fetchone()
        session = memory.session(row)
        assert session is not None
        return opening_of(memory, session, Machine(environment, self.home, platform))

    def close(self) -> None:
        for memory in self._open:
            memory.close()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.close()


class TestCopilotCli:
    def resumed(self, home: Home, *more: str, directory: str | None = None, **environment: str) -> Opening:
        where = str(home.folder) if directory is None else directory
        command = Command("Copilot CLI", ("copilot",), ("--resume", ID), where, tuple(environment.items()))
        steps = ("Resume it in Copilot CLI", *more)
        return Opening("cli", "terminal", str(home.folder), home.folder.as_uri(), True, None, command, steps)

    def test_in_its_folder_by_its_id(self, home: Home) -> None:
        home.cli()
        assert home.opening() == self.resumed(home)
        assert home.opening(COPILOT_HOME=str(home.home / ".copilot")) == self.resumed(home)

    def test_the_folder_is_gone(self, home: Home) -> None:
        home.cli()
        home.folder.rmdir()
        lost = f"Its folder is gone: {home.folder}. Copilot CLI then works in the folder that it is started in."
        assert home.opening() == self.resumed(home, lost, directory="")._replace(there=False)

    def test_the_folder_is_not_known(self, home: Home) -> None:
        home.cli(cwd="")
        opening = home.opening()
        assert opening.command == Command("Copilot CLI", ("copilot",), ("--resume", ID))
        assert opening.steps[1:] == (
            "Its folder is not known. Copilot CLI then works in the folder that it is started in.",
        )

    def test_the_session_lies_in_another_copilot_home(self, home: Home) -> None:
        home.cli(state="elsewhere/session-state")
        elsewhere = str(home.home / "elsewhere")
        assert home.opening() == self.resumed(home, COPILOT_HOME=elsewhere)
        assert home.opening(COPILOT_HOME=elsewhere) == self.resumed(home)

    def test_the_usual_home_where_another_one_is_set(self, home: Home) -> None:
        home.cli()
        expected = self.resumed(home, COPILOT_HOME=str(home.home / ".copilot"))
        assert home.opening(COPILOT_HOME=str(home.home / "elsewhere")) == expected

    @pytest.mark.parametrize(
        ("fields", "problem"),
        [
            ({"there": False}, "Its file is gone: Copilot CLI can't resume it."),
            ({"gone": 1}, "Its file is gone: Copilot CLI can't resume it."),
            ({"sid": "--yolo"}, "Its id is none that Copilot CLI takes."),
            ({"sid": "a b"}, "Its id is none that Copilot CLI takes."),
            ({"state": "copies"}, "It was read from {file}, where Copilot CLI doesn't look for sessions."),
        ],
    )
    def test_it_can_not_be_resumed(self, home: Home, fields: dict[str, Any], problem: str) -> None:
        home.cli(**fields)
        opening = home.opening()
        file = home.home / "copies" / ID / "events.jsonl"
        hand_over = HANDOFF.replace("aaaa1111", fields.get("sid", ID)[:8])
        assert opening.problem == f"{problem.format(file=file)} {hand_over}"
        assert (opening.command, opening.window, opening.steps) == (None, "", ())

    def test_another_systems_folder(self, home: Home) -> None:
        home.cli(cwd="c:\\dev\\app")
        assert home.opening().problem == (
            f"Its folder, c:\\dev\\app, can't be reached from here: where it can, run copilot --resume {ID} in it."
            f" {HANDOFF}"
        )

    def test_a_share_can_be_worked_in_on_windows_only(self, home: Home) -> None:
        share = "\\\\server\\share\\app"
        home.cli(cwd=share)
        opening = home.opening("win32")
        assert opening.command == Command("Copilot CLI", ("copilot",), ("--resume", ID), share)
        assert (opening.folder, opening.uri, opening.there) == (share, "file://server/share/app", None)
        assert opening.steps == ("Resume it in Copilot CLI",)
        assert home.opening("linux").command is None


class TestVsCode:
    def opened(self, home: Home, *steps: str, arguments: tuple[str, ...] = ()) -> Opening:
        command = Command("VS Code", ("code",), arguments or (str(home.folder),))
        uri = home.folder.as_uri()
        steps = steps or ("Open its folder in VS Code", CHOOSE)
        return Opening("vscode", "folder", str(home.folder), uri, True, None, command, steps)

    def test_a_chat_of_a_folder(self, home: Home) -> None:
        home.chat()
        assert home.opening() == self.opened(home)

    def test_a_chat_of_a_window_without_a_folder(self, home: Home) -> None:
        home.chat("globalStorage/emptyWindowChatSessions/a.jsonl", cwd="")
        steps = (
            "Open a window without a folder in VS Code",
            CHOOSE.replace("the window's folder", "windows without a folder"),
        )
        command = Command("VS Code", ("code",), ("--new-window",))
        assert home.opening() == Opening("vscode", "empty", "", "", None, None, command, steps)

    def test_a_profiles_chat(self, home: Home) -> None:
        home.chat("profiles/-a1/workspaceStorage/1f/chatSessions/a.jsonl")
        storage = home.home / ".config/Code/User/globalStorage/storage.json"
        storage.parent.mkdir()
        storage.write_text(json.dumps({"userDataProfiles": [{"location": "-a1", "name": "Work"}]}))
        expected = self.opened(home, arguments=("--profile", "Work", str(home.folder)))
        assert home.opening() == expected._replace(profile=("-a1", "Work"))

    def test_a_profile_without_a_name_is_not_made_by_its_id(self, home: Home) -> None:
        home.chat("profiles/-a1/workspaceStorage/1f/chatSessions/a.jsonl")
        choose = (
            "It is a chat of the profile with the id -a1, of which the name can't be read:"
            ' choose it with "Profiles: Switch Profile...".'
        )
        expected = self.opened(home, "Open its folder in VS Code", choose, CHOOSE)
        assert home.opening() == expected._replace(profile=("-a1", ""))

    def test_insiders(self, home: Home) -> None:
        home.chat("../../Code - Insiders/User/workspaceStorage/1f/chatSessions/a.jsonl")
        command = Command("VS Code Insiders", ("code-insiders",), (str(home.folder),))
        steps = ("Open its folder in VS Code Insiders", CHOOSE)
        assert home.opening() == self.opened(home)._replace(command=command, steps=steps)

    def test_what_else_is_to_be_known(self, home: Home) -> None:
        home.chat(archived=1, gone=1, title="")
        assert home.opening().steps == (
            "Open its folder in VS Code",
            f"{LISTED} and choose the one of 2026-02-20: it lists the chats of the window's folder only.",
            "It is archived: have archived chats shown.",
            f"Its file is gone, so it may not be listed. {HANDOFF}",
        )

    def test_the_folder_is_gone(self, home: Home) -> None:
        home.chat()
        home.folder.rmdir()
        problem = f"Its folder is gone: {home.folder}. VS Code takes a folder that is made anew for another. {HANDOFF}"
        expected = self.opened(home)._replace(window="", there=False, command=None, steps=(), problem=problem)
        assert home.opening() == expected

    def test_the_chat_is_looked_at_before_the_transcript(self, home: Home) -> None:
        transcript = home.home / ".config/Code/User/workspaceStorage/0a/GitHub.copilot-chat/transcripts/a.jsonl"
        home.chat(transcript=transcript)
        assert home.opening() == self.opened(home)


def test_a_note_is_nothing_to_open(home: Home) -> None:
    home.session(None, host="you", store="notes")
    opening = home.opening()
    assert opening.problem == "It is a note, nothing to open: deja-hooks show aaaa1111 prints it."
    assert (opening.command, opening.window) == (None, "")
