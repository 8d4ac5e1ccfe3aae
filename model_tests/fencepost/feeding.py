"""What the oracles have in common: lines are taken in one by one, until one is not explained.

Not decided here: what explains a line; each kind of participant says that in its own frontier.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, TypeVar

from fencepost.faults import wrong_line
from fencepost.judges import Refusal
from fencepost.mismatch import Mismatch
from fencepost.trace import Line, Reply, Report
from fencepost.trace.lines import is_list
from fencepost_spec.rule import Rule


class Frontier(Protocol):
    """The states in which a participant could be, after the lines so far."""

    rules: dict[str, int]
    notes: list[tuple[int, Rule, str]]

    @property
    def states(self) -> tuple[Any, ...]:
        """Each state that explains the lines; there is always one."""
        ...

    def read(self, line: Line) -> Mismatch | None:
        """Take one line in, or say why no state explains it; then nothing changes."""
        ...


F = TypeVar("F", bound=Frontier)
S = TypeVar("S")


class Feeding(ABC):
    """Takes a trace in, line by line."""

    @abstractmethod
    def feed(self, line: Line) -> Refusal | None:
        """Take one line in; a refusal ends the judgement."""

    def feed_all(self, lines: Iterable[Line]) -> Refusal | None:
        """Take lines in until one is refused."""
        for line in lines:
            refusal = self.feed(line)
            if refusal is not None:
                return refusal
        return None


class FrontierFeeding(Feeding, Generic[F]):
    """Takes a trace in, and keeps the states that explain it."""

    frontier: F

    def feed(self, line: Line) -> Refusal | None:
        """Take one line in; a refusal ends the judgement."""
        before = self.frontier.states[0]
        mismatch = self.frontier.read(line)
        return None if mismatch is None else Refusal(line, mismatch, before)

    @property
    def rules(self) -> dict[str, int]:
        """How often each rule was used."""
        return self.frontier.rules

    @property
    def notes(self) -> list[tuple[int, Rule, str]]:
        """Findings of level should: line, rule, text."""
        return self.frontier.notes


def explanations(
    explain: Callable[[F, S, Any], Any], front: F, state: S, line: Line, shape: Rule
) -> list[Any]:
    """What explains a line; a body of another shape is the participant's, another line ours.

    What explains it alone need be no list. `shape` is the rule that a body of another shape breaks.
    Raises TraceFault for a line that is
    none of its kind.
    """
    try:
        found: Any = explain(front, state, line)
        return found if is_list(found) else [found]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        wrong = f"{type(error).__name__}: {error}"
        if isinstance(line, Reply | Report):
            return [Mismatch("a body of the declared shape", wrong, shape, 1)]
        hint = "see docs/formats.md"
        raise wrong_line(line.seq, f"not the shape of such a line: {wrong}", hint) from error
