"""Lines that are known again by their keys."""

from __future__ import annotations

from hashlib import blake2b

from deja_hooks.memory.written import KEY_BYTES, line_key, line_keys


def key(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=8).digest()


def test_a_line_goes_by_its_words() -> None:
    assert line_key("    retry = 3  # why") == line_key("retry = 3  # why\r") == key("retry = 3  # why")


def test_what_says_too_little_has_none() -> None:
    assert [line_key(line) for line in ("", "  }", ");", "\t x ")] == [b"", b"", b"", b""]


def test_the_lines_of_a_text_each_once() -> None:
    assert line_keys("a = 1\n\n    b = 2\r\na = 1\n}\n") == key("a = 1") + key("b = 2")


def test_any_text_has_keys() -> None:
    keys = line_keys("naïve = 'é'\nhalf = '\ud800'\n" + "x" * 10_000)
    assert len(keys) == 3 * KEY_BYTES


def test_a_huge_text_is_cut() -> None:
    assert len(line_keys("\n".join(f"line {n}" for n in range(5_000)))) == 2_000 * KEY_BYTES
