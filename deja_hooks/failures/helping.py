"""Which commands can have changed anything: only those can have ended a failure. Used by the indexer."""

from deja_hooks.failures.command_line import bare_name, simple_commands
from deja_hooks.failures.program import program

__all__ = ["changes_something", "helpfulness", "only_looks"]


def _words(text: str) -> "frozenset[str]":
    return frozenset(text.split())


#: Programs that look, print or compare.
_LOOKING = _words(
    "ls ll dir cat bat head tail less more grep egrep fgrep rg ag ack find fd locate wc sort uniq cut awk diff cmp "
    "file "
    "stat du df ps top htop lsof ss netstat env printenv pwd whoami id hostname uname date which whereis type command "
    "echo printf true false sleep test [ tree jq yq xxd hexdump md5sum sha256sum man help history jobs nproc free "
    "uptime "
    "get-childitem get-content select-string get-process ping dig nslookup host curl http tput clear cd pushd popd "
    "column tee xargs sed"
)
#: Those of them that can fail for a reason of their own.
_REACHING = _words("curl http ping dig nslookup host jq yq env type command sed awk xargs test man")
#: Programs that check: when they pass, they have changed nothing.
_CHECKING = _words(
    "pytest unittest nose2 tox nox jest vitest mocha ava karma cypress playwright eslint tslint stylelint mypy pyright "
    "pylint flake8 pycodestyle bandit rubocop rspec phpunit phpstan psalm shellcheck hadolint yamllint ctest "
    "golangci-lint "
    "staticcheck actionlint markdownlint vulture coverage"
)
#: Subcommands of these programs that look or check.
_QUIET_VERBS = {
    "git": "status diff log show branch blame remote rev-parse ls-files describe grep shortlog reflog add commit "
    "push tag stash cat-file",
    "docker": "ps images logs inspect version info stats top port history events diff",
    "docker-compose": "ps logs config version top", "podman": "ps images logs inspect version info",
    "kubectl": "get describe logs top version explain api-resources cluster-info config diff auth",
    "helm": "list ls status get history template lint version",
    "terraform": "plan show validate output fmt version state",
    "npm": "test t ls list view info outdated audit run-script whoami ping doctor explain why version root prefix",
    "pnpm": "test list ls why outdated audit", "yarn": "test list why info outdated audit", "bun": "test",
    "pip": "list show freeze check index config debug", "pip3": "list show freeze check index config debug",
    "uv": "tree version", "poetry": "show check version", "conda": "list info search",
    "cargo": "test check clippy tree metadata search bench doc", "go": "test vet list version env doc tool",
    "mvn": "test verify validate", "gradle": "test check tasks dependencies",
    "gradlew": "test check tasks dependencies",
    "dotnet": "test --info --version", "brew": "list info search doctor", "apt": "list show search", "dpkg": "-l -s",
    "systemctl": "status is-active list-units show", "psql": "-l", "rustup": "show", "ruff": "check", "tsc": "--noEmit",
    "prettier": "--check -c", "black": "--check", "make": "test check lint", "deno": "test check lint", "aws": "ls",
    "gh": "view list status checks", "python": "-V --version", "node": "-v --version",
}  # fmt: skip
#: Options by which a checking program mends what it finds.
_MENDING = _words("--fix --write -w --fix-only -a -A --autocorrect --auto-correct -u --updateSnapshot --fix-type")
#: Verbs of commands that put something in place.
_SETTING_UP = _words(
    "install i ci add sync update upgrade up start restart enable migrate generate init login create build pull export "
    "set use link download get restore apply seed load compile mkdir cp mv ln chmod chown touch setup bootstrap "
    "prepare "
    "rebuild dedupe tidy vendor submodule checkout switch unlock trust allow fix format regenerate codegen proto "
    "makemigrations createdb createuser nvm source"
)


def changes_something(command: str) -> bool:
    """Whether a command line can have changed anything that another command meets."""
    return any(_changes(words) for words in simple_commands(command))


def only_looks(command: str) -> bool:
    """Whether a command only looks at what is there on this machine (`diff`, `grep`, `cat`)."""
    return program(command).lower() in _LOOKING - _REACHING


def _changes(words: "list[str]") -> bool:
    line = " ".join(words)
    name = program(line)
    first = name.partition(" ")[0]
    rest = [word for word in words if bare_name(word) != first]
    if any(word in ("--version", "--help", "-h", "--dry-run") for word in rest):
        return False
    if first.lower() in _LOOKING or bare_name(words[0]).lower() in _LOOKING:
        return first == "sed" and any(word.startswith("-i") for word in rest)
    mends = not _MENDING.isdisjoint(rest)
    if first in _CHECKING or _named_as_a_check(name):
        return mends
    rest = rest[2:] if rest[:1] in (["-C"], ["-n"], ["--context"]) else rest
    quiet = _QUIET_VERBS.get(first, "").split()
    verb = next((word for word in rest if not word.startswith("-")), "")
    return (
        "--fix" in rest
        or "--write" in rest
        or not (quiet and (verb in quiet or any(word in quiet for word in rest[:2] if word[:1] == "-")))
    )


def _named_as_a_check(name: str) -> bool:
    """`npm run lint`, `npm test` and their like."""
    script = name.rpartition(" ")[2] if " " in name else ""
    return script.partition(":")[0] in ("test", "lint", "check", "typecheck", "type-check", "tsc", "verify", "e2e")


def helpfulness(command: str, failure: str) -> int:
    """How likely it is that this command ended the failure: 2 and more where they share a name, 1 for one that puts
    something in place, 0 for another that changes something.
    """
    words = [bare_name(word).lower() for each in simple_commands(command) for word in each]
    said = set("".join([c if c.isalnum() else " " for c in failure.lower()]).split())
    named = {part for word in words for part in word.replace("-", " ").replace("_", " ").replace(".", " ").split()}
    shared = [word for word in named & said if len(word) > 3 and word not in _SETTING_UP]
    put = not _SETTING_UP.isdisjoint(words) or not _SETTING_UP.isdisjoint(named)
    return (2 if shared else 0) + (1 if put else 0)
