"""The kill matrix: every mutant examined, and what that says of the oracle and of the rules."""

import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

import attrs

from fencepost.faults import HarnessFault, UsageFault
from fencepost.mutants.matrix_pages import render_markdown, render_text
from fencepost.mutants.row import Row, Status
from fencepost.mutants.tally import Tally, tally_of
from fencepost.mutants.workshop import MUTANTS, Workshop
from fencepost.trace.lines import JsonObject

JOBS = 2
FEW = 6
"""So few mutants are examined in this process; starting others would take longer."""

Progress = Callable[[int, int, str], None]

_workshop: Workshop | None = None


def _examine(name: str) -> Row:
    """Examine one mutant in whatever process this is."""
    global _workshop  # noqa: PLW0603 - one workshop for each process, made when it starts
    if _workshop is None:
        _workshop = Workshop()
    try:
        return _workshop.examine(name)
    except HarnessFault as fault:
        group, mutant = MUTANTS[name]
        return Row(name, mutant.says, mutant.cites, group, Status.BROKEN, why=str(fault))


@attrs.frozen
class Matrix:
    """What became of every mutant that was asked for."""

    rows: tuple[Row, ...]
    whole: bool
    seconds: float

    @property
    def tally(self) -> Tally:
        """What the rows say together."""
        return tally_of(self.rows)

    @property
    def exit_code(self) -> int:
        """0 when every mutant is killed, equivalent or argued; 1 when one is not; 4 broken."""
        if any(row.status is Status.BROKEN for row in self.rows):
            return 4
        return 1 if any(row.failed for row in self.rows) else 0

    @property
    def median_seconds(self) -> float:
        """The median time of a mutant."""
        return statistics.median(row.seconds for row in self.rows)

    def row(self, name: str) -> Row:
        """The row of a mutant."""
        return next(row for row in self.rows if row.name == name)

    def lock(self) -> dict[str, dict[str, object]]:
        """What is pinned: the rule and the number of actions of each mutant."""
        return {row.name: row.pinned for row in self.rows}

    def to_text(self) -> str:
        """The matrix for people."""
        return render_text(self.rows, self.tally, whole=self.whole, seconds=self.seconds)

    def to_markdown(self) -> str:
        """The page of the documentation, without times."""
        return render_markdown(self.rows, self.tally)

    def to_json(self) -> JsonObject:
        """The matrix for programs."""
        tally = self.tally
        return {
            "mutants": [
                attrs.asdict(row) | {"status": row.status.value, "seconds": round(row.seconds, 4)}
                for row in self.rows
            ],
            "whole": self.whole,
            "counts": {status.value: tally.count(status) for status in Status},
            "rules_noticed": list(tally.noticed) if self.whole else [],
            "rules_unbroken": list(tally.unbroken) if self.whole else [],
            "median_seconds": round(self.median_seconds, 4),
            "seconds": round(self.seconds, 1),
            "exit_code": self.exit_code,
        }

    as_json = to_json
    render_text = to_text


def chosen(only: Sequence[str] | None) -> tuple[str, ...]:
    """The names of the mutants meant: by name, by part of it, or by what they cite."""
    if not only:
        return tuple(MUTANTS)
    found: dict[str, None] = {}
    for wanted in only:
        cited = [name for name, (_, one) in MUTANTS.items() if wanted in one.cites]
        alike = [name for name in MUTANTS if wanted in name]
        names = [wanted] if wanted in MUTANTS else cited or alike
        if not names:
            raise UsageFault(
                f"no mutant is called, or cites, {wanted!r}",
                "without --only every mutant is listed",
            )
        found.update(dict.fromkeys(names))
    return tuple(found)


def run(
    only: Sequence[str] | None = None, progress: Progress | None = None, jobs: int = JOBS
) -> Matrix:
    """Examine every mutant, or those named."""
    names = chosen(only)
    start = time.perf_counter()
    rows: list[Row] = []
    for row in _examined(names, jobs):
        rows.append(row)
        if progress is not None:
            progress(len(rows), len(names), f"mutants: {row.name}")
    return Matrix(tuple(rows), not only, time.perf_counter() - start)


def _examined(names: tuple[str, ...], jobs: int) -> Iterator[Row]:
    if jobs < 2 or len(names) <= FEW:
        yield from map(_examine, names)
        return
    # Fresh processes: a fork of a process with threads is not safe everywhere.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        yield from pool.map(_examine, names)
