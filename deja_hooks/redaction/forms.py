"""Secrets known by their own form, or by what stands before them: keys of vendors, headers, URLs, private keys."""

import re
from collections.abc import Iterator
from functools import cache

from deja_hooks.redaction.commands import IN_COMMANDS, IN_WINDOWS, PIPED_USERS, ContextRule
from deja_hooks.redaction.documents import cut_off_keys, document_secrets
from deja_hooks.redaction.values import Span, is_known, is_placeholder

__all__ = ["formed_secrets"]

#: A substring to look for first, the kind, and the pattern (compiled where the substring is first met: all of them
#: take 15 ms, and a text calls for few).
_Rule = tuple[str, str, str]

#: A key that has a form of its own holds at least so many letters, digits, `_` and `-` in a row; nearly no
#: prose does, and in code such words are a tenth of the text: fifty substring tests on them cost little.
_SHORTEST = 16
_LONG_RUN = b"a" * _SHORTEST
#: A key's line is parted by `+` and `/` alone: of three lines, one nearly always holds so many others in a row.
_KEY_RUN = 24
_RUNS = bytes(97 if chr(code) in "_-" or (code < 128 and chr(code).isalnum()) else 32 for code in range(256))


def _long_words(text: str) -> tuple[str, bool]:
    """The words that could hold a key, each with what stands before it ("" where there are none).

    And whether one of them may be of a key's own lines.
    """
    runs = text.encode("ascii", "replace").translate(_RUNS)
    parts = []
    key_lines = False
    at = runs.find(_LONG_RUN)
    while at >= 0:
        end = runs.find(b" ", at)
        end = len(runs) if end < 0 else end
        parts.append(text[max(0, at - _SHORTEST) : end])
        key_lines = key_lines or end - at >= _KEY_RUN
        at = runs.find(_LONG_RUN, end)
    return "\n".join(parts), key_lines


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
#: The lines of a key in PuTTY's format.
_PUTTY = (
    r"Private-Lines:[ ]?\d{1,4}(?:\r?\n|\\+n)"
    r"(?P<s>[A-Za-z0-9+/=]{1,80}(?:(?:\r?\n|\\+n)[A-Za-z0-9+/=]{1,80}(?![^\s\\\"']))*)"
)
#: Rules for secrets known by what stands before them, with the needle in lower case; these are looked for only where
#: there is a long word at all.
_SCHEMES = (
    ("bearer ", "token", r"(?i:\bbearer)[ ]{1,4}(?P<s>(?=[\w.~+/=-]{0,200}\d)[\w.~+/-]{8,}={0,2})"),
    (
        "basic ",
        "auth",
        r"(?i:\bbasic)[ ]{1,4}(?P<s>(?=[A-Za-z0-9+/]{0,80}[0-9=])[A-Za-z0-9+/]{12,}={0,2})(?![\w+/-])",
    ),
    ("discord", "discord-token", r"(?<![\w-])(?P<s>[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38})(?![\w-])"),
)
#: A line of libpq's password file: `host:port:database:user:password`.
_PGPASS = r"(?<![^\s\"'`])[\w.*/-]{1,100}:(?:\d{2,5}|\*):(?:[\w.*@-]{1,63}:){2}(?P<s>[^\s:\"'`$<]{1,200})(?!\S*:)"
#: A word that nobody writes behind a user's name but as the password.
_LIKELY = r"(?P<s>(?=[^\s\"'`]{0,60}\d)(?=[^\s\"'`]{0,60}[A-Za-z])[^\s\"'`,;()<>]{8,100})"
_ODD = r"(?:\d|[a-z][A-Z])"
_AFTER_COLON = (
    (
        "cookie",
        "cookie",
        r"(?i:\b(?:set-)?cookie)\\{0,3}[\"']?[ ]?:[ ]?\\{0,3}[\"']?"
        r"(?P<s>[\w.!#$%&*+^|~-]{1,128}=[^\r\n\"'\\]{1,8000})",
    ),
    (
        "creds",
        "password",
        r"(?i:\bcreds)(?:[ ]are|[ ]?[:=])[ ]{1,3}[A-Za-z][\w.@-]{0,60}(?::|[ ]/[ ])" + _LIKELY.replace("\\d", _ODD, 1),
    ),
)
_IN_PASSWORD_FILES = (
    (":5432:", "password", _PGPASS),
    (":*:", "password", _PGPASS),
)
_AFTER_EQUALS = (
    ("sig=", "signature", r"(?i:[?&;]sig)=(?P<s>[\w%+/=-]{16,2000})"),
    ("signature=", "signature", r"(?i:(?:[?&;]|\bx-(?:amz|goog)-)signature)=(?P<s>[\w%+/=-]{16,2000})"),
    (
        "auth=(",
        "password",
        r"\bauth=[ ]?\([ ]?['\"][^'\"\r\n]{0,200}['\"],[ ]{0,4}['\"](?P<s>[^'\"\r\n]{1,200})",
    ),
)
_IN_CALLS = (
    (
        "convertto-securestring",
        "password",
        r"(?i:\bconvertto-securestring[ ]{1,4}(?:-string[ ]{1,4})?)(?P<q>['\"])(?P<s>[^'\"\r\n]{1,500})(?P=q)",
    ),
    (
        "identified by",
        "password",
        r"(?i:\bidentified[ ]{1,4}by[ ]{1,4}(?:password[ ]{1,4})?)['\"](?P<s>[^'\"\r\n]{1,500})",
    ),
    (
        "basicauth(",
        "password",
        r"(?i:basicauth)\([ ]?['\"][^'\"\r\n]{0,200}['\"],[ ]{0,4}['\"](?P<s>[^'\"\r\n]{1,200})",
    ),
)
_IN_PROSE = (("log", "password", r"(?i:\blog[ ]?in[ ](?:with|as|using))[ ][\w.@-]{2,60}[ ]/[ ]" + _LIKELY),)
_IN_URLS = (
    ("webhook.office.com/", "teams-webhook", r"webhook\.office\.com/webhookb2/(?P<s>[\w@/-]{20,400})"),
    ("hooks.slack.com", "slack-webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[\w/]{20,200})"),
    ("/webhooks/", "discord-webhook", r"discord(?:app)?\.com/api/webhooks/\d{1,30}/(?P<s>[\w-]{20,200})"),
)
#: A minus with a letter behind it is an option; arithmetic and lists are no commands.
_OPTION = re.compile(r" -[-A-Za-z]")
_URL = r"://(?!\[redacted:)[^\s/?#@:\"'<>`]{0,200}:(?P<s>[^\s/\"'<>`]{1,500})@(?=[\w\[$.{<%-])"
#: A user without a password who is a token: Sentry's DSN, a clone with a personal token.
_URL_TOKEN = r"://(?P<s>(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Za-z])[\w-]{16,255})@(?=[\w\[$.{<%-])"
#: Characters after a private key's first line in which its last one is looked for, not past another first line.
_LONGEST_KEY = 40_000
_PEM = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"


def formed_secrets(text: str, low: str) -> list[Span]:
    """The secrets of the text that have a known form: first the cheap tests, then only what they call for.

    Args:
        low: the text in lower case, of the same length.
    """
    spans: list[Span] = []
    long_words, key_lines = _long_words(text)
    if long_words:
        vendors = _NEEDLES_MINUS if "-" in long_words else _NEEDLES
        for needle in vendors:
            if needle in long_words:
                spans += _matches(text, *vendors[needle])
    for rules in _called_for(text, long_words):
        for needle, kind, pattern in rules:
            if needle in low:
                spans += _matches(text, kind, pattern)
    if key_lines:
        spans += cut_off_keys(text)
        spans += _matches(text, "private-key", _PUTTY)
    if "@" in text and "://" in text:
        spans += _matches(text, "password", _URL)
        spans += _matches(text, "token", _URL_TOKEN)
    if "-----BEGIN" in text:
        spans += _pem_blocks(text)
    if (
        (":" in text and "kind: Secret" in text)
        or ("{" in text and 'variable "' in text)
        or ("=" in text and "--from-literal" in text)
    ):
        spans += document_secrets(text)
    return spans


def _called_for(text: str, long_words: str) -> list[tuple[ContextRule, ...]]:
    """The rules that can match at all by the text's punctuation; a test for one character is the cheapest."""
    groups: list[tuple[ContextRule, ...]] = [_SCHEMES] if long_words else []
    if ":" in text:
        groups.append(_AFTER_COLON)
        if "*" in text or "5" in text:
            groups.append(_IN_PASSWORD_FILES)
    if "=" in text:
        groups.append(_AFTER_EQUALS)
    if "'" in text or '"' in text:
        groups.append(_IN_CALLS)
    if "/" in text:
        if "://" in text:
            groups.append(_IN_URLS)
        if " / " in text:
            groups.append(_IN_PROSE)
    if "|" in text:
        groups.append(PIPED_USERS)
    if "\\" in text and "\\\\" in text:
        groups.append(IN_WINDOWS)
    if " -" in text and _OPTION.search(text):
        groups.append(IN_COMMANDS)
    return groups


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _matches(text: str, kind: str, pattern: str) -> Iterator[Span]:
    """The pattern's secrets: its group `s` where it has one, else the whole match."""
    compiled = _compiled(pattern)
    group = "s" if "s" in compiled.groupindex else 0
    for match in compiled.finditer(text):
        start, end = match.span(group)
        if not group and start and text[start - 1].isalnum():
            continue
        if end > start and not is_known(text[start:end]) and not is_placeholder(text[start:end]):
            yield start, end, kind


def _pem_blocks(text: str) -> Iterator[Span]:
    """Private keys, to their END line or, cut off, as far as the text can be base64; `\\n` may be two characters."""
    pem = _compiled(_PEM)
    match = pem.search(text)
    while match:
        limit = match.end() + _LONGEST_KEY
        following = text.find("-----BEGIN", match.end(), limit)
        end = text.find("-----END ", match.end(), following if following >= 0 else limit)
        close = text.find("-----", end + 9, end + 80) + 5 if end >= 0 else 0
        if close <= 5:
            close = _cut_off_end(text, match.end())
        yield match.start(), close, "private-key"
        match = pem.search(text, close)


#: A line of a key that was cut off: its header, a full line, or a last piece that is no word of the text behind.
_PEM_LINE = (
    r"(?:\s|\\+[nr])*(?:(?:Proc-Type|DEK-Info|Version|Comment)[^\r\n\\]{0,200}"
    r"|[A-Za-z0-9+/=]{20,}(?![ \t]+[a-z])"
    r"|[A-Za-z0-9+/]{1,80}={0,2}(?=\s*(?:\Z|\\|[\"'\r\n]))(?=\S*[0-9+/=A-Z]))"
)


def _cut_off_end(text: str, at: int) -> int:
    """Where the last line that can belong to a key ends."""
    pattern = _compiled(_PEM_LINE)
    while True:
        line = pattern.match(text, at)
        if not line or line.end() == at:
            return at
        at = line.end()
