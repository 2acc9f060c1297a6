"""The proof: each installed command is run as its host runs it, with a sample payload.

The written command exits 0 and says nothing whatever is wrong, so its exit and its output alone prove nothing: what
proves that the hook ran is its line in the ring.

None of it may leave a trace. Environment variables win over the folders that a command names (see `memory.layout`), so
each run gets a `DEJA_HOOKS_HOME` of its own: there it notes its call and its session, and nowhere else. The memory is
linked into it, so that the time is that of a real call; hooks only read it. A fresh claim lies there as if an indexer
were at work, so that none is started. That the real cache can be written is another check (`database.check_engine`).
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from deja_hooks.doctor.entries import command_of, our_entries, program_of
from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.looking import is_file
from deja_hooks.doctor.machine import Machine
from deja_hooks.doctor.samples import SESSION, sample, sampled_events, transcript
from deja_hooks.doctor.shells import Ended, run_program, shell_of
from deja_hooks.history.calls import calls
from deja_hooks.hook.entry import DEADLINE
from deja_hooks.hook.events import EVENTS
from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.files import read
from deja_hooks.hosts.hook_file import parse
from deja_hooks.hosts.places import HOSTS, TITLES, own_file
from deja_hooks.memory.layout import Layout

__all__ = ["check_run"]

_CHECK = "run"
#: What the hook file gives the hosts, seconds.
_TIMEOUT = 10.0
#: Bare starts of the interpreter, of which the median counts.
_BARE_RUNS = 5
_OLDEST = (3, 10)
_VERSION = "import sys; print(*sys.version_info[:2])"
_NO_LINE = "it said nothing, and the hook did not run"
#: (host, event) → the command.
_Commands: TypeAlias = dict[tuple[str, str], str]


class _Bare(NamedTuple):
    """How long an interpreter takes to start, ms, or why it doesn't."""

    ms: float
    fault: str


def check_run(machine: Machine, projects: Iterable[Path] = ()) -> Iterator[Finding]:
    """Runs the command of each event through the shell of each host that raises it.

    Args:
        machine: whose hooks are run.
        projects: hook files of projects, which are wired alone; what is run already isn't run for them again.
    """
    rounds = list(_rounds(machine, projects))
    with tempfile.TemporaryDirectory(prefix="deja-doctor-", ignore_cleanup_errors=True) as name:
        stage = _Stage(Path(name).resolve(), machine)
        pythons = [_python(command) for _, commands in rounds for command in commands.values()]
        interpreters = {python: stage.bare(python) for python in dict.fromkeys(pythons) if python}
        for python, bare in interpreters.items():
            if bare.fault:
                yield broken(_CHECK, python, bare.fault, "run deja-hooks install with a Python that starts")
        for host in HOSTS:
            if not shell_of(host, machine.platform, machine.environment):
                yield note(_CHECK, TITLES[host], "not run: its shell is not on this machine")
        for where, commands in rounds:
            for event in EVENTS:
                runs = {host: commands[host, event] for host in HOSTS if (host, event) in commands}
                able = {host: each for host, each in runs.items() if not _fault_of(each, interpreters)}
                yield from stage.check(event, able, interpreters, where)
    if not rounds:
        yield note(_CHECK, "the commands", "none is installed, so none was run")


def _rounds(machine: Machine, projects: Iterable[Path]) -> Iterator[tuple[str, _Commands]]:
    """Commands that are run together, and where they stand: "" for the user's own hook files."""
    own = {host: own_file(host, machine.environment, machine.home) for host in HOSTS}
    done: set[tuple[tuple[str, str], str]] = set()
    for where, files in [("", own), *((str(path), dict.fromkeys(HOSTS, path)) for path in projects)]:
        commands = {key: each for key, each in _commands(machine, files) if (key, each) not in done}
        done.update(commands.items())
        if commands:
            yield where, commands


def _commands(machine: Machine, files: Mapping[str, Path]) -> Iterator[tuple[tuple[str, str], str]]:
    """(host, event) → the command that this host takes from its hook file."""
    for host, path in files.items():
        try:
            entries = our_entries(parse(path, read(path) or b""))
        except HookFileError:
            continue
        for entry in reversed(entries):  # of several the first
            command = command_of(entry.value, machine.platform)
            if command and entry.event in sampled_events(host):
                yield (host, entry.event), command


def _python(command: str) -> str:
    program = program_of(command)
    return program.python if program is not None else ""


def _fault_of(command: str, interpreters: Mapping[str, _Bare]) -> str:
    python = _python(command)
    return interpreters[python].fault if python else ""


class _Stage:
    """A throwaway home of ours in which commands run.

    Args:
        folder: an empty folder.
        machine: whose hooks are run.
    """

    def __init__(self, folder: Path, machine: Machine) -> None:
        self._machine = machine
        self._layout = Layout(str(folder / "cache"), str(folder / "config"))
        self._project = folder / "project"
        for each in (self._layout.cache, self._layout.config, self._project):
            Path(each).mkdir(mode=0o700)
        for host in HOSTS:
            path = transcript(host, self._project)
            path.parent.mkdir(parents=True)
            path.write_bytes(b'{"type": "user.message", "data": {"content": "sample"}}\n')
        self._link_memory()
        kept = {name: value for name, value in machine.environment.items() if name != "DEJA_RECALL"}
        self._environment = {**kept, "DEJA_HOOKS_HOME": str(folder)}

    def _link_memory(self) -> None:
        if sys.platform == "win32" or not is_file(self._machine.layout.memory):
            return  # without the right to link, the hooks find no memory: they run all the same
        Path(self._layout.memory).symlink_to(self._machine.layout.memory)

    def bare(self, python: str) -> _Bare:
        """How long the interpreter takes to start, with nothing to do."""
        try:
            asked = self._run([python, "-I", "-S", "-c", _VERSION])
            if asked.status != 0:
                return _Bare(0, f"it doesn't start (exit {asked.status})")
            version = tuple(int(part) for part in asked.out.split())
            if version < _OLDEST:
                return _Bare(0, f"it is Python {'.'.join(map(str, version))}, older than 3.10")
            times = [self._run([python, "-I", "-S", "-c", "pass"]).ms for _ in range(_BARE_RUNS)]
        except (OSError, ValueError) as error:
            return _Bare(0, f"it doesn't start ({getattr(error, 'strerror', None) or error})")
        return _Bare(statistics.median(times), "")

    def check(
        self, event: str, commands: Mapping[str, str], bare: Mapping[str, _Bare], where: str
    ) -> Iterator[Finding]:
        """Runs an event's command for each host."""
        times = {}
        place = f" in {where}" if where else ""
        for host, command in commands.items():
            shell = shell_of(host, self._machine.platform, self._machine.environment)
            if not shell:
                continue
            fault, ms = self._call(host, event, [*shell, command])
            if ms > DEADLINE * 1000 and not fault:
                _, ms = self._call(host, event, [*shell, command])  # a busy machine is no fault of the command
            if ms > DEADLINE * 1000 and not fault:
                fault = f"it takes {ms:,.0f} ms, more than the {DEADLINE * 1000:,.0f} that a hook has"
            if fault:
                yield broken(_CHECK, f"{event} ({TITLES[host]}){place}", fault, _advice(fault))
            else:
                times[host] = ms
        if times:
            shown = ", ".join(f"{ms:.0f} ms from {TITLES[host]}" for host, ms in times.items())
            starts = [bare[python].ms for command in commands.values() if (python := _python(command))]
            beside = f"; Python alone {min(starts):.0f} ms" if starts else ""
            yield ok(_CHECK, event + place, f"exit 0, quiet, {shown}{beside}, of {DEADLINE * 1000:,.0f} allowed")

    def _call(self, host: str, event: str, words: list[str]) -> tuple[str, float]:
        """Runs a command; what is wrong with it, and how long it took."""
        before = len(calls(self._layout))
        Path(self._layout.index_claim).write_bytes(b"")
        try:
            ended = self._run(words, sample(host, event, self._project))
        except OSError as error:
            return f"it can't be started ({error.strerror})", 0
        noted = calls(self._layout)
        if ended.status is None:
            return f"it didn't end within {_TIMEOUT:.0f} s", ended.ms
        if ended.status != 0:
            return f"it exits with {ended.status}: Copilot CLI denies the tool, VS Code shows a warning", ended.ms
        if ended.err:
            return f"it prints on stderr: {_first_line(ended.err)}", ended.ms
        if ended.out and not _is_one_object(ended.out):
            return f"it prints what is no JSON object: {_first_line(ended.out)}", ended.ms
        if len(noted) == before or noted[0].session_id != SESSION or noted[0].event != event:
            return _NO_LINE, ended.ms
        return noted[0].reason if noted[0].reason.startswith("failed: ") else "", ended.ms

    def _run(self, words: list[str], data: bytes = b"") -> Ended:
        return run_program(words, data, self._project, self._environment, _TIMEOUT)


def _advice(fault: str) -> str:
    if fault == _NO_LINE:
        return "run deja-hooks install; if that doesn't help, run the command of the hook file by hand"
    return "run deja-hooks install; if it comes back, report it"


def _is_one_object(data: bytes) -> bool:
    try:
        return isinstance(json.loads(data.decode("ascii")), dict)
    except (ValueError, RecursionError):
        return False


def _first_line(data: bytes) -> str:
    lines = data.decode("utf-8", "replace").strip().splitlines() or [""]
    return lines[0][:200]
