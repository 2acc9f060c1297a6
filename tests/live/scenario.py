"""Two sessions of one project: the first finds and settles something, the second needs it.

Each reply is named for the request that gets it, that is for what has just been put before the model.
"""

from __future__ import annotations

from pathlib import Path

from .model import Reply, ToolCall

__all__ = [
    "BIG_OUTPUT",
    "CHECK",
    "DECISION",
    "FILES",
    "FIRST_PROMPT",
    "SECOND_PROMPT",
    "TOKEN_LIMIT",
    "first_session",
    "second_session",
    "short_session",
]

SETTINGS = "shop/settings.py"
_OLD, _NEW = "retry_budget = 3", "retry_budget = 7"

#: The project; `CHECK` fails in it until the budget is raised.
FILES = {
    SETTINGS: f'"""Settings of the importer."""\n\n{_OLD}\nregion = "north"\n',
    "tools/check_budget.py": (
        '"""Fails while the budget is too small for the pool."""\n\n'
        "import runpy\n\n\n"
        "class BudgetStarvedError(Exception):\n"
        '    """The pool would give up before its slowest node answers."""\n\n\n'
        f'budget = runpy.run_path("{SETTINGS}")["retry_budget"]\n'
        "if budget < 5:\n"
        '    raise BudgetStarvedError(f"retry_budget {budget} starves the pool")\n'
        'print("budget ok")\n'
    ),
}
CHECK = "python3 tools/check_budget.py"
#: 17 KB, to fill the model's window.
BIG_OUTPUT = "python3 -c \"print('word ' * 3500)\""
#: Tokens; the CLI starts to compact at about 80 % of it, its own prompt is half of it.
TOKEN_LIMIT = 24_000

FIRST_PROMPT = f"The importer gives up too early. Look at retry_budget in {SETTINGS} and make the check pass."
DECISION = "We decided to set retry_budget to 7 in shop/settings.py because the slowest node needs six attempts."
SECOND_PROMPT = "Which value did we choose for retry_budget, and why does the check fail again?"


def first_session(project: Path) -> list[Reply]:
    """A file that isn't there, a failing command, the edit that mends it, the command again, and what was decided."""
    return [
        Reply("first: prompt", tools=(ToolCall("view", {"path": str(project / "shop" / "budget.py")}),)),
        Reply("first: no such file", tools=(_shell(CHECK, "Check the budget"),)),
        Reply("first: failure", "The budget starves the pool.", (_raise_budget(project),)),
        Reply("first: edit", tools=(_shell(CHECK, "Check the budget"),)),
        Reply("first: success", f"Root cause: retry_budget was below the pool's need. {DECISION}"),
    ]


def second_session(project: Path) -> list[Reply]:
    """The same failure, the same edit, then work until the host compacts, and a little after that."""
    filling = [Reply(f"filling {turn}", tools=(_shell(BIG_OUTPUT, "Print words"),)) for turn in range(1, 4)]
    return [
        Reply("prompt", tools=(_shell(CHECK, "Check the budget"),)),
        Reply("failure", tools=(_raise_budget(project),)),
        *filling,
        Reply("settling", tools=(_shell("git status --short", "Look at the changes"),)),
        Reply("compacted", tools=(_edit(project, _NEW, f"{_NEW}  # attempts"),)),
        Reply("edit after compaction", "The check passes again."),
    ]


def short_session() -> list[Reply]:
    """A session that touches each hook a few times and waits for nothing, to measure time."""
    looks = [Reply(f"look {turn}", tools=(_shell("true", "Look around"),)) for turn in range(4)]
    return [*looks, Reply("end", "Nothing to do.")]


def _shell(command: str, description: str) -> ToolCall:
    return ToolCall("bash", {"command": command, "description": description})


def _raise_budget(project: Path) -> ToolCall:
    return _edit(project, _OLD, _NEW)


def _edit(project: Path, old: str, new: str) -> ToolCall:
    return ToolCall("edit", {"path": str(project / SETTINGS), "old_str": old, "new_str": new})
