"""Our entries put into the text of a hook file and taken out of it, byte for byte where nothing else changed.

What the text is to say comes from `hook_file`; here it is only written as its neighbours are. One edit is made at a
time, because the places of the next one are others then.
"""

from pathlib import Path

from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.hook_file import Document, checked, is_ours, render, with_ours, without_ours
from deja_hooks.hosts.jsonc import Element, Member, Text, parse
from deja_hooks.hosts.jsonc_edit import Piece, put_in, with_item, with_member, with_pair, without_members

__all__ = ["text_with_ours", "text_without_ours"]


def text_with_ours(path: Path, data: bytes, our_document: Document) -> bytes:
    """The text with our entries, each once.

    Args:
        path: of the file.
        data: its text, without a byte order mark.
        our_document: that of `hook_file.ours`.

    Raises:
        HookFileError: the text can't be understood.
    """
    found = _value(path, data)
    wanted = with_ours(found, our_document)
    after = _emptied(path, data)
    for event, entries in our_document["hooks"].items():
        for entry in entries:
            after = put_in(after, _addition(parse(path, after), event, entry))
    after = _with_version(parse(path, after), our_document["version"])
    return after if _value(path, after) == wanted else render(wanted)


def text_without_ours(path: Path, data: bytes) -> bytes:
    """The text without our entries, and without the events and groups that are empty then; comments stay.

    Raises:
        HookFileError: the text can't be understood, or not be edited without another change of what it says.
    """
    wanted = without_ours(_value(path, data))
    after = _emptied(path, data)
    if _value(path, after) != wanted:
        raise HookFileError(f"{path} can't be edited safely: take the entries of deja-hooks out by hand.")
    return after


def _value(path: Path, data: bytes) -> Document:
    """What a reader sees. Raises HookFileError where it is no hook file."""
    text = parse(path, data)
    return checked(path, text.root.value) if text.root else {}


def _hooks(text: Text) -> list[Element]:
    return [member.element for member in text.root.members if member.key == "hooks"] if text.root else []


def _emptied(path: Path, data: bytes) -> bytes:
    text = parse(path, data)
    while doomed := _doomed(text):
        around, parts = doomed
        data = without_members(text, parts, around)
        text = parse(path, data)
    return data


def _doomed(text: Text) -> tuple[Element, list[Member]] | None:
    """The first object or list with parts that go, and those parts; None where nothing is left to do."""
    for hooks in _hooks(text):
        gone = [event for event in hooks.members if _goes(event.element)]
        if gone:
            return hooks, gone
        for event in hooks.members:
            if found := _in_list(event.element):
                return found
    return None


def _in_list(entries: Element) -> tuple[Element, list[Member]] | None:
    gone = [item for item in entries.items if _is_doomed(item)]
    if gone:
        return entries, gone
    return next((found for item in entries.items if (group := _group(item)) and (found := _in_list(group))), None)


def _goes(entries: Element) -> bool:
    """Whether nothing but ours is in a list."""
    return bool(entries.items) and all(map(_is_doomed, entries.items))


def _is_doomed(item: Member) -> bool:
    group = _group(item)
    return _goes(group) if group else is_ours(item.element.value)


def _group(item: Member) -> Element | None:
    """The list that a grouped entry holds."""
    inner = [member.element for member in item.element.members if member.key == "hooks"]
    return inner[-1] if inner and isinstance(inner[-1].value, list) else None


def _addition(text: Text, event: str, entry: Document) -> list[Piece]:
    lists = [member.element for hooks in _hooks(text)[-1:] for member in hooks.members if member.key == event]
    return with_item(text, lists[-1], entry) if lists else with_member(text, "hooks", event, [entry])


def _with_version(text: Text, version: object) -> bytes:
    found = [member.element for member in text.root.members if member.key == "version"] if text.root else []
    if not found and text.root:
        return put_in(text.data, with_pair(text, text.root, "version", version))
    if found and found[-1].value != version:
        return text.data[: found[-1].start] + str(version).encode() + text.data[found[-1].end :]
    return text.data
