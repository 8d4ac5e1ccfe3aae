"""Reads a trace line by line and says whether a correct resources server could make it."""

from collections.abc import Sequence

from pydantic import BaseModel

from fencepost.faults import TraceFault
from fencepost.feeding import FrontierFeeding
from fencepost.resources import wording
from fencepost.resources.frontier import BUDGET, Frontier
from fencepost.resources.reading import settings_of
from fencepost.trace import Header, Line
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import State
from fencepost_spec.receipts.resources.wire import StatusBody

OURS = "fencepost-1"
VERSIONS = ("3349", OURS)
"""The levels of development that are judged; bodies of ours are held to the wire models."""


def report_model(version: str) -> type[BaseModel] | None:
    """The form of a report, where a version is held to one."""
    return StatusBody if version == OURS else None


class Oracle(FrontierFeeding[Frontier]):
    """Judges one trace. Feed it lines; it keeps the states that explain them."""

    def __init__(
        self, header: Header, core: ResourcesCore | None = None, budget: int = BUDGET
    ) -> None:
        if header.version not in VERSIONS:
            known = ", ".join(VERSIONS)
            reason = f"unknown participant version {header.version!r}; known: {known}"
            raise TraceFault(1, reason, "set participant.version")
        if header.hidden:
            reason = "nothing of a resources server may be hidden"
            raise TraceFault(1, reason, f"hidden is {', '.join(header.hidden)}")
        self.core = core or ResourcesCore()
        try:
            start = self.core.initial(settings_of(header.settings))
        except (TypeError, ValueError) as error:
            raise TraceFault(1, f"settings: {error}", "see the trace format") from None
        strict = header.version == OURS
        self.frontier = Frontier(self.core, (start,), strict, budget=budget)

    def state_text(self, before: State) -> str:
        """The state before a refusal, in one line."""
        return wording.state_text(before)

    def legal_texts(self, before: State) -> tuple[str, ...]:
        """What could have come instead of a line that was refused."""
        return wording.legal_texts(self.core, before)

    def step_texts(self, lines: Sequence[Line]) -> list[str]:
        """What was done in some lines, each in few words; the last line always has a text."""
        return wording.step_texts(lines)

    def line_text(self, line: Line) -> str:
        """Any line, in one line of text."""
        return wording.line_text(line)
