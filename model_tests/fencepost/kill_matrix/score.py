"""The score: of everything that can be deleted from the specification, how much is noticed."""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from fencepost.kill_matrix.deletable import EFFECT, KINDS, deleted
from fencepost.kill_matrix.matrix import Matrix, Progress, examine, mechanical
from fencepost.kill_matrix.part import MECHANICAL, Part
from fencepost.kill_matrix.row import Status
from fencepost.layout import render_row
from fencepost.report.markdown import render_table
from fencepost.trace.lines import JsonObject

NOTICE = "<!-- Rendered by the test of the score with REWRITE=1; changes made here are lost. -->"


@attrs.frozen
class Survivor:
    """A deletion that nothing notices, why that is right, and the page that says where it was seen.

    What is equivalent was compared with the intact participant wherever that page says.
    """

    name: str
    status: str
    why: str
    page: str

    @property
    def cell(self) -> str:
        """Why that is right, for the page."""
        if self.status != Status.EQUIVALENT.value:
            return self.why
        return f"{self.why}; [the places]({self.page}) where it was compared"


@attrs.frozen
class Count:
    """The deletions of one kind in one part."""

    part: str
    kind: str
    killed: int
    generated: int
    survivors: tuple[Survivor, ...]

    @property
    def excused(self) -> int:
        """How many are shown equivalent."""
        return sum(one.status == Status.EQUIVALENT.value for one in self.survivors)


def counts_of(part: Part, statuses: Mapping[str, str]) -> tuple[Count, ...]:
    """The deletions of a part by kind, given what became of each mutant."""
    kinds: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for mutant in part.groups[MECHANICAL]:
        item = deleted(part.intact, part.spec_of(mutant))
        # Where the specification is whole, what an operation does is gone.
        kinds[EFFECT if item is None else item.kind].append(mutant.name)
    return tuple(
        Count(
            part.name,
            kind,
            sum(statuses[name] == Status.KILLED.value for name in names),
            len(names),
            tuple(Survivor(name, statuses[name], part.arguments.get(name, ""), part.page)
                  for name in names if statuses[name] != Status.KILLED.value),
        )
        for kind, names in kinds.items()
        if names
    )  # fmt: skip


@attrs.frozen
class Score:
    """What was noticed in each part."""

    counts: tuple[Count, ...]
    exit_code: int = 0

    @property
    def totals(self) -> tuple[int, int, int]:
        """Killed, generated, and shown equivalent."""
        return (
            sum(one.killed for one in self.counts),
            sum(one.generated for one in self.counts),
            sum(one.excused for one in self.counts),
        )

    def to_text(self) -> str:
        """The score for people: in all, then by part and kind, then what nothing notices."""
        killed, generated, excused = self.totals
        lines = [render_row("killed", f"{killed} of {generated}, {excused} shown equivalent")]
        lines += [
            render_row(one.part, f"{one.killed} of {one.generated}: {one.kind}")
            for one in self.counts
        ]
        for one in self.counts:
            lines += [
                render_row(each.status, f"{one.part}: {each.name}: {each.why}")
                for each in one.survivors
            ]
        return "\n".join(lines)

    def to_json(self) -> JsonObject:
        """The score for programs."""
        killed, generated, excused = self.totals
        listed = [attrs.asdict(one) for one in self.counts]
        return {
            "killed": killed,
            "generated": generated,
            "equivalent": excused,
            "counts": listed,
            "exit_code": self.exit_code,
        }

    def to_markdown(self) -> str:
        """The page of the documentation."""
        return "\n\n".join(self._markdown()) + "\n"

    def _markdown(self) -> Iterator[str]:
        killed, generated, excused = self.totals
        yield "# Score"
        yield NOTICE
        yield (
            f"Each mutant here is the specification with one thing deleted. Of {generated}, "
            f"{killed} are refused by a rule, {excused} do nothing otherwise wherever they were "
            f"walked, and {generated - killed - excused} differ in what the rules leave open. Each "
            "of these is argued below.\n"
            "`fencepost mutants --score` makes and runs them again; a law finds everything that "
            "can be deleted in the specification itself, and holds the mutants to it."
        )
        head = ("part", "what is deleted", "generated", "killed", "equivalent", "argued")
        yield render_table(head, (_cells(one) for one in self.counts))
        yield (
            "Of a controller two things are counted: what its [charts](controller.md) hold, and "
            "the checks of the [referee](referee.md) that judges it."
        )
        yield "## What nothing notices"
        yield render_table(
            ("part", "mutant", "what became of it", "why that is right"),
            (
                (one.part, each.name, each.status, each.cell)
                for one in self.counts
                for each in one.survivors
            ),
        )


def _cells(one: Count) -> Sequence[str]:
    argued = len(one.survivors) - one.excused
    numbers = (one.generated, one.killed, one.excused, argued)
    return (one.part, one.kind, *map(str, numbers))


def score(parts: Sequence[Part], progress: Progress | None = None) -> Score:
    """Make and run the mechanical mutants of some parts."""
    counts: list[Count] = []
    code = 0
    for part in parts:
        found: Matrix = examine(part, mechanical(part), progress)
        counts += counts_of(part, {row.name: row.status.value for row in found.rows})
        code = max(code, found.exit_code)
    return Score(tuple(counts), code)
