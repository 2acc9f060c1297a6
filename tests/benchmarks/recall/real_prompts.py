"""60 prompts written by hand against the recorded sessions and chats: 40 that one of them answers, 20 that none."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PROMPTS", "SAMPLES", "Prompt", "Sample"]


class Sample(NamedTuple):
    """A recorded log below the data folder, its project and, where it is not in the log, its session's id."""

    path: str
    project: str
    session: str = ""


class Prompt(NamedTuple):
    """A prompt, where it is asked, the first digits of the session that knows ("" for none), a word of the answer."""

    project: str
    text: str
    session: str = ""
    answer: str = ""


_CLI = "copilot_cli/events/events"
_OLD = "copilot_cli/recorded_1.0.78"
_LIVE = "vscode/live_0.67"
_ENTRIES = "0f5c2d1e-7a44-4b7e-9d55-3c1f1f6a8e01"
_LIFE = "0f5c2d1e-7a44-4b7e-9d55-3c1f1f6a8e02"

SAMPLES = (
    *(Sample(f"{_CLI}.{name}.jsonl", "project") for name in ("main", "compact", "error", "forced", "interactive")),
    *(
        Sample(f"{_OLD}/{name}.events.jsonl", "project")
        for name in ("aborted_turn", "compaction", "resumed", "self_correction", "session_start", "subagent")
    ),
    Sample(f"{_OLD}/tool_call.events.jsonl", "project"),
    *(
        Sample(f"{_LIVE}/{name}", "project")
        for name in ("cancelled", "compaction", "failing_tools", "model_error", "parallel", "resumed", "second_turn")
    ),
    *(Sample(f"{_LIVE}/{name}", "project") for name in ("subagent", "tools")),
    Sample("vscode/transcripts/event_stream_0.47.jsonl", "project"),
    Sample("vscode/transcripts/host_run_0.42.jsonl", "project"),
    Sample("vscode/transcripts/event_stream_0.37.jsonl", "jokes"),
    Sample("vscode/chat_sessions/agent_edit_0.37.jsonl", "jokes"),
    Sample("vscode/chat_sessions/simple.jsonl", "bonjour"),
    Sample("vscode/chat_sessions/flat_mcp_tools.json", "entries", _ENTRIES),
    Sample("vscode/chat_sessions/empty_then_patched.jsonl", "life", _LIFE),
)

_ANSWERED = """
project | why did test_app.py fail, what came out of greet? | 00000000 | helo
project | where is greet defined? | 00000000 | app.py
project | was the typo ever fixed? | 00000000 | typo
project | what went into NOTES.md | 00000000 | NOTES.md
project | we had an explanation of JSONL written, what did it say? | fcf48e4f | JSON Lines
project | why did the jsonl subagent fail the first time | fcf48e4f | subagent
project | which reasoning effort did gpt-5-mini not support? | fcf48e4f | gpt-5-mini
project | could we connect to the local provider on 18799? | 8eae0f15 | 18799
project | when was the still-here reply | ab0d12c0 | still-here
project | did echo recovered run after false failed? | 60b69830 | recovered
project | what did the call of no_such_tool give? | 9129b8f7 | no_such_tool
project | did multi_replace_string_in_file work? | 9129b8f7 | multi_replace_string_in_file
project | which script called runSubagent | 5a41d427 | runSubagent
project | what was the huge script about | 315bde82 | huge
project | where does "Mock title" come from | 315bde82 | Mock title
project | what ran next to read_file in the par script? | 8db7aaba | grep_search
project | what did listing /nonexistent-dir-xyz say? | 6b4b1c07 | nonexistent-dir-xyz
project | what was done after the reload, in the resumed chat? | c60cef78 | reload
project | is built.txt still needed, who touched it? | 00000000 | built.txt
project | the session where I wanted to build it: what was run | 00000000 | uil
project | what did we say when I asked to summarize what changed? | 00000000 | Summarize what changed
project | I asked to check once more, what was the answer? | 00000000 | Check
project | which comment did main.ts get? | 5fcddc54 | comment
project | the slow chat that was cancelled, what was it doing | 463e616d | cancel
project | what did the inner script do inside the subagent? | 5a41d427 | inner
project | echo hello with the bash tool: did that work | f3799dbd | echo hello
project | thanks, now document it: what was it that we documented? | 748b667d | document
project | what did apply_patch do to VALUE in made.py | 9129b8f7 | made.py
project | change greet to say hi, as we did before | 6b4b1c07 | greet
project | which task did we delegate instead of doing it ourselves | fcf48e4f | elegat
jokes | was the joke about 7sadfh32u23gdaWF added? | 7de89a80 | 7sadfh32u23gdaWF
jokes | how did we append the new rows | event-se | rows
jokes | sort jokes.csv | 7de89a80 | jokes.csv
bonjour | are there other mentions of Bonjour left? | 331fed7f | Bonjour
bonjour | what did we change Bonjour World to | 331fed7f | hello world
bonjour | which line had the greeting that became hello world? | 331fed7f | hello world
entries | какое значение мы установили для поля D методом update_entry_fields? | 0f5c2d1e | 1250.00
entries | update_entry_fields: which record did we change | 0f5c2d1e | 686
entries | вызови update_entry_fields ещё раз для той же записи | 0f5c2d1e | 686
life | so what was the meaning of life? | 0f5c2d1e | 42
"""

_UNANSWERED = """
project | set up a postgres replica for the reporting job
project | why does the login redirect loop in Safari?
project | add dark mode to the settings page
project | what did we decide about the retry budget?
project | migrate the pipeline from Jenkins to Actions
project | is the websocket reconnect limit still five?
project | upgrade React to 19
project | does the invoice PDF use landscape?
project | remove the kafka consumer
project | bump node to 22 in the Dockerfile
project | why did terraform want to destroy the bucket?
project | rename Customer to Client everywhere
project | which port does the metrics exporter listen on?
project | continue
project | thanks, that's all for today
jokes   | translate the landing page into Spanish
jokes   | what is our policy on feature flags?
bonjour | who owns the billing cron?
entries | почему не работает авторизация через OAuth?
life    | write release notes for version 2.0
"""


def _prompts(text: str) -> tuple[Prompt, ...]:
    return tuple(Prompt(*(part.strip() for part in line.split("|"))) for line in text.strip().splitlines())


PROMPTS = _prompts(_ANSWERED) + _prompts(_UNANSWERED)
