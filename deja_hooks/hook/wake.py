"""Waking the indexer: a claim first, then a detached process with nothing of the host's in its hands.

The claim file is made before anything is spawned, so twenty hooks at once start one process. The indexer
renews it while it lives and takes it away when it ends; one that is not renewed belongs to a dead process.
"""

import sys

from deja_hooks.system import CREATE_NEW, REPLACE, SEP, calls, file_stat, make_private_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["STALE_MS", "claim", "wake"]

#: A claim that has not been renewed for this long was left by a process that died, in ms.
STALE_MS = 15_000
#: Descriptors from 3 up to here are closed in the indexer: hosts leak theirs.
_MOST_DESCRIPTORS = 256


def wake(layout: "Layout", executable: str, now_ms: int, *, later: bool = False) -> bool:
    """Asks for a pass of the indexer; starts one where none runs.

    Args:
        layout: of the installation.
        executable: the interpreter that has this package.
        now_ms: epoch ms.
        later: there is no hurry (see `indexer.background`).

    Returns:
        Whether a process was started.

    Raises:
        OSError: the cache can't be written.
    """
    make_private_dir(layout.cache)
    descriptor = calls.open(layout.index_wanted, REPLACE, 0o600)
    try:
        calls.write(descriptor, b"%d\n" % now_ms)
    finally:
        calls.close(descriptor)
    if not claim(layout.index_claim, now_ms):
        return False
    script = __file__.rpartition(SEP)[0].rpartition(SEP)[0] + SEP + SEP.join(("indexer", "background.py"))
    command = [executable, "-IS", script, layout.cache, layout.config]
    if later:
        command.append("later")
    try:
        if sys.platform == "win32":
            _spawn_windows(command)
        else:
            _spawn_posix(command)
    except BaseException:
        calls.unlink(layout.index_claim)
        raise
    return True


def claim(path: str, now_ms: int) -> bool:
    """Makes the claim file, or takes over one whose process died; False where another process holds it."""
    for _ in range(2):
        try:
            calls.close(calls.open(path, CREATE_NEW, 0o600))
        except FileExistsError:
            pass
        else:
            return True
        status = file_stat(path)
        if status is None:
            continue
        if not _is_stale(status, now_ms):
            return False
        return _take_over(path, now_ms) if sys.platform != "win32" else _replace(path)
    return False


def _is_stale(status: "calls.stat_result", now_ms: int) -> bool:
    return abs(now_ms - int(status.st_mtime * 1000)) > STALE_MS


def _take_over(path: str, now_ms: int) -> bool:
    """Renews a stale claim in place, under a lock on it. To remove it would be a race: of two processes that found it
    stale, the slower one would remove the claim that the faster one has made meanwhile.
    """
    try:
        descriptor = calls.open(path, calls.O_WRONLY | calls.O_CLOEXEC | calls.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        calls.lockf(descriptor, calls.F_TLOCK, 0)
        if not _is_stale(calls.fstat(descriptor), now_ms):
            return False
        calls.utime(descriptor)
    except OSError:
        return False
    finally:
        calls.close(descriptor)
    return True


def _replace(path: str) -> bool:
    """The same where there are no such locks (untested here: no Windows)."""
    aside = f"{path}.{calls.getpid()}"
    try:
        # Of several that find it stale, one rename succeeds.
        calls.rename(path, aside)
        calls.unlink(aside)
        calls.close(calls.open(path, CREATE_NEW, 0o600))
    except OSError:
        return False
    return True


def _spawn_posix(command: "list[str]") -> None:
    """A process of a session of its own, on the null device, with no other descriptor open.

    `posix_spawn` and no fork: the watchdog's thread is running. Closing a descriptor that isn't open is no
    error there (POSIX, "spawn file actions"; seen with glibc and macOS).
    """
    null = [(calls.POSIX_SPAWN_OPEN, i, "/dev/null", calls.O_RDWR, 0) for i in (0, 1, 2)]
    closed = [(calls.POSIX_SPAWN_CLOSE, i) for i in _open_descriptors()]
    actions = null + closed
    try:
        calls.posix_spawn(command[0], command, calls.environ, file_actions=actions, setsid=True)
    except NotImplementedError:
        # No POSIX_SPAWN_SETSID here: the indexer leaves the host's session itself, at once.
        calls.posix_spawn(command[0], command, calls.environ, file_actions=actions)


def _open_descriptors() -> "list[int]":
    """The descriptors above 2 that may be open, from the kernel's list where there is one."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            found = [int(name) for name in calls.listdir(folder) if name.isdigit()]
        except OSError:
            continue
        return [i for i in found if i > 2 and _is_open(i)]
    return [i for i in range(3, _MOST_DESCRIPTORS) if _is_open(i)]


def _is_open(descriptor: int) -> bool:
    try:
        calls.fstat(descriptor)
    except OSError:
        return False
    return True


def _spawn_windows(command: "list[str]") -> None:
    """Untested here (no Windows): a process without a console, none of whose handles are inherited."""
    import subprocess  # 10 ms; on Windows there is no cheaper way to a detached process

    flags = 0x00000008 | 0x00000200 | 0x08000000  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW
    subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=True,
        creationflags=flags,
    )
