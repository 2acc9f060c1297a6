"""`PYTHON -I -S peak.py FILE COMMAND...`: runs a command and leaves in FILE how large it was, in bytes of memory.

A process of its own, and a small one: on Linux a child counts as at least as large as the process that starts it.
"""

import os
import sys

if __name__ == "__main__":
    child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
    _, status, used = os.wait4(child, 0)
    unit = 1 if sys.platform == "darwin" else 1024
    with open(sys.argv[1], "w", encoding="ascii") as file:  # noqa: PTH123 (pathlib would count too)
        file.write(str(used.ru_maxrss * unit))
    sys.exit(os.waitstatus_to_exitcode(status))
