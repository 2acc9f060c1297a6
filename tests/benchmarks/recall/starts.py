"""Session starts: what a project settled, left open and broke is named; a project without history gets nothing."""

from __future__ import annotations

from collections.abc import Iterator

from .figures import Figure, Miss, at_least, at_most
from .machine import NOW, Machine, lines_of
from .told import CHAT, CLI, Edited, Ran, Told, Turn, identity

__all__ = ["measure"]

_DAY = 86_400_000
#: Project, what was settled, what was left open, and the command that still fails.
_FACTS = tuple(
    tuple(part.strip() for part in line.split("|"))
    for line in """
brewery | We decided to store gravity readings in plato, because brewers think in it. | The import of old batches is still missing. | make import-batches
choir | Decision: rehearsals repeat weekly by default. | What remains is the reminder mail for absent singers. | npm run mail:preview
observatory | We agreed to keep raw frames for ninety days. | The flat-field correction is not done yet. | python3 tools/flat.py
pharmacy | Going with two-step approval for every refund, since auditors ask for it. | Open: the label printer still cuts the last line. | cargo run --bin labels
ferry | We decided that cabins are priced per night, not per person. | Still to do: the timetable for the winter. | ./gradlew timetable
museum | The root cause was the image proxy: it dropped the colour profile. | The audio guide still lacks its French texts. | pnpm build:audio
orchard | We settled on drip irrigation zones of twelve trees each. | Next: calibrate the two new moisture sensors. | pytest -q tests/test_zones.py
library | Decision: fines stop at ten euros, because the council voted so. | The barcode reader doesn't wake up after sleep yet. | dotnet run --project Reader
""".strip().splitlines()  # noqa: E501
)


def measure(machine: Machine) -> Iterator[Figure]:
    """Eight projects with three facts each in their last sessions; eight that nobody ever worked in."""
    machine.remember(session for number, facts in enumerate(_FACTS) for session in _sessions(machine, number, facts))
    misses, right = [], 0
    for number, (project, *wanted) in enumerate(_FACTS):
        packet = machine.call("SessionStart", f"start-{number}", machine.project(project), source="new")
        for fact in wanted:
            right += fact in packet
            if fact not in packet:
                misses.append(Miss(project, fact, "\n".join(lines_of(packet))))
    yield at_least("session start", "settled, open and broken, named", right, 3 * len(_FACTS), None, misses)
    spoken = []
    for number in range(len(_FACTS)):
        project = f"new-{number}"
        packet = machine.call("SessionStart", f"empty-{number}", machine.project(project), source="new")
        if packet:
            spoken.append(Miss(project, "silence", packet))
    yield at_most("session start", "a project without history is told something", len(spoken), len(_FACTS), 0, spoken)


def _sessions(machine: Machine, number: int, facts: tuple[str, ...]) -> Iterator[Told]:
    project, settled, left, failing = facts
    folder = machine.project(project)
    talk = (
        Turn("run the tests", "All tests pass.", (Ran("make test", 0, "41 passed"),)),
        Turn("tidy up the readme", "It is shorter now and names the three commands.", (Edited("README.md", "a", "b"),)),
        Turn("what does the main module do?", "It reads the configuration and starts the worker."),
    )
    for age, middle in (
        (20, ()),
        (12, (Turn("how shall we do this?", f"I compared both ways. {settled}"),)),
        (7, ()),
        (3, (Turn("where are we?", f"The main part works. {left}"),)),
        (1, (Turn("try it once more", "It fails as before.", (Ran(failing, 1, "error: unexpected end of data"),)),)),
    ):
        turns = (talk[age % 3], *middle)
        host = CHAT if (number + age) % 3 == 0 else CLI
        yield Told(identity("starts", project, age), folder, NOW - age * _DAY, turns, host)
