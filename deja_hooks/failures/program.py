"""Which program a command line really runs.

Used by the hook after a failed command and by the indexer. No `re` (7 ms of a hook's start).
"""

from deja_hooks.failures.command_line import bare_name, is_python, simple_commands

__all__ = ["program"]

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
#: Commands that only prepare the one which matters.
_PREPARING = frozenset(
    (
        "cd", "pushd", "popd", "export", "set", "unset", "source", ".", ":", "clear", "sleep", "ulimit", "umask",
        "shopt", "alias", "echo", "printf", "wait", "true", "read", "local", "declare", "mkdir",
    )
)  # fmt: skip
#: Commands that run the command behind them, with their options that take a value.
_WRAPPERS = {
    "sudo": "-u -g -h -p -C", "doas": "-u", "time": "-f -o", "env": "-u -C", "nohup": "", "exec": "", "command": "",
    "nice": "-n", "ionice": "-c -n", "timeout": "-k -s", "stdbuf": "-i -o -e", "setsid": "", "xvfb-run": "-s",
    "cross-env": "", "dotenv": "-f -e", "caffeinate": "", "builtin": "", "then": "", "do": "", "if": "", "while": "",
    "until": "", "else": "", "!": "", "strace": "-e -o", "watch": "-n", "xargs": "-n -I -P -L", "unbuffer": "",
}  # fmt: skip
#: `tool subcommand` that runs the command behind it, with the options that take a value.
_RUNNERS = {
    "poetry run": "", "uv run": "--with --python -p --extra --group --env-file --directory", "pipenv run": "",
    "pdm run": "", "rye run": "", "hatch run": "-e", "conda run": "-n -p", "mamba run": "-n -p", "bundle exec": "",
    "npm exec": "-p --package -c", "pnpm exec": "", "pnpm dlx": "", "yarn exec": "", "yarn dlx": "-p", "bun x": "",
    "pipx run": "--spec", "uv tool": "",
}  # fmt: skip
_DIRECT_RUNNERS = {"npx": "-p --package -c", "bunx": "", "uvx": "--from --with", "pnpx": ""}
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish", "eval", "su", "pwsh", "powershell", "cmd"))
_SCRIPTS = frozenset(("npm", "pnpm", "yarn", "bun"))


def program(command: str) -> str:
    """The program that a command line really runs, by its base name; "" where there is none.

    Folder changes, assignments and wrappers are passed over; runners (`npx`, `poetry run`, `python -m`) give
    the program that they run, package scripts their whole name (`npm run build`).
    """
    first = ""
    for words in simple_commands(command):
        name = _program_of(words, 0)
        if name and name not in _PREPARING:
            return name
        first = first or name
    return first


def _program_of(words: "list[str]", depth: int) -> str:
    words = _past_redirections(words)
    while words and _is_assignment(words[0]):
        words = words[1:]
    if not words or depth > 8:
        return ""
    name, rest = bare_name(words[0]), words[1:]
    pair = name + " " + rest[0] if rest else ""
    if name in _WRAPPERS:
        rest = _past_options(rest, _WRAPPERS[name])
        if name == "timeout" and rest:
            rest = rest[1:]
        return _program_of(rest, depth + 1)
    if pair in _RUNNERS:
        return _program_of(_past_options(rest[1:], _RUNNERS[pair]), depth + 1) or pair
    if name in _DIRECT_RUNNERS:
        rest = _past_options(rest, _DIRECT_RUNNERS[name])
        return _program_of([_unversioned(rest[0]), *rest[1:]], depth + 1) if rest else name
    if name in _SHELLS:
        return _shell_program(name, rest, depth)
    if name in _SCRIPTS:
        return _script(name, rest)
    if is_python(name):
        return _python_program(rest)
    return name


def _shell_program(name: str, rest: "list[str]", depth: int) -> str:
    """`bash -lc "…"` runs what the text says, `bash x.sh` the script."""
    for index, word in enumerate(rest):
        if word.startswith("-") and word.endswith("c") and not word.startswith("--"):
            inner = simple_commands(rest[index + 1]) if index + 1 < len(rest) else []
            names = [_program_of(words, depth + 1) for words in inner]
            return next((found for found in names if found and found not in _PREPARING), name)
        if not word.startswith("-"):
            return name if name in ("su", "cmd", "eval") else bare_name(word)
    return name


def _script(name: str, rest: "list[str]") -> str:
    words = [word for word in rest if not word.startswith("-")]
    if words and words[0] in ("run", "run-script") and len(words) > 1:
        return name + " run " + words[1]
    return name + " " + words[0] if words and words[0] in ("test", "start", "install", "ci", "build") else name


def _python_program(rest: "list[str]") -> str:
    for index, word in enumerate(rest):
        if word == "-m" and index + 1 < len(rest):
            return rest[index + 1]
        if not word.startswith("-"):
            break
    return "python"


def _unversioned(word: str) -> str:
    """`typescript` of `typescript@5.4`, `cli` of `@scope/cli`."""
    head, at, _ = word.rpartition("@")
    return head if at and head else word


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals and name) and _NAME.issuperset(name) and not name[0].isdigit()


def _past_options(words: "list[str]", with_value: str) -> "list[str]":
    """The words after a wrapper's own options (and assignments)."""
    valued = with_value.split()
    while words and (words[0].startswith("-") or _is_assignment(words[0])):
        if words[0] == "--":
            return words[1:]
        words = words[2:] if words[0] in valued else words[1:]
    return words


def _past_redirections(words: "list[str]") -> "list[str]":
    """The words after leading redirections (`2>/dev/null cmd`, `> x cmd`)."""
    while words and words[0].lstrip("0123456789&").startswith((">", "<")):
        bare = words[0].lstrip("0123456789&").strip("<>")
        words = words[1:] if bare else words[2:]
    return words
