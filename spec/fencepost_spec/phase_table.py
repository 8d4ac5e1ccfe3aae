"""Every operation in every phase, as a table: what a reader wants to see at one glance.

A table decides nothing. Ladders and charts do, and a test holds each cell against the facts and
against what a core answers. May import: attrs and `operation`.
"""

from collections.abc import Iterator

import attrs

from fencepost_spec.operation import REPLAY, SHARE

ACTS = "acts"
"""The answer of a cell in which nothing of the fence refuses: the operation takes effect."""

OWN, FINISHED, OTHER = "own", "finished", "other"
"""Whose id a situation calls with: the open one or a new one, one that was resumed, a third."""


@attrs.frozen
class Cell:
    """How one operation is answered in one situation.

    `answer` is `ACTS`, `REPLAY`, `SHARE` or the code of a refusal. One that acts may move the
    fence `through` phases, the last of which is where it ends; `failed` is where it ends when it
    does not succeed.
    """

    answer: str
    through: tuple[str, ...] = ()
    failed: str | None = None

    def __attrs_post_init__(self) -> None:
        """Refuse an answer that moves the fence and does not act."""
        if (self.through or self.failed is not None) and self.answer != ACTS:
            raise ValueError(f"{self.answer} moves no fence, and ends in no phase")


@attrs.frozen
class Situation:
    """Where a participant stands when it is called; `says` is empty where the name says it all."""

    name: str
    phase: str
    says: str = ""
    id: str = OWN


@attrs.frozen
class PhaseTable:
    """A row for each situation, with a cell for each operation, in the order of `operations`."""

    operations: tuple[str, ...]
    rows: tuple[tuple[Situation, tuple[Cell, ...]], ...]

    def __attrs_post_init__(self) -> None:
        """Refuse rows of another length, and two situations of one name."""
        for situation, cells in self.rows:
            if len(cells) != len(self.operations):
                raise ValueError(f"{situation.name} has {len(cells)} cells")
        names = [situation.name for situation, _ in self.rows]
        if len(set(names)) < len(names):
            raise ValueError("two situations have one name")

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The situations, in the order of the rows."""
        return tuple(situation for situation, _ in self.rows)

    def cells(self) -> Iterator[tuple[Situation, str, Cell]]:
        """Every cell with its situation and operation."""
        for situation, cells in self.rows:
            for operation, cell in zip(self.operations, cells, strict=True):
                yield situation, operation, cell

    def cell(self, situation: str, operation: str) -> Cell:
        """The cell of an operation in a situation, or KeyError where there is none."""
        for where, name, cell in self.cells():
            if (where.name, name) == (situation, operation):
                return cell
        raise KeyError((situation, operation))


TAKES_EFFECT = Cell(ACTS)
"""It acts, and the fence stays where it is."""

REPLAYS = Cell(REPLAY)
SHARES = Cell(SHARE)


def goes(*through: str, failed: str | None = None) -> Cell:
    """A cell that acts and moves the fence.

    >>> goes("committing", "committed_paused", failed="prepared").through[-1]
    'committed_paused'
    """
    return Cell(ACTS, through, failed)
