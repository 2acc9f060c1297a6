"""What silences the hooks of VS Code's Local harness by its settings, or by an administrator's policy.

`chat.useHooks` and `chat.hookFilesLocations` as VS Code 1.139 reads them; the policy is named `ChatHooks`, and lies
in the registry, in managed preferences, or in `/etc/vscode/policy.json`.
"""

import json
import plistlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.jsonc import JsoncError, read_jsonc
from deja_hooks.sources.places.small import read_small

__all__ = ["check_policy", "check_vscode_settings"]

_SETTINGS, _POLICY = "vscode-hooks", "vscode-policy"
_PRODUCTS = ("VSCode", "VSCodeInsiders")
#: How `chat.hookFilesLocations` may name the folder with our file.
_OWN_PLACES = ("~/.copilot/hooks", "~/.copilot/hooks/deja.json")


def check_vscode_settings(user_folders: list[Path], projects: list[Path]) -> Iterator[Finding]:
    """The settings of each VS Code, its profiles, its remote side, and of projects.

    Args:
        user_folders: VS Code's User folders that are there.
        projects: the top folders of projects.
    """
    if not user_folders:
        yield note(_SETTINGS, "VS Code", "no User folder of it is here")
        return
    files = []
    for folder in user_folders:
        profiles = sorted((folder / "profiles").glob("*/settings.json"))
        files += [folder / "settings.json", *profiles, folder.parent / "Machine" / "settings.json"]
    files += [project / ".vscode" / "settings.json" for project in projects]
    found = [finding for path in files for finding in _settings(path)]
    silent = any(finding.state == "broken" for finding in found)
    yield from found
    if not silent:
        number = "1 VS Code" if len(user_folders) == 1 else f"{len(user_folders)} VS Codes"
        yield ok(_SETTINGS, "VS Code's settings", f"hooks are on in {number}")


def _settings(path: Path) -> Iterator[Finding]:
    try:
        settings = read_jsonc(path) or {}
    except JsoncError as error:
        yield note(_SETTINGS, path, f"not looked into: {error}", "mend it")
        return
    if settings.get("chat.useHooks") is False:
        seen = "chat.useHooks is false: VS Code calls no hook"
        yield broken(_SETTINGS, path, seen, 'set "chat.useHooks": true, or take it out')
    places = settings.get("chat.hookFilesLocations")
    for place, on in places.items() if isinstance(places, dict) else ():
        if on is False and place.rstrip("/") in _OWN_PLACES:
            seen = f"chat.hookFilesLocations switches {place} off: VS Code doesn't read the hook file"
            yield broken(_SETTINGS, path, seen, f'set "{place}": true there, or take it out')


def check_policy(
    platform: str, root: Path, user: str, registry: "Callable[[str], dict[str, Any]] | None" = None
) -> Iterator[Finding]:
    """An administrator's policy.

    Args:
        platform: as `sys.platform`.
        root: where the system's files lie.
        user: the user's name, of whom macOS keeps managed preferences.
        registry: gives the values of a product's policies on Windows; None: the real registry's.
    """
    forbidden = [name for name, values in _policies(platform, root, user, registry or _registry_values) if _off(values)]
    for name in forbidden:
        seen = "the policy ChatHooks is off: VS Code calls no hook"
        yield broken(_POLICY, name, seen, "ask your administrator; Copilot CLI is not concerned")
    if not forbidden:
        yield ok(_POLICY, "VS Code's policies", "none forbids hooks")


def _off(values: dict[str, Any]) -> bool:
    value = values.get("ChatHooks")
    return value is not None and not value


def _policies(
    platform: str, root: Path, user: str, registry: Callable[[str], dict[str, Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where policies lie, and what they say; those that aren't there, or can't be read, say nothing."""
    if platform == "win32":
        for product in _PRODUCTS:
            yield f"Software\\Policies\\Microsoft\\{product}", registry(product)
        return
    if platform == "darwin":
        managed = root / "Library" / "Managed Preferences"
        files = [folder / f"com.microsoft.{name}.plist" for folder in (managed, managed / user) for name in _PRODUCTS]
    else:
        files = [root / "etc" / "vscode" / "policy.json"]
    for path in files:
        try:
            data = read_small(path)
            values = plistlib.loads(data) if path.suffix == ".plist" else json.loads(data)
        except (OSError, ValueError, plistlib.InvalidFileException):
            continue
        if isinstance(values, dict):
            yield str(path), values


def _registry_values(product: str) -> dict[str, Any]:
    """The policies of a product in the Windows registry, the machine's before the user's; none elsewhere."""
    found: dict[str, Any] = {}
    if sys.platform == "win32":
        import winreg

        for hive in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
            try:
                with winreg.OpenKey(hive, f"Software\\Policies\\Microsoft\\{product}") as key:
                    found["ChatHooks"] = winreg.QueryValueEx(key, "ChatHooks")[0]
            except OSError:
                continue
    return found
