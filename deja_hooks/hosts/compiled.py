"""Byte-compiling what every hook imports: compiling them anew would cost several hooks' time."""

import compileall
from pathlib import Path

__all__ = ["byte_compile"]

_HOT_FOLDERS = ("hook", "recall", "memory", "failures", "feedback", "redaction")
_HOT_FILES = ("__init__.py", "scan.py", "system.py", "tools.py")


def byte_compile(package: Path) -> bool:
    """Compiles the hot modules of the package folder; False where some could not be written (harmless)."""
    folders = [compileall.compile_dir(package / name, maxlevels=0, quiet=2) for name in _HOT_FOLDERS]
    files = [compileall.compile_file(package / name, quiet=2) for name in _HOT_FILES]
    return all(folders) and all(files)
