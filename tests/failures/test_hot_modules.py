"""What the modules load that a hook imports for a command: nothing but each other (start-up is the product)."""

import subprocess
import sys
from pathlib import Path

import pytest

#: (module, what it loads besides itself)
LOADED = [
    ("command_form", []),
    ("command_line", []),
    ("line", ["forms", "output"]),
    ("output", []),
    ("program", ["command_line"]),
    ("signature", ["forms", "output"]),
]


@pytest.mark.parametrize(("module", "others"), LOADED)
def test_importing_it_loads_nothing_else(module: str, others: list[str]) -> None:
    root = Path(__file__).parents[2]
    script = (
        f"import sys; before = set(sys.modules); sys.path.append(sys.argv[1]); import deja_hooks.failures.{module}; "
        "print(*sorted(set(sys.modules) - before))"
    )
    shown = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, str(root)], capture_output=True, text=True, check=True
    ).stdout
    modules = [f"failures.{name}" for name in sorted([module, *others])]
    expected = ["deja_hooks", *(f"deja_hooks.{name}" for name in ("failures", *modules))]
    assert shown.split() == expected
