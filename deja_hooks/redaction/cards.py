"""Payment cards' numbers and PINs."""

import re
from collections.abc import Iterator

from deja_hooks.redaction.values import Span

__all__ = ["DIGITS", "FOUR_DIGITS", "PIN", "card_numbers"]

#: Digits as `0`, what parts their groups as a blank.
DIGITS = bytes(48 if 48 <= code < 58 else 32 if code in b" -" else 97 for code in range(256))
FOUR_DIGITS = b"0000"
_SHORTEST = b"0" * 13
_GROUPS = b"0000 0000"
#: A number alone, or in the groups in which cards show it, with nothing glued to it.
_NUMBER = re.compile(
    r"(?<![\w.,#/+$-])(?<!\d[ ])"
    r"(?:[2-6]\d{12,18}|[2-6]\d{3}(?P<by>[ -])(?:\d{4}(?P=by)\d{4}(?P=by)\d{1,4}(?:(?P=by)\d{1,3})?"
    r"|\d{6}(?P=by)\d{4,5}))(?![\w/-]|[ ]\d|[.,]\d)"
)
#: Beginnings and lengths (ISO/IEC 7812, as the issuers publish them): Visa, Mastercard, American Express, Discover,
#: Diners Club, JCB, UnionPay.
_ISSUED = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|4[4-9]\d|5\d\d)\d{12}(?:\d{3})?|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}(?:\d{3})?"
    r"|62\d{14}(?:\d{3})?"
)
#: `PIN` in capitals names one anywhere; a pin in small letters is also one of a chip or of a version.
PIN = (
    r"(?:(?<![\w-])PIN|(?i:(?<![\w-])(?:my|the|your|card|sim|bank|door|phone)[ ]pin))(?:[ -]?(?i:code|number))?"
    r"[\"'`*]{0,3}[ ]{0,3}(?:is|was|ist|lautet|:|=)[ ]{0,3}[\"'`*]{0,3}(?P<s>\d{4,8})(?![.-]?\w)"
)


def card_numbers(text: str, digits: bytes) -> Iterator[Span]:
    """The numbers of an issuer's form whose last digit is their check digit (Luhn, ISO/IEC 7812-1).

    Args:
        digits: the text through `DIGITS`; the cheap test.
    """
    if _SHORTEST not in digits and _GROUPS not in digits:
        return
    for number in _NUMBER.finditer(text):
        plain = number[0].replace(" ", "").replace("-", "")
        if _ISSUED.fullmatch(plain) and _is_checked(plain):
            yield (*number.span(), "card-number")


def _is_checked(digits: str) -> bool:
    total = 0
    for index, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
