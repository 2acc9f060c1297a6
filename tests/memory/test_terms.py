"""What a word is: tables of text → terms, and what the index and the question agree on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.memory.stopwords import STOP_WORDS, TRADE_STEMS, TRADE_WORDS
from deja_hooks.memory.terms import LONGEST, TermCache, index_terms, stem, words

#: Texts made of what breaks words: separators, capitals, digits, quotes, scripts, invisible characters.
TEXTS = st.one_of(
    st.text(max_size=80),
    st.text(alphabet="abAB09_.-/\\'\u2019 \n\t\"<>(){}\0é\u0130ßλ日本検語ｱ😀\ud800\u200b\ufeff", max_size=60),
    st.lists(
        st.sampled_from(["retry_budget", "readFile", "pool.go", "日本語", "don't", "THE", "a", "__", "x" * 70])
    ).map(" ".join),
)


def read(text: str) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(w.text, w.terms, w.identifier) for w in words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # snake, camel, capitals, digits
        ("retry_budget", [("retry_budget", ("retrybudget", "retri", "budget"), True)]),
        ("RETRY_BUDGET", [("RETRY_BUDGET", ("retrybudget", "retri", "budget"), True)]),
        ("readFile", [("readFile", ("readfile", "read", "file"), True)]),
        ("HTTPServer", [("HTTPServer", ("httpserver", "http", "server"), True)]),
        ("parseURL2", [("parseURL2", ("parseurl2", "pars", "url2"), True)]),
        ("TS2304", [("TS2304", ("ts2304",), True)]),
        ("API", [("API", ("api",), False)]),  # an acronym names nothing by itself
        ("__init__", [("init", ("init",), False)]),
        ("self._pool", [("self._pool", ("selfpool", "self", "pool"), True)]),
        # dotted names, versions, numbers
        ("pool.go", [("pool.go", ("poolgo", "pool", "go"), True)]),
        ("v1.2.3", [("v1.2.3", ("v123", "v1"), True)]),
        ("2304", [("2304", ("2304",), False)]),
        ("7", []),
        ("e.g. a.b", []),
        # a path's outer marks (paths: below)
        ("./run.sh", [("run.sh", ("runsh", "run", "sh"), True)]),
        # hyphens: two words, not a name, but for what has capitals or digits
        ("retry-budget", [("retry-budget", ("retri", "budget"), False)]),
        ("--flag-name", [("flag-name", ("flag", "name"), False)]),
        ("UTF-8", [("UTF-8", ("utf8", "utf"), True)]),
        ("ABC-123", [("ABC-123", ("abc123", "abc", "123"), True)]),
        # CJK by two characters
        ("日本語の検索", [("日本語の検索", ("日本", "本語", "語の", "の検", "検索"), False)]),
        ("検", [("検", ("検",), False)]),
        # accents, apostrophes, ligatures of code and punctuation
        ("café résumé", [("café", ("café",), False), ("résumé", ("résumé",), False)]),
        ("naïveBayes", [("naïveBayes", ("naïvebayes", "naïv", "baye"), True)]),
        ("don't can\u2019t I'll", []),
        ("user's", [("users", ("user",), False)]),
        (
            "std::vector<int> `foo()`",
            [
                ("std", ("std",), False),
                ("vector", ("vector",), False),
                ("int", ("int",), False),
                ("foo", ("foo",), False),
            ],
        ),
        # each word once, in order; stop words out
        (
            "the pool and the Pool, then a budget",
            [("pool", ("pool",), False), ("Pool", ("pool",), False), ("budget", ("budget",), False)],
        ),
        # data
        ("x" * LONGEST, [("x" * LONGEST, ("x" * LONGEST,), False)]),
        ("x" * (LONGEST + 1), []),
        ("Ab9" * 100, []),
        ("a/" * 200, []),
        ("", []),
        (" \n\t._-/ ", []),
    ],
)
def test_words(text: str, expected: list[tuple[str, tuple[str, ...], bool]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "first", "others"),
    [
        ("src/net/pool.go", "poolgo", {"src", "net", "pool", "go"}),
        ("C:\\code\\net\\pool.go", "poolgo", {"code", "net", "pool", "go"}),
        (
            "/home/u/internal/retry_pool/queue.py",
            "queuepy",
            {"home", "internal", "retrypool", "retri", "pool", "queu", "py"},
        ),
        ("internal/retry_pool", "retrypool", {"internal", "retri", "pool"}),
    ],
)
def test_a_path_is_asked_for_by_its_last_name(text: str, first: str, others: set[str]) -> None:
    (word,) = words(text)
    assert (word.identifier, word.terms[0]) == (True, first)
    assert set(word.terms[1:]) == others


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("config.retry_budget", "retry_budget"),
        ("self.retryBudget = 3", "retryBudget"),
        ("thumbnail_cache.py", "thumbnail_cache"),
        ("src/thumbnail_cache.py", "thumbnail_cache"),
        ("HttpClient.sendNow()", "sendNow"),
    ],
)
def test_a_name_is_found_where_it_stands_in_a_dotted_one(said: str, name: str) -> None:
    assert words(name)[0].terms[0] in index_terms(said, TermCache())


def test_a_name_between_cjk_words_is_found_by_itself() -> None:
    assert {"retrybudget", "maxconns"} <= index_terms("用retry_budget和max_conns設定", TermCache())


@pytest.mark.parametrize("text", ["THE", "do NOT", "AND", "I MUST"])
def test_a_shouted_stop_word_is_no_name(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        ("retry retries", "retri"),
        ("policy policies", "polici"),
        ("class classes", "class"),
        ("box boxes", "box"),
        ("match matches matched matching", "match"),
        ("cache caches cached caching", "cach"),
        ("stop stops stopped stopping", "stop"),
        ("agree agrees agreed", "agre"),
        ("pass passes passed passing", "pass"),
        ("call calls called calling", "call"),
        ("index indexes indexed indexing", "index"),
        ("node nodes", "node"),
        ("organization organizations", "organ"),
        ("quick quickly", "quick"),
        ("happy happily", "happi"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("bus", "bus"),
        ("string", "string"),
        ("need", "need"),
    ],
)
def test_stem(forms: str, expected: str) -> None:
    assert {stem(form) for form in forms.split()} == {expected}


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_the_index_knows_every_term_of_the_question(text: str) -> None:
    asked = {term for word in words(text) for term in word.terms}
    assert asked == index_terms(text, TermCache())


@settings(max_examples=80, deadline=None)
@given(TEXTS, TEXTS)
def test_a_used_cache_changes_nothing(one: str, other: str) -> None:
    cache = TermCache()
    index_terms(one, cache)
    assert index_terms(other, cache) == index_terms(other, TermCache())


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_a_term_is_one_token_of_the_full_text_table(text: str) -> None:
    # tokenize="ascii tokenchars '_'": any other ASCII sign or space would cut it, a capital be folded.
    for term in index_terms(text, TermCache()):
        assert term
        assert not any(c.isspace() for c in term)
        assert all(c.isalnum() for c in term if c.isascii())
        assert term == "".join(c.lower() if c.isascii() else c for c in term)


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzé", min_size=1, max_size=24))
def test_a_stem_is_a_beginning_and_not_empty(word: str) -> None:
    found = stem(word)
    assert found
    assert word.startswith(found[:-1])
    assert len(found) <= len(word)


def test_stop_and_trade_words_are_words() -> None:
    assert all(w == w.lower().strip() and w.isalpha() for w in STOP_WORDS | TRADE_WORDS)
    assert [w for w in STOP_WORDS if words(w)] == []


def test_the_stems_that_are_written_down() -> None:
    assert {stem(word) for word in TRADE_WORDS} == TRADE_STEMS


@pytest.mark.parametrize("letter", ["\u200b", "\u200d", "\u2060", "\ufeff", "\xad", "\u202e", "\u2066", "\U000e0041"])
def test_letters_without_width_are_not_there(letter: str) -> None:
    plain = index_terms("retry_budget of the pool", TermCache())
    assert index_terms(f"{letter}retry_{letter}budget{letter} of the p{letter}ool", TermCache()) == plain


def test_a_control_letter_ends_a_word() -> None:
    assert index_terms("pool\x9bretry_budget\x85queue", TermCache()) == index_terms(
        "pool retry_budget queue", TermCache()
    )
