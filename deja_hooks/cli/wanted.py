"""Which sessions the options of `deja-hooks sessions` and `deja-hooks usage` ask for."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from deja_hooks.cli.completing import projects
from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.errors import DejaError
from deja_hooks.history.listing import Wanted
from deja_hooks.history.mentions import Mention
from deja_hooks.memory.scope import normal_path, project_key

__all__ = ["Number", "host_option", "project_option", "wanted_sessions"]

_LONGEST_NUMBER = 12
_MARKS = {"promoted": "promote", "rejected": "reject"}


class Number(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic in new click only
    """The number of a pull request or an issue: 123 or #123."""

    name = "number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        digits = str(value).removeprefix("#")
        if digits.isascii() and digits.isdigit() and int(digits[:_LONGEST_NUMBER]) and len(digits) <= _LONGEST_NUMBER:
            return int(digits)
        return self.fail(f"{value!r} is no number: write 123 or '#123'.", param, ctx)


def project_option(help_text: str) -> Callable[[Any], Any]:
    """The option `--project`."""
    return click.option("--project", metavar="NAME|PATH", shell_complete=projects, help=help_text)


def host_option() -> Callable[[Any], Any]:
    """The option `--host`."""
    hosts = click.Choice(["cli", "vscode"], case_sensitive=False)
    return click.option("--host", type=hosts, help="Only this host's.")


def wanted_sessions(here: Here, filters: Mapping[str, object]) -> Wanted:
    """Which sessions the options want; one that isn't there wants all. Raises DejaError where one says nothing."""
    numbers = (("pull", filters.get("pr")), ("issue", filters.get("issue")))
    key, label = _project(here, filters.get("project"))
    archived = filters.get("archived")
    return Wanted(
        project=key,
        label=label,
        host=str(filters.get("host") or ""),
        since=_whole(filters.get("since")),
        until=_whole(filters.get("until")),
        words=_words(filters.get("text")),
        file=_file(here, filters.get("file")),
        mentioned=tuple(Mention(kind, number) for kind, number in numbers if isinstance(number, int)),
        archived=archived if isinstance(archived, bool) else None,
        mark=_MARKS.get(str(filters.get("marked")), ""),
    )


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _project(here: Here, given: object) -> tuple[str | None, str]:
    """The key of a folder's project, or None and what is to be looked for in names."""
    text = "" if given is None else str(given).strip()
    if given is not None and not text:
        raise DejaError("--project is empty: give a part of a name, a folder, or - for sessions without one.")
    return (project_key(_absolute(here, text)), "") if text and _is_folder(text) else (None, text)


def _is_folder(text: str) -> bool:
    return text.replace("\\", "/").split("/")[0] in ("", ".", "..", "~") or text[1:2] == ":"


def _words(given: object) -> tuple[str, ...]:
    words = tuple(str(given).split()) if given is not None else ()
    if given is not None and not words:
        raise DejaError("--text is empty: give one or more words.")
    return words


def _file(here: Here, given: object) -> str:
    if given is None:
        return ""
    text = str(given).strip()
    path = _absolute(here, text) if text and _is_folder(text) else normal_path(text)
    if not path.strip("/\\"):
        raise DejaError("--file names no file: give its path, or the last parts of it.")
    return path


def _absolute(here: Here, path: str) -> str:
    """The path from the root on; what begins with ~ lies in the home."""
    if path[:1] == "~" and path[1:2] in ("", "/", "\\"):
        return normal_path(f"{here.home}/{path[1:]}")
    if path[:1] in "/\\" or path[1:2] == ":":
        return normal_path(path)
    return normal_path(f"{working_folders(here.environment)[0]}/{path}")
