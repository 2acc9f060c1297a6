"""Keys known by their own form: those of vendors, and forty hex digits that are said to be one."""

import re

from deja_hooks.redaction.heads import HEADS, keys_by_head
from deja_hooks.redaction.patterns import matches
from deja_hooks.redaction.values import Span

__all__ = ["LongWords", "find_long_words", "vendors_keys"]

#: A substring to look for first, the kind, and the pattern.
_Rule = tuple[str, str, str]

#: A key that has a form of its own holds at least so many letters, digits, `_` and `-` in a row; nearly no
#: prose does, and in code such words are a tenth of the text: fifty substring tests on them cost little.
_SHORTEST = 16
_LONG_RUN = b"a" * _SHORTEST
#: A key's line is parted by `+` and `/` alone: of three lines, one nearly always holds so many others in a row.
_KEY_RUN = 24
#: Characters of many services' keys, and of git's commits.
_HEX_RUN = 40
_RUNS = bytes(97 if chr(code) in "_-" or (code < 128 and chr(code).isalnum()) else 32 for code in range(256))


def _rules(*lines: str) -> tuple[_Rule, ...]:
    """Rules from `needle kind pattern`; that the match isn't glued to a word before it is tested behind it."""
    return tuple((needle, kind, pattern) for needle, kind, pattern in (line.split(" ", 2) for line in lines))


_VENDORS = _rules(
    r"AKIA aws-key AKIA[A-Z0-9]{12,}",
    r"ASIA aws-key ASIA[A-Z0-9]{16,}",
    r"eyJ jwt eyJ[\w-]{8,2000}(?:\.[\w-]*){1,4}",
    r"dapi databricks-token dapi[0-9a-f]{32}(?:-\d)?",
    r"ghp_ github-token ghp_\w{16,}",
    r"gho_ github-token gho_\w{16,}",
    r"ghu_ github-token ghu_\w{16,}",
    r"ghs_ github-token ghs_\w{16,}",
    r"ghr_ github-token ghr_\w{16,}",
    r"_live_ stripe-key [srp]k_live_\w{10,}",
    r"k_test_ stripe-key [sr]k_test_\w{10,}",
    r"whsec_ stripe-key whsec_[\w+/=]{16,}",
    r"_v1_ digitalocean-token do[opr]_v1_[0-9a-f]{32,}",
    r"shp shopify-token shp(?:at|ca|pa|ss)_[0-9a-fA-F]{24,}",
    r"sntry sentry-token sntry[su]_[\w+/=]{24,}",
    r"xox slack-token xox[abceoprs](?:\.xox[abp])?-[\w-]{10,}",
    r"SG. sendgrid-key SG\.[\w-]{16,80}\.[\w-]{16,}",
    r"hvs. vault-token hvs\.[\w-]{20,}",
    r"hvb. vault-token hvb\.[\w-]{20,}",
    r"dp. doppler-token dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}",
    r"ya29. google-token ya29\.[\w-]{20,}",
    r"AZDO azure-token [A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)",
    r"dt0 dynatrace-token dt0[a-z]\d\d\.[A-Z2-7]{24}\.[A-Z2-7]{64}",
    r"sl. dropbox-token sl\.(?:u\.)?[\w-]{120,}",
    r"1//0 google-token (?<![\w/.:])(?P<s>1//0[\w-]{30,300})",
    r"t1. yandex-token (?<![\w.])(?P<s>t1\.[\w-]{100,1000}\.[\w-]{86})(?![\w-])",
    r"v1.0- cloudflare-key (?<![\w.])(?P<s>v1\.0-[0-9a-f]{24}-[0-9a-f]{100,200})",
    r"$production$ braintree-token (?P<s>access_token\$production\$[0-9a-z]{16}\$[0-9a-f]{32})",
    r"wandb key \bwandb login[ ]{1,4}(?P<s>[\w-]{40,100})",
    r"SSWS token \bSSWS[ ]{1,4}(?P<s>[\w-]{20,200})",
    r"bot telegram-token bot\d{8,10}:[\w-]{35}(?![\w-])",
    r":AA telegram-token \d{8,10}:AA[\w-]{32,34}(?![\w-])",
)
#: The same for needles with a minus, which few words of code hold.
_VENDORS_MINUS = _rules(
    r"sk- api-key sk-(?:ant-|proj-|svcacct-|admin-|or-v1-|lf-)?(?=[\w-]{0,40}\d)[\w-]{20,}",
    r"glpat- gitlab-token glpat-[\w.-]{16,}",
    r"gldt- gitlab-token gldt-[\w-]{16,}",
    r"glrt- gitlab-token glrt-[\w-]{16,}",
    r"xapp- slack-token xapp-\d-[\w-]{20,}",
    r"pypi- pypi-token pypi-[\w-]{32,}",
    r"-us mailchimp-key [0-9a-f]{32}-us\d{1,2}(?!\w)",
    r"key- mailgun-key key-[0-9a-f]{32}(?![0-9a-f])",
)
_NEEDLES = {needle: (kind, pattern) for needle, kind, pattern in _VENDORS}
_NEEDLES_MINUS = {needle: (kind, pattern) for needle, kind, pattern in _VENDORS + _VENDORS_MINUS}
#: Forty hex digits are a key only where a word before them says so: else they are a commit.
_HEX_KEY = re.compile(r"[0-9a-f]{40}|[0-9A-F]{40}")
#: New Relic's licence keys end so.
_LICENCE = re.compile(r"(?:[a-z]{2}\d\dxx)?[0-9a-f]{30,36}(?:NRAL|FFFFNRAL)")
_SAID_TO_BE_A_KEY = re.compile(
    r"(?i:(?<![A-Za-z0-9])(?:(?:my|the|your|this|api|access|secret|private|auth|account|signing|license)[ _-]?key"
    r"|token|secret|password|credential)|(?:\A|\n)[ \t\"'`-]{0,20}key)"
    r"[ ]{0,2}(?:is|was|to|:=|=>|:|=)?[ ]{0,2}[\"'`(<]{0,2}$"
)


#: The words that could hold a key, each with what stands before it ("" where there are none); whether one of them may
#: be of a key's own lines; where those of forty characters begin; where those that a key may begin like (`heads`).
LongWords = tuple[str, bool, list[int], list[int]]


def find_long_words(text: str, encoded: bytes) -> LongWords:
    """The words of the text that could hold a key.

    Args:
        encoded: the text, each character one byte.
    """
    runs = encoded.translate(_RUNS)
    at = runs.find(_LONG_RUN)
    if at < 0:
        return "", False, [], []
    parts = []
    key_lines = False
    forties = []
    headed = []
    while at >= 0:
        end = runs.find(b" ", at)
        end = len(runs) if end < 0 else end
        parts.append(text[max(0, at - _SHORTEST) : end])
        key_lines = key_lines or end - at >= _KEY_RUN
        if end - at == _HEX_RUN:
            forties.append(at)
        head = text[at : at + 3]
        if head in HEADS:
            headed.append(at)
        elif head[0] in "nrt" and text[at - 1] == "\\" and text[at + 1 : at + 4] in HEADS:
            headed.append(at + 1)  # the letter of an escaped line end is in the run, and no part of the word
        at = runs.find(_LONG_RUN, end)
    return "\n".join(parts), key_lines, forties, headed


def vendors_keys(text: str, words: LongWords) -> list[Span]:
    """The keys among the text's long words."""
    long_words, _, forties, headed = words
    spans = keys_by_head(text, headed) if headed else []
    vendors = _NEEDLES_MINUS if "-" in long_words else _NEEDLES
    for needle in vendors:
        if needle in long_words:
            spans += matches(text, *vendors[needle])
    for at in forties:
        if _LICENCE.match(text, at) or (
            _HEX_KEY.match(text, at) and _SAID_TO_BE_A_KEY.search(text, max(0, at - 60), at)
        ):
            spans.append((at, at + _HEX_RUN, "key"))
    return spans
