"""Secrets known by the name they are given to: `password = …`, `--token …`, `"apiKey": …`, `the password is …`."""

import re

from deja_hooks.redaction.bounds import HEAD, LOOK_BACK, block_scalar, past_scheme, quoted, unquoted_end
from deja_hooks.redaction.names import name_kind, words_in
from deja_hooks.redaction.spoken import is_foreign_password
from deja_hooks.redaction.values import (
    Given,
    Span,
    is_known,
    is_secret_argument,
    is_secret_text,
    is_secret_word,
    is_spoken_secret,
)

__all__ = ["assigned_secrets"]

_SPACED = re.compile(r"(?i)(?:\b(api|access|secret|private|account|encryption|signing|master|auth)|mots?[ ]de)[ ]$")
_AFTER = re.compile(
    r"(?P<tail>[\w-]{0,60})(?P<close>\\{0,7}[\"'`]?\]?)"
    r"(?:(?P<op>[ \t]{0,40}(?::=|=>(?=[ \t]*\\*[\"'])|=(?![=~>])|:(?!:)|\uff1a|,(?=[ \t]*[\"'])"
    r"|\n[ \t]*value[\"']?[ \t]*:|[ \t]+value[ \t]*=))(?P<gap>[ \t]*)|(?P<xml>>)|(?P<space>[ \t]{1,8}))"
)
_IDENTIFIER = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def assigned_secrets(text: str, low: str) -> list[Span]:
    """The secrets of the text that are given to a name.

    Args:
        low: the text in lower case, of the same length.
    """
    spans: list[Span] = []
    for word in words_in(text):
        if word not in low:  # half the time of `find`, and nearly no text has one
            continue
        at = low.find(word)
        while at >= 0:
            span = _named(text, at, word)
            if span:
                spans.append(span)
            at = low.find(word, max(at + len(word), span[1] if span else 0))
    return spans


def _named(text: str, at: int, word: str) -> Span | None:
    """The value given to the name around the word at this place, where that is a secret."""
    after = _AFTER.match(text, at + len(word))
    if not after:
        return None
    start = at
    while start > 0 and at - start < 64 and text[start - 1] in _IDENTIFIER:
        start -= 1
    if text.endswith("[redacted:", 0, start):
        return None
    name = text[start : after.end("tail")]
    spaced = _SPACED.search(text, max(0, start - 12), start) if name.lower() in ("key", "passe") else None
    kind = name_kind(name) if not spaced else "key" if spaced[1] else "password"
    if name.lower() == "pass" and (after["op"] != "=" or text[after.end() : after.end() + 1].isdigit()):
        return None
    span = _value_of(text, after, start, name, kind) if kind else None
    if not span or span[0] >= span[1] or is_known(text[span[0] : span[1]]):
        return None
    return (*span, kind)


def _value_of(text: str, after: re.Match[str], start: int, name: str, kind: str) -> tuple[int, int] | None:
    """Where the value begins and ends, by the kind of separator behind the name."""
    at = after.end()
    if after["xml"]:
        end = text.find("<", at, at + 4000)
        closed = text.startswith("</", end) and text.find(name, end, end + 80) > 0
        return (at, end) if closed and end > at and is_secret_text(text[at:end], kind) else None
    if after["op"] is not None:
        return _assigned(text, after, start, name, kind)
    if name.startswith("-") and not after["close"]:
        return _flag(text, at, kind)
    if after["close"]:
        return None
    if _SHELL_SET.search(text, max(0, start - 16), start):
        return _flag(text, at, kind)
    return _spoken(text, at, start, kind)


#: Windows' `setx NAME x`, csh's `setenv NAME x`, fish's `set -gx NAME x`; `aws configure set NAME x`.
_SHELL_SET = re.compile(r"(?i:\b(?:setx|setenv|config(?:ure)? set|set[ ](?:-\w{0,3}x\w{0,3}|--export)))[ ]{1,3}$")
_TYPED = re.compile(
    r"[ \t]*[&*]?[A-Za-z_][\w.]{0,40}(?:[\[<][\w., |]{0,60}[\]>])?\??[ \t]+=[ \t]*(?=[rbfuRBFU]{0,2}[\"'`])"
)


def _assigned(text: str, after: re.Match[str], start: int, name: str, kind: str) -> tuple[int, int] | None:
    """The value behind `=`, `:`, `:=` or `=>`."""
    at, op = after.end(), after["op"].strip().replace("\uff1a", ":")
    if op == "," and not text[max(0, start - 12) : start - 1].rstrip().endswith("define("):
        return None
    if name.lower() in ("pwd", "oldpwd") and _FOLDER.match(text, at):
        return None
    found = quoted(text, at, kind, joined=_tight(after))
    if found:
        return found
    if op == ":" and text[at : at + 1] in ("|", ">"):
        return block_scalar(text, at, start)
    typed = _TYPED.match(text, at) if op == ":" else None
    if typed:
        return quoted(text, typed.end(), kind, joined=False)
    return _unquoted(text, after, start, name, kind)


def _tight(after: re.Match[str]) -> bool:
    """Whether nothing but `=` parts the value from its name."""
    return bool(after["op"] == "=" and not after["gap"])


def _unquoted(text: str, after: re.Match[str], start: int, name: str, kind: str) -> tuple[int, int] | None:
    """The value that begins behind the separator without quotes."""
    at, tight = past_scheme(text, after.end(), len(text), kind), _tight(after)
    end = unquoted_end(text, at, HEAD)
    before = text[max(0, start - LOOK_BACK) : start].rpartition("\n")[2]
    shell = (
        (name.isupper() and (not after["gap"] or "value" in after["op"]))
        or name.startswith("-")
        or (tight and not before)
        or bool(at > after.end() or _EXPORT.search(text, max(0, start - 16), start))
    )
    alone = not before.strip(" \t-\"'>")
    if not is_secret_word(text, at, end, Given(kind, shell, alone, tight)):
        return None
    pairs = _CONNECTION.match(text, at) if tight and not name.isupper() else None
    return at, pairs.end() if pairs else unquoted_end(text, at)


#: The rest of a value with blanks in a connection string, up to its next pair.
_CONNECTION = re.compile(r"[^;\r\n\"'=]{1,200}(?=;[ ]?[A-Za-z][A-Za-z ]{1,40}=)")
_FOLDER = re.compile(r"\\*[\"'`]?(?:[/~$]|[A-Za-z]:[\\/])")
#: What stands before a name that a shell, a container or a query gives a value to.
_EXPORT = re.compile(r"(?:\b(?:export|set|setx|setenv|ENV|ARG|env|config:set)[ ]|[ ]-e[ ]|[?&;]|--env[ =]|/:)$")


def _flag(text: str, at: int, kind: str) -> tuple[int, int] | None:
    """`--password x`: any value but another flag, a placeholder or a variable."""
    found = quoted(text, at, kind, joined=True)
    if found:
        return found
    end = unquoted_end(text, at)
    return (at, end) if is_secret_argument(text[at:end]) else None


_SPEAKING = re.compile(
    r"(?:(?:for|of|für|de|du|do|von)[ ]\S{1,40}[ ](?:\S{1,20}[ ])?)?"
    r"(?:(?:is|are|was|will be|to|ist|lautet|war|auf|est|es|é|è)(?!\w)|=|:)[ ]{0,2}:?[ ]{0,2}(?=\S)"
)
_PRECEDED = re.compile(r"(?i)\b(?:with|using|mit|avec|con|com|by)[ ](?:the[ ]|das[ ]|le[ ])?$")
_LOGIN = re.compile(r"\b(?:machine\s{1,4}\S{1,80}|default)\s{1,4}login\s{1,4}\S{1,80}\s{1,4}$")
#: No word of prose and no name of code: twenty characters, sixteen of them in a row, three digits among them (or two
#: among twenty-four).
_LONG_RANDOM = re.compile(
    r"(?=[\w-]{0,100}?[A-Za-z0-9]{16})(?=(?:[A-Za-z_-]{0,60}\d){3}|(?:[A-Za-z_-]{0,60}\d){2}[\w-]{0,60}"
    r"(?<=[\w-]{24}))(?=[\d_-]{0,60}[A-Za-z])[A-Za-z0-9_-]{20,300}(?![\w/(\[=-]|[.:]\w)"
)


def _spoken(text: str, at: int, start: int, kind: str) -> tuple[int, int] | None:
    """Prose: `the password is hunter2`, `with password hunter2`, SQL's `PASSWORD 'x'`, a .netrc's `password x`."""
    speaking = _SPEAKING.match(text, at)
    if not speaking and kind != "password":
        random = _LONG_RANDOM.match(text, at)
        return random.span() if random else None
    if not speaking and _LOGIN.search(text, max(0, start - 180), start):
        return at, unquoted_end(text, at)
    at = speaking.end() if speaking else at
    if speaking or text[at : at + 1] == "'":
        found = quoted(text, at, kind, joined=False)
        if found:
            return found
    if not speaking and not _PRECEDED.search(text, max(0, start - 12), start):
        return None
    end = unquoted_end(text, at, HEAD)
    value = text[at:end].rstrip(".!?,;:")
    if is_spoken_secret(value, kind):
        return at, at + len(value)
    verb = speaking[0].rstrip(" :").rpartition(" ")[2] if speaking and kind == "password" else ""
    end = at + len(value)
    return (at, end) if verb and is_foreign_password(value, verb, text[end : end + 4]) else None
