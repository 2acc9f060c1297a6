"""The hook as a real process with a fault in one of its functions: run by `test_own_faults` under `python -I -S`.

Arguments: this script, the hook's `entry.py`, the folder of results, EVENT, CACHE, CONFIG; the payload on stdin. First
it learns which of our functions the call runs (a profiler sees each); then it makes the call once for each of them,
in a process of its own, and that function raises as soon as it is called. Cheap: the interpreter starts once.
"""
# Not pathlib: it would load much that the hook has to load for itself.
# ruff: noqa: PTH123, PTH118, PTH112, PTH110

import os
import sys

_MARK = "deja_hooks" + os.sep


class InjectedError(RuntimeError):
    """The fault."""


def _ours(code: object) -> str:
    """The name of a function of the hot program; "" for all others."""
    file = code.co_filename
    if _MARK not in file:
        return ""
    return f"{file.rpartition(_MARK)[2]}:{code.co_firstlineno}:{code.co_name}"


def _learn(entry: str, seen: "set[str]", path: str) -> None:
    def watch(frame: object, event: str, _: object) -> None:
        name = _ours(frame.f_code) if event == "call" else ""
        if name and not name.startswith("hook/entry.py"):
            seen.add(name)

    leave = os._exit

    def report(status: int) -> None:
        sys.setprofile(None)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(sorted(seen)))
        leave(status)

    posix = sys.modules["posix"]
    posix._exit = report
    sys.setprofile(watch)
    _run(entry)


def _break(entry: str, name: str) -> None:
    def strike(frame: object, event: str, _: object) -> None:
        if event == "call" and _ours(frame.f_code) == name:
            sys.setprofile(None)
            raise InjectedError(name)

    sys.setprofile(strike)
    _run(entry)


def _run(entry: str) -> None:
    with open(entry, encoding="utf-8") as file:
        # Here nobody waits: a machine that is slow just now must not end a call before its fault.
        code = compile(file.read().replace("DEADLINE = 1.2", "DEADLINE = 60"), entry, "exec")
    exec(code, {"__name__": "__main__", "__file__": entry})  # ends the process


def _child(payload: bytes, out: str, action: object) -> int:
    """Runs the action in a process of its own, with the payload on its stdin; its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(out + ".in", "wb") as file:
        file.write(payload)
    for number, path, flags in ((0, out + ".in", os.O_RDONLY), (1, out + ".out", 577), (2, out + ".err", 577)):
        os.dup2(os.open(path, flags, 0o600), number)
    try:
        action()
    finally:
        os._exit(99)  # the hook has not ended its process
    return 0


def main() -> None:
    """Learns, then breaks one function after another; prints a line for each: its name and the exit status."""
    entry, folder = sys.argv[1:3]
    sys.argv = [entry, *sys.argv[3:]]
    payload = sys.stdin.buffer.read()
    cache = sys.argv[2]
    kept = os.path.join(folder, "kept")
    _copy(cache, kept)
    names = os.path.join(folder, "names")
    _child(payload, os.path.join(folder, "plain"), lambda: _learn(entry, set(), names))
    _copy(os.path.join(cache, "ring.jsonl"), os.path.join(folder, "plain.ring"))
    with open(names, encoding="utf-8") as file:
        found = file.read().splitlines()
    for number, name in enumerate(found):
        _copy(kept, cache)
        os.utime(os.path.join(cache, "index.claim"))  # an indexer is at work: none is started
        out = os.path.join(folder, str(number))
        status = _child(payload, out, lambda name=name: _break(entry, name))
        _copy(os.path.join(cache, "ring.jsonl"), out + ".ring")
        print(name, status)


def _copy(source: str, target: str) -> None:
    import shutil

    if os.path.isdir(source):
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target)
    elif os.path.exists(source):
        shutil.copy(source, target)


if __name__ == "__main__":
    main()
