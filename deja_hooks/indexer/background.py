"""The script that a hook starts: `PYTHON -IS background.py CACHE CONFIG [later]`.

It steps back and rests before it loads anything: hosts write their logs after about 100 ms of quiet (Copilot CLI
1.0.102), and at that moment they end or start a turn themselves. At a session's start there is no hurry at all:
`later` rests until a hook asks again or the time is over. (`S`, since the site's own start costs as much as ours;
the packages that it knows are needed after the rest.)
"""

import sys
import time

if __name__ == "__main__":
    sys.path.append(__file__.rpartition("deja_hooks")[0][:-1])

from deja_hooks.indexer.timing import LAG, REST
from deja_hooks.memory.layout import Layout
from deja_hooks.system import calls, file_stat

__all__ = ["main"]

#: Of the 19 steps below the host; a core that the host wants too is the host's for nine tenths.
_NICE = 10


def main(arguments: "list[str]") -> int:
    """Runs the indexer until nothing is asked for any more; returns the exit status.

    Args:
        arguments: the cache and config folders of the installation, and perhaps `later`.
    """
    layout = Layout.from_environment(arguments[0], arguments[1])
    if "later" in arguments[2:]:
        _rest(layout)
    time.sleep(LAG)
    if sys.flags.no_site:
        import site

        site.main()
    from deja_hooks.indexer.service import serve

    return serve(layout)


def _step_back() -> None:
    """Lowers the priority of this process, before it loads much beside a busy host.

    Where Linux groups processes by session (sched(7), "The autogroup feature"), a process's niceness counts within
    its session only, and we are alone in ours: there the group has to be lowered.
    """
    try:
        calls.nice(_NICE)
        if calls.getsid(0) == calls.getpid():  # never the host's own group
            group = calls.open("/proc/self/autogroup", calls.O_WRONLY | calls.O_CLOEXEC)
            try:
                calls.write(group, b"%d" % _NICE)
            finally:
                calls.close(group)
    except OSError:
        pass  # no such groups here, or not ours to lower


def _rest(layout: Layout) -> None:
    asked = _asked(layout)
    until = time.monotonic() + REST
    while time.monotonic() < until and _asked(layout) == asked:
        time.sleep(0.1)


def _asked(layout: Layout) -> float:
    status = file_stat(layout.index_wanted)
    return status.st_mtime if status is not None else 0.0


if __name__ == "__main__":
    if sys.platform != "win32":
        _step_back()
    # Without the interpreter's own farewell (20 to 30 ms): the claim is gone, and a hook may start the next process.
    calls._exit(main(sys.argv[1:]))
