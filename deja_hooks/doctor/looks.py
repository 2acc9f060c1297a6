"""What several checks look at, looked at once."""

from functools import cached_property
from pathlib import Path

from deja_hooks.doctor.copies import Place, places_of_hooks
from deja_hooks.doctor.index import Held, held
from deja_hooks.doctor.machine import Machine
from deja_hooks.doctor.projects import project_folders
from deja_hooks.history.calls import Call, calls
from deja_hooks.sources.places.other_side import other_homes
from deja_hooks.sources.places.roots import find_roots
from deja_hooks.sources.places.user_folders import user_folders

__all__ = ["Looks"]


class Looks:
    """What several checks look at, looked at once; where that fails, each of these checks does."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    @cached_property
    def users(self) -> list[Path]:
        """VS Code's User folders that are there."""
        machine = self._machine
        found = user_folders(machine.environment, machine.home, machine.platform)
        return [folder for folder in found if folder.is_dir()]

    @cached_property
    def projects(self) -> list[Path]:
        """The top folders of projects."""
        return project_folders(self._machine)

    @cached_property
    def hooks(self) -> list[Place]:
        """The files from which hosts take hooks."""
        return places_of_hooks(self._machine.home, self._machine.copilot_home, self.projects)

    @cached_property
    def calls(self) -> list[Call]:
        """The ring, the newest call first."""
        return calls(self._machine.layout)

    @cached_property
    def memory(self) -> Held | None:
        """What the memory holds."""
        machine = self._machine
        others = other_homes(machine.environment, machine.platform)
        return held(machine.layout, find_roots(machine.environment, machine.home, machine.platform, others))
