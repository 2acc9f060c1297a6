from pathlib import Path

import pytest

from deja_hooks.hosts.compiled import byte_compile
from tests.hook.test_process import TestModules as Modules

HOT = ("hook", "recall", "memory", "failures", "feedback", "redaction")


def _package(folder: Path) -> Path:
    for name in (*HOT, "sources"):
        (folder / name).mkdir(parents=True)
        (folder / name / "a.py").write_text("x = 1\n")
    for name in ("__init__.py", "scan.py", "system.py", "tools.py"):
        (folder / name).write_text("")
    return folder


def test_hot_modules_are_compiled_and_no_others(tmp_path: Path) -> None:
    assert byte_compile(_package(tmp_path))
    compiled = sorted({path.name.partition(".")[0] + "@" + path.parents[1].name for path in tmp_path.rglob("*.pyc")})
    top = tmp_path.name
    assert compiled == sorted(
        [
            *(f"a@{name}" for name in HOT),
            f"__init__@{top}",
            f"scan@{top}",
            f"system@{top}",
            f"tools@{top}",
        ]
    )


def test_what_hooks_load_is_among_them() -> None:
    rooms = {name.split(".")[1] for name in Modules.RECALLING if name.count(".") == 2}
    assert rooms <= set(HOT)


def test_what_cannot_be_compiled_is_said_and_harmless(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (_package(tmp_path) / "hook" / "a.py").write_text("def")
    assert not byte_compile(tmp_path)
    assert capfd.readouterr() == ("", "")
