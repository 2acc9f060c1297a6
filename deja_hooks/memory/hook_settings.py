"""The user's settings as hooks read them: a few plain lines, made from `settings.json` (see `marks.hook_settings`).

The file is there only while something differs from the defaults: where nothing does, a hook's price for it is one
`stat`. Hooks load neither JSON nor the settings' model, so this is the whole of what they know of them. A line is

- `silent NAME`: that packet isn't made; or
- `budget NAME NUMBER`: most characters of it.

What can't be understood counts for nothing, so that a broken file silences no hook.
"""

from deja_hooks.system import file_stat, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["PACKETS", "HookSettings", "parse_hook_settings", "read_hook_settings"]

#: The packets, as the settings name them.
PACKETS = ("session_start", "prompt", "before_edit", "before_command", "after_failure", "after_compaction")
#: Bytes of the file that are read.
_LIMIT = 4 << 10
_REGULAR = 0o100000
_KIND = 0o170000
_MOST_DIGITS = 4


class HookSettings:
    """What differs from the defaults.

    Attributes:
        silent: names of packets that aren't made.
        budgets: name → most characters of that packet.
    """

    __slots__ = ("budgets", "silent")

    def __init__(self, silent: "tuple[str, ...]" = (), budgets: "dict[str, int] | None" = None) -> None:
        self.silent = silent
        self.budgets = budgets or {}

    def why_silent(self, packet: str) -> str:
        """Why a packet isn't made; "" where nothing stands against it."""
        return f"silenced by settings: events.{packet}" if packet in self.silent else ""

    def lines(self) -> str:
        """The file's text, see `parse_hook_settings`."""
        silent = [f"silent {name}\n" for name in self.silent]
        return "".join([*silent, *[f"budget {name} {most}\n" for name, most in self.budgets.items()]])


def read_hook_settings(layout: "Layout") -> HookSettings:
    """What differs from the defaults; nothing where the file isn't there or can't be read."""
    status = file_stat(layout.hook_settings)
    if status is None or status.st_mode & _KIND != _REGULAR:  # a pipe would be waited for
        return HookSettings()
    try:
        return parse_hook_settings(read_file(layout.hook_settings, _LIMIT).decode("ascii", "replace"))
    except OSError:
        return HookSettings()


def parse_hook_settings(text: str) -> HookSettings:
    """What the file's text says; lines of another kind are passed over."""
    silent, budgets = [], {}
    for line in text.split("\n"):
        kind, *words = line.split(" ")
        if not words or words[0] not in PACKETS:
            continue
        if kind == "silent" and len(words) == 1:
            silent.append(words[0])
        elif kind == "budget" and len(words) == 2 and words[1].isdecimal() and len(words[1]) <= _MOST_DIGITS:
            budgets[words[0]] = int(words[1])
    return HookSettings(tuple(silent), budgets)
