"""What the hook file calls: `PYTHON -I -S entry.py EVENT CACHE CONFIG`.

Nothing on stderr, an end within `DEADLINE` seconds, whatever blocks. Exit 0; exit 1 where the host may still be
writing, or the package is gone: the command's shell then drains stdin behind the host's back, and exits 0 itself. This
file is compiled at each start (Python caches only what it imports), so it is short.
"""

import _thread
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

STARTED = time.monotonic()
#: Seconds after which the process ends, answered or not. The hook file gives the hosts 10.
DEADLINE = 1.2


def _watch(exit_now: "Callable[[int], object]", sleep: "Callable[[float], object]", status: "list[int]") -> None:
    # A thread, not SIGALRM: Python runs a signal handler only between byte codes, so never inside SQLite.
    sleep(DEADLINE)
    exit_now(status[0])


def main() -> None:
    """Runs the hook and ends the process without the interpreter's own farewell (1 ms, and it may block)."""
    if sys.platform == "win32":
        from nt import _exit
    else:
        from posix import _exit
    status = [1]  # until the payload has been read
    try:
        _thread.start_new_thread(_watch, (_exit, time.sleep, status))
        # Under -I -S a script doesn't find its package. It alone is made known: no hook imports what else is installed.
        package = type(sys)("deja_hooks")
        package.__path__ = [__file__.rpartition("hook")[0][:-1] or "."]
        sys.modules["deja_hooks"] = package
        from deja_hooks.hook.main import run
        from deja_hooks.hook.stdin import at_end, read_value
        from deja_hooks.memory.layout import Layout

        received = read_value(0)
        status[0] = 0 if received.complete or received.ended else 1
        event, cache, config = [*sys.argv[1:4], "", "", ""][:3]
        run(event, received, Layout.from_environment(cache, config), STARTED)
        if received.complete and not received.ended and not at_end(0):
            status[0] = 1  # blanks behind a value fill a pipe, too
    except BaseException as error:
        # The host's turn goes on. What `main.handle` has not caught and noted is noted here.
        try:
            from deja_hooks.hook.last_word import leave_word

            words = [*sys.argv[1:3], "", ""]
            leave_word(error, words[0], words[1], STARTED)
        except BaseException:
            pass
    _exit(status[0])


if __name__ == "__main__":
    main()
