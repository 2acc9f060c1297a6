"""What one thing of ours in a file of a host has to be able to do, so that installing needs to know no kind of file."""

from pathlib import Path
from typing import Protocol

from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.files import Change
from deja_hooks.hosts.ledger import Record

__all__ = ["MORE_THAN_OURS", "NOTHING_OF_OURS", "NO_RECORD", "WAS_THERE", "Part", "reason"]

#: Why a file stays that our entries went from.
MORE_THAN_OURS = "it holds more than our entries"


#: Why a file stays that has nothing in it any more.
WAS_THERE = "it was there before deja-hooks"
NO_RECORD = "whether it was there before deja-hooks is not known"
#: Why a file stays as it is.
NOTHING_OF_OURS = "nothing of ours is in it"


def reason(path: Path, error: HookFileError) -> str:
    """An error about a file as it is said behind the file's name."""
    text = str(error)
    about = text.removeprefix(f"{path}: ")
    return about if about != text else "it " + text.removeprefix(f"{path} ")


class Part(Protocol):
    """Our entries in a hook file, our server in a list of servers, or a whole file of ours."""

    @property
    def path(self) -> Path:
        """The file, as the host names it."""

    def put_in(self, before: bytes | None, record: Record | None) -> Change:
        """What the file becomes with ours in it, once and as it is to be now.

        Args:
            before: the file's bytes; None where there is none.
            record: what the ledger has of an earlier change of this file.

        Raises:
            HookFileError: the file can't be understood.
        """

    def take_out(self, before: bytes | None, record: Record | None) -> Change:
        """What the file becomes without anything of ours. Arguments and errors as for `put_in`."""
