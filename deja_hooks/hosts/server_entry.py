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
from deja_hooks.hosts.parts import MORE_THAN_OURS

__all__ = ["HOME", "NAME", "ServerEntry", "is_ours"]

NAME = "deja"
#: In our server's environment where it was set at install.
HOME = "DEJA_HOOKS_HOME"

#: The keys that installing sets, whatever the user made of them.
_OURS = ("type", "command", "args", "env")

#: One of them stands in every entry of ours.
_NAMES = (b"deja_hooks", b"deja-hooks")
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
        value, bare = self.value, before
        if before is not None:
            text = parse(self.path, before)
            found = [member for _, member in self._ours(text)]
            value = _merged(self.value, found)
            if [(member.key, member.element.value) for member in found] == [(NAME, value)]:
                return Change(self.path, before, before, record or self._kept(before, before, []), private=True)
            bare = self._without(before, record)
        text = parse(self.path, bare or b"")
        servers = self._servers(text)
        if NAME in servers:
            note = f'another program has the name "{NAME}" there'
            return Change(self.path, before, bare, note=note, private=True)
        pieces = with_member(text, self.section, NAME, value)
        after = put_in(bare or b"", pieces)
        self._check(after, {**servers, NAME: value})
        record = self._kept(bare, after, pieces if value == self.value else [])
        return Change(self.path, before, after, record, private=True)

    def take_out(self, before: bytes | None, record: Record | None) -> Change:
        """See `parts.Part`."""
        # A file that doesn't name us needs not even be JSON.
        ours = before is not None and any(name in before for name in _NAMES)
        after = self._without(before, record) if before is not None and ours else before
        note = MORE_THAN_OURS if after not in (None, before) else ""
        return Change(self.path, before, after, note=note, private=True)

    def _kept(self, before: bytes | None, after: bytes, pieces: list[Piece]) -> Record:
        sums = {"before": None if before is None else _sum(before), "after": _sum(after)}
        return {"kind": "server", "section": self.section, **sums, "pieces": [list(piece) for piece in pieces]}

    def _without(self, data: bytes, record: Record | None) -> bytes | None:
        """The file without our server; None where nothing but that ever was in it."""
        text = parse(self.path, data)
        if not self._ours(text):
            return data
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
    return words[-3:] == ["-m", "deja_hooks", "mcp"] or (words == ["mcp"] and _PROGRAM.search(command) is not None)


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
