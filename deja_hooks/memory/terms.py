"""What a word is: for the index and for the question alike.

A text becomes *terms*: identifiers whole and in parts (snake, camel, dotted, paths), words stemmed, CJK by
bigram. The index and the hooks must agree on them, so both call this module (standard library builtins only).
"""

from deja_hooks.memory.stopwords import STOP_WORDS

__all__ = ["TermCache", "Word", "chunks", "index_terms", "stem", "words"]

#: Longest chunk that is taken for a word, in characters; longer ones are data (base64, hashes).
LONGEST = 60

_KEPT = "_.-/\\"
_SPACES = "".join(chr(c) for c in range(128) if not chr(c).isalnum() and chr(c) not in _KEPT + "'")
_SPACES += "\u00a0\u00ab\u00bb\u2013\u2014\u201c\u201d\u201e\u2022\u2026"
_SPACES += "\u3001\u3002\uff0c\uff01\uff1f\uff1b\uff1a\uff08\uff09\u300c\u300d"


class _Table(dict[int, "int | str | None"]):
    """Code point → what stands for it in a chunk; filled as they are met."""

    def __missing__(self, code: int) -> "int | str | None":
        # Lone surrogates: SQLite takes no such text. Others take no room: a name that was copied from a page with one
        # of them in it is that name all the same.
        parts = 0xD800 <= code <= 0xDFFF or 0x80 <= code <= 0x9F
        kept = self[code] = " " if parts else None if _is_unseen(code) else code
        return kept


def _is_unseen(code: int) -> bool:
    """Soft hyphen, zero-width letters, marks of the direction of writing, tag letters."""
    return (
        code in (0xAD, 0xFEFF)
        or 0x200B <= code <= 0x200F
        or 0x202A <= code <= 0x202E
        or 0x2060 <= code <= 0x206F
        or 0xE0000 <= code <= 0xE007F
    )


_TABLE = _Table({ord(c): " " for c in _SPACES})
_TABLE.update({ord("'"): None, 0x2019: None, 0x2018: None, ord("\\"): "/"})

_VOWELS = frozenset("aeiouy")
_CJK = "\u2e80"


class Word:
    """One chunk of a text and the terms it stands for.

    Attributes:
        text: the chunk as written (outer punctuation removed).
        terms: its index terms; of an identifier its names come first, then their parts.
        names: the terms that are names: `config.retry_budget` has itself and `retry_budget`. None for a plain word.
    """

    __slots__ = ("names", "terms", "text")

    def __init__(self, text: str, terms: "tuple[str, ...]", names: "tuple[str, ...]") -> None:
        self.text = text
        self.terms = terms
        self.names = names

    @property
    def identifier(self) -> bool:
        """Whether it is a name (`retry_budget`, `readFile`, `pool.go`, `TS2304`) and no plain word."""
        return bool(self.names)


def chunks(text: str) -> "list[str]":
    """The text cut at white space and punctuation; `_ . - /` inside a chunk are kept."""
    return text.translate(_TABLE).split()


def words(text: str) -> "list[Word]":
    """The words of a question, in order, each once; stop words are left out."""
    seen = set()
    found = []
    for chunk in chunks(text):
        if chunk in seen:
            continue
        seen.add(chunk)
        word = read_word(chunk)
        if word.terms:
            found.append(word)
    return found


class TermCache(dict[str, tuple[str, ...]]):
    """Chunk → its index terms, filled as chunks are met: vocabularies repeat."""

    def __missing__(self, chunk: str) -> "tuple[str, ...]":
        terms = self[chunk] = read_word(chunk).terms
        return terms


def index_terms(text: str, cache: TermCache) -> "set[str]":
    """The terms under which a text is found.

    Args:
        text: any text.
        cache: kept by the caller over many texts.
    """
    found: set[str] = set()
    return found.union(*map(cache.__getitem__, text.translate(_TABLE).split()))


def read_word(chunk: str) -> Word:
    """The word that a chunk stands for (no terms where it says nothing: stop words, data)."""
    chunk = chunk.strip("._-/")
    if not chunk or len(chunk) > 4 * LONGEST:
        return Word(chunk, (), ())
    if chunk.isascii():
        if chunk.isalpha() and (chunk.islower() or chunk[1:].islower()):
            return _plain(chunk)
        return _compound(chunk)
    if any(c >= _CJK for c in chunk):
        return Word(chunk, tuple(_cjk_terms(chunk)), ())
    return _compound(chunk)


def _plain(chunk: str) -> Word:
    lower = chunk.lower()
    if len(lower) > LONGEST or len(lower) < 2 or lower in STOP_WORDS:
        return Word(chunk, (), ())
    return Word(chunk, (stem(lower),), ())


def _compound(chunk: str) -> Word:
    """A chunk with separators, digits or capitals inside: its names whole, then their parts.

    Of a path the last name comes first: it is what the path is asked for by.
    """
    names = [name.strip("._-") for name in chunk.split("/")]
    names = [name for name in (names[-1], *names[:-1]) if name and len(name) <= LONGEST]
    wholes: dict[str, None] = {}
    parts: dict[str, None] = {}
    for name in names:
        found = _parts(name)
        if _is_name(name, found):
            wholes["".join(found)] = None
            # `config.retry_budget` is found by `retry_budget` too.
            for inner in name.split(".") if "." in name else ():
                inner_parts = _parts(inner)
                if len(inner_parts) > 1:
                    wholes["".join(inner_parts)] = None
        for part in found:
            if len(part) > 1 and part not in STOP_WORDS:
                parts[stem(part) if part.isalpha() else part] = None
    return Word(chunk, tuple({**wholes, **parts}), tuple(wholes))


def _is_name(name: str, parts: "list[str]") -> bool:
    """Whether it is a name that somebody gave, and no plain word, number or abbreviation."""
    if name.isdigit() or len("".join(parts)) < 2:
        return False
    if "_" in name or any(c.isdigit() for c in name):
        return (len(name) > 2 and not name[0].isdigit()) or (len(parts) > 1 and len(name) > 3)
    if "." in name:
        return all(len(p) > 1 for p in parts)
    if "-" in name:
        inner = name.replace("-", "")
        return len(inner) > 2 and inner.isupper()
    # An acronym (`API`, `README`) names nothing by itself.
    return len(parts) > 1


def _parts(name: str) -> "list[str]":
    """Cuts at `_ . -` and where a capital begins a new word (`readFile`, `HTTPServer`); lower-cased."""
    parts = []
    for piece in name.replace(".", "_").replace("-", "_").split("_"):
        start = 0
        for i in range(1, len(piece)):
            if piece[i].isupper():
                ends_capitals = piece[i - 1].isupper() and piece[i + 1 : i + 2].islower()
                if piece[i - 1].islower() or ends_capitals:
                    parts.append(piece[start:i].lower())
                    start = i
        if piece:
            parts.append(piece[start:].lower())
    return parts


def _cjk_terms(chunk: str) -> "list[str]":
    """Two-character windows over each CJK run; what stands between runs as words."""
    terms = []
    run = ""
    rest = ""
    for c in [*chunk, "\0"]:
        if c >= _CJK:
            run += c
            rest += "" if rest.endswith(" ") else " "
            continue
        if run:
            terms.extend([run[i : i + 2] for i in range(len(run) - 1)] or [run])
            run = ""
        rest += c if c != "\0" else " "
    for piece in rest.split():
        if piece.strip("._-/"):
            terms.extend(read_word(piece).terms)
    return terms


def stem(word: str) -> str:
    """The word without its inflection (a light form of Porter's algorithm, 1980)."""
    if len(word) <= 3 or word[-1] not in _ENDS:
        return word
    if word[-1] == "s":
        word = _without_plural(word)
    if word[-1] in "dg":
        word = _without_tense(word)
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)]
            break
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]
    elif word.endswith("y") and len(word) > 3:
        word = word[:-1] + "i"
    return word


#: Last letters of all that is taken off.
_ENDS = frozenset("sdgntlye")
_ENDINGS = (("ization", 3), ("ation", 4), ("ment", 6), ("ness", 4), ("ally", 4), ("ly", 4), ("ful", 4))


def _without_plural(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1]


def _without_tense(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= 3 and not _VOWELS.isdisjoint(base):
            if base[-1] == base[-2] and base[-1] not in "lsz":
                return base[:-1]
            return base
    return word
