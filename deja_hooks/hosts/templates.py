"""The files that installing writes, as they lie in `install/templates/`."""

from importlib import resources
from pathlib import Path

__all__ = ["template"]


def template(name: str) -> str:
    """The text of a template: the wheel carries them, an editable install reads the checkout."""
    packed = resources.files("deja_hooks.hosts") / "templates" / name
    if packed.is_file():
        return packed.read_text(encoding="utf-8")
    return (Path(__file__).parents[2] / "install" / "templates" / name).read_text(encoding="utf-8")
