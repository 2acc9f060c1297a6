"""Keys known by their own form: those of vendors, and forty hex digits that are said to be one."""

import re

from deja_hooks.redaction.patterns import matches
from deja_hooks.redaction.values import Span

__all__ = ["find_long_words", "vendors_keys"]

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
    r"AIza google-key AIza[\w-]{30,}",
    r"eyJ jwt eyJ[\w-]{8,2000}(?:\.[\w-]*){1,4}",
    r"dapi databricks-token dapi[0-9a-f]{32}(?:-\d)?",
    r"ghp_ github-token ghp_\w{16,}",
    r"gho_ github-token gho_\w{16,}",
    r"ghu_ github-token ghu_\w{16,}",
    r"ghs_ github-token ghs_\w{16,}",
    r"ghr_ github-token ghr_\w{16,}",
    r"github_pat_ github-token github_pat_\w{20,}",
    r"_live_ stripe-key [srp]k_live_\w{10,}",
    r"k_test_ stripe-key [sr]k_test_\w{10,}",
    r"whsec_ stripe-key whsec_[\w+/=]{16,}",
    r"npm_ npm-token npm_[A-Za-z0-9]{30,}",
    r"_v1_ digitalocean-token do[opr]_v1_[0-9a-f]{32,}",
    r"hf_ huggingface-token hf_[A-Za-z0-9]{24,}",
    r"shp shopify-token shp(?:at|ca|pa|ss)_[0-9a-fA-F]{24,}",
    r"lin_ linear-key lin_(?:api|oauth)_[A-Za-z0-9]{24,}",
    r"gsk_ groq-key gsk_[A-Za-z0-9]{30,}",
    r"glsa_ grafana-token glsa_\w{24,}",
    r"dckr_ docker-token dckr_(?:pat|oat)_[\w-]{20,}",
    r"figd_ figma-token figd_[\w-]{20,}",
    r"sbp_ supabase-token sbp_[0-9a-f]{32,}",
    r"pscale_ planetscale-token pscale_(?:tkn|pw|oauth)_[\w.-]{24,}",
    r"sntry sentry-token sntry[su]_[\w+/=]{24,}",
    r"rubygems_ rubygems-key rubygems_[0-9a-f]{32,}",
    r"xox slack-token xox[abceoprs](?:\.xox[abp])?-[\w-]{10,}",
    r"SG. sendgrid-key SG\.[\w-]{16,80}\.[\w-]{16,}",
    r"hvs. vault-token hvs\.[\w-]{20,}",
    r"hvb. vault-token hvb\.[\w-]{20,}",
    r"dp. doppler-token dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}",
    r"ya29. google-token ya29\.[\w-]{20,}",
    r"ATATT3 atlassian-token ATATT3[\w=-]{20,}",
    r"ntn_ notion-token ntn_[A-Za-z0-9]{36,}",
    r"bot telegram-token bot\d{8,10}:[\w-]{35}(?![\w-])",
    r":AA telegram-token \d{8,10}:AA[\w-]{32,34}(?![\w-])",
)
#: The same for needles with a minus, which few words of code hold.
_VENDORS_MINUS = _rules(
    r"PMAK- postman-key PMAK-[0-9a-f]{20,40}-[0-9a-f]{20,}",
    r"sk- api-key sk-(?:ant-|proj-|svcacct-|admin-|or-v1-|lf-)?(?=[\w-]{0,40}\d)[\w-]{20,}",
    r"glpat- gitlab-token glpat-[\w.-]{16,}",
    r"gldt- gitlab-token gldt-[\w-]{16,}",
    r"glrt- gitlab-token glrt-[\w-]{16,}",
    r"xapp- slack-token xapp-\d-[\w-]{20,}",
    r"pypi- pypi-token pypi-[\w-]{32,}",
    r"GOCSPX- google-key GOCSPX-[\w-]{20,}",
    r"AGE-SECRET-KEY- age-key AGE-SECRET-KEY-1[A-Z0-9]{30,}",
    r"HRKU- heroku-key HRKU-[\w-]{30,}",
    r"NRAK- newrelic-key NRAK-[A-Z0-9]{20,}",
    r"tskey- tailscale-key tskey-[a-z]{2,12}-[\w-]{16,}",
    r"pplx- perplexity-key pplx-[A-Za-z0-9]{32,}",
    r"xai- xai-key xai-[A-Za-z0-9]{40,}",
    r"key- mailgun-key key-[0-9a-f]{32}(?![0-9a-f])",
)
_NEEDLES = {needle: (kind, pattern) for needle, kind, pattern in _VENDORS}
_NEEDLES_MINUS = {needle: (kind, pattern) for needle, kind, pattern in _VENDORS + _VENDORS_MINUS}
#: Forty hex digits are a key only where a word before them says so: else they are a commit.
_HEX_KEY = re.compile(r"[0-9a-f]{40}|[0-9A-F]{40}")
_SAID_TO_BE_A_KEY = re.compile(
    r"(?i:(?<![A-Za-z0-9])(?:(?:my|the|your|this|api|access|secret|private|auth|account|signing|license)[ _-]?key"
    r"|token|secret|password|credential)|(?:\A|\n)[ \t\"'`-]{0,20}key)"
    r"[ ]{0,2}(?:is|was|to|:=|=>|:|=)?[ ]{0,2}[\"'`(<]{0,2}$"
)


def find_long_words(text: str, encoded: bytes) -> tuple[str, bool, list[int]]:
    """The words that could hold a key, each with what stands before it ("" where there are none).

    And whether one of them may be of a key's own lines; and where those of forty characters begin.
    """
    runs = encoded.translate(_RUNS)
    at = runs.find(_LONG_RUN)
    if at < 0:
        return "", False, []
    parts = []
    key_lines = False
    forties = []
    while at >= 0:
        end = runs.find(b" ", at)
        end = len(runs) if end < 0 else end
        parts.append(text[max(0, at - _SHORTEST) : end])
        key_lines = key_lines or end - at >= _KEY_RUN
        if end - at == _HEX_RUN:
            forties.append(at)
        at = runs.find(_LONG_RUN, end)
    return "\n".join(parts), key_lines, forties


def vendors_keys(text: str, long_words: str, forties: list[int]) -> list[Span]:
    """The keys among the text's long words."""
    spans: list[Span] = []
    vendors = _NEEDLES_MINUS if "-" in long_words else _NEEDLES
    for needle in vendors:
        if needle in long_words:
            spans += matches(text, *vendors[needle])
    for at in forties:
        if _HEX_KEY.match(text, at) and _SAID_TO_BE_A_KEY.search(text, max(0, at - 60), at):
            spans.append((at, at + _HEX_RUN, "key"))
    return spans
