"""Readings of a growing file add up, and nothing in a file can break one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deja_hooks.sources.lines import LONGEST_LINE
from deja_hooks.sources.logs import cli_events, vscode_transcript
from deja_hooks.sources.logs.cli_usage import counted, uncovered
from deja_hooks.sources.model import Chunk, Header, Reader, Tally, Turn, Usage
from tests.sources.samples import SESSIONS, TRANSCRIPTS, read_cli, record, said

FILES = sorted([*SESSIONS.glob("*/events.jsonl"), *TRANSCRIPTS.glob("*.jsonl")])
READERS: tuple[Reader, ...] = (cli_events.read, vscode_transcript.read)
WRITES_FILES = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def reader_of(path: Path) -> Reader:
    return cli_events.read if path.name == "events.jsonl" else vscode_transcript.read


class Known(NamedTuple):
    """All that a file's readings tell."""

    header: Header
    turns: list[Turn]
    usage: list[Usage]
    tally: Tally
    end: int
    modified: frozenset[str]


def known(header: Header, turns: list[Turn], tally: Tally, end: int, modified: frozenset[str]) -> Known:
    """Calls that a later total holds aren't told: who keeps the turns drops them, as a reading does."""
    rows = uncovered([row for turn in turns for row in turn.usage])
    return Known(header, [turn._replace(usage=()) for turn in turns], rows, tally, end, modified)


def read_at_once(read: Reader, path: Path) -> Known:
    chunk = read(path, 0, None, None)
    return known(chunk.header, list(chunk.turns), chunk.tally, chunk.end, frozenset(chunk.files_modified))


def read_in_steps(read: Reader, path: Path, cuts: list[int]) -> Known:
    """The file as an indexer sees it that looks whenever it has reached one of these sizes."""
    turns: list[Turn] = []
    header: Header | None = None
    settled = Tally()
    modified: frozenset[str] = frozenset()
    start = 0
    for size in [*cuts, path.stat().st_size]:
        chunk = read(path, start, header if start else None, size)
        if chunk.withdraws:
            start = 0
            chunk = read(path, 0, None, size)
        if not start:
            settled, modified = Tally(), frozenset()
        turns = [turn for turn in turns if turn.offset < start] + list(chunk.turns)
        tally = settled.plus(chunk.tally)
        settled = settled.plus(chunk.settled)
        start, header = chunk.restart, chunk.header
        modified |= set(chunk.files_modified)
    assert header is not None
    return known(header, turns, tally, chunk.end, modified)


@WRITES_FILES
@given(data=st.data())
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_real_logs_cut_anywhere_read_the_same(path: Path, data: st.DataObject) -> None:
    read = reader_of(path)
    cuts = sorted(data.draw(st.lists(st.integers(0, path.stat().st_size), min_size=1, max_size=4)))
    assert read_in_steps(read, path, cuts) == read_at_once(read, path)


CALLS = st.sampled_from(["c1", "c2"])
PROMPTS = st.sampled_from(["P", "do it", "do it", "<system_notification>x", ""])
TOOLS = st.sampled_from(["bash", "bash", "edit", "read_bash", "runSubagent", "view"])
ARGUMENTS = st.sampled_from(
    [{"prompt": "P"}, {"command": "ls"}, {"path": "/a", "old_str": "x", "new_str": "y"}, {"shellId": "b"}]
)
#: What tools answer: of commands in the background, too.
ANSWERS = st.sampled_from(
    ["out", "out", "<command started in background with shellId: b>", "made\n<shellId: b completed with exit code 1>"]
)
AGENT = st.sampled_from([{}, {}, {"agentId": "a"}])
REQUESTS = st.lists(
    st.builds(
        lambda call, name, arguments: {"toolCallId": call, "name": name, "arguments": arguments},
        CALLS,
        TOOLS,
        ARGUMENTS,
    ),
    max_size=2,
)
DATA = {
    "session.start": st.builds(
        lambda start, cwd: {
            "startTime": start,
            "copilotVersion": "1",
            "context": {"cwd": cwd, "branch": cwd},
        },
        st.sampled_from(["2027-01-15T08:00:00.000Z", "2027-01-15T08:00:00.000Z", ""]),
        st.sampled_from(["/a", "/b", ""]),
    ),
    "session.resume": st.builds(lambda cwd: {"context": {"cwd": cwd}}, st.sampled_from(["/a", "/c"])),
    "session.shutdown": st.builds(
        lambda sent: {
            "codeChanges": {"filesModified": [f"/{sent}"]},
            "modelMetrics": {"m": {"usage": {"inputTokens": sent, "cacheReadTokens": 0}, "totalNanoAiu": sent}}
            if sent
            else {},
        },
        st.integers(0, 3),
    ),
    "session.usage_record": st.builds(
        lambda sent: {
            "usage": {"model": "m", "inputTokens": sent, "cacheReadTokens": 0, "cacheDetailsReported": sent > 1}
        },
        st.integers(0, 3),
    ),
    "session.usage_checkpoint": st.builds(lambda nano: {"totalNanoAiu": nano}, st.integers(0, 3)),
    "session.compaction_complete": st.just({"summaryContent": "S", "compactionTokensUsed": {"inputTokens": 1}}),
    "session.snapshot_rewind": st.builds(lambda second: {"upToEventId": str(second)}, st.integers(0, 9)),
    "session.title_changed": st.builds(lambda title: {"title": title}, st.sampled_from(["A", "B", ""])),
    "session.task_complete": st.just({"summary": "Done."}),
    "session.import_legacy": st.just(
        {"legacySession": {"chatMessages": [{"role": "user", "content": text} for text in ("old", "older")]}}
    ),
    "abort": st.just({}),
    "session.error": st.just({"message": "429"}),
    "system.notification": st.builds(
        lambda shell, status: {"kind": {"shellId": shell, "exitCode": status}},
        st.sampled_from(["b", "b", "c"]),
        st.sampled_from([0, 1, "odd"]),
    ),
    "assistant.message_delta": st.just({"messageId": "m1", "deltaContent": "Do"}),
    "new.thing": st.just({}),
    "newer.thing": st.just({}),
    "user.message": st.builds(lambda text: {"content": text}, PROMPTS),
    "assistant.message": st.builds(
        lambda text, asked, more: {"content": text, "toolRequests": asked, **more},
        st.sampled_from(["", "Done."]),
        REQUESTS,
        st.sampled_from([{}, {}, {"messageId": "m1", "outputTokens": 1}, {"messageId": "m1", "chunkIndex": 1}]),
    ),
    "tool.execution_start": st.builds(
        lambda call, name, arguments: {"toolCallId": call, "toolName": name, "arguments": arguments},
        CALLS,
        TOOLS,
        ARGUMENTS,
    ),
    "tool.execution_complete": st.builds(
        lambda call, success, told: {"toolCallId": call, "success": success, "result": {"content": told}},
        CALLS,
        st.sampled_from([True, True, False]),
        ANSWERS,
    ),
    "system.message": st.just({"content": "x" * 600}),
}
#: Kinds as often as they decide something.
KINDS = [*DATA, *["user.message", "tool.execution_start", "tool.execution_complete"] * 3]
LINES = st.sampled_from(KINDS).flatmap(
    lambda kind: st.builds(
        lambda data, second, more: record(kind, second, data, **more), DATA[kind], st.integers(0, 9), AGENT
    )
)
ODD_LINES = st.sampled_from([b"\n", b"\r\n", b"{torn\n", b"\x00\x00\n", b'{"type":"user.message"}\r\n', b"[]\n"])


@settings(WRITES_FILES, max_examples=300)
@given(lines=st.lists(st.one_of(LINES, LINES, LINES, ODD_LINES), min_size=2, max_size=16), data=st.data())
@pytest.mark.parametrize("read", READERS, ids=["cli", "vscode"])
def test_any_log_cut_anywhere_reads_the_same(
    tmp_path: Path, read: Reader, lines: list[bytes], data: st.DataObject
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"".join(lines))
    after = data.draw(st.lists(st.integers(1, len(lines)), min_size=1, max_size=4, unique=True))
    cuts = [sum(map(len, lines[:count])) for count in sorted(after)]
    assert read_in_steps(read, path, cuts) == read_at_once(read, path)


def test_commands_in_the_background_read_the_same_wherever_the_log_is_cut(tmp_path: Path) -> None:
    """Told of within their turn, in the next one, after that, and never; twice; and by two kinds of records."""

    def begun(second: int, call: str, shell: str) -> bytes:
        told = {"toolCallId": call, "success": True, "result": {"content": f"<command started, shellId: {shell}>"}}
        start = {"toolCallId": call, "toolName": "bash", "arguments": {"command": shell}}
        return record("tool.execution_start", second, start) + record("tool.execution_complete", second, told)

    def read(second: int, call: str, shell: str, text: str) -> bytes:
        start = {"toolCallId": call, "toolName": "read_bash", "arguments": {"shellId": shell}}
        told = {"toolCallId": call, "success": True, "result": {"content": text}}
        return record("tool.execution_start", second, start) + record("tool.execution_complete", second, told)

    def ended(second: int, shell: str, status: int) -> bytes:
        return record("system.notification", second, {"kind": {"shellId": shell, "exitCode": status}})

    ask = [record("user.message", 10 * turn, {"content": f"turn {turn}"}) for turn in range(5)]
    lines = b"".join(
        [
            ask[0], begun(1, "c1", "one"), ended(2, "one", 1), read(3, "c2", "one", "ONE"), begun(4, "c3", "two"),
            begun(5, "c4", "three"), begun(6, "c5", "four"), ask[1], read(11, "c6", "two", "TWO"), ended(12, "two", 2),
            read(13, "c7", "two", "late"), ended(14, "one", 9), ask[2], ended(21, "three", 3), begun(22, "c8", "five"),
            record("session.shutdown", 23, {}), record("session.resume", 24, {}), ended(25, "five", 5), ask[3], ask[4],
        ]
    ).splitlines(keepends=True)  # fmt: skip
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"".join(lines))
    whole = read_at_once(cli_events.read, path)
    assert [(each.command, each.exit, each.output) for turn in whole.turns for each in turn.work] == [
        ("one", 1, "ONE"),
        ("two", 2, "TWO"),
        ("three", None, ""),
        ("four", None, ""),
        ("five", None, ""),
    ]
    ends = [sum(map(len, lines[:count])) for count in range(1, len(lines))]
    for cuts in [*([end] for end in ends), ends, *zip(ends, ends[3:], strict=False)]:
        assert read_in_steps(cli_events.read, path, list(cuts)) == whole


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.dictionaries(
    st.sampled_from(
        [
            "content",
            "toolRequests",
            "toolCallId",
            "toolName",
            "name",
            "arguments",
            "success",
            "result",
            "error",
            "shellExecution",
            "context",
            "startTime",
            "codeChanges",
            "source",
            "summaryContent",
            "usage",
            "modelMetrics",
            "accountingSnapshot",
            "totalNanoAiu",
            "compactionTokensUsed",
            "outputTokens",
            "messageId",
            "chunkIndex",
            "deltaContent",
            "legacySession",
            "fileEdits",
            "upToEventId",
            "kind",
            "message",
            "reason",
        ]
    ),
    JSON | st.just([{"toolCallId": "c", "name": "apply_patch", "arguments": "*** Update File: a\n-x"}]) | st.just("c"),
)
ODD = st.binary(max_size=60) | st.builds(
    lambda kind, data: record(kind, 1, data).rstrip(b"\n"), st.sampled_from(sorted(DATA)), FIELDS | JSON
)


@WRITES_FILES
@given(lines=st.lists(ODD, max_size=12))
@pytest.mark.parametrize("read", READERS, ids=["cli", "vscode"])
def test_nothing_in_a_file_raises_and_all_text_can_be_stored(tmp_path: Path, read: Reader, lines: list[bytes]) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    chunk = read(path, 0, None, None)
    assert chunk.end == path.stat().st_size
    counted([row for turn in chunk.turns for row in turn.usage])
    for turn in chunk.turns:
        parts = (part for each in (*turn.work, *turn.usage) for part in each)
        for text in (turn.user, turn.assistant, *turn.files, *turn.calls, *parts):
            if isinstance(text, str):
                text.encode("utf-8")
                assert "\0" not in text


def test_a_file_that_grows_is_read_on(tmp_path: Path) -> None:
    source = (SESSIONS / "main" / "events.jsonl").read_bytes()
    path = tmp_path / "main" / "events.jsonl"
    path.parent.mkdir()
    path.write_bytes(source[:20_000])
    first = cli_events.read(path, 0, None, None)
    assert (first.restart, first.end, first.shutdown) == (3129, source.rindex(b"\n", 0, 20_000) + 1, False)
    path.write_bytes(source)
    second = cli_events.read(path, first.restart, first.header, None)
    assert second.turns == cli_events.read(path, 0, None, None).turns
    assert first.settled == Tally(8, 0, 1, 0, 1)
    assert first.settled.plus(second.tally) == Tally(167, 0, 55, 0, 1)


def test_lines_in_every_spelling_and_state(tmp_path: Path) -> None:
    user = record("user.message", 1, {"content": "do it"})
    compact = user.replace(b": ", b":").replace(b", ", b",")
    lone = record("assistant.message", 4, {"content": "cut X"}).replace(b"X", rb"\ud83d")
    chunk = read_cli(
        tmp_path,
        b"\xef\xbb\xbf" + user.replace(b"\n", b"\r\n"),
        b"\r\n",
        compact,
        b"\0\0\0" + user,
        b"{bad\n",
        record("hook.start", 2, {"x": "y" * 600}),
        lone,
        b'{"type":"user.message","data":{"content":"torn',
    )
    assert said(chunk.turns) == [
        ("do it", "", True),
        ("do it", "", True),
        ("do it", "cut ?", True),
    ]
    assert (chunk.tally, chunk.settled) == (Tally(6, 1, 4), Tally(2, 0, 2))


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        cli_events.read(tmp_path / "s" / "events.jsonl", 0, None, None)


def test_nothing_new_gives_nothing(tmp_path: Path) -> None:
    first = read_cli(tmp_path, record("session.start", 0, {"startTime": "2027-01-15T08:00:00.000Z"}))
    again = cli_events.read(tmp_path / "s1" / "events.jsonl", first.restart, first.header, None)
    assert again == Chunk(first.header, (), first.end, first.end, 0, Tally(), Tally(), False, (), ())
    assert (first.tally, first.settled) == (Tally(1, 0, 1), Tally(1, 0, 1))


def test_records_without_type_or_data_are_bad_and_unknown_ones_are_named(tmp_path: Path) -> None:
    lines = [record(f"new.{number}", 1, {}) for number in range(10)]
    chunk = read_cli(tmp_path, b'{"data":{}}\n', b'{"type":"user.message","data":[]}\n', b"[]\n", *lines, lines[0])
    assert chunk.tally == Tally(14, 3, 0, 11, 0, tuple(f"new.{number}" for number in range(8)))


def test_line_too_long_is_counted_where_it_is(tmp_path: Path) -> None:
    long = b'{"type":"user.message","data":{"content":"' + b"x" * (LONGEST_LINE + 1) + b'"}}\n'
    user = record("user.message", 1, {"content": "do it"})
    chunk = read_cli(tmp_path, user, long, user, long)
    assert [turn.offset for turn in chunk.turns] == [0, len(user) + len(long)]
    assert (chunk.tally, chunk.settled) == (Tally(4, 2, 2), Tally(2, 1, 1))


def test_starts_in_history_written_again_are_foreign_too(tmp_path: Path) -> None:
    data = {"sessionId": "other", "startTime": "2027-01-15T08:00:00.000Z"}
    start, user = record("session.start", 0, data), record("user.message", 2, {"content": "do it"})
    chunk = read_cli(tmp_path, start, user, start, start, user)
    assert ([turn.user for turn in chunk.turns], chunk.tally) == (["do it"], Tally(5, 0, 5, 0, 3))
