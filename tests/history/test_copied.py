from pathlib import Path

import pytest

from deja_hooks.history.copied import Part, copied_parts
from deja_hooks.memory.read import Memory
from tests.support.built import Built, turns


@pytest.mark.parametrize(
    ("forks", "parts"),
    [
        ([("a", "", 0)], []),
        ([("a", "", 0), ("b", "a", 2)], [Part("a", 1, 2)]),
        ([("b", "lost", 2)], [Part("lost", 1, 2)]),
        ([("a", "", 0), ("b", "a", 2), ("c", "b", 3)], [Part("a", 1, 2), Part("b", 3, 3)]),
        ([("a", "", 0), ("b", "a", 2), ("c", "b", 2)], [Part("a", 1, 2)]),
        (
            [("a", "", 0), ("b", "a", 1), ("c", "b", 2), ("d", "c", 4)],
            [Part("a", 1, 1), Part("b", 2, 2), Part("c", 3, 4)],
        ),
        ([("a", "b", 1), ("b", "a", 2)], [Part("a", 1, 2)]),
    ],
)
def test_parts(tmp_path: Path, forks: "list[tuple[str, str, int]]", parts: "list[Part]") -> None:
    built = Built(tmp_path / "memory.db")
    for sid, origin, skipped in forks:
        built.session(sid, *turns("x"), forked_from=origin, skipped=skipped)
    memory = Memory(built.db)
    session = memory.session_of(forks[-1][0])
    assert session is not None
    assert copied_parts(memory, session) == parts
    built.close()
