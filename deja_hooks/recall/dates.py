"""The dates that a text asks about: "on 8 May, 2023", "2023-05-08", "in May 2023", "last March", "last Monday", "two
weeks ago".

A date stands for the days in which something about it may have been said: of a day, that day and, weaker, those
after it. Days are counted from 1 January 1970 (UTC).
"""

__all__ = ["DAY_MS", "Span", "spans", "without_dates"]

DAY_MS = 86_400_000
#: Longest span, in days, that tells sessions apart: its words say nothing else.
_LONGEST = 62
#: Dates of one text: a log that was pasted asks for none of its own.
_MOST = 3

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
            "sep sept september", "oct october", "nov november", "dec december",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
#: Words that are a month's only beside a number or after one of these.
_ALSO_WORDS = frozenset(("may", "march", "mar", "sep", "dec", "jan"))
_BEFORE_MONTH = frozenset(
    ("in", "of", "last", "this", "since", "during", "by", "around", "until", "early", "late", "mid", "before", "after")
)
#: Monday is 0; 1 January 1970 was a Thursday.
_WEEKDAYS = {
    name: number
    for number, name in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())
}  # fmt: skip
_BEFORE_WEEKDAY = frozenset(("on", "since", "this", "by", "until"))
_UNITS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "month": 30, "months": 30}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple": 2, "few": 3}
_PUNCTUATION = ".,;:!?()[]\"'"
_MONTH_DAYS = 31


class Span:
    """Days that a text asks about.

    Attributes:
        first, last: both included.
        words: places, in the text's words, of the words that say so.
    """

    __slots__ = ("first", "last", "words")

    def __init__(self, first: int, last: int, words: "range") -> None:
        self.first = first
        self.last = last
        self.words = words


def without_dates(text: str, today: int) -> "tuple[str, list[Span]]":
    """A text without the words that are a date, and those dates; a text with many dates stays as it is (a log).

    Args:
        text: any text.
        today: the day on which it is asked.
    """
    found = [span for span in spans(text, today) if span.last - span.first <= _LONGEST]
    if not found or len(found) > _MOST:
        return text, []
    taken = {place for span in found for place in span.words}
    lines, place = [], 0
    for line in text.split("\n"):
        words = line.split()
        lines.append(" ".join([word for number, word in enumerate(words, place) if number not in taken]))
        place += len(words)
    return "\n".join(lines), found


def _day_number(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 (Howard Hinnant's `days_from_civil`)."""
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def _civil(day: int) -> "tuple[int, int, int]":
    """Year, month and day of a day number."""
    day += 719468
    era = day // 146097
    of_era = day - era * 146097
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    of_month = of_year - (153 * month + 2) // 5 + 1
    month += 3 if month < 10 else -9
    return year + era * 400 + (month <= 2), month, of_month


def spans(text: str, today: int) -> "list[Span]":
    """The dates of a text, in order.

    Args:
        text: any text.
        today: the day on which it is asked; what is relative counts from it, and a month without a year is the last
            one of that name.
    """
    words = [word.strip(_PUNCTUATION).lower() for word in text.split()]
    found: list[Span] = []
    place = 0
    while place < len(words):
        span = _span(words, place, today)
        if span is None:
            place += 1
        else:
            found.append(span)
            place = span.words.stop
    return found


def _span(words: "list[str]", place: int, today: int) -> "Span | None":
    word = words[place]
    if word[:1].isdigit():
        return _iso(word, place) or _day_first(words, place, today) or _ago(words, place, today) or _year(word, place)
    if word in _MONTHS:
        return _month_first(words, place, today)
    if word in ("yesterday", "today"):
        day = today - (word == "yesterday")
        return Span(day, day, range(place, place + 1))
    if word in _WEEKDAYS and place and words[place - 1] in _BEFORE_WEEKDAY:
        return _weekday(word, range(place, place + 1), today)
    if word == "last" and place + 1 < len(words):
        return _last(words[place + 1], place, today)
    return _ago(words, place, today) if word in _NUMBERS else None


def _iso(word: str, place: int) -> "Span | None":
    parts = word.split("-")
    if len(parts) == 3 and all(p.isdecimal() for p in parts) and len(parts[0]) == 4:
        return _day(int(parts[0]), int(parts[1]), int(parts[2]), range(place, place + 1))
    if len(parts) == 2 and all(p.isdecimal() for p in parts) and len(parts[0]) == 4 and 1 <= int(parts[1]) <= 12:
        return _month(int(parts[0]), int(parts[1]), range(place, place + 1))
    return None


def _year(word: str, place: int) -> "Span | None":
    if len(word) == 4 and word.isdecimal() and word[:2] == "20":
        return Span(_day_number(int(word), 1, 1), _day_number(int(word), 12, 31), range(place, place + 1))
    return None


def _day_first(words: "list[str]", place: int, today: int) -> "Span | None":
    """`8 May`, `8th of May 2023`."""
    day = _day_of(words[place])
    after = place + 1
    if after < len(words) and words[after] == "of":
        after += 1
    if not day or after >= len(words) or words[after] not in _MONTHS:
        return None
    month = _MONTHS[words[after]]
    year, stop = _with_year(words, after + 1, month, day, today)
    return _day(year, month, day, range(place, stop))


def _month_first(words: "list[str]", place: int, today: int) -> "Span | None":
    """`May 8`, `May 8th, 2023`, `May 2023`, `in May`."""
    month = _MONTHS[words[place]]
    after = place + 1
    day = _day_of(words[after]) if after < len(words) else 0
    if day:
        year, stop = _with_year(words, after + 1, month, day, today)
        return _day(year, month, day, range(place, stop))
    year, stop = _with_year(words, after, month, 1, today)
    if stop == after and words[place] in _ALSO_WORDS and (not place or words[place - 1] not in _BEFORE_MONTH):
        return None
    return _month(year, month, range(place, stop))


def _with_year(words: "list[str]", place: int, month: int, day: int, today: int) -> "tuple[int, int]":
    """The year that stands there, else that of the last such date; and the place after it."""
    if place < len(words) and len(words[place]) == 4 and words[place].isdecimal():
        return int(words[place]), place + 1
    year = _civil(today)[0]
    return (year if _day_number(year, month, day) <= today else year - 1), place


def _last(word: str, place: int, today: int) -> "Span | None":
    both = range(place, place + 2)
    if word in _WEEKDAYS:
        return _weekday(word, both, today)
    if word == "week":
        return Span(today - 13, today - 1, both)
    if word == "month":
        year, month, _ = _civil(today - _civil(today)[2])
        return _month(year, month, both)
    if word == "year":
        year = _civil(today)[0] - 1
        return Span(_day_number(year, 1, 1), _day_number(year, 12, 31), both)
    if word in _MONTHS:
        year, month, _ = _civil(today)
        wanted = _MONTHS[word]
        return _month(year if wanted < month else year - 1, wanted, both)
    return None


def _weekday(name: str, words: "range", today: int) -> Span:
    """The last such day before today."""
    day = today - ((today + 3 - _WEEKDAYS[name]) % 7 or 7)
    return Span(day, day, words)


def _ago(words: "list[str]", place: int, today: int) -> "Span | None":
    """`3 days ago`, `a week ago`, `a couple of weeks ago`."""
    word = words[place]
    number = int(word) if word.isdecimal() and len(word) < 4 else _NUMBERS.get(word, 0)
    after = place + 1
    if word == "a" and after < len(words) and words[after] in ("couple", "few"):
        number = _NUMBERS[words[after]]
        after += 1
    if after < len(words) and words[after] == "of":
        after += 1
    if not number or after + 1 >= len(words) or words[after] not in _UNITS or words[after + 1] != "ago":
        return None
    unit = _UNITS[words[after]]
    middle = today - number * unit
    around = unit // 2
    return Span(middle - around, min(today, middle + around), range(place, after + 2))


def _day(year: int, month: int, day: int, words: "range") -> "Span | None":
    if not (1 <= month <= 12 and 1 <= day <= _MONTH_DAYS and 1970 <= year < 2200):
        return None
    number = _day_number(year, month, day)
    return Span(number, number, words)


def _month(year: int, month: int, words: "range") -> "Span | None":
    if not 1970 <= year < 2200:
        return None
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    return Span(_day_number(year, month, 1), _day_number(*following, 1) - 1, words)


def _day_of(word: str) -> int:
    """The day of the month that a word says (`8`, `8th`); 0 for another word."""
    digits = word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else word
    return int(digits) if digits.isdecimal() and len(digits) <= 2 and 1 <= int(digits) <= _MONTH_DAYS else 0
