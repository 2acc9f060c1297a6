"""install.sh as a person runs it, with stand-ins for uv and pipx, and with a real virtual environment."""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import deja_hooks

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="install.ps1 is for Windows")

CHECKOUT = Path(__file__).parents[2]
SCRIPT = CHECKOUT / "install" / "install.sh"
SHELLS = [shell for shell in ("dash", "bash", "sh") if shutil.which(shell)]

#: What `deja-hooks` is in these tests: the package that is tested.
PROGRAM = f'#!/bin/sh\nexec "{sys.executable}" -m deja_hooks "$@"\n'
UV = r"""#!/bin/sh
echo "uv $*" >>"$LOG"
bin=${UV_TOOL_BIN_DIR:-$HOME/.local/bin}
case "$1 $2" in
  "tool dir") echo "$bin" ;;
  "tool install") [ -z "${UV_FAILS:-}" ] || exit 1; mkdir -p "$bin"; cp "$SPARE" "$bin/deja-hooks" ;;
  "tool list") [ ! -e "$bin/deja-hooks" ] || echo "deja-hooks v0.1.0" ;;
  "tool uninstall") rm "$bin/deja-hooks" ;;
esac
"""
PIPX = r"""#!/bin/sh
echo "pipx $*" >>"$LOG"
bin=$HOME/.local/bin
case $1 in
  environment) echo "$bin" ;;
  install) mkdir -p "$bin"; cp "$SPARE" "$bin/deja-hooks" ;;
  list) [ ! -e "$bin/deja-hooks" ] || echo "deja-hooks 0.1.0" ;;
  uninstall) rm "$bin/deja-hooks" ;;
esac
"""


class Machine:
    """A home with a Copilot CLI in it, and a PATH with what the shell needs and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "it's a home"
        self.bin = folder / "bin"
        self.log = folder / "log"
        self.scratch = folder / "tmp"
        self.hooks = self.home / ".copilot" / "hooks" / "deja.json"
        for made in (self.home / ".copilot" / "session-state", self.bin, self.scratch):
            made.mkdir(parents=True)
        for name in ("sh", "dirname", "basename", "mkdir", "cp", "rm", "rmdir", "grep", "mktemp", "cat"):
            (self.bin / name).symlink_to(str(shutil.which(name)))
        self.spare = folder / "spare"
        self.library = folder / "library"
        self.program(PROGRAM)

    def put(self, name: str, script: str) -> None:
        (self.bin / name).write_text(script)
        (self.bin / name).chmod(0o755)

    def program(self, script: str) -> None:
        """What the stand-ins install."""
        self.spare.write_text(script)
        self.spare.chmod(0o755)

    def python(self) -> None:
        """A Python that has all that we need, and not us."""
        self.library.mkdir()
        for each in Path(sysconfig.get_paths()["purelib"]).iterdir():
            if "deja_hooks" not in each.name:
                (self.library / each.name).symlink_to(each)
        self.put("python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')

    def run(
        self, *arguments: str, shell: str = "sh", script: Path = SCRIPT, **more: str
    ) -> "subprocess.CompletedProcess[str]":
        environment = {
            "HOME": str(self.home),
            "PATH": str(self.bin),
            "LOG": str(self.log),
            "SPARE": str(self.spare),
            "TMPDIR": str(self.scratch),
            "PYTHONPATH": str(self.library),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            **more,
        }
        command = [str(shutil.which(shell)), str(script), *arguments]
        return subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
        )

    def calls(self) -> list[str]:
        """What the stand-ins were asked for, without their questions."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [line for line in lines if not any(word in line for word in (" dir ", " list", " environment "))]

    def left(self) -> list[str]:
        return sorted(str(path.relative_to(self.home)) for path in self.home.rglob("*") if path.is_file())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("tools", "used", "calls"),
    [
        (("uv", "pipx"), "uv", ["uv tool install --force --reinstall {}[mcp]", "uv tool uninstall deja-hooks"]),
        (("pipx",), "pipx", ["pipx install --force {}[mcp]", "pipx uninstall deja-hooks"]),
    ],
)
def test_with_what_is_there(machine: Machine, tools: tuple[str, ...], used: str, calls: list[str], shell: str) -> None:
    for tool in tools:
        machine.put(tool, UV if tool == "uv" else PIPX)
    done = machine.run("--no-index", shell=shell)
    assert (done.returncode, done.stderr) == (0, "")
    program = machine.home / ".local" / "bin" / "deja-hooks"
    assert done.stdout.startswith(f"Installing deja-hooks with {used} ...\n")
    assert f"created {machine.hooks}\n" in done.stdout
    assert done.stdout.endswith(f"The command is {program} (its folder is not on your PATH).\n")
    assert machine.calls() == [calls[0].format(CHECKOUT)]
    done = machine.run("--uninstall", shell=shell)
    assert (done.returncode, done.stderr, machine.left()) == (0, "", [])
    assert f"removed {machine.hooks}\n" in done.stdout
    assert machine.calls() == calls[1:]


def test_with_and_from(machine: Machine) -> None:
    for tool, script in (("uv", UV), ("pipx", PIPX)):
        machine.put(tool, script)
    machine.run("--with", "pipx", "--from=deja-hooks", "--no-index")
    machine.run("--with=uv", "--from", "git+https://example.invalid/deja-hooks", "--no-index")
    assert machine.calls() == [
        "pipx install --force deja-hooks[mcp]",
        "uv tool install --force --reinstall deja-hooks[mcp] @ git+https://example.invalid/deja-hooks",
    ]


def test_arguments_are_passed_on_as_they_are(machine: Machine) -> None:
    machine.put("uv", UV)
    machine.program('#!/bin/sh\nfor word in "$@"; do printf "<%s>" "$word"; done\necho\n')
    assert "<install><copilot><a b><*>\n" in machine.run("copilot", "a b", "*").stdout
    assert "<uninstall><--purge><--yes>\n" in machine.run("--uninstall", "--purge", "--yes").stdout


def _wheel(folder: Path) -> Path:
    """The package as a wheel that needs nothing (what it needs is on the path), so that no index is asked."""
    files = {
        str(path.relative_to(CHECKOUT)): path.read_bytes()
        for path in (CHECKOUT / "deja_hooks").rglob("*")
        if path.suffix in (".py", ".typed")
    }
    for path in (CHECKOUT / "install" / "templates").iterdir():
        files[f"deja_hooks/hosts/templates/{path.name}"] = path.read_bytes()
    version = deja_hooks.__version__
    head = f"deja_hooks-{version}.dist-info"
    files[f"{head}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: deja-hooks\nVersion: {version}\nProvides-Extra: mcp\n".encode()
    )
    files[f"{head}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{head}/entry_points.txt"] = b"[console_scripts]\ndeja-hooks = deja_hooks.cli.main:main\n"
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, data in files.items()
    )
    wheel = folder / f"deja_hooks-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in {**files, f"{head}/RECORD": f"{record}{head}/RECORD,,\n".encode()}.items():
            archive.writestr(name, data)
    return wheel


def test_with_a_real_environment_and_after_the_package_is_gone(machine: Machine, tmp_path: Path) -> None:
    machine.python()
    wheel = _wheel(tmp_path)
    done = machine.run("--from", str(wheel), "--no-index")
    data = machine.home / ".local" / "share" / "deja-hooks"
    program = data / "venv" / "bin" / "deja-hooks"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"The command is {program} (its folder is not on your PATH).\n")
    command = json.loads(machine.hooks.read_bytes())["hooks"]["Stop"][0]["bash"]
    assert str(data / "venv" / "bin" / "python").replace("'", "'\"'\"'") in command
    assert "Already installed: nothing was changed.\n" in machine.run("--from", str(wheel), "--no-index").stdout

    shutil.rmtree(data / "venv" / "lib")
    program.unlink()
    assert machine.run("--uninstall", script=_copied(tmp_path)).stderr == (
        "install.sh: deja-hooks is not installed any more: say --from SOURCE, to unwire Copilot with a copy of it.\n"
    )
    done = machine.run("--uninstall", "--from", str(wheel))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"removed {machine.hooks}\n" in done.stdout
    assert done.stdout.endswith(f"removed {data}/venv\n")
    assert (machine.left(), data.exists(), list(machine.scratch.iterdir())) == ([], False, [])


def test_uv_lends_one_where_the_package_is_gone(machine: Machine) -> None:
    machine.put("uv", UV)
    machine.run("--no-index")
    (machine.home / ".local" / "bin" / "deja-hooks").unlink()
    machine.calls()
    done = machine.run("--uninstall")
    assert (done.returncode, done.stderr, machine.left()) == (0, "", [])
    assert machine.calls() == [f"uv tool install --quiet {CHECKOUT}"]
    assert list(machine.scratch.iterdir()) == []


def test_a_part_or_a_dry_run_leaves_the_program(machine: Machine) -> None:
    machine.put("uv", UV)
    assert machine.run("--dry-run", "copilot").stdout == (
        f"would install {CHECKOUT}[mcp] with uv, and run: deja-hooks install --dry-run copilot\n"
    )
    assert (machine.calls(), machine.left()) == ([], [])
    machine.run("--no-index")
    machine.calls()
    for arguments in (["--dry-run"], ["copilot"]):
        done = machine.run("--uninstall", *arguments)
        assert done.stdout.endswith("deja-hooks itself stays.\n")
        assert (done.returncode, machine.calls()) == (0, [])


def test_doctor_has_the_last_word(machine: Machine) -> None:
    machine.put("uv", UV)
    machine.program('#!/bin/sh\n[ "$*" != doctor ] || { echo checked; exit "$FOUND"; }\n')
    assert "checked\n" in machine.run(FOUND="0").stdout
    done = machine.run(FOUND="1")
    assert (done.returncode, done.stderr) == (1, "install.sh: the installation has a fault: see above.\n")
    machine.program('#!/bin/sh\n[ "$1" != doctor ] || exit 2\n')  # a version without that command
    assert machine.run().returncode == 0


def test_what_fails_is_said(machine: Machine) -> None:
    done = machine.run()
    assert (done.returncode, done.stderr) == (
        1,
        "install.sh: no Python >= 3.10 with venv is on the PATH: install one (Debian: python3-venv), or uv, or pipx.\n",
    )
    machine.put("uv", UV)
    for arguments, more, code, said in (
        (["--with", "pipx"], {}, 1, "install.sh: pipx is not on the PATH: leave --with out, or install pipx.\n"),
        (["--with"], {}, 1, "install.sh: --with needs a value.\n"),
        ([], {"UV_FAILS": "1"}, 1, f"install.sh: uv could not install {CHECKOUT}: see above.\n"),
    ):
        done = machine.run(*arguments, **more)
        assert (done.returncode, done.stderr) == (code, said)
    assert machine.run("--with", "conda").returncode == 2
    assert machine.run("--help").stdout.startswith("usage: install.sh [--from SOURCE]")
    assert machine.left() == []


def test_what_fails_leaves_no_folders(machine: Machine) -> None:
    machine.python()
    done = machine.run("--from", "/nonexist", "--with", "venv")
    assert done.returncode == 1
    assert done.stderr.endswith("install.sh: venv could not install /nonexist: see above.\n")
    assert [path.name for path in machine.home.iterdir()] == [".copilot"]


def test_it_ends_with_0_only_if_wired(machine: Machine) -> None:
    machine.put("uv", UV)
    machine.run("--no-index")
    machine.hooks.write_text("{oops")
    program = machine.home / ".local" / "bin" / "deja-hooks"
    done = machine.run("--no-index")
    assert done.returncode == 1
    assert done.stderr.endswith(f"install.sh: Copilot is not wired: see above. Run {program} install to try again.\n")
    machine.calls()
    done = machine.run("--uninstall")
    assert done.returncode == 1
    assert done.stderr.endswith("install.sh: Copilot is still wired: see above. deja-hooks itself was left.\n")
    assert (machine.calls(), program.exists()) == ([], True)


def test_outside_a_checkout_it_wants_a_source(machine: Machine, tmp_path: Path) -> None:
    machine.put("uv", UV)
    done = machine.run(script=_copied(tmp_path))
    assert (done.returncode, done.stderr) == (1, "install.sh: this script lies in no checkout: say --from SOURCE.\n")


def _copied(folder: Path) -> Path:
    (folder / "elsewhere").mkdir(exist_ok=True)
    return Path(shutil.copy(SCRIPT, folder / "elsewhere" / "install.sh"))


def test_it_may_be_run() -> None:
    assert os.access(SCRIPT, os.X_OK)
