"""The figures as the tables of docs/load.md."""

from __future__ import annotations

from tests.load.crowd import Crowd, p99
from tests.load.scenarios import Load

__all__ = ["crowd_table", "load_table"]


def load_table(loads: list[Load]) -> str:
    """A row for each history."""
    lines = [
        "| history | size, MB | first pass, s | indexer, MB | hook, MB | lost | then |",
        "| --- | --: | --: | --: | --: | --: | --- |",
    ]
    for each in loads:
        figures = f"{each.size / 1e6:,.0f} | {each.seconds:.0f} | {each.indexer / 1e6:.0f} | {each.hook / 1e6:.1f}"
        lines.append(f"| {each.what} | {figures} | {each.lost} | {each.note} |")
    return "\n".join(lines) + "\n"


def crowd_table(found: Crowd) -> str:
    """A row for each thing that was counted."""
    rows = [
        ("hooks started, 64 at once", f"{found.hooks:,}"),
        ("of these killed", f"{found.killed:,}"),
        ("indexers killed", f"{found.indexers:,}"),
        ("wrong exit status, stderr, or no whole reply", f"{found.bad}"),
        ("known things asked and not answered", f"{found.silent}"),
        ("updates lost", f"{found.lost}"),
        ("databases that are not whole", f"{found.broken}"),
        ("99th percentile of 64 bare interpreters at once, ms", f"{p99(found.bare) * 1000:.0f}"),
        ("99th percentile of 64 hooks at once, ms", f"{p99(found.seconds) * 1000:.0f}"),
        ("times bare", f"{found.ratio:.2f}"),
    ]
    return "\n".join(
        ["| 64 hooks at once | |", "| --- | --: |", *(f"| {name} | {value} |" for name, value in rows), ""]
    )
