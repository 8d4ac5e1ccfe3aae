"""The kill matrix of the ledger: every mutant examined, and by which rule it is refused."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import attrs

from fencepost.catalog import rules_of
from fencepost.faults import UsageFault
from fencepost.layout import DOT, render_list, render_row
from fencepost.ledger.checking import script_line
from fencepost.ledger.mutants.argued import EQUIVALENT, UNBROKEN
from fencepost.ledger.mutants.mechanical import mechanical
from fencepost.ledger.mutants.mutant import LedgerMutant
from fencepost.ledger.mutants.named import named
from fencepost.ledger.mutants.search import (
    Found,
    Search,
    promises_broken,
    refuted,
    rule_of,
    shortest,
)
from fencepost.ledger.telling import told
from fencepost.ledger.wording import step_texts
from fencepost.report.markdown import render_page, render_table
from fencepost.trace.lines import JsonObject
from fencepost_spec.rule import Level

Progress = Callable[[int, int, str], None]
KILLED, SAME, SURVIVED = "killed", "equivalent", "SURVIVED"


@attrs.frozen
class Row:
    """What became of one mutant."""

    name: str
    says: str
    cites: tuple[str, ...]
    mechanical: bool
    status: str
    rule: str | None = None
    actions: int = 0
    sequence: tuple[str, ...] = ()
    promises: tuple[str, ...] = ()
    places: int = 0
    why: str = ""

    @property
    def pinned(self) -> dict[str, object]:
        """What the lock holds of it."""
        return {"status": self.status, "rule": self.rule, "actions": self.actions}


@cache
def mutants() -> Mapping[str, LedgerMutant]:
    """Every mutant by its name; no name comes twice."""
    listed = [*named(), *mechanical()]
    found = {one.name: one for one in listed}
    assert len(found) == len(listed), "two mutants of one name"
    return found


def chosen(only: Sequence[str]) -> tuple[str, ...]:
    """The names of the mutants meant: by name, by part of it, or by what they cite."""
    names: dict[str, None] = {}
    for wanted in only:
        bare = wanted.removeprefix("ledger:")
        found = [one.name for one in mutants().values() if bare in one.cites]
        found = found or [name for name in mutants() if wanted in name]
        if not found:
            raise UsageFault(f"no mutant of the ledger is called, or cites, {wanted!r}")
        names.update(dict.fromkeys(found))
    return tuple(names) or tuple(mutants())


@cache
def _search() -> Search:
    return Search()


def examine(name: str) -> Row:
    """What becomes of one mutant."""
    mutant = mutants()[name]
    row = Row(mutant.name, mutant.says, mutant.cites, mutant.mechanical, SURVIVED)
    found = Found(None, 0) if _lacks(mutant) else _search().difference(mutant)
    played = None if found.calls is None else refuted(mutant, found.calls)
    if found.calls is None:
        # A ledger that lacks an operation is never asked for it; what it lacks shows as a stall.
        cases = ([script_line(action) for action in case] for case in told())
        for case in cases if _lacks(mutant) else ():
            can = [line for line in case if getattr(line, "op", None) in (None, *_has(mutant))]
            played = shortest(mutant, can)
            if played is not None:
                break
    if played is not None and rule_of(played) is not None:
        texts = tuple(step_texts(played.script))
        return attrs.evolve(
            row,
            status=KILLED,
            rule=rule_of(played),
            actions=played.actions,
            sequence=texts,
            promises=promises_broken(mutant.core, found.calls or ()),
        )
    row = attrs.evolve(row, places=found.places)
    if found.calls is None and name in EQUIVALENT:
        return attrs.evolve(row, status=SAME, why=EQUIVALENT[name])
    return row


def _has(mutant: LedgerMutant) -> frozenset[str]:
    return frozenset(mutant.core.spec.operations)


def _lacks(mutant: LedgerMutant) -> bool:
    return len(_has(mutant)) < len(mutant.core.planners)


@attrs.frozen
class Matrix:
    """What became of every mutant that was asked for."""

    rows: tuple[Row, ...]
    whole: bool
    seconds: float

    @property
    def exit_code(self) -> int:
        """0 when every mutant is refused, shown equivalent or argued."""
        return 1 if any(row.status == SURVIVED for row in self.rows) else 0

    def count(self, status: str) -> int:
        """How many mutants ended so."""
        return sum(row.status == status for row in self.rows)

    def unbroken(self) -> tuple[str, ...]:
        """The rules that no mutant breaks: neither named nor cited where one is refused."""
        killed = [row for row in self.rows if row.status == KILLED]
        met = {row.rule for row in killed} | {cited for row in killed for cited in row.cites}
        met |= {promise for row in killed for promise in row.promises}
        rules = (one for one in rules_of("ledger") if one.level is not Level.INFO)
        return tuple(one.id for one in rules if one.id not in met)

    def lock(self) -> dict[str, dict[str, object]]:
        """What is pinned of each mutant."""
        return {row.name: row.pinned for row in self.rows}

    def as_json(self) -> JsonObject:
        """The matrix for programs."""
        return {
            "part": "ledger",
            "mutants": [attrs.asdict(row) for row in self.rows],
            "whole": self.whole,
            "rules_unbroken": list(self.unbroken()) if self.whole else [],
            "seconds": round(self.seconds, 1),
            "exit_code": self.exit_code,
        }

    def render_text(self) -> str:
        """The matrix for people: what survived first."""
        lines = [
            render_row(row.status, f"{row.name}: {row.says}")
            for row in self.rows
            if row.status == SURVIVED
        ]
        differing = len(self.rows) - self.count(SAME)
        lines += [
            render_row("killed", f"{self.count(KILLED)} of {differing} mutants that differ"),
            render_row("equivalent", f"{self.count(SAME)}, no call shows a difference"),
            render_row("time", f"{self.seconds:.0f} s in all"),
        ]
        if self.whole:
            lines += [render_row(f"  {one}", UNBROKEN.get(one, "NOBODY SAYS WHY"))
                      for one in self.unbroken()]  # fmt: skip
        for row in self.rows:
            lines.append(render_row(row.rule or row.status, row.name))
            told = row.sequence or (row.why or row.says,)
            lines.append(render_list("", told))
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """The page of the documentation, without times."""
        killed = [row for row in self.rows if row.status == KILLED]
        return render_page(
            "Mutants of the recovery ledger",
            f"{len(self.rows)} ledgers that are wrong on purpose. {len(killed)} are refused, "
            f"{self.count(SAME)} do nothing otherwise.\n"
            "`fencepost mutants --part ledger` runs them.",
            "## Thought of",
            _killed_table([row for row in killed if not row.mechanical]),
            "## Mechanical: one thing of the specification deleted",
            _killed_table([row for row in killed if row.mechanical]),
            "## Not refused",
            render_table(
                ("mutant", "what became of it", "why"),
                ((row.name, row.status, row.why) for row in self.rows if row.status != KILLED),
            ),
            "## Rules that no mutant breaks",
            render_table(
                ("rule", "why"),
                ((one, UNBROKEN.get(one, "**nobody says why**")) for one in self.unbroken()),
            ),
        )


def _killed_table(rows: list[Row]) -> str:
    return render_table(
        ("mutant", "stands for", "refused by", "actions", "shortest sequence"),
        (
            (row.name, ", ".join(row.cites), row.rule or "", str(row.actions),
             DOT.join(row.sequence))
            for row in rows
        ),
    )  # fmt: skip


def run(only: Sequence[str] = (), progress: Progress | None = None) -> Matrix:
    """Examine every mutant, or those named."""
    names, start = chosen(only), time.perf_counter()
    rows: list[Row] = []
    for name in names:
        rows.append(examine(name))
        if progress is not None:
            progress(len(rows), len(names), f"mutants: {name}")
    return Matrix(tuple(rows), not only, time.perf_counter() - start)
