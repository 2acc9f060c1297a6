"""The kill switches: silence, for good or until a time. The history goes on being indexed."""

from deja_hooks.system import calls, environment, exists, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["in_force", "silenced", "switches_off"]


def silenced(layout: "Layout", cwd: str, now_ms: int) -> str:
    """Why nothing may be said now; "" where nothing stands against it.

    Args:
        layout: of the installation.
        cwd: the payload's folder; its project is looked up only where some project is switched off.
        now_ms: epoch ms.
    """
    if switches_off(environment("DEJA_RECALL")):
        return "switched off by DEJA_RECALL"
    if in_force(layout.off, now_ms):
        return "switched off"
    if cwd and exists(layout.in_config("off.d")):
        from deja_hooks.memory.scope import project_key

        if in_force(layout.off_project(project_key(cwd)), now_ms):
            return "switched off for this project"
    return ""


def switches_off(value: str) -> bool:
    """Whether `DEJA_RECALL` of this value silences the hooks that are started with it."""
    return value.strip().lower() in ("off", "0", "false", "no")


def in_force(path: str, now_ms: int) -> bool:
    """Whether the switch file is there and not past its time. One that can't be read counts as off for good.

    A pipe or a device is not opened: reading one could wait for ever.
    """
    try:
        status = calls.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    if status.st_mode & 0o170000 != 0o100000:
        return True
    try:
        text = read_file(path, 64).strip()
    except OSError:
        return True
    return not text.isdigit() or int(text) > now_ms
