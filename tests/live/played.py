"""The two sessions, played, and what they left behind."""

from __future__ import annotations

import time
from dataclasses import dataclass

from . import scenario
from .copilot import Finished, Sandbox
from .indexers import INDEXER_LIMIT, Watch, left_over
from .model import SUMMARY_REQUEST, Model, Request, serve

__all__ = ["Played", "play"]


@dataclass(frozen=True)
class Played:
    """What two sessions left behind.

    Attributes:
        model: the model of the second session, with its requests.
        runs: both runs of the CLI.
        sessions: both sessions' ids, as the CLI made them.
        most_indexers: the background indexers seen at the time when there were most.
        left_over: indexers still there `INDEXER_LIMIT` seconds after the end.
    """

    box: Sandbox
    model: Model
    runs: tuple[Finished, Finished]
    sessions: list[str]
    most_indexers: list[str]
    left_over: list[str]

    def after_compaction(self) -> list[Request]:
        """The second session's requests in which the summary stands for the history."""
        return [request for request in self.model.requests if self._is_summarised(request)]

    def _is_summarised(self, request: Request) -> bool:
        texts = [message.text for message in request.messages]
        return any(self.model.summary in text for text in texts) and SUMMARY_REQUEST not in texts[-1]


def play(box: Sandbox) -> Played:
    """Installs the hooks into an empty home and plays both sessions, the second a second after the first."""
    box.lay_out(scenario.FILES)
    box.deja("install", "copilot")
    with Watch(box.root) as watch:
        with serve(Model(scenario.first_session(box.project))) as model:
            first = box.ask(scenario.FIRST_PROMPT, model)
        box.write(scenario.FILES)  # as if a merge had brought the old value back
        time.sleep(1)
        with serve(Model(scenario.second_session(box.project))) as model:
            second = box.ask(scenario.SECOND_PROMPT, model, token_limit=scenario.TOKEN_LIMIT)
        still = left_over(box.root, INDEXER_LIMIT)
    return Played(box, model, (first, second), box.sessions(), watch.most, still)
