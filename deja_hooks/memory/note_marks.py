"""By which words a sentence is known to settle something, or to leave it open: those that people and models use for it.

Each mark has its cues: substrings, in lower case and with straight apostrophes, one of which is in every sentence that
its pattern fits. They are looked for first, in a whole text and then in its sentences, since most sentences have none.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["LABELS", "LABEL_LENGTH", "NAME", "NOT_SO", "OF_ASSISTANTS", "OF_USERS", "Mark"]


class Mark(NamedTuple):
    """One way to put it: the kind of note it makes, its cues (once more as a set), and its pattern."""

    kind: str
    cues: tuple[str, ...]
    known: frozenset[str]
    pattern: re.Pattern[str]


def _mark(kind: str, cues: str, pattern: str) -> Mark:
    every = tuple(cues.split(", "))
    return Mark(kind, every, frozenset(every), re.compile(pattern, re.IGNORECASE))


#: What a value looks like, and an identifier (in code marks, or with a `_`, a dot or a hump inside).
_VALUE = r"[`'\"$€£~]?-?\d"
_NAMED = r"(?:`[^`]+`|\w+(?:_\w+)+|\w+\.\w+|(?-i:[A-Za-z]*[a-z][A-Z]\w*))"
NAME = re.compile(_NAMED)
_UP_TO = r"[^.?!;]{0,80}?"

#: What may stand before a colon, or alone above a list, and the kind of what follows.
LABELS = {
    **dict.fromkeys(
        (
            "decided", "settled", "agreed", "chosen", "decision", "decisions", "final decision", "final",
            "final choice", "final value", "final call", "conclusion", "conclusions", "resolution",
            "outcome", "verdict",
        ),
        "decision",
    ),
    **dict.fromkeys(
        (
            "next", "next step", "next steps", "next up", "up next", "todo", "todos", "to do", "to-do", "remaining",
            "remaining work", "remaining steps", "remaining tasks", "remaining items", "remaining issues",
            "still to do",
            "outstanding", "pending", "left to do", "left over", "left open", "open", "still open", "open item",
            "open items", "open point", "open points", "open question", "open questions", "open issue", "open issues",
            "open ends", "still missing", "not done", "not done yet", "deferred", "blocked on", "follow-up",
            "follow-ups", "follow up", "known issues", "known gaps", "known limitations",
        ),
        "open",
    ),
    "root cause": "cause",
    "cause": "cause",
    "culprit": "cause",
}  # fmt: skip
#: Longest label with its decoration, in characters.
LABEL_LENGTH = 28

_DECIDED = (
    _mark("decision", "decided", r"\bdecided\b"),
    _mark("decision", "go with, going with, settled on", r"\b(?<!keep )(?:go(?:ing)? with|settled on)\b"),
    _mark("decision", "agreed", r"\bagreed(?: (?:to|on|that)\b|, .*\d)"),
    _mark(
        "decision",
        "we'll , we will ",
        r"\bwe(?:'ll| will) (?:use|keep(?! \w+ing\b)|stick|switch|store|put|go|stay|leave|take|set)\b",
    ),
    _mark(
        "decision", "we take , we use , we set , we keep , we run , we cap , we limit ",
        rf"\bwe (?:take|use|set|keep|run|cap|limit) {_UP_TO}(?:{_VALUE}|\b(?:from now on|for now)\b)",
    ),
    _mark("decision", "we stay, we stick, we leave",
          r"\bwe (?:now )?(?:stay (?:with|at|on)|stick (?:to|with)|leave (?:it|this|that|them)\b)"),
    _mark("decision", " it is",
          r"^(?:(?:ok|okay|agreed|right|then|so|fine|good|alright|all right|well|yes),? )?"
          r"(?!(?:the|as|what|how|if|whether|since|because|when|while|that|this|and|but|where\w*|whatever|who|then|here|"
          r"there|no|yes|so|or|maybe|sure|indeed|i|we|you|much|easy|ok|okay|well|right) )"
          r"(?:(?!way |as |that |which |than |think |because |where |what )[\w`.,%/-]+ ){1,3}?"
          r"it is(?: then\b| for\b|[.,;!]|$)"),
    _mark("decision", "stays at, stay at, stays on, stays with, pinned, capped",
          rf"\b(?:stays? (?:at|on|with)|pinned (?:\S+ )?(?:to|at)|capped (?:\S+ )?at) {_VALUE}"),
    _mark("decision", " won for, wins for, won over, wins over", rf"{_VALUE}.*\b(?:won|wins) (?:for|over)\b"),
    _mark("decision", "i set , we set , 've set , pinned, capped, limited, raised, lowered, increased, reduced, "
          "bumped, changed",
          r"\b(?:i|we)(?:'ve| have)? (?:now )?(?:set|pinned|capped|limited|raised|lowered|increased|reduced|bumped|"
          rf"changed) {_UP_TO}\b(?:to|at) {_VALUE}"),
    _mark("decision", " is now ", rf"{_NAMED} is now {_VALUE}"),
)  # fmt: skip
_REMAINS = (
    _mark("open", "still ",
          r"\bstill (?:needs?|fails?|failing|broken|open|missing|to do|lacks?|to be \w+|unresolved|unclear|undecided|"
          r"pending|waiting (?:for|on)|ha(?:s|ve) to)\b"),
    _mark("open", " yet", r"\bnot yet\b|(?:n't|\bnot|\bcannot|\bnever)\b[^.?!;]{0,60}\byet\b"),
    _mark("open", "remains, remain , what's left, what is left",
          r"\bwhat(?:'s| is)? (?:still )?(?:remains|left)(?: to do| open)? ?(?:is\b|are\b|:)"
          r"|\bremains? (?:to be \w+|to do|open|undone|unresolved|unclear|unfinished)\b"),
    _mark("open", "left for , left until , left as , postponed, deferred, put off, blocked on, blocked until, "
          "unfinished",
          r"\bleft (?:for (?:later|tomorrow|now|another|the next|next|a )|until |as an? (?:todo|follow))"
          r"|\b(?:is|are|was|were|been|we|i) (?:postponed|deferred|put off)\b|\bblocked (?:on|until)\b|\bunfinished\b"),
)  # fmt: skip

OF_ASSISTANTS = (
    *_DECIDED,
    _mark("decision", "decision, chose", r"\b(?:decision|chose)\b"),
    _mark("decision", "from now on", r"\bfrom now on\b"),
    _mark("decision", "instead of, rather than, on purpose, deliberately",
          r"\b(?:instead of|rather than|on purpose|deliberately)\b"),
    _mark("cause", "root cause, turned out, caused by, "
          "the problem, the issue, the bug, the culprit, the reason, the cause",
          r"\b(?:root cause|turned out|caused by|the (?:problem|issue|bug|culprit|reason|cause) (?:was|is))\b"),
    _mark("cause", "came down to, boiled down to, boils down to, traced , to blame",
          r"\b(?:came|boil(?:ed|s)) down to\b|\btraced (?:it |this |that )?(?:back )?to\b"
          r"|\b(?:was|is|were|are) to blame\b"),
    _mark("fixed", "fixed, resolved, solved, fix is, fix was, works now, passes now, pass now, now works, now pass, "
          "now passes",
          r"\b(?:fixed|resolved|solved|fix (?:is|was)|(?:works|passes|pass) now|now (?:works|passes|pass))\b"),
    _mark("fixed", "works again, passes again, pass again, is gone, are gone, no longer ",
          r"\b(?:works|pass|passes) again\b|\b(?:failure|error|crash|leak|warning|bug|problem|deadlock|race|flake)s? "
          r"(?:is|are) gone\b|\bno longer (?:fails?|crash(?:es)?|hangs?|leaks?|happens?|occurs?)\b"),
    _mark("failed", "not work, n't work, not help, n't help, reverted, rolled back, gave up",
          r"\b(?:did(?:n't| not) (?:work|help)|does(?:n't| not) work|reverted|rolled back|gave up)\b"),
    *_REMAINS,
    _mark("open", "next step, next steps, remaining, todo, left to do, follow-up",
          r"^next steps?\b|\bremaining (?:work|steps?|tasks?|items?|issues?)\b|^todo\b|\bleft to do\b|\bfollow-up\b"),
)  # fmt: skip
OF_USERS = (
    *_DECIDED,
    _mark("decision", "let's , lets ",
          r"\blet'?s (?:use|go with|keep|stick|settle)\b"
          rf"|\blet'?s (?:make|set|take|leave|put|say) {_UP_TO}{_VALUE}"),
    _mark("decision", "instead of", r"\b(?:we|we're|i'll|i) (?:\w+ ){1,6}instead of\b"),
    _mark("rule", "always, never, not ever, n't ever",
          r"(?:^|(?:please|and|but|so|also|then|must|should),? )(?:always|never(?! mind)|do(?:n't| not) ever)\b"),
    _mark("rule", "from now on, remember to, make sure, prefer",
          r"\bfrom now on\b|^(?:please |i |we )?(?:remember to|make sure|prefer)\b"),
    _mark("rule", "use , set , make , keep , leave , raise , lower , limit , cap ",
          r"^(?:(?:please|ok|okay|then|so|no|and),? ){0,2}"
          rf"(?:use {_VALUE}\S*(?: \w+)? for|(?:keep|leave) \S+ at {_VALUE}|"
          rf"(?:set|raise|lower|limit|cap) \S+ (?:to|at) {_VALUE})"),
    _mark("rule", "must be", rf"{_NAMED} must be {_VALUE}"),
    *_REMAINS,
    _mark("open", "todo", r"^todo\b"),
    _mark("open", "later we", r"\blater we\b"),
)  # fmt: skip

#: What makes a sentence say the opposite, or less, of what its mark says.
NOT_SO = {
    "fixed": re.compile(
        r"\b(?:not|never|cannot|might|may|maybe|perhaps|could|would|should|if|unless|until|once|try|trying|hope|"
        r"when you)\b|n't\b"
        r"|\bfixed[- ](?:width|size|length|point|cost|price|number|position|rate|amount|set)",
        re.IGNORECASE,
    ),
    "decision": re.compile(
        r"\b(?:nothing|not|never)(?: is)?(?: yet)?(?: been)? (?:decided|agreed|settled)\b"
        r"|(?:n't|\bnever|\bnot) (?:yet |really )?(?:decided|agreed|settled|chose|chosen)"
        r"|\b(?:undecided|suggest|propose|recommend|whether|your call|might|perhaps|maybe)\b"
        r"|: \d+ (?:passed|failed|tests?)\b|\bcould go|\bshould we|\bshall we|\bdid we\b"
        r"|\b(?:i'd|would|could|can|may|to|if (?:you|we)) go with\b",
        re.IGNORECASE,
    ),
    "cause": re.compile(
        r"\b(?:might|may|could) (?:be|have)\b|\b(?:maybe|perhaps|if)\b|\bnot (?:the|caused)\b"
        r"|\b(?:problem|issue|bug) (?:is|was) (?:solved|fixed|resolved|gone)\b|\bhow (?:\w+ ){1,3}turned out\b"
        r"|\bturned out (?:really|great|well|fine|ok|okay|nice|good|so|very|perfect\w*)\b|\bturned out[.!]",
        re.IGNORECASE,
    ),
    "failed": re.compile(r"\b(?:if|unless|whenever)\b", re.IGNORECASE),
    "open": re.compile(
        r"\b(?:no|zero|any|without) (?:\w+ )?(?:remaining|open|outstanding|follow-ups?|next steps?|todos?|pending)\b"
        r"|\bnothing (?:\w+ ){0,2}(?:left|remains?|open|pending|missing|blocked)\b"
        r"|\bif\b.*\b(?:still|follow-up)\b|\bin case\b"
        r"|\b(?:what|which|that|who) (?:\w+ ){0,3}(?:has|have|had|is|are|was|were|does|do|did|can)(?: not|n't)\b"
        r".*\byet\b"
        r"|\bi haven't (?:been|read|seen|heard|tried|watched|met|looked)\b|\bi haven't \w+ any|\bi can(?:'t|not) see\b"
        r"|(?:\b(?:which|so|then)|:) i(?:'ll| will)\b|\blet me\b|: https?:"
        r"|^(?:as soon as|if|once|when|while|until|unless)\b.*\byet\b"
        r"|^(?:please )?(?:don't|do not) "
        r"|:\s*(?:none|nothing|n/a|-)\W*$",
        re.IGNORECASE,
    ),
}
