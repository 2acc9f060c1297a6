"""Our server in a host's list of MCP servers: VS Code's `mcp.json`, the CLI's `mcp-config.json`.

Such a file may hold the user's tokens. It is edited in place, and nothing that stood in it is copied: the ledger keeps
what was put in, and sums of the file before and after. Shapes as CLI 1.0.102 writes them (`copilot mcp add`) and
VS Code documents them.
"""

import hashlib
import re
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.files import Change
from deja_hooks.hosts.jsonc import Element, Member, Text, parse
from deja_hooks.hosts.jsonc_edit import Piece, put_in, take_back, with_member, without_members
from deja_hooks.hosts.ledger import Record, possible
from deja_hooks.hosts.parts import MORE_THAN_OURS, NO_RECORD, WAS_THERE

__all__ = ["HOME", "NAME", "ServerEntry", "is_ours"]

NAME = "deja"
#: In our server's environment where it was set at install.
HOME = "DEJA_HOOKS_HOME"

_TAKEN = f'another program has the name "{NAME}" there'

#: The keys that installing sets, whatever the user made of them.
_OURS = ("type", "command", "args", "env")

#: One of them stands in every entry of ours.
_NAMES = (b"deja_hooks", b"deja-hooks")
_MODULE = ["-m", "deja_hooks", "mcp"]
#: The arguments that our versions gave it, or that a user of ours needs to.
_WORDS = (_MODULE, ["-I", *_MODULE], ["mcp"])
_PROGRAM = re.compile(r"(?:^|[/\\])deja-hooks(?:\.exe)?$")

#: What to make of a server's value.
Value: TypeAlias = dict[str, Any]


class ServerEntry(NamedTuple):
    """Our server in one file.

    Attributes:
        path: the file.
        section: the key of the list of servers.
        value: our server; None takes it out also where `put_in` is asked (the extra `mcp` isn't there).
    """

    path: Path
    section: str
    value: Value | None = None

    def put_in(self, before: bytes | None, record: Record | None) -> Change:
        """See `parts.Part`. What the user added to our server stays."""
        if self.value is None:
            return self.take_out(before, record)
        value, bare, remark = self.value, before, ""
        if before is not None:
            text = parse(self.path, before)
            found = [member for _, member in self._ours(text)]
            value = _merged(self.value, found)
            if [(member.key, member.element.value) for member in found] == [(NAME, value)]:
                return Change(self.path, before, before, record or self._kept(before, before, []), private=True)
            bare = self._without(before, record)
            remark = "the arguments that were added to our server are gone" if any(map(_more_words, found)) else ""
        text = parse(self.path, bare or b"")
        servers = self._servers(text)
        if NAME in servers:
            return Change(self.path, before, bare, note=_TAKEN, private=True)
        pieces = with_member(text, self.section, NAME, value)
        after = put_in(bare or b"", pieces)
        self._check(after, {**servers, NAME: value})
        record = self._kept(bare, after, pieces if value == self.value else [])
        return Change(self.path, before, after, record, remark=remark, private=True)

    def take_out(self, before: bytes | None, record: Record | None) -> Change:
        """See `parts.Part`."""
        # A file that doesn't name us needs not even be JSON.
        if before is None or not any(name in before for name in _NAMES):
            return Change(self.path, before, before, note=self._others(before), private=True)
        text = parse(self.path, before)
        added = _added([member.element.value for _, member in self._ours(text)])
        after = self._without(before, record)
        remark = f"what was added to our server goes with it: {', '.join(added)}" if added else ""
        note = "" if after is None else self._why(before, after, record)
        return Change(self.path, before, after, note=note, remark=remark, private=True)

    def _why(self, before: bytes, after: bytes, record: Record | None) -> str:
        """Why the file stays; nothing where there was nothing of ours, nor anybody of our name."""
        others = self._others(after)
        if others or before == after:
            return others
        text = parse(self.path, after)
        if text.comments or (text.root and text.root.value not in ({}, {self.section: {}})):
            return MORE_THAN_OURS
        return WAS_THERE if record is not None else NO_RECORD

    def _others(self, data: bytes | None) -> str:
        """Said where a server of our name is another's; what can't be understood has none."""
        try:
            return _TAKEN if data and NAME.encode() in data and NAME in self._servers(parse(self.path, data)) else ""
        except HookFileError:
            return ""

    def _kept(self, before: bytes | None, after: bytes, pieces: list[Piece]) -> Record:
        sums = {"before": None if before is None else _sum(before), "after": _sum(after)}
        return {"kind": "server", "section": self.section, **sums, "pieces": [list(piece) for piece in pieces]}

    def _without(self, data: bytes, record: Record | None) -> bytes | None:
        """The file without our server; None where nothing but that ever was in it."""
        text = parse(self.path, data)
        if not self._ours(text):
            return data
        if record is None and self._is_written_by_us(text):
            return None
        made = record is not None and record.get("before") is None
        servers = {name: value for name, value in self._servers(text).items() if not is_ours(value)}
        for state in possible(record):
            back = _given_back(data, state)
            if back is not None and self._reads_as(back, servers):
                return None if made and not back.strip() else back
        while ours := self._ours(text):  # object by object: the places of the next one are others then
            section = ours[0][0]
            data = without_members(text, [member for each, member in ours if each is section], section)
            text = parse(self.path, data)
        self._check(data, servers)
        return None if made and text.root and text.root.value == {self.section: {}} and not text.comments else data

    def _is_written_by_us(self, text: Text) -> bool:
        """Whether the file is, to the byte, what installing makes where there is none."""
        [[_, member], *_] = self._ours(text)
        empty = parse(self.path, b"")
        return put_in(b"", with_member(empty, self.section, NAME, member.element.value)) == text.data

    def _sections(self, text: Text) -> list[Element]:
        return [member.element for member in text.root.members if member.key == self.section] if text.root else []

    def _ours(self, text: Text) -> list[tuple[Element, Member]]:
        """Our servers, whatever their names, each with the list that it stands in."""
        return [
            (each, member) for each in self._sections(text) for member in each.members if is_ours(member.element.value)
        ]

    def _servers(self, text: Text) -> Value:
        """The list that a reader sees. Raises HookFileError where it is none."""
        sections = self._sections(text)
        servers = sections[-1].value if sections else {}
        if not isinstance(servers, dict):
            raise HookFileError(f"{self.path}: {self.section} is not an object: mend it, and try again.")
        return servers

    def _check(self, data: bytes, servers: Value) -> None:
        """Nothing is written that a reader would understand in another way than is meant."""
        if not self._reads_as(data, servers):
            raise HookFileError(
                f"{self.path} can't be edited safely: take the server {NAME} out by hand, and try again."
            )

    def _reads_as(self, data: bytes, servers: Value) -> bool:
        try:
            return self._servers(parse(self.path, data)) == servers
        except HookFileError:
            return False


def is_ours(value: object) -> bool:
    """Whether a server runs our `mcp` command, from whatever environment."""
    if not isinstance(value, dict):
        return False
    command, words = value.get("command"), value.get("args")
    if not isinstance(command, str) or not isinstance(words, list):
        return False
    return _place(words) is not None or (words[:1] == ["mcp"] and _PROGRAM.search(command) is not None)


def _place(words: list[Any]) -> int | None:
    """Where our module is named among the arguments."""
    return next((at for at in range(len(words)) if words[at : at + len(_MODULE)] == _MODULE), None)


def _more_words(member: Member) -> bool:
    """Whether our server has arguments that none of our versions gave it."""
    return member.element.value["args"] not in _WORDS


def _added(servers: list[Value]) -> list[str]:
    """What the user added to servers of ours, by name alone: values may be tokens."""
    found: list[str] = []
    for server in servers:
        if server["args"] not in _WORDS:
            found.append("arguments")
        env = server.get("env")
        found += [f"env {name}" for name in env if name != HOME] if isinstance(env, dict) else []
        found += [key for key in server if key not in (*_OURS, "tools")]
    return list(dict.fromkeys(found))


def _merged(ours: Value, found: list[Member]) -> Value:
    """Our server with what the user added to the one that is there."""
    named = [member for member in found if member.key == NAME] or found
    if not named:
        return ours
    there: Value = named[-1].element.value
    added = {key: value for key, value in there.items() if key not in _OURS}
    users = there.get("env")
    env = {name: value for name, value in users.items() if name != HOME} if isinstance(users, dict) else {}
    env.update(ours.get("env", {}))
    return {**ours, **added, **({"env": env} if env else {})}


def _given_back(data: bytes, record: Record) -> bytes | None:
    """The bytes without what was put in; None where that isn't to be found any more."""
    try:
        pieces = [Piece(int(at), str(text)) for at, text in record["pieces"]]
        if record["after"] == _sum(data):
            back = take_back(data, pieces)
            return back if back is not None and record["before"] in (None, _sum(back)) else None
        only = pieces[0].text.encode() if len(pieces) == 1 else b""
    except (KeyError, TypeError, ValueError):
        return None
    return data.replace(only, b"") if only and data.count(only) == 1 else None


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
