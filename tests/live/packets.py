"""Finds our packets in what was put before the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .model import Message, Request

__all__ = ["Packet", "fenced", "packets"]

_FENCED = re.compile(r"<deja-(?P<nonce>[0-9A-Za-z]+)[^>]*>.*?</deja-(?P=nonce)>", re.DOTALL)


@dataclass(frozen=True)
class Packet:
    """A packet and where it stands.

    Attributes:
        index: the message's number in the request.
        role: the message's role.
        before: the message's text before the packet.
        text: the packet, fence included.
        after: the message's text after the packet.
    """

    index: int
    role: str
    before: str
    text: str
    after: str


def packets(request: Request) -> list[Packet]:
    """All packets of a request, in order."""
    return [packet for at, message in enumerate(request.messages) for packet in _in_message(at, message)]


def fenced(text: str) -> list[str]:
    """The packets in a text, fences included, in order."""
    return [found[0] for found in _FENCED.finditer(text)]


def _in_message(index: int, message: Message) -> Iterator[Packet]:
    for found in _FENCED.finditer(message.text):
        before, after = message.text[: found.start()], message.text[found.end() :]
        yield Packet(index, message.role, before, found[0], after)
