"""Which commands can't be taken back: they are never suggested as a fix. Used by the indexer."""

from deja_hooks.failures.command_line import LONGEST, bare_name, is_python, simple_commands

__all__ = ["is_irreversible"]


def _words(text: str) -> "frozenset[str]":
    return frozenset(text.split())


#: Programs that destroy, stop or publish whatever their arguments are.
_DESTROYERS = _words(
    "rm unlink shred wipefs fdisk sfdisk parted dd truncate kill pkill killall killall5 shutdown reboot halt poweroff "
    "userdel groupdel dropdb dropuser mkfs mkswap newfs crontab del erase rd format remove-item ri clear-content "
    "stop-process stop-computer restart-computer remove-itemproperty clear-disk format-volume flushall flushdb "
    "twine srm wipe iptables diskutil tee rimraf rmdir fuser kill-port diskpart taskkill clear-recyclebin passwd "
    "vssadmin cipher nix-collect-garbage"
)
#: Words that make a command of the program irreversible (any of them, anywhere behind the program).
_DANGEROUS_WORDS = {
    "git": "clean stash:drop stash:clear filter-branch filter-repo restore gc prune expire update-ref",
    "kubectl": "delete drain replace apply:--prune scale", "oc": "delete drain", "helm": "uninstall delete rollback",
    "terraform": "destroy apply taint rm", "tofu": "destroy apply taint rm", "pulumi": "destroy up",
    "cdk": "destroy deploy",
    "docker": "prune rm rmi kill push down:-v down:--volumes", "podman": "prune rm rmi kill push down:-v",
    "docker-compose": "down rm kill",
    "npm": "publish unpublish deprecate", "pnpm": "publish", "yarn": "publish", "bun": "publish", "lerna": "publish",
    "cargo": "publish yank", "gem": "push yank", "poetry": "publish", "uv": "publish", "flit": "publish",
    "hatch": "publish", "mvn": "deploy", "dotnet": "push", "gh": "delete merge close create archive",
    "apt": "remove purge autoremove", "apt-get": "remove purge autoremove", "systemctl": "stop disable mask kill",
    "aws": "rm rb sync", "gsutil": "rm rb rsync", "gcloud": "delete", "az": "delete purge",
    "vercel": "remove rm deploy",
    "heroku": "destroy pg:reset", "fly": "destroy", "flyctl": "destroy", "redis-cli": "flushall flushdb del",
    "prisma": "reset --force-reset --accept-data-loss", "alembic": "downgrade", "vagrant": "destroy",
    "rsync": "--delete --delete-after --delete-before --remove-source-files", "find": "-delete", "cmd": "del rd format",
    "svn": "revert", "hg": "strip purge", "init": "0 6", "history": "-c", "zfs": "destroy", "zpool": "destroy",
    "lvremove": "", "redis": "flushall", "k": "delete drain replace", "launchctl": "unload bootout remove",
    "reg": "delete", "rclone": "purge delete deletefile sync", "jj": "abandon", "drush": "sql-drop", "ufw": "reset",
    "supabase": "reset", "nx": "reset", "flyway": "clean undo", "liquibase": "dropAll rollback",
}  # fmt: skip
#: Long options and short letters by which `git` subcommands throw something away.
_GIT_FORCED = {
    "reset": "--hard --merge", "push": "--force --force-with-lease --force-if-includes --delete --mirror --prune -f -d",
    "checkout": "-f --force -- .", "switch": "-f --force --discard-changes -C",
    "branch": "-D -d --delete -M -f --force",
    "tag": "-d --delete -f --force", "worktree": "remove prune", "submodule": "deinit", "remote": "remove rm prune",
    "rm": "-f --force -r", "commit": "--amend",
}  # fmt: skip
_SQL = (
    "drop table", "drop database", "drop schema", "drop column", "drop view", "drop index", "drop user", "drop role",
    "drop type", "drop constraint", "truncate ", "delete from ", "dropdatabase", "db:drop", "db:reset", "migrate:fresh",
    "migrate:reset", "migrate:rollback", "migrate reset", "flushall", "flushdb", "deletemany", ":(){", "format c:",
    "manage.py flush", "reset_db", "rmtree(", "rmsync(", ".unlink(", "os.remove(",
)  # fmt: skip
#: Clients that run whatever a file tells a database.
_DATABASES = _words("mysql mariadb psql sqlite3 mongo mongosh sqlcmd cqlsh")
#: Programs that only read or print: their words are text, not commands.
_READERS = _words("grep egrep fgrep rg ag ack man which type whatis echo printf cat less more head tail ls wc")
_CLOUD_VERBS = ("delete", "terminate", "destroy", "remove", "purge", "deregister")
_EDITORS = frozenset(("sed", "perl", "ruby"))
_RECURSIVE = frozenset(("chmod", "chown", "chgrp", "setfacl", "icacls", "takeown"))
_HARMLESS_TARGETS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "&", "$null")


def is_irreversible(command: str) -> bool:
    """Whether a command may destroy, stop or publish something: then it is never suggested as a fix.

    Conservative: wrong on the side of True (a commit message with `drop table` in it counts).
    """
    return len(command) > LONGEST or _dangerous(command, 0)


def _dangerous(command: str, depth: int) -> bool:
    low = " ".join(command.lower().split())
    if depth > 4 or any(part in low for part in _SQL) or (low.startswith("update ") and " set " in low):
        return True
    if _overwrites(command) or _pipes_into_shell(low) or _runs_what_it_computes(low):
        return True
    return any(_dangerous_words(words, depth) for words in simple_commands(command.replace("`", " ; ")))


def _dangerous_words(words: "list[str]", depth: int) -> bool:
    names = [bare_name(word.lstrip("$")).lower() for word in words]
    if names[0] in _READERS:
        return any("$(" in word and _dangerous(word, depth + 1) for word in words)
    for index, name in enumerate(names):
        rest = words[index + 1 :]
        if (name in _DESTROYERS and (name != "format" or not index)) or name.startswith("mkfs."):
            return True
        if (name == "mv" and rest[-1:] == ["/dev/null"]) or (name in ("cp", "install") and "/dev/null" in rest[:-1]):
            return True
        if name in _RECURSIVE and any(_has_letter(word, "R") or word in ("--recursive", "/t", "/T") for word in rest):
            return True
        if name in _EDITORS and any(_has_letter(word, "i") or word.startswith("--in-place") for word in rest):
            return True
        if name in _DANGEROUS_WORDS and _has_dangerous_word(name, rest):
            return True
        if name == "git" and _git_forced(rest):
            return True
    return any(" " in word and _dangerous(word, depth + 1) for word in words)


def _has_dangerous_word(name: str, rest: "list[str]") -> bool:
    low = [word.lower() for word in rest]
    for entry in _DANGEROUS_WORDS[name].split():
        first, both, second = entry.partition(":")
        if entry in low or (both and first in low and second in low):
            return True
    if name in ("aws", "gcloud", "az", "gh"):
        return any(word.startswith(_CLOUD_VERBS) for word in low)
    return not _DANGEROUS_WORDS[name]


def _git_forced(rest: "list[str]") -> bool:
    for index, word in enumerate(rest):
        if word in _GIT_FORCED:
            flags = _GIT_FORCED[word].split()
            after = [option.partition("=")[0] for option in rest[index + 1 :]]
            pushed = word == "push"
            bundled = pushed and any(_has_letter(option, "f") or _has_letter(option, "d") for option in after)
            return bundled or any(option in flags or (pushed and option[:1] in ("+", ":")) for option in after)
    return False


def _has_letter(word: str, letter: str) -> bool:
    """Whether a bundle of short options has the letter (`-Rf`, `-pi`)."""
    return word[:1] == "-" and word[1:2] != "-" and letter in word[1:6]


def _overwrites(command: str) -> bool:
    """Whether a redirection empties a file (`>> file`, `2>&1` and the null device don't)."""
    quote, index, size = "", 0, len(command)
    while index < size:
        char = command[index]
        index += 1
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == ">" and command[index - 2 : index - 1] not in ("-", "=", "<"):
            if command[index : index + 1] == ">":
                index += 1
            elif not command[index:].lstrip("| ").startswith(_HARMLESS_TARGETS):
                return True
    return False


_READ_COMMANDS = frozenset(("sh", "bash", "zsh", "iex", "invoke-expression"))


def _runs_what_it_computes(low: str) -> bool:
    """`$(which rm) -rf x`, `mysql < all.sql`: what runs can't be told from the command."""
    for separator in ("&&", "||", "|", ";", "\n"):
        low = low.replace(separator, "\0")
    for part in low.split("\0"):
        words = part.split()
        if words and (words[0].startswith("$(") or ("<" in part and bare_name(words[0]) in _DATABASES)):
            return True
    return False


def _pipes_into_shell(low: str) -> bool:
    """`curl … | sh`: a command that nobody has read."""
    for part in low.split("|")[1:]:
        words = part.split()
        name = bare_name(words[0]) if words else ""
        if name in ("sudo", "env") and len(words) > 1:
            name = bare_name(words[1])
        if name in _READ_COMMANDS or (is_python(name) and len(words) == 1):
            return True
    return False
