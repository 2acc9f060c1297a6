"""What a session settled: the sentences in which something was decided, explained, fixed, tried or left open.

A note is a sentence as it was said, never a summary. The marks are words that people and models use for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from deja_hooks.memory.rows import Note

__all__ = ["KINDS", "find_notes", "instructions", "standing_instructions"]

#: Kinds, the weightiest first.
KINDS = ("decision", "cause", "fixed", "rule", "failed", "open")

#: Longest sentence kept, in characters; most notes of one turn.
LONGEST = 400
MOST = 6


_ASSISTANT_MARKS = {
    "decision": (
        r"decided|decision|going with|go with",
        r"settled(?: on|(?=:))|agreed(?: (?:to|on|that)|(?=:))|chose",
        r"we(?:'ll| will) (?:use|keep|stick|switch|store|put)|instead of|rather than|on purpose|deliberately",
    ),
    "cause": (r"root cause|turned out|caused by|the (?:problem|issue|bug|culprit|reason) (?:was|is)",),
    "fixed": (r"fixed|resolved|solved|fix (?:is|was)|(?:works|passes|pass) now|now (?:works|passes|pass)",),
    "failed": (r"did(?:n't| not) (?:work|help)|does(?:n't| not) work|reverted|rolled back|gave up",),
    "open": (
        r"still (?:needs?|fails?|failing|broken|open|missing|to do)",
        r"^next steps?|remaining (?:work|steps?|tasks?|items?|issues?)|not yet|^todo|left to do|follow-up",
    ),
}
_USER_MARKS = {
    "decision": (r"decided|let'?s (?:use|go with|keep|stick)|we(?:'ll| will) (?:use|keep|go)|go with|instead of",),
    "rule": (
        r"(?:^|(?:please|and|but|so|also|then|must|should),? )(?:always|never(?! mind)|do(?:n't| not) ever)",
        r"from now on|^(?:please |i |we )?(?:remember to|make sure|prefer)",
    ),
    "open": (r"still (?:needs?|fails?|failing|broken|open|missing|to do)|not yet|^todo|later we",),
}
#: What makes a sentence say the opposite, or less, of what its mark says.
_NOT_SO = {
    "fixed": re.compile(
        r"\b(?:not|never|cannot|might|may|maybe|perhaps|could|would|should|if|unless|until|once|try|hope)\b|n't\b"
        r"|\bfixed[- ](?:width|size|length|point|cost|price|number|position|rate|amount|set)",
        re.IGNORECASE,
    ),
    "decision": re.compile(
        r"\b(?:nothing|not|never)(?: is)?(?: yet)?(?: been)? (?:decided|agreed|settled)\b"
        r"|n't (?:yet )?(?:decided|agreed)"
        r"|\b(?:undecided|suggest|propose|recommend|whether|your call|might|perhaps|maybe)\b"
        r"|\bcould go|\bshould we|\bshall we",
        re.IGNORECASE,
    ),
    "cause": re.compile(
        r"\b(?:might|may|could) (?:be|have)\b|\b(?:maybe|perhaps|if)\b|\bnot (?:the|caused)\b", re.IGNORECASE
    ),
}
#: A sentence that a packet of ours had put before the model: quoted again it would be a memory of itself.
_CITED = "[deja-hooks show "
#: Cheap test before any pattern runs: one of these is in every marked sentence.
_CUES = (
    "decid", "decision", "go with", "going with", "settled on", "settled:", "agreed", "chose", "we'll ", "we will ",
    "instead of", "rather than", "on purpose", "deliberately", "root cause", "turned out", "caused by", "the problem", "the issue",
    "the bug", "the culprit", "the reason", "fixed", "resolved", "solved", "fix is", "fix was", "works now",
    "passes now", "pass now", "now works", "now pass",
    "not work", "n't work", "not help", "n't help", "reverted", "rolled back", "gave up", "still ", "next step",
    "remaining", "not yet", "todo", "left to do", "follow-up", "let's ", "lets ", "always", "never", "remember to",
    "make sure", "prefer", "not ever", "n't ever", "from now on", "later we",
)  # fmt: skip


def _compiled(marks: Mapping[str, tuple[str, ...]]) -> list[tuple[str, re.Pattern[str]]]:
    return [(kind, re.compile(rf"(?:\b|^)(?:{'|'.join(words)})\b", re.IGNORECASE)) for kind, words in marks.items()]


_ASSISTANT = _compiled(_ASSISTANT_MARKS)
_USER = _compiled(_USER_MARKS)
_SENTENCE_END = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z`\"'(\[*_])"  # a stop, and a capital or a quotation
    r"|\n\s*(?:[-*]\s+|\d+[.)]\s+|#+\s+)?"  # a line's end, with the next one's bullet
    r"|(?<=[\u3002\uff01\uff1f])"  # a CJK stop
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


def find_notes(user: str, assistant: str) -> list[Note]:
    """The notes of one turn, in the order said, at most `MOST` (the weightiest kept)."""
    if not _has_cue(f"{user}\n{assistant}"):
        return []
    found = [*_marked(user, _USER), *_marked(assistant, _ASSISTANT)]
    if len(found) > MOST:
        keep = sorted(range(len(found)), key=lambda i: (KINDS.index(found[i].kind), -i))[:MOST]
        found = [found[i] for i in sorted(keep)]
    return found


def _marked(text: str, marks: list[tuple[str, re.Pattern[str]]]) -> list[Note]:
    found = []
    seen = set()
    for sentence in _SENTENCE_END.split(_FENCED.sub("\n", text) if "```" in text else text):
        if not sentence or not _has_cue(sentence):
            continue
        sentence = " ".join(sentence.split()).strip("*_# ")
        if len(sentence) < 12 or sentence.endswith("?") or sentence in seen or _CITED in sentence:
            continue
        for kind, pattern in marks:
            if pattern.search(sentence) and not (kind in _NOT_SO and _NOT_SO[kind].search(sentence)):
                seen.add(sentence)
                found.append(Note(kind, _cut(sentence)))
                break
    return found


def _has_cue(text: str) -> bool:
    lower = text.lower()
    for cue in _CUES:  # noqa: SIM110 - any() over a generator takes three times as long
        if cue in lower:
            return True
    return False


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
