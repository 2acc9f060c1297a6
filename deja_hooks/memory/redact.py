"""Removes secrets from text before it is written or put before a model.

Two steps, since the indexer passes all its text through here and nearly none of it is secret: substring
tests say which groups of patterns can match at all (about 1 ns a character each), then each group looks
only at the places where its word stands. Every pattern is bounded or linear; nothing backtracks over a line.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["redact", "redact_counted"]

#: Start, end and kind of one secret.
_Span = tuple[int, int, str]

#: Passes until a text counts as clean: a replacement can bring a second secret into view, rarely a third.
_PASSES = 4


def redact(text: str) -> str:
    """The text with every secret replaced by `[redacted:KIND]`; the words around it stay searchable."""
    return redact_counted(text)[0]


def redact_counted(text: str) -> tuple[str, int]:
    """The redacted text, and how many secrets were replaced in it."""
    count = 0
    for _ in range(_PASSES):
        spans = _merged(_spans(text))
        if not spans:
            break
        count += len(spans)
        text = _replaced(text, spans)
    return text, count


def _merged(spans: list[_Span]) -> list[_Span]:
    """Spans in order, overlapping ones joined under the kind of the one that begins first (the longest of these)."""
    out: list[_Span] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]), out[-1][2])
        else:
            out.append((start, end, kind))
    return out


def _replaced(text: str, spans: list[_Span]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, kind in spans:
        parts += (text[at:start], "[redacted:", kind, "]")
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _spans(text: str) -> list[_Span]:
    """Every secret in the text: first the cheap tests, then only what they call for."""
    spans: list[_Span] = []
    long_words = _long_words(text)
    if long_words:
        for needle, kind, pattern in _VENDORS:
            if needle in long_words:
                spans += _matches(text, kind, pattern)
    low = _lower(text)
    for needle, kind, pattern in _SCHEMES if long_words else ():
        if needle in low:
            spans += _matches(text, kind, pattern)
    for mark, rules in _CONTEXTS:
        if mark in text:
            for needle, kind, pattern in rules:
                if needle in low:
                    spans += _matches(text, kind, pattern)
    if "@" in text and "://" in text:
        spans += _matches(text, "password", _URL)
    if "-----BEGIN" in text:
        spans += _pem_blocks(text)
    for word in _words_in(text):
        at = low.find(word)
        while at >= 0:
            span = _named(text, at, word)
            if span:
                spans.append(span)
            at = low.find(word, max(at + len(word), span[1] if span else 0))
    return spans


def _lower(text: str) -> str:
    """ASCII lower case, the same length as the text (`str.lower` may change it)."""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def _matches(text: str, kind: str, pattern: re.Pattern[str]) -> Iterator[_Span]:
    """The pattern's secrets: its group `s` where it has one, else the whole match."""
    group = "s" if "s" in pattern.groupindex else 0
    for match in pattern.finditer(text):
        start, end = match.span(group)
        if not group and start and text[start - 1].isalnum():
            continue
        if end > start and not _is_known(text[start:end]) and not _is_placeholder(text[start:end]):
            yield start, end, kind


# ---------------------------------------------------------------- secrets known by their own form

#: A substring to look for first, the kind, and the pattern.
_Rule = tuple[str, str, re.Pattern[str]]

#: A key that has a form of its own holds at least so many letters, digits, `_` and `-` in a row; nearly no
#: prose does, and in code such words are a tenth of the text: fifty substring tests on them cost little.
_SHORTEST = 16
_LONG_RUN = b"a" * _SHORTEST
_RUNS = bytes(97 if chr(code) in "_-" or (code < 128 and chr(code).isalnum()) else 32 for code in range(256))


def _long_words(text: str) -> str:
    """The words that could hold a key, each with what stands before it; "" where there are none."""
    runs = text.encode("ascii", "replace").translate(_RUNS)
    parts = []
    at = runs.find(_LONG_RUN)
    while at >= 0:
        end = runs.find(b" ", at)
        end = len(runs) if end < 0 else end
        parts.append(text[max(0, at - _SHORTEST) : end])
        at = runs.find(_LONG_RUN, end)
    return "\n".join(parts)


def _rules(*lines: str) -> tuple[_Rule, ...]:
    """Rules from `needle kind pattern`; that the match isn't glued to a word before it is tested behind it."""
    out = []
    for line in lines:
        needle, kind, pattern = line.split(" ", 2)
        out.append((needle, kind, re.compile(pattern)))
    return tuple(out)


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
    r"PMAK- postman-key PMAK-[0-9a-f]{20,40}-[0-9a-f]{20,}",
    r"sk- api-key sk-(?:ant-|proj-|svcacct-|admin-|or-v1-|lf-)?(?=[\w-]{0,40}\d)[\w-]{20,}",
    r"glpat- gitlab-token glpat-[\w.-]{16,}",
    r"gldt- gitlab-token gldt-[\w-]{16,}",
    r"glrt- gitlab-token glrt-[\w-]{16,}",
    r"xox slack-token xox[abceoprs](?:\.xox[abp])?-[\w-]{10,}",
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
    r"SG. sendgrid-key SG\.[\w-]{16,80}\.[\w-]{16,}",
    r"hvs. vault-token hvs\.[\w-]{20,}",
    r"hvb. vault-token hvb\.[\w-]{20,}",
    r"dp. doppler-token dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}",
    r"ya29. google-token ya29\.[\w-]{20,}",
    r"ATATT3 atlassian-token ATATT3[\w=-]{20,}",
    r":AA telegram-token \d{8,10}:AA[\w-]{32,34}(?![\w-])",
)
#: The argument of an option, quoted or bare.
_ARGUMENT = r"(?P<s>'[^'\r\n]{1,200}'|\"[^\"\r\n]{1,200}\"|[^\s'\"$<;|&-][^\s'\"$<;|&]{0,200})"


def _contexts(*rules: tuple[str, str, str]) -> tuple[_Rule, ...]:
    """Rules (needle in lower case, kind, pattern) for secrets known by what stands before them."""
    return tuple((needle, kind, re.compile(pattern.replace("ARGUMENT", _ARGUMENT))) for needle, kind, pattern in rules)


#: Looked for only where there is a long word at all.
_SCHEMES = _contexts(
    ("bearer ", "token", r"(?i:\bbearer)[ ]{1,4}(?P<s>(?=[\w.~+/=-]{0,200}\d)[\w.~+/-]{8,}={0,2})"),
    (
        "basic ",
        "auth",
        r"(?i:\bbasic)[ ]{1,4}(?P<s>(?=[A-Za-z0-9+/]{0,80}[0-9=])[A-Za-z0-9+/]{12,}={0,2})(?![\w+/-])",
    ),
    ("discord", "discord-token", r"(?<![\w-])(?P<s>[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38})(?![\w-])"),
)
_AFTER_COLON = _contexts(
    (
        "cookie",
        "cookie",
        r"(?i:\b(?:set-)?cookie)\\{0,3}[\"']?[ ]?:[ ]?\\{0,3}[\"']?"
        r"(?P<s>[\w.!#$%&*+^|~-]{1,128}=[^\r\n\"'\\]{1,8000})",
    ),
    ("pass:", "password", r"[ ]-(?:pass|passin|passout|k)[ ]{1,4}['\"]?pass:(?P<s>[^\s'\"$<]{1,200})"),
)
_AFTER_EQUALS = _contexts(
    ("sig=", "signature", r"(?i:[?&;]sig)=(?P<s>[\w%+/=-]{16,2000})"),
    ("signature=", "signature", r"(?i:(?:[?&;]|\bx-(?:amz|goog)-)signature)=(?P<s>[\w%+/=-]{16,2000})"),
    (
        "auth=(",
        "password",
        r"\bauth=[ ]?\([ ]?['\"][^'\"\r\n]{0,200}['\"],[ ]{0,4}['\"](?P<s>[^'\"\r\n]{1,200})",
    ),
)
_IN_COMMANDS = _contexts(
    ("mysql", "password", r"\bmysql[\w-]{0,12}\b[^\r\n]{0,300}?[ ]-pARGUMENT"),
    ("mariadb", "password", r"\bmariadb[\w-]{0,12}\b[^\r\n]{0,300}?[ ]-pARGUMENT"),
    ("sshpass", "password", r"\bsshpass[ ]{1,4}-p[ ]{0,4}ARGUMENT"),
    (
        "login",
        "password",
        r"\b(?:docker|podman|helm|az|oc|crane|skopeo)[ ][^\r\n]{0,40}?\blogin\b"
        r"[^\r\n]{0,300}?[ ]-p[ ]{0,4}ARGUMENT",
    ),
    ("redis-cli", "password", r"\bredis-cli\b[^\r\n]{0,300}?[ ]-a[ ]{1,4}ARGUMENT"),
    (
        "curl",
        "password",
        r"\bcurl\b[^\r\n]{0,300}?[ ](?:-\w{0,5}u|--user|-U|--proxy-user)[ =]{0,4}"
        r"['\"]?[^\s:/'\"$<]{1,200}:(?P<s>[^\s'\"$<]{1,300})",
    ),
)
_IN_CALLS = _contexts(
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


_IN_URLS = _contexts(
    ("hooks.slack.com", "slack-webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[\w/]{20,200})"),
    ("/webhooks/", "discord-webhook", r"discord(?:app)?\.com/api/webhooks/\d{1,30}/(?P<s>[\w-]{20,200})"),
)
#: The rules of this kind under the punctuation without which none of them can match.
_CONTEXTS = (
    (":", _AFTER_COLON),
    ("=", _AFTER_EQUALS),
    (" -", _IN_COMMANDS),
    ("'", _IN_CALLS),
    ('"', _IN_CALLS),
    ("://", _IN_URLS),
)
_URL = re.compile(r"://[^\s/?#@:\"'<>`]{0,200}:(?P<s>[^\s/\"'<>`]{1,500})@(?=[\w\[$.{<%-])")
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")


def _pem_blocks(text: str) -> Iterator[_Span]:
    """Private keys, to their END line or, cut off, as far as the text can be base64; `\\n` may be two characters."""
    match = _PEM.search(text)
    while match:
        end = text.find("-----END ", match.end(), match.end() + 40_000)
        close = text.find("-----", end + 9, end + 80) + 5 if end >= 0 else 0
        if close <= 5 or "-----BEGIN" in text[match.end() : end]:
            close = _cut_off_end(text, match.end())
        yield match.start(), close, "private-key"
        match = _PEM.search(text, close)


#: A line of a key that was cut off: its header, a full line, or a last piece that is no word of the text behind.
_PEM_LINE = re.compile(
    r"(?:\s|\\+[nr])*(?:(?:Proc-Type|DEK-Info|Version|Comment)[^\r\n\\]{0,200}"
    r"|[A-Za-z0-9+/=]{20,}(?![ \t]+[a-z])"
    r"|[A-Za-z0-9+/]{1,80}={0,2}(?=\s*(?:\Z|\\|[\"'\r\n]))(?=\S*[0-9+/=A-Z]))"
)


def _cut_off_end(text: str, at: int) -> int:
    """Where the last line that can belong to a key ends."""
    while True:
        line = _PEM_LINE.match(text, at)
        if not line or line.end() == at:
            return at
        at = line.end()


# ---------------------------------------------------------------- secrets known by the name they are given to

_SPACED = re.compile(r"(?i)(?:\b(api|access|secret|private|account|encryption|signing|master|auth)|mots?[ ]de)[ ]$")
_AFTER = re.compile(
    r"(?P<tail>[\w-]{0,60})(?P<close>\\{0,7}[\"'`]?\]?)"
    r"(?:(?P<op>[ \t]{0,40}(?::=|=>(?=[ \t]*\\*[\"'])|=(?![=~>])|:(?!:)|\n[ \t]*value[\"']?[ \t]*:"
    r"|[ \t]+value[ \t]*=))(?P<gap>[ \t]*)|(?P<xml>>)|(?P<space>[ \t]{1,8}))"
)
_IDENTIFIER = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def _named(text: str, at: int, word: str) -> _Span | None:
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
    kind = _name_kind(name) if not spaced else "key" if spaced[1] else "password"
    if name.lower() == "pass" and (after["op"] != "=" or text[after.end() : after.end() + 1].isdigit()):
        return None
    span = _value_of(text, after, start, name, kind) if kind else None
    if not span or span[0] >= span[1] or _is_known(text[span[0] : span[1]]):
        return None
    return (*span, kind)


def _value_of(text: str, after: re.Match[str], start: int, name: str, kind: str) -> tuple[int, int] | None:
    """Where the value begins and ends, by the kind of separator behind the name."""
    at = after.end()
    if after["xml"]:
        end = text.find("<", at, at + 4000)
        closed = text.startswith("</", end) and text.find(name, end, end + 80) > 0
        return (at, end) if closed and end > at and _secret_text(text[at:end], kind) else None
    if after["op"] is not None:
        return _assigned(text, after, start, name, kind)
    if name.startswith("-") and not after["close"]:
        return _flag(text, at, kind)
    return None if after["close"] else _spoken(text, at, start, kind)


_TYPED = re.compile(
    r"[ \t]*[&*]?[A-Za-z_][\w.]{0,40}(?:[\[<][\w., |]{0,60}[\]>])?\??[ \t]+=[ \t]*(?=[rbfuRBFU]{0,2}[\"'`])"
)
_SCHEME = re.compile(r"(?:Bearer|Basic|Token|token|bearer|basic|ApiKey|Digest)[ ]+(?=[^\s\"'])")


def _assigned(text: str, after: re.Match[str], start: int, name: str, kind: str) -> tuple[int, int] | None:
    """The value behind `=`, `:`, `:=` or `=>`."""
    at, op, gap = after.end(), after["op"].strip(), bool(after["gap"])
    tight = after["op"] == "=" and not gap
    if name.lower() in ("pwd", "oldpwd") and _FOLDER.match(text, at):
        return None
    quoted = _quoted(text, at, kind, joined=tight)
    if quoted:
        return quoted
    if op == ":" and text[at : at + 1] in ("|", ">"):
        return _block_scalar(text, at, start)
    typed = _TYPED.match(text, at) if op == ":" else None
    if typed:
        return _quoted(text, typed.end(), kind, joined=False)
    scheme = _SCHEME.match(text, at) if kind in ("auth", "token", "key") else None
    at = scheme.end() if scheme else at
    end = _unquoted_end(text, at, _HEAD)
    before = text[max(0, start - _LOOK_BACK) : start].rpartition("\n")[2]
    shell = (
        (name.isupper() and not gap)
        or name.startswith("-")
        or (tight and not before)
        or bool(scheme or _EXPORT.search(text, max(0, start - 16), start))
    )
    alone = not before.strip(" \t-\"'>")
    if not _secret_word(text, at, end, _Given(kind, shell, alone, tight)):
        return None
    pairs = _CONNECTION.match(text, at) if tight and not name.isupper() else None
    return at, pairs.end() if pairs else _unquoted_end(text, at)


#: The rest of a value with blanks in a connection string, up to its next pair.
_CONNECTION = re.compile(r"[^;\r\n\"'=]{1,200}(?=;[ ]?[A-Za-z][A-Za-z ]{1,40}=)")
_FOLDER = re.compile(r"\\*[\"'`]?(?:[/~$]|[A-Za-z]:[\\/])")
#: What stands before a name that a shell, a container or a query gives a value to.
_EXPORT = re.compile(r"(?:\b(?:export|set|setx|setenv|ENV|ARG|env|config:set)[ ]|[ ]-e[ ]|[?&;]|--env[ =]|/:)$")
_OPENING = re.compile(r"(?:[rbfuRBFU@$]{0,2})(?P<escape>\\{0,7})(?P<quote>\"\"\"|'''|[\"'`])")
_JOINED = re.compile(r"(?:[^\s\"'`\\;&,)\]}<>|:]|\\\S){1,500}|\"(?:[^\"\\\r\n]|\\.){0,2000}\"|'[^'\r\n]{0,2000}'")
_ADDED = re.compile(r"[ \t]*\+[ \t\r\n]*(?:\"(?:[^\"\\\r\n]|\\.){0,2000}\"|'(?:[^'\\\r\n]|\\.){0,2000}')")


def _quoted(text: str, at: int, kind: str, *, joined: bool) -> tuple[int, int] | None:
    """The inside of a quoted value; (at, at) where the quotes hold no secret; None where nothing is quoted.

    `joined`: further parts may follow without a blank, as a shell joins them (`'it'\\''s'`), else with `+`.
    """
    opening = _OPENING.match(text, at)
    if not opening:
        return None
    if _inside(text, opening.start("escape"), opening["escape"], opening["quote"]):
        return at, at
    begin = opening.end()
    end = _closing(text, begin, opening["escape"], opening["quote"])
    scheme = _SCHEME.match(text, begin, end) if kind in ("auth", "token", "key") else None
    begin = scheme.end() if scheme else begin
    if not _secret_text(text[begin:end], kind) or (len(opening["quote"]) == 3 and "\n" in text[begin:end]):
        return at, at
    part = _JOINED if joined and not opening["escape"] else _ADDED
    more = part.match(text, end + len(opening["escape"] + opening["quote"]))
    last = more
    while more:
        last, more = more, part.match(text, more.end())
    if not last:
        return begin, end
    return (begin, last.end() - 1) if text[last.end() - 1] == opening["quote"] else (at, last.end())


def _inside(text: str, at: int, escape: str, quote: str) -> bool:
    """Whether a quote is open at this place of the line, so that the next one closes it."""
    line = text[max(0, at - _LOOK_BACK) : at].rpartition("\n")[2]
    mark = quote[0]
    count = line.count(escape + mark) if escape else line.count(mark) - line.count("\\" + mark)
    if count and mark == "'":
        count -= len(_APOSTROPHE.findall(line))
    return count % 2 == 1


#: Characters of a line looked at for an open quote, and of a value until it is known to be a secret: with
#: both bounded, and what is found never looked at twice, the time grows with the text alone.
_LOOK_BACK = 1000
_HEAD = 400
_APOSTROPHE = re.compile(r"\w'\w")


def _closing(text: str, begin: int, escape: str, quote: str) -> int:
    """Where the closing quote stands: on this line, else within 500 characters, else the end of the line."""
    at = text.find(escape + quote, begin, begin + 40_000)
    while at >= 0 and _escaped(text, at, begin, escape):
        at = text.find(escape + quote, at + 1, begin + 40_000)
    line = text.find("\n", begin, at if at >= 0 else len(text))
    if at >= 0 and (line < 0 or len(quote) == 3):
        return at
    if at >= 0 and at - line < 500 and not text[at + len(escape + quote) :][:1].isalnum():
        return at
    return line if line >= 0 else len(text)


def _escaped(text: str, at: int, begin: int, escape: str) -> bool:
    """Whether the quote at this place is one of the value's own, by the backslashes before it."""
    slashes = at
    while slashes > begin and text[slashes - 1] == "\\":
        slashes -= 1
    return at > slashes if escape else (at - slashes) % 2 == 1


_BLOCK = re.compile(r"[|>][+-]?\d?[ \t]*\r?\n")


def _block_scalar(text: str, at: int, start: int) -> tuple[int, int] | None:
    """YAML's `name: |` with the value on the deeper lines below it."""
    head = _BLOCK.match(text, at)
    if not head:
        return None
    line = text[text.rfind("\n", 0, start) + 1 : start]
    indent = len(line) - len(line.lstrip(" "))
    end = head.end()
    while end < len(text):
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop
        below = text[end:stop]
        if below.strip() and len(below) - len(below.lstrip(" ")) <= indent:
            break
        end = stop + 1
    value = text[head.end() : end]
    begin = head.end() + len(value) - len(value.lstrip())
    return begin, begin + len(value.strip())


_END = re.compile(r"\s|&(?=[\w.-]{1,60}=)|;(?=[\s\"'`]|$|[\w ]{1,40}=)|,(?=\s|$|[\w\"'-]{1,40}[\"']?[:=])|</")


def _unquoted_end(text: str, at: int, limit: int = 1 << 40) -> int:
    """The end of an unquoted value: white space, the next pair of a list, or the quote that we stand in."""
    limit = min(len(text), at + limit)
    found = _END.search(text, at, limit)
    end = found.start() if found else limit
    inside = False
    for quote in "\"'`":
        if _inside(text, at, "", quote) or _inside(text, at, "\\", quote):
            inside = True
            close = text.find(quote, at, end)
            if close >= 0:
                end = close - 1 if close - 1 > at and text[close - 1] == "\\" else close
    if not inside and found and found[0].isspace():
        joined = _SHELL_WORD.match(text, at)
        end = max(end, joined.end()) if joined and joined["quoted"] else end
    return at + len(_without_closers(text[at:end]))


def _without_closers(value: str) -> str:
    """The value without the brackets, commas and the colon that close what it stands in."""
    value = value.removesuffix(":") if value.endswith("):") else value
    while value:
        opened = _OPENED.get(value[-1])
        if value[-1] != "," and (not opened or value.count(value[-1]) <= value.count(opened)):
            break
        value = value[:-1]
    return value


_OPENED = {")": "(", "]": "[", "}": "{"}
#: A bare word with a quoted part glued to it, as a shell reads it (`ab"c d"`).
_SHELL_WORD = re.compile(
    r"[^\s\"'`;&,()]{1,500}(?P<quoted>\"(?:[^\"\\\r\n]|\\.){0,2000}\"|'[^'\r\n]{0,2000}')[^\s\"'`;&,()]{0,500}"
)


def _flag(text: str, at: int, kind: str) -> tuple[int, int] | None:
    """`--password x`: any value but another flag, a placeholder or a variable."""
    quoted = _quoted(text, at, kind, joined=True)
    if quoted:
        return quoted
    end = _unquoted_end(text, at)
    value = text[at:end]
    if not value or value[0] in "-|>&[(" or _is_placeholder(value) or value.lower() in _CODE_WORDS:
        return None
    return at, end


_SPEAKING = re.compile(
    r"(?:(?:for|of|für|de|du|do|von)[ ]\S{1,40}[ ](?:\S{1,20}[ ])?)?"
    r"(?:is|are|was|will be|to|ist|lautet|war|auf|est|es|é|è|=|:)[ ]{0,2}:?[ ]{0,2}(?=\S)"
)
_PRECEDED = re.compile(r"(?i)\b(?:with|using|mit|avec|con|com|by)[ ](?:the[ ]|das[ ]|le[ ])?$")
_LOGIN = re.compile(r"\b(?:machine\s{1,4}\S{1,80}|default)\s{1,4}login\s{1,4}\S{1,80}\s{1,4}$")


def _spoken(text: str, at: int, start: int, kind: str) -> tuple[int, int] | None:
    """Prose: `the password is hunter2`, `with password hunter2`, SQL's `PASSWORD 'x'`, a .netrc's `password x`."""
    speaking = _SPEAKING.match(text, at)
    if not speaking and kind != "password":
        return None
    if not speaking and _LOGIN.search(text, max(0, start - 180), start):
        return at, _unquoted_end(text, at)
    at = speaking.end() if speaking else at
    if speaking or text[at : at + 1] == "'":
        quoted = _quoted(text, at, kind, joined=False)
        if quoted:
            return quoted
    if not speaking and not _PRECEDED.search(text, max(0, start - 12), start):
        return None
    end = _unquoted_end(text, at, _HEAD)
    value = text[at:end].rstrip(".!?,;:")
    return (at, at + len(value)) if _spoken_secret(value, kind) else None


# ---------------------------------------------------------------- is this the name of a secret?


def _words_in(text: str) -> tuple[str, ...]:
    """The words to look for: where nothing can be assigned, only those that prose speaks of."""
    separated = "=" in text or ":" in text or "<" in text or " -" in text
    words = _WORDS if separated else _SPOKEN
    return words if text.isascii() else tuple(dict.fromkeys((*words, *_WIDE_WORDS)))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: What a secret's name contains, lower-case. `_SPOKEN` are those that prose uses without punctuation.
_SPOKEN = ("pass", "token", "secret", "api key", "kennwort")
_WORDS = (*_SPOKEN, "pwd", "key", "auth", "credential", "senha", "contrase", "wachtwoord", "parola")
_WIDE_WORDS = ("senha", "contrase", "密码", "密碼", "パスワード", "пароль", "비밀번호", "lösenord", "hasło")
_PASSWORDS = _words(
    "password passwd passwort passphrase passcode pwd kennwort senha contraseña contrasena contrasenya motdepasse "
    "wachtwoord parola 密码 密碼 パスワード пароль 비밀번호 lösenord hasło passwords"
)
_WORDS_THEMSELVES = _PASSWORDS | _words(
    "token secret apikey api_key api-key credentials auth key access_token include omit same-origin"
)
_KEYS = _words(
    "apikey accesskey secretkey privatekey accountkey sharedaccesskey encryptionkey signingkey masterkey authkey "
    "sharedkey storagekey subscriptionkey licensekey deploykey sshkey functionkey hostkey clientkey"
)
_BEFORE_KEY = _words(
    "api access secret private account encryption signing master auth shared storage subscription license deploy "
    "function service"
)
#: After the word, they make the name that of something about the secret, not the secret.
_ABOUT = _words(
    "name names type types count counts url uri urls path paths file files filename field fields label id ids length "
    "len size limit budget budgets expiry expires expire expired expiration exp ttl age min max policy format header "
    "headers prefix suffix param params parameter hint prompt input validator validation regex pattern strategy "
    "provider providers method methods mode scheme endpoint service services manager store storage ref refs reference "
    "class error errors required enabled disabled valid invalid reset usage used cost price rate window index pos "
    "position offset start end line kind status state info dir directory sock version arn host port "
    "domain realm rotation algorithm alg hasher strength generator factory handler middleware "
    "callback function func list map set dict model schema table column confirmation mismatch placeholder "
    "message title description button form page view screen component props guard module plugin config "
    "settings options scopes scope audience issuer level group role user users client source target"
)
#: Before `token`, they make it a word of a vocabulary, of a parser or of a pager.
_OTHER_TOKENS = _words(
    "eos bos pad unk mask sep cls public next prev previous page continuation lookahead current peek advance expect "
    "match max min num total input output prompt completion special stop per"
)
_ACTIONS = _words("is has no use show hide forgot toggle require requires needs reset change verify check")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_]+|\d+")


@lru_cache(maxsize=2048)
def _name_kind(name: str) -> str:
    """The kind of secret that an identifier of this name holds; "" where it holds none."""
    plain = name.replace("ñ", "n")
    parts = [part.lower() for part in (_PARTS.findall(plain) if plain.isascii() else plain.split("_"))]
    kind, last = "", 0
    for index, part in enumerate(parts):
        before = parts[index - 1] if index else ""
        found = _part_kind(part, before, len(parts))
        if not found or (found == "auth" and index + 1 < len(parts)):
            continue
        if before in _ACTIONS or (found == "token" and before in _OTHER_TOKENS):
            return ""
        kind, last = found, index
    return "" if any(word in _ABOUT for word in parts[last + 1 :]) else kind


def _part_kind(part: str, before: str, count: int) -> str:
    if part in _PASSWORDS or part.endswith(("password", "passwd", "passwort", "passphrase", "pwd")):
        return "password"
    if part == "pass" and count == 1:
        return "password"
    if part in ("pass", "passe") and before not in ("", "test", "tests", "all", "num", "did"):
        return "password"
    if part in _KEYS or (part == "key" and before in _BEFORE_KEY):
        return "key"
    if part.endswith("secret") or part == "secrets":
        return "secret"
    if part.endswith("token"):
        return "token"
    if part in ("credential", "credentials"):
        return "credential"
    return "auth" if part in ("auth", "authorization") else ""


# ---------------------------------------------------------------- is this value a secret?

_KNOWN = re.compile(r"(?:\[redacted:[\w-]+\][\"'`,;\s]*)+")
_PLACEHOLDER = re.compile(
    r"[\W_]*|#[0-9a-fA-F]{3,8}|[*xX.•_-]{3,}|<[^<>]{0,200}>?|\$\{(?![^}]*:-[^}$]).*|\$\(.*|\$[A-Za-z_][\w:.]*|%\w+%|%(?:\(\w*\))?[-#0-9.]*[a-zA-Z]|\{\{.*|\{[\w.!:]*\}|@\w+@"
    r"|(?:(?:Bearer|Basic|Token|token)[ ])?(?:\$?\{+(?!\w+:-[^}$]).*\}+|\$\w+|%s|<.*>)"
    r"|(?i:your[-_ ].*|\[?redacted\]?|changeme|null|none|undefined|true|false|env:.*|todo|n/a)",
    re.DOTALL,
)
_CODE_WORDS = _words(
    "str string strings text number int integer bool boolean bytes object any none null nil true false undefined void "
    "never unknown optional required value values input expected actual entered given plain plaintext candidate "
    "result results response request req res body data raw self this await new not in lambda typeof random default "
    "defaults hash hashed encrypted encoded decoded prompt user params args arg kwargs config settings options "
    "the an and or of for with is are was be must should can will if else return function class def "
    "char varchar uuid secretstr unset missing invalid empty disabled enabled yes no on off inherit public static "
    "const let var final private protected basic bearer oauth digest session jwt"
)
_CALL = re.compile(r"[&*!]?[A-Za-z_$][\w.$:>?!-]{0,100}[(\[<{`]")
_ATTRIBUTE = re.compile(r"[&*!]?[A-Za-z_$][\w$]{0,60}(?:(?:\?\.|!\.|\.|->|::)[A-Za-z_$][\w$]{0,60})+[!?]?[,;)]*")
_SIMPLE = re.compile(r"[A-Za-z_$][\w$]*")
_RANDOM = re.compile(r"(?=.*[A-Za-z0-9])[\w.+/=:~-]{6,}")
_ALGORITHM = re.compile(
    r"(?i)(?:base|sha|md|aes|rsa|hs|rs|es|utf|argon|oauth|pbkdf|ed|v|http|ecdsa|hmac|x)-?\d{1,5}(?:-.*)?|\d+(?:st|nd|rd|th)"
    r"|\d+-(?:char|byte|bit|digit|day|hour|minute|letter|word)\w*(?:-\w+)?|2fa|mfa|bcrypt.*|scrypt.*"
)


class _Given:
    """How a value is given to a name.

    Attributes:
        kind: what the name holds.
        shell: code can't stand here, so that any word is a value.
        alone: the name begins its line.
        tight: nothing but `=` parts the value from it.
    """

    __slots__ = ("alone", "kind", "shell", "tight")

    def __init__(self, kind: str, shell: bool, alone: bool, tight: bool) -> None:
        self.kind = kind
        self.shell = shell
        self.alone = alone
        self.tight = tight


def _is_known(value: str) -> bool:
    """Whether the value is nothing but what an earlier pass left."""
    return bool(_KNOWN.fullmatch(value.strip("\"'`\\")))


def _is_placeholder(value: str) -> bool:
    return bool(_PLACEHOLDER.fullmatch(value.strip().strip("\"'`")))


def _secret_text(value: str, kind: str) -> bool:
    """A quoted value: a secret unless it is a placeholder or, for names that hold other things too, plainly a word."""
    if not value.strip() or _is_placeholder(value) or _is_known(value) or value.lower() in _WORDS_THEMSELVES:
        return False
    if kind in ("password", "secret", "credential"):
        return True
    if "://" in value or value.startswith(("/", "./", "~/")) or (value.isdigit() and len(value) < 8):
        return False
    if kind == "auth":
        return _looks_random(value)
    return kind == "key" or len(value) >= 4


def _looks_random(value: str) -> bool:
    digits = any(char.isdigit() for char in value)
    mixed = value != value.lower() and value != value.upper() and value[1:] != value[1:].lower()
    letters = any(char.isalpha() for char in value)
    return len(value) >= 8 and " " not in value and letters and (digits or mixed)


def _spoken_secret(value: str, kind: str) -> bool:
    """A word of prose behind `is`: only if no ordinary word looks like it."""
    if len(value) < 4 or _is_placeholder(value) or _ALGORITHM.fullmatch(value) or _CALL.match(value):
        return False
    letters = any(char.isalpha() for char in value)
    digits = any(char.isdigit() for char in value)
    if kind == "password":
        return digits or (letters and any(char in "!@#$%^&*+=?~" for char in value[1:]))
    return digits and letters and len(value) >= 8 and not _ATTRIBUTE.fullmatch(value)


def _secret_word(text: str, at: int, end: int, given: _Given) -> bool:
    """Whether an unquoted value is a secret, not code, a path or a placeholder."""
    value = text[at:end]
    kind = given.kind
    if not value or _is_placeholder(value) or value.lower().strip(",;:)]}?!") in _CODE_WORDS:
        return False
    if kind != "password" and ("://" in value or value[0] in "/~" or value.startswith("./")):
        return False
    if kind == "auth" and not _looks_random(value):
        return False
    if value.isdigit():
        return len(value) >= (3 if kind in ("password", "secret") else 8)
    if value.startswith("${"):  # `${NAME:-default}`: what is no placeholder has a default
        return True
    if given.shell:
        return value.lower() not in _WORDS_THEMSELVES and not (_CALL.match(value) and value.endswith((")", "]", "(")))
    if value[0] in "([{" or _CALL.match(value) or _ATTRIBUTE.fullmatch(value):
        return False
    return _not_code(value, text[end : end + 80], given)


def _not_code(value: str, rest: str, given: _Given) -> bool:
    """Whether a word behind a lower-case name is a secret, not a variable or a type."""
    secret = given.kind in ("password", "secret")
    if not _SIMPLE.fullmatch(value):
        if not secret and not _RANDOM.fullmatch(value):
            return False
        return any(char.isalnum() for char in value) and value[0] not in "=|&!"
    if any(word in value.lower() for word in ("pass", "pwd", "token", "secret", "key", "auth", "cred")):
        return False
    if any(char.isdigit() for char in value):
        return len(value) >= (4 if secret else 6) and "_" not in value
    if "_" in value or not secret or value != value.lower() or len(value) < 3:
        return len(value) >= 24 and "_" not in value
    if given.tight:
        return rest[:1] in ("", " ", "\t", "\r", "\n", "&", ";", '"', "'", "`")
    return given.alone and len(value) > 3 and (not rest.strip(" \t") or rest.lstrip(" \t")[0] in "\r\n&;")
