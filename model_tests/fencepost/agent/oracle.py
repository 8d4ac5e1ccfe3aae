"""Reads a trace line by line and says whether a participant that obeys the rules could make it."""

from collections.abc import Sequence

from fencepost.agent import wording
from fencepost.agent.expecting import state_text
from fencepost.agent.frontier import BUDGET, Frontier
from fencepost.faults import TraceFault
from fencepost.feeding import FrontierFeeding
from fencepost.trace import Header, Line, Lost, Reply
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import State
from fencepost_spec.receipts.dialects import dialect_of

HIDDEN = frozenset({"wakes", "begins"})


class Oracle(FrontierFeeding[Frontier]):
    """Judges one trace. Feed it lines; it keeps the states that explain them."""

    def __init__(self, header: Header, core: AgentCore | None = None, budget: int = BUDGET) -> None:
        try:
            dialect = dialect_of(header.version)
        except KeyError as unknown:
            raise TraceFault(1, str(unknown.args[0]), "set participant.version") from None
        unknown_hidden = set(header.hidden) - HIDDEN
        if unknown_hidden:
            raise TraceFault(
                1,
                f"hidden names what is not known: {', '.join(sorted(unknown_hidden))}",
                f"known: {', '.join(sorted(HIDDEN))}",
            )
        core = core or AgentCore()
        start = core.initial(header.settings.get("instance_name"))
        self.frontier = Frontier(
            core,
            dialect,
            frozenset(header.hidden),
            (start,),
            budget=budget,
            begins_empty=_begins_empty(header),
        )

    def state_text(self, before: State) -> str:
        """The state before a refusal, in one line."""
        return state_text(before)

    def legal_texts(self, before: State) -> tuple[str, ...]:
        """What could have come instead of a line that was refused."""
        return wording.legal_texts(self.frontier.core, before, self.frontier.dialect)

    def step_texts(self, lines: Sequence[Line]) -> list[str]:
        """What was done in some lines, each in few words; the last line always has a text."""
        texts = wording.action_texts(lines)
        if lines and wording.action_text(lines[-1]) is None:
            texts.append(self.line_text(lines[-1]))
        return texts

    def line_text(self, line: Line) -> str:
        """Any line, in one line of text."""
        if isinstance(line, Reply | Lost):
            waiting = self.frontier.states[0].calls.get(line.id)
            return wording.line_text(line, waiting)
        return wording.line_text(line)


def _begins_empty(header: Header) -> bool:
    """Whether the header says that no checkpoint was there before the recording."""
    told = header.settings.get("disk")
    if told not in (None, "empty"):
        raise TraceFault(1, f"the setting disk is {told!r}", 'it is "empty", or left out')
    return told == "empty"
