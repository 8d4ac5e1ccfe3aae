"""The kill matrix: every mutant examined, and what that says of the oracle and of the rules."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

import attrs

from fencepost.faults import HarnessFault, UsageFault
from fencepost.kill_matrix.pages import render_markdown, render_text
from fencepost.kill_matrix.part import MECHANICAL, Examine, Part
from fencepost.kill_matrix.parts import part_named
from fencepost.kill_matrix.pool import in_processes
from fencepost.kill_matrix.row import Row, Status, row_of
from fencepost.kill_matrix.tally import Tally, tally_of
from fencepost.trace.lines import JsonObject

JOBS = 2
FEW = 6
"""So few mutants are examined in this process; starting others would take longer."""

Progress = Callable[[int, int, str], None]

_examiners: dict[str, Examine] = {}
"""What examines, one for each part and process, made when it is first needed."""


def _examined_here(part_name: str, name: str) -> Row:
    """Examine one mutant in whatever process this is."""
    part = part_named(part_name)
    if part_name not in _examiners:
        _examiners[part_name] = part.examiner()
    group, mutant = part.mutants[name]
    try:
        return _examiners[part_name](group, mutant)
    except HarnessFault as fault:
        return row_of(group, mutant, Status.BROKEN, why=str(fault))


@attrs.frozen(slots=False)
class Matrix:
    """What became of every mutant of a part that was asked for."""

    part: Part
    rows: tuple[Row, ...]
    whole: bool
    seconds: float

    @cached_property
    def tally(self) -> Tally:
        """What the rows say together."""
        return tally_of(self.rows, self.part.rules())

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
        return render_text(self.part, self.rows, self.tally, whole=self.whole, seconds=self.seconds)

    def to_markdown(self) -> str:
        """The page of the documentation, without times."""
        return render_markdown(self.part, self.rows, self.tally)

    def to_json(self) -> JsonObject:
        """The matrix for programs."""
        tally = self.tally
        return {
            "part": self.part.name,
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


def chosen(part: Part, only: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of the mutants meant: by name, by part of it, or by what they cite."""
    if not only:
        return tuple(part.mutants)
    found: dict[str, None] = {}
    for wanted in only:
        if not wanted.strip():
            raise UsageFault("an empty name means no mutant", "without --only all are run")
        bare = wanted.removeprefix(f"{part.name}:")
        cited = [name for name, (_, one) in part.mutants.items() if bare in one.cites]
        alike = [name for name in part.mutants if wanted in name]
        names = [wanted] if wanted in part.mutants else cited or alike
        if not names:
            raise UsageFault(
                f"no mutant of the {part.name} is called, or cites, {wanted!r}",
                "without --only every mutant is listed",
            )
        found.update(dict.fromkeys(names))
    return tuple(found)


def mechanical(part: Part) -> tuple[str, ...]:
    """The names of the mutants that follow from the specification."""
    return tuple(one.name for one in part.groups[MECHANICAL])


def run(
    part: Part, only: Sequence[str] = (), progress: Progress | None = None, jobs: int = JOBS
) -> Matrix:
    """Examine every mutant of a part, or those meant."""
    return examine(part, chosen(part, only), progress, jobs, whole=not only)


def examine(
    part: Part,
    names: Sequence[str],
    progress: Progress | None = None,
    jobs: int = JOBS,
    *,
    whole: bool = False,
) -> Matrix:
    """Examine the mutants of those names."""
    start = time.perf_counter()
    rows: list[Row] = []
    for row in _examined(part, names, jobs):
        rows.append(row)
        if progress is not None:
            progress(len(rows), len(names), f"mutants of the {part.name}: {row.name}")
    return Matrix(part, tuple(rows), whole, time.perf_counter() - start)


def _examined(part: Part, names: Sequence[str], jobs: int) -> Iterator[Row]:
    here = partial(_examined_here, part.name)
    if jobs < 2 or len(names) <= FEW:
        yield from map(here, names)
        return
    yield from in_processes(here, names, jobs)
