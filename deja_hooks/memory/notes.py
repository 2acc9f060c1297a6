"""What a session settled: the sentences in which something was decided, explained, fixed, tried or left open.

A note is a sentence as it was said, never a summary; with the next one where that goes on ("It is 7 now, because …").
What marks it stands in `note_marks`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from deja_hooks.memory.note_marks import LABEL_LENGTH, LABELS, NAME, NOT_SO, OF_ASSISTANTS, OF_USERS, Mark
from deja_hooks.memory.rows import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["KINDS", "find_notes", "instructions", "standing_instructions"]

#: Kinds, the weightiest first.
KINDS = ("decision", "cause", "fixed", "rule", "failed", "open")

#: Longest sentence kept, in characters; most notes of one turn.
LONGEST = 400
MOST = 6

#: A sentence that a packet of ours had put before the model: quoted again it would be a memory of itself.
_CITED = "[deja-hooks show "
_BOLD_LABEL = re.compile(r"^([\w -]{1,28})(?::\*\*|\*\*:)\s+")
_STOP = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z`\"'(\[*_]|[a-z]+[A-Z_])"  # a stop, and a capital, a quotation or an identifier
    r"|(?<=[\u3002\uff01\uff1f])"  # a CJK stop
)
_DECORATION = " \t*_#-\u2022:"
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_BULLET = re.compile(r"\s*(?:[-*\u2022]\s+|\d+[.)]\s+|#+\s+)?")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)

#: Shortest sentence, in characters, that says anything by itself.
_SHORTEST = 12
#: Shortest sentence, in characters, that another may refer back to, and longest one that only makes sense with it.
_TELLING = 20
_REFERS_BACK = 60
#: Most items below one label ("Next steps:") that are taken with it.
_BELOW = 3
#: A whole sentence that says only that the next one settles it.
_HEAD = re.compile(r"(?:fixed|resolved|solved|agreed|decided|settled)[.!]", re.IGNORECASE)
_LEADING = re.compile(r"(?:so|therefore|thus|hence|consequently|as a result|from now on|instead)\b", re.IGNORECASE)
_REFERRING = re.compile(r"(?:we|it|its|this|that|these|those|they|both|the (?:new|old|fix|reason))\b", re.IGNORECASE)
_BACK = re.compile(r"(?:that|this|it)\b", re.IGNORECASE)
_NARRATING = re.compile(r"(?:i['\u2019]ll|let me|now|next|then|first|all|here|there|see)\b", re.IGNORECASE)
_REASON = re.compile(r"\d|\b(?:because|since|so that|reason)\b", re.IGNORECASE)


def _by_word(marks: tuple[Mark, ...]) -> dict[str, tuple[str, ...]]:
    """Cues by a whole word in them, the longest: a text's words are looked up at once, however many cues there are."""
    found: dict[str, tuple[str, ...]] = {}
    for cue in sorted({cue for mark in marks for cue in mark.cues}):
        word = max(reversed(_WORD.findall(cue.replace("n't ", " ").replace("'ve ", " "))), key=len)
        found[word] = (*found.get(word, ()), cue)
    return found


_BY_WORD = _by_word((*OF_USERS, *OF_ASSISTANTS))


class _Sentence:
    """One sentence: its text as it is kept, and of which kind it is by itself ("": of none)."""

    __slots__ = ("kind", "text")

    def __init__(self, text: str, marks: list[Mark]) -> None:
        self.text = text
        self.kind = "" if text.endswith("?") or _CITED in text else _kind(text, marks)


def find_notes(user: str, assistant: str) -> list[Note]:
    """The notes of one turn, in the order said, at most `MOST` (the weightiest kept)."""
    both = f"{user}\n{assistant}"
    lower = _plain(both)
    cues = [cue for word in _BY_WORD.keys() & set(_WORD.findall(lower)) for cue in _BY_WORD[word] if cue in lower]
    if ":" in lower:
        cues += _labels(lower)
    if not cues and "\n#" not in both and "**" not in both:
        return []
    found = [*_marked(user, OF_USERS, cues), *_marked(assistant, OF_ASSISTANTS, cues)]
    if len(found) > MOST:
        keep = sorted(range(len(found)), key=lambda i: (KINDS.index(found[i].kind), -i))[:MOST]
        found = [found[i] for i in sorted(keep)]
    return found


def _plain(text: str) -> str:
    return text.lower().replace("\u2019", "'")


def _has(lower: str, cues: Sequence[str]) -> bool:
    for cue in cues:  # noqa: SIM110 - any() over a generator takes three times as long
        if cue in lower:
            return True
    return False


def _labels(lower: str) -> list[str]:
    """The labels in a text, each with its colon."""
    found = []
    at = lower.find(":")
    while at >= 0:
        start = max(0, at - LABEL_LENGTH)
        before = lower[start:at]
        for end in ("\n", ". ", "! ", "? "):
            before = before[before.rfind(end) + 1 :]
        if before.strip(_DECORATION) in LABELS:
            found.append(lower[start + len(lower[start:at]) - len(before) : at + 1].strip())
        at = lower.find(":", at + 1)
    return found


def _label_of(sentence: str) -> str:
    """The kind that a sentence's label gives what follows it; "" without such a label."""
    label, colon, rest = sentence[: LABEL_LENGTH + 8].partition(":")
    return LABELS.get(label.lower().strip(_DECORATION), "") if colon and rest.strip(_DECORATION) else ""


def _marked(text: str, marks: tuple[Mark, ...], cues: list[str]) -> list[Note]:
    likely = [mark for mark in marks if not mark.known.isdisjoint(cues)]
    found: dict[str, Note] = {}
    for line in _lines(text, cues):
        for kind, sentence in _noted(line, likely):
            found.setdefault(sentence, Note(kind, _cut(sentence)))
    return list(found.values())


def _lines(text: str, cues: list[str]) -> Iterator[str]:
    """The lines with a cue, without their bullets; below a label alone, the next ones after that label."""
    label, below = "", 0
    for line in (_FENCED.sub("\n", text) if "```" in text else text).split("\n"):
        heading = line[:2] in ("##", "# ", "**") or line.endswith(":")
        cued = _has(_plain(line), cues)
        if not (cued or label or heading):
            continue
        start = _BULLET.match(line)
        bare = line[start.end() if start else 0 :].strip()
        if heading and len(bare) <= LABEL_LENGTH and bare.lower().strip(_DECORATION) in LABELS:
            label, below = bare.strip(_DECORATION), 0
        elif bare:
            listed = bare != line.strip() and line[0] != "#"
            if label and (listed or not below):
                below += 1
                yield f"{label}: {bare}"
                label = label if listed and below < _BELOW else ""
            else:
                label = ""
                if cued:
                    yield bare


def _noted(line: str, marks: list[Mark]) -> Iterator[tuple[str, str]]:
    """The marked sentences of a line, with their kinds; each with the one after it where that goes on."""
    pieces = [_BOLD_LABEL.sub(r"\1: ", " ".join(piece.split()).strip("*_# ")) for piece in _STOP.split(line)]
    sentences = [_Sentence(piece, marks) for piece in pieces if piece]
    place, before = 0, ""
    while place < len(sentences):
        this = sentences[place]
        place += 1
        kind, text = this.kind, this.text
        if before and _refers_back(this) and len(before) + len(text) < LONGEST:
            text = f"{before} {text}"
        before = "" if kind or len(text) < _TELLING or text.endswith("?") or _CITED in text else text
        if place < len(sentences) and _goes_on(this, sentences[place]):
            following = sentences[place]
            place += 1
            kind, text = _weightier(kind, following.kind), f"{text} {following.text}"
        if kind and len(text) >= _SHORTEST:
            yield kind, text


def _refers_back(this: _Sentence) -> bool:
    """Whether a sentence says nothing without the one before it ("That fixed it.")."""
    return this.kind in ("fixed", "failed") and len(this.text) < _REFERS_BACK and bool(_BACK.match(this.text))


def _kind(sentence: str, marks: list[Mark]) -> str:
    label = _label_of(sentence)
    if label and not NOT_SO[label].search(sentence):
        return label
    straight = sentence.replace("\u2019", "'")
    lower = straight.lower()
    for mark in marks:
        if _has(lower, mark.cues) and mark.pattern.search(straight):
            unless = NOT_SO.get(mark.kind)
            if unless is None or not unless.search(straight):
                return mark.kind
    return ""


def _weightier(kind: str, other: str) -> str:
    return min(kind, other, key=KINDS.index) if kind and other else kind or other


def _goes_on(this: _Sentence, following: _Sentence) -> bool:
    """Whether the second of two sentences has the first one's outcome, reason or value, and wouldn't stand alone."""
    text = following.text
    if len(this.text) + len(text) >= LONGEST or text.endswith("?") or _CITED in text:
        return False
    if _HEAD.fullmatch(this.text):
        return not following.kind
    if this.kind in ("", "open") or following.kind in (this.kind, "open"):
        return False
    told = bool(following.kind or _REASON.search(text))
    if _LEADING.match(text):
        return told
    if NAME.search(text):
        return False
    if _REFERRING.match(text):
        return told
    return any(c.isdigit() for c in text) and not any(c.isdigit() for c in this.text) and not _NARRATING.match(text)


def _cut(sentence: str) -> str:
    if len(sentence) <= LONGEST:
        return sentence
    return sentence[: LONGEST - 1].rsplit(" ", 1)[0] + "…"


#: Beginnings of sentences by which users tell what to do.
_IMPERATIVE = re.compile(
    r"^(?:please|also|then|and|but|so|now|first|next|finally|after that|ok|okay)?,? ?(?:please )?(?:add|use|fix|make|"
    r"write|"
    r"run|keep|change|create|delete|remove|rename|move|update|implement|refactor|test|check|ensure|avoid|do|don't|never|"
    r"always|only|leave|stick|prefer|put|set|replace|convert|port|migrate|build|install|look|read|find|show|list|explain|"
    r"document|commit|push|open|close|start|stop|turn|let|let's|try|wait|go|continue|ask|tell|give|return|handle|support|"
    r"drop|split|merge|extract|wrap|log|cache|retry|validate|verify|review|reply|say|answer|summari[sz]e|format|follow|"
    r"respect|match|limit|restrict|remember|cover|include|exclude|ignore|skip|mark|note|start|bump|upgrade|pin|revert|"
    r"undo|clean|simplify|reuse|call|pass|send|store|save|load|print|raise|throw|catch|mock|stub|generate|apply|deploy|"
    r"release|delegate|no|not|without)\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:must|should|shall|needs? to|have to|has to|never|always|don't|do not|doesn't|can't|cannot|may not|mustn't|"
    r"shouldn't|instead|without|i want|we want|i'd like|i need|we need|please|make sure|from now on|no longer|only|"
    r"at most|at least|required?|forbidden|not allowed|off limits)\b|\u4e0d\u8981|\u5fc5\u987b|\u8bf7",
    re.IGNORECASE,
)
#: What holds for the rest of a session.
_STANDING = re.compile(
    r"\b(?:always|never(?! mind)|from now on|in (?:the )?future|at all times|for the rest of|as a rule|whenever|"
    r"every time|each time|no longer|off limits|forbidden|not allowed|mustn't|must not|remember to|make sure|prefer)\b"
    r"|\b(?:don't|do not) (?:ever|touch|change|edit|modify|use|add|remove|commit|push|delete|rename|break|install|"
    r"create|write|run|reformat|refactor|introduce|mention|ask|upgrade|bump)\b"
    r"|^(?:please )?(?:only |just )?(?:use|keep|avoid|leave|stick|only)\b|\bno new dependenc"
    r"|\bonly (?:use|change|edit|touch)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s*(?:[-*\u2022]|\(?\d+[.)])\s+")
_LINES = re.compile(r"\n+|(?<=[.!?;])\s+(?=[A-Z`\"'(\[*_])|(?<=[\u3002\uff01\uff1f])")


def _sentences(text: str) -> list[tuple[str, bool]]:
    """The sentences and list items of a user's text, each on one line; whether it is an item of a list."""
    found = []
    for piece in _LINES.split(_FENCED.sub("\n", text) if "```" in text else text):
        sentence = " ".join(_ITEM.sub("", piece).split())
        if sentence:
            found.append((sentence, bool(_ITEM.match(piece))))
    return found


def instructions(user: str) -> list[str]:
    """The sentences of a user's text that say what to do, in order; the text's first sentence is always one."""
    found = [
        sentence
        for place, (sentence, listed) in enumerate(_sentences(user))
        if place == 0 or listed or _IMPERATIVE.match(sentence) or _WISH.search(sentence)
    ]
    return list(dict.fromkeys(found))


def standing_instructions(user: str) -> list[str]:
    """The sentences of a user's text that hold for the rest of the session ("never …", "use X", "don't touch Y")."""
    found = [s for s, _ in _sentences(user) if not s.endswith("?") and len(s) < LONGEST and _STANDING.search(s)]
    return list(dict.fromkeys(found))
