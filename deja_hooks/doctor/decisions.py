"""What the user has decided (exclusions, marks): a line that can't be understood counts for nothing."""

import os
from collections.abc import Iterator

from deja_hooks.doctor.finding import Finding, broken, ok
from deja_hooks.doctor.looking import is_file, is_there
from deja_hooks.marks.log import bad_lines
from deja_hooks.memory.layout import Layout

__all__ = ["check_decisions"]

_CHECK = "decisions"


def check_decisions(layout: Layout) -> Iterator[Finding]:
    """The settings and the log of marks."""
    from deja_hooks.marks.settings import read_settings  # loads pydantic
    from deja_hooks.marks.settings_error import SettingsError

    found = []
    if not os.access(layout.config, os.X_OK):  # `folders` says so where it is there
        yield ok(_CHECK, layout.config, "nothing has been decided yet")
        return
    for path in (layout.settings, layout.marks):
        if is_there(path) and not is_file(path):
            yield broken(_CHECK, path, "it is not a regular file", "move it away")
            return
    try:
        read_settings(layout)
    except (SettingsError, OSError) as error:
        seen = f"the settings can't be used; the exclusions of before stay in force: {' '.join(str(error).split())}"
        found.append(broken(_CHECK, layout.settings, seen, "mend it, or delete it and exclude anew"))
    try:
        bad = bad_lines(layout)
    except OSError as error:
        found.append(broken(_CHECK, layout.marks, f"it can't be read ({error.strerror})", "make it readable"))
    else:
        if bad:
            which = f"line{'s' if len(bad) > 1 else ''} {', '.join(map(str, bad[:10]))}"
            seen = f"{which} can't be understood, and count for nothing"
            found.append(broken(_CHECK, layout.marks, seen, "mend or delete them"))
    yield from found or [ok(_CHECK, layout.config, "settings and marks can be understood")]
