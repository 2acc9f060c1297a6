"""One session out of two stores: which turns there are, and what each store adds to them."""

from __future__ import annotations

from deja_hooks.sources.merge import Copy, Merged, merge
from deja_hooks.sources.model import Chunk, Header, Tally, Turn, Usage, Work, Written

NOON = 1_796_040_000_000
EARLY = Header("s", "vscode", "vscode-transcript", "", "", NOON - 5, "0.66")
CHAT = Header("s", "vscode", "vscode-chat", "/code/shop", "", NOON, "0.67", "A title", True)


def turn(at: int, user: str, assistant: str = "", *work: Work, ended: bool = True, **more: object) -> Turn:
    return Turn(at, NOON + at, user, assistant, work, ended)._replace(**more)  # type: ignore[arg-type]


def command(at: int, call: str, status: int | None = None) -> Work:
    return Work("command", NOON + at, "run_in_terminal", "", "", "", "make", status, "", call)


def edit(at: int, call: str, path: str = "/code/shop/a.py") -> Work:
    return Work("edit", NOON + at, "create_file", path, "", "x = 1\n", "", None, "", call)


def chunk(header: Header, *turns: Turn, requests: tuple[str, ...] = (), updated: int = 0) -> Chunk:
    latest = updated or max((each.at for each in turns), default=0)
    return Chunk(header, turns, 0, 100, latest, Tally(), Tally(), False, (), (), requests)


def merged(chat: Chunk, transcript: Chunk, saved: int = NOON) -> Chunk:
    found = merge([Copy(transcript, NOON), Copy(chat, saved)])
    assert merge([Copy(chat, saved), Copy(transcript, NOON)]) == found._replace(settled=found.settled[::-1])
    return found.chunk


class TestTurns:
    def test_one_copy_is_itself(self) -> None:
        only = chunk(CHAT, turn(0, "fix it", "Done."))
        assert merge([Copy(only, NOON)]) == Merged(only, (0,))

    def test_a_turn_is_what_the_chat_says_with_what_it_lacks(self) -> None:
        usage = Usage("request", "r1", NOON, "gpt")
        chat = chunk(
            CHAT,
            turn(
                0, "fix it", "Done in a.py.", command(2, "c1", 1), calls=frozenset({"c1", "failed"}), usage=(usage,),
                files=("/code/shop/b.py",), request="r1", written=(Written("/code/shop/a.py", "x"),),
            ),
            requests=("r1",),
        )  # fmt: skip
        transcript = chunk(
            EARLY,
            turn(
                40, "fix  it", "Done.", command(1, "sub"), command(2, "c1"), edit(3, "failed"), edit(4, "sub2"),
                calls=frozenset({"c1", "sub", "sub2", "failed"}), files=("/code/shop/c.py", "/code/shop/a.py"),
            ),
        )  # fmt: skip
        assert merged(chat, transcript) == chunk(
            CHAT._replace(started=NOON - 5),
            turn(
                0, "fix it", "Done in a.py.", command(1, "sub"), command(2, "c1", 1), edit(4, "sub2"),
                calls=frozenset({"c1", "sub", "sub2", "failed"}), usage=(usage,), request="r1",
                files=("/code/shop/b.py", "/code/shop/c.py"), written=(Written("/code/shop/a.py", "x"),),
            ),
            requests=("r1",),
            updated=NOON + 40,
        )  # fmt: skip

    def test_an_edit_with_both_sides_takes_the_place_of_one_that_only_the_editor_tells(self) -> None:
        shown = (edit(0, "", "/code/shop/a.py")._replace(tool=""), edit(0, "", "/code/shop/b.py")._replace(tool=""))
        chat = chunk(CHAT, turn(0, "fix it", "", *shown, ended=False))
        failed = edit(4, "c2", "/code/shop/c.py")._replace(kind="failure")
        transcript = chunk(EARLY, turn(1, "fix it", "", edit(3, "c1"), failed, files=("/code/shop/c.py",)))
        (found,) = merged(chat, transcript).turns
        assert (found.work, found.files) == ((shown[1], edit(3, "c1"), failed), ("/code/shop/c.py",))

    def test_an_answer_that_the_chat_has_not_saved_yet_comes_from_the_transcript(self) -> None:
        chat = chunk(CHAT, turn(0, "fix it", "I will", ended=False))
        found = merged(chat, chunk(EARLY, turn(1, "fix it", "I will look. All done.")))
        assert [(each.assistant, each.ended) for each in found.turns] == [("I will look. All done.", True)]

    def test_a_later_turn_that_the_chat_has_not_saved_yet_is_there(self) -> None:
        chat = chunk(CHAT, turn(0, "fix it", "Done."), requests=("r1",))
        found = merged(chat, chunk(EARLY, turn(1, "fix it", "Done."), turn(9, "and now?", "Well.")))
        assert [(each.offset, each.user) for each in found.turns] == [(0, "fix it"), (1, "and now?")]

    def test_a_turn_that_the_chat_has_withdrawn_is_not(self) -> None:
        chat = chunk(CHAT, turn(0, "fix it", "Done."), turn(500_000, "better", "Better."))
        transcript = chunk(EARLY, turn(0, "fix it", "Done."), turn(400_000, "worse"), turn(500_001, "better"))
        assert [each.user for each in merged(chat, transcript).turns] == ["fix it", "better"]

    def test_a_last_turn_that_the_chat_was_saved_without_is_not(self) -> None:
        chat = chunk(CHAT, turn(0, "fix it", "Done."))
        transcript = chunk(EARLY, turn(0, "fix it", "Done."), turn(9_000, "worse"))
        assert [each.user for each in merged(chat, transcript, saved=NOON + 70_000).turns] == ["fix it"]
        assert [each.user for each in merged(chat, transcript, saved=NOON + 68_000).turns] == ["fix it", "worse"]

    def test_the_same_words_are_told_apart_by_their_time(self) -> None:
        hour = 3_600_000
        chat = chunk(CHAT, turn(0, "go on", "1"), turn(hour, "go on", "2"), turn(2 * hour, "go on", "3", ended=False))
        transcript = chunk(EARLY, turn(hour + 5, "go on", "two"), turn(2 * hour + 5, "go on", "three"))
        assert [each.assistant for each in merged(chat, transcript).turns] == ["1", "2", "three"]

    def test_a_retried_prompt_is_the_later_one(self) -> None:
        chat = chunk(CHAT, turn(700_000, "fix it", "Done."))
        transcript = chunk(EARLY, turn(0, "fix it", "No.", command(3, "c0")), turn(700_009, "fix it", "Done."))
        found = merged(chat, transcript)
        assert [(each.assistant, each.work) for each in found.turns] == [("Done.", ())]

    def test_work_of_a_turn_that_the_host_made_is_not_told_twice(self) -> None:
        """The transcript gives what follows a notification to the turn before; the chat knows better."""
        chat = chunk(CHAT, turn(0, "fix it", "Started."), turn(9, "", "Ended.", command(9, "c1", 0), calls={"c1"}))
        found = merged(chat, chunk(EARLY, turn(0, "fix it", "Started. Ended.", command(9, "c1"))))
        assert [each.work for each in found.turns] == [(), (command(9, "c1", 0),)]

    def test_without_a_turn_in_the_chat_the_transcript_stands(self) -> None:
        transcript = chunk(EARLY, turn(0, "fix it", "Done."))
        found = merged(chunk(CHAT), transcript, saved=NOON + 10**9)
        assert [each.user for each in found.turns] == ["fix it"]
        assert found.header == CHAT._replace(started=NOON - 5)

    def test_of_two_chats_the_one_saved_last_leads(self) -> None:
        old = chunk(CHAT._replace(title="Old"), turn(0, "fix it", "No."))
        new = chunk(CHAT._replace(title=""), turn(0, "fix it", "Yes."), turn(9, "thanks", "Welcome."))
        found = merge([Copy(old, NOON), Copy(new, NOON + 1)]).chunk
        assert (found.header.title, [each.assistant for each in found.turns]) == ("Old", ["Yes.", "Welcome."])


class TestWhereItIsReadOn:
    """The transcript's last turn is found among the session's."""

    def settled(self, chat: Chunk, transcript: Chunk) -> tuple[int, ...]:
        return merge([Copy(chat, NOON), Copy(transcript, NOON)]).settled

    def test_alone(self) -> None:
        only = chunk(EARLY, turn(0, "a"), turn(5, "b"), turn(9, "c"))._replace(restart=9)
        assert merge([Copy(only, NOON)]).settled == (2,)

    def test_beside_a_chat(self) -> None:
        chat = chunk(CHAT, turn(0, "x"), turn(1, "a"), turn(2, "b"))
        transcript = chunk(EARLY, turn(1, "a"), turn(2, "b"))._replace(restart=2)
        assert self.settled(chat, transcript) == (0, 2)
        late = chunk(EARLY, turn(1, "a"), turn(2, "b"), turn(9, "c"))._replace(restart=9)
        assert self.settled(chat, late) == (0, 3)

    def test_a_turn_that_the_chat_has_not(self) -> None:
        chat = chunk(CHAT, turn(0, "x"), turn(900, "y"))
        transcript = chunk(EARLY, turn(1, "a"), turn(2, "withdrawn"))._replace(restart=2)
        assert self.settled(chat, transcript) == (0, 2)
