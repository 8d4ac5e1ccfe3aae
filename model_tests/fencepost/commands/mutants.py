"""`fencepost mutants`: runs the kill matrix."""

from collections.abc import Callable
from enum import Enum
from typing import Annotated, Protocol

import attrs
import typer

from fencepost.commands.engine import engine
from fencepost.commands.output import Conclusion, Progress, as_line
from fencepost.commands.typed import command
from fencepost.faults import UsageFault
from fencepost.trace.lines import JsonObject


class Part(Enum):
    """A kind of participant that has mutants."""

    AGENT = "agent"
    LEDGER = "ledger"


class Matrix(Protocol):
    """What the kill matrix must offer to be printed."""

    @property
    def exit_code(self) -> int:
        """0 when every mutant is killed or shown equivalent."""
        ...

    def as_json(self) -> JsonObject:
        """The matrix for programs."""
        ...

    def render_text(self) -> str:
        """The matrix for people."""
        ...


@command()
def mutants(
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="NAME",
            help="Just the mutants of that name, that cite it, or that this rule refuses.",
        ),
    ] = None,
    part: Annotated[Part, typer.Option(help="Whose mutants.")] = Part.AGENT,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> Conclusion:
    """Run the oracle on references that are wrong on purpose, and say which it finds, and how."""
    progress = Progress(silent=as_json)
    try:
        matrix = _PARTS[part](tuple(only or ()), progress)
    finally:
        progress.end()
    text = as_line(matrix.as_json()) if as_json else matrix.render_text()
    return Conclusion(matrix.exit_code, text)


def _examined(only: tuple[str, ...], progress: Progress) -> Matrix:
    """The matrix of those meant. Whom a rule refuses is only known once all have been run."""
    run = engine("fencepost.mutants.matrix", "run")
    chosen = engine("fencepost.mutants.matrix", "chosen")
    refusing = {each for each in only if _is_rule(each) and not _means(chosen, each)}
    if not refusing:
        examined: Matrix = run(only=only, progress=progress)
        return examined
    others = tuple(each for each in only if each not in refusing)
    names = chosen(others) if others else ()
    whole = run(only=(), progress=progress)
    rows = tuple(row for row in whole.rows if row.rule in refusing or row.name in names)
    if not rows:
        raise UsageFault(f"no mutant is called, cites, or is refused by {', '.join(refusing)}")
    part: Matrix = attrs.evolve(whole, rows=rows, whole=False)
    return part


def _is_rule(name: str) -> bool:
    from fencepost.catalog import rules

    return any(each.id == name for each in rules())


def _means(chosen: Callable[[tuple[str, ...]], object], name: str) -> bool:
    try:
        chosen((name,))
    except UsageFault:
        return False
    return True


def _ledgers(only: tuple[str, ...], progress: Progress) -> Matrix:
    """The matrix of the ledger's mutants."""
    matrix: Matrix = engine("fencepost.ledger.mutants.matrix", "run")(only, progress)
    return matrix


_PARTS: dict[Part, Callable[[tuple[str, ...], Progress], Matrix]] = {
    Part.AGENT: _examined,
    Part.LEDGER: _ledgers,
}
"""Who examines the mutants of each part."""
