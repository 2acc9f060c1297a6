"""The text of a tool's result, as the tool gave it."""

__all__ = ["result_text", "without_injected"]

#: Where the CLI has the text of a result.
_CLI_KEYS = ("text_result_for_llm", "textResultForLlm")
#: Where the text of another nested result may stand, best first.
_TEXT_KEYS = ("text", "content", "value", "message", "output", "stdout")
#: How deep a nested result is searched for text.
_DEPTH = 6
_INJECTED = ("PreToolUse-context", "PostToolUse-context")


def result_text(value: object) -> str:
    """Text of a `tool_response` or `tool_result` of any shape, without hooks' contexts; "" where none is."""
    return without_injected(_text(value, _DEPTH))


def _text(value: object, depth: int) -> str:
    """The text in a result: itself, the first text of an object, or the texts of a list, one a line."""
    if isinstance(value, str):
        return value
    if depth == 0:
        return ""
    if isinstance(value, dict):
        for key in _CLI_KEYS:
            if isinstance(value.get(key), str):
                return str(value[key])
        for key in _TEXT_KEYS:
            text = _text(value.get(key), depth - 1)
            if text:
                return text
    if isinstance(value, list):
        texts = [_text(item, depth - 1) for item in value]
        return "\n".join([text for text in texts if text])
    return ""


def without_injected(text: str) -> str:
    """The result without the blocks in which VS Code appends hooks' contexts, and the line ends before them.

    A block that was cut off reaches to the end of the text; a tag quoted within a line begins none.
    """
    for name in _INJECTED:
        text = _without_blocks(text, f"<{name}>\n", f"\n</{name}>")
    return text


def _without_blocks(text: str, opening: str, closing: str) -> str:
    kept = []
    position = 0
    start = text.find(opening)
    while start >= 0:
        if start and text[start - 1] != "\n":
            start = text.find(opening, start + 1)
            continue
        kept.append(text[position:start].removesuffix("\n").removesuffix("\n"))
        end = text.find(closing, start)
        position = end + len(closing) if end >= 0 else len(text)
        start = text.find(opening, position)
    kept.append(text[position:])
    return "".join(kept)
