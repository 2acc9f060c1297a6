"""The script that a hook starts: `PYTHON -I background.py CACHE CONFIG [later]`.

It rests before it loads anything: hosts write their logs after about 100 ms of quiet (Copilot CLI 1.0.102), and at
that moment they end or start a turn themselves. At a session's start there is no hurry at all: `later` rests until
a hook asks again or the time is over.
"""

import sys
import time

if __name__ == "__main__":
    sys.path.append(__file__.rpartition("deja_hooks")[0][:-1])

from deja_hooks.indexer.timing import LAG, REST
from deja_hooks.memory.layout import Layout
from deja_hooks.system import file_stat

__all__ = ["main"]


def main(arguments: "list[str]") -> int:
    """Runs the indexer until nothing is asked for any more; returns the exit status.

    Args:
        arguments: the cache and config folders of the installation, and perhaps `later`.
    """
    layout = Layout.from_environment(arguments[0], arguments[1])
    if "later" in arguments[2:]:
        _rest(layout)
    time.sleep(LAG)
    from deja_hooks.indexer.service import serve

    return serve(layout)


def _rest(layout: Layout) -> None:
    asked = _asked(layout)
    until = time.monotonic() + REST
    while time.monotonic() < until and _asked(layout) == asked:
        time.sleep(0.1)


def _asked(layout: Layout) -> float:
    status = file_stat(layout.index_wanted)
    return status.st_mtime if status is not None else 0.0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
