"""The command that stands in the hook file, in the words of each shell.

It has to survive us: a Copilot CLI preToolUse hook that exits with anything but 0 denies the user's tool
(a missing interpreter is 127, a missing script 2, a crash 139), and VS Code shows stderr to the user. So the
shell stays between the host and Python, says nothing on stderr, and exits 0 whatever happened.

POSIX (sh, dash, bash)
    What Python didn't read is drained by a child in the background, so that a host that is still writing
    meets no closed pipe, while the shell itself exits at once although the host keeps its end open. The child
    holds neither stdout (the null device) nor stderr (`exec 2>` above): the host sees their end when the
    shell exits. A background command's stdin is the null device unless it is redirected, hence descriptor 3.
    Where there is no `cat` (the editor's PATH may be empty) the shell's own `read` drains.

PowerShell (5.1 grammar: no `&&`, no `||`)
    `$input` must not occur: PowerShell reads stdin itself, as text in the console's code page, exactly where
    a command mentions it (ConsoleHost asks AstSearcher.IsUsingDollarInput). Without it, a native command at
    the head of a pipeline inherits the host's pipe, so the payload arrives byte for byte. No double quote
    occurs either: the command passes through one or two levels of Windows argument quoting. Where Python
    didn't run, the rest is read until the pipe has been quiet for half a second; a constrained language mode
    forbids that reading, and `catch` ends it.
"""

import shlex
from typing import NamedTuple

from deja_hooks.hosts.errors import HostsError

__all__ = ["Program", "posix_command", "powershell_command"]

#: PowerShell takes these for a single quote as well (U+2018 to U+201B).
_SINGLE_QUOTES = "'\u2018\u2019\u201a\u201b"


class Program(NamedTuple):
    """What a hook runs.

    Attributes:
        python: absolute path of the interpreter.
        script: absolute path of `deja_hooks/hook/entry.py`.
        cache: folder of what can be rebuilt.
        config: folder of what the user decided.
    """

    python: str
    script: str
    cache: str
    config: str


def posix_command(program: Program, event: str) -> str:
    """The command for `sh -c`. Raises HostsError where a path isn't valid UTF-8."""
    python, script, name, cache, config = map(shlex.quote, _words(program, event))
    return (
        f"exec 2>/dev/null; [ -x {python} ] && [ -r {script} ] && "
        f"{python} -I -S {script} {name} {cache} {config} || "
        "{ exec 3<&0; { cat || while read -r x; do :; done; } <&3 >/dev/null & }; exit 0"
    )


def powershell_command(program: Program, event: str) -> str:
    """The command for `powershell.exe -Command`. Raises HostsError where a path isn't valid UTF-8."""
    python, script, name, cache, config = map(_powershell_quote, _words(program, event))
    return (
        "$ErrorActionPreference='SilentlyContinue'; $ran=$false; try { "
        f"if ((Test-Path -LiteralPath {python} -PathType Leaf) -and "
        f"(Test-Path -LiteralPath {script} -PathType Leaf)) "
        f"{{ & {python} -I -S {script} {name} {cache} {config} 2>$null; $ran=($LASTEXITCODE -eq 0) }}; "
        "if (-not $ran) { $in=[Console]::OpenStandardInput(); $part=New-Object byte[] 65536; "
        "while (($read=$in.ReadAsync($part,0,65536)).Wait(500) -and ($read.Result -gt 0)) {} } "
        "} catch {}; exit 0"
    )


def _powershell_quote(word: str) -> str:
    return "'" + "".join(letter * 2 if letter in _SINGLE_QUOTES else letter for letter in word) + "'"


def _words(program: Program, event: str) -> tuple[str, str, str, str, str]:
    words = (program.python, program.script, event, program.cache, program.config)
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise HostsError(
                f"{word!r} is not valid UTF-8, so no host can name it: install deja-hooks in, "
                "or point DEJA_HOOKS_HOME to, a folder whose path is."
            ) from error
    return words
