import time

import pytest

from deja_hooks.hook.result import result_text, without_injected

PRE = "<PreToolUse-context>\nnote\n</PreToolUse-context>"
POST = "<PostToolUse-context>\nnote\n</PostToolUse-context>"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("out\n\n" + PRE, "out"),
        ("out\n\n\n" + PRE, "out\n"),
        ("out\n" + PRE + "\n" + POST, "out"),
        ("out\n" + POST + "\nmore", "out\nmore"),
        (PRE, ""),
        ("out\n<PreToolUse-context>\ncut of", "out"),
        ("see <PreToolUse-context>\nin the manual", "see <PreToolUse-context>\nin the manual"),
        ("<PreToolUse-context> in a line", "<PreToolUse-context> in a line"),
        ("out\n<PreToolUse-context>\n</PostToolUse-context>\n</PreToolUse-context>", "out"),
        ("out", "out"),
        ("", ""),
    ],
)
def test_hosts_blocks_are_taken_out(text: str, left: str) -> None:
    assert without_injected(text) == left


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("out", "out"),
        ({"result_type": "success", "text_result_for_llm": "out\n" + PRE}, "out"),
        ({"resultType": "success", "textResultForLlm": ""}, ""),
        ({"textResultForLlm": "", "content": "no"}, ""),
        ([{"type": "text", "text": "a"}, {"type": "image"}, "b"], "a\nb"),
        ({"content": [{"type": "text", "text": "a"}]}, "a"),
        ({"text": {"text": {"text": {"text": {"text": {"text": {"text": "too deep"}}}}}}}, ""),
        (None, ""),
        (5, ""),
        ({"text": 5}, ""),
    ],
)
def test_text_of_any_shape(value: object, text: str) -> None:
    assert result_text(value) == text


def test_many_blocks_take_little_time() -> None:
    text = ("out\n" + PRE + "\n") * 20_000
    start = time.perf_counter()
    assert without_injected(text) == "out\n" * 20_000
    assert time.perf_counter() - start < 0.5
