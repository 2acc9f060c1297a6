"""What counts as a secret in a text that has been redacted."""

from __future__ import annotations

import pytest

from deja_hooks.doctor.unclean import unclean
from deja_hooks.redaction.redact import redact

from .plants import SECRET

#: Texts as they are kept, which redaction would change once more: cut short, or of several lines made one.
LEFT = (
    "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=[redacted…",
    "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=[redacte\n…\n and more",
    "htpasswd -bB .ht bob [redacted:password] Then it follows.",
    "echo [redacted:password] | docker login -u bob --password-stdin Then it follows.",
)


@pytest.mark.parametrize("text", LEFT)
def test_what_redaction_left_is_no_secret(text: str) -> None:
    assert redact(text) != text
    assert unclean([text, f"{text} {SECRET}", f"{SECRET} {text}"]) == [False, True, True]


@pytest.mark.parametrize(
    "text",
    [
        f"use {SECRET}",
        "password=banana-split-9",
        f"use [redacted:key] and {SECRET}",
        f"{SECRET}[redacted:key]",
        "[redacted:key] and password=banana",
        "[redacted:key]\nhtpasswd -bB .ht bob banana",
    ],
)
def test_a_secret_with_or_without_a_mark(text: str) -> None:
    assert unclean(["fine", text]) == [False, True]
