"""PowerShell without PowerShell: its grammar, and what Windows PowerShell 5.1 doesn't know of it."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_powershell
from tree_sitter import Language, Node, Parser

__all__ = ["faults"]

#: Operators of PowerShell 7 only.
_NEWER = {"&&", "||", "??", "??=", "?.", "?[", "ternary_expression"}


def faults(script: str) -> list[str]:
    """Where the text is no PowerShell 5.1: `LINE:COLUMN TEXT`."""
    root = Parser(Language(tree_sitter_powershell.language())).parse(script.encode()).root_node
    return [
        f"{node.start_point[0] + 1}:{node.start_point[1] + 1} {(node.text or b'').decode()[:60]}"
        for node in _nodes(root)
        if node.is_error or node.is_missing or node.type in _NEWER
    ]


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)
