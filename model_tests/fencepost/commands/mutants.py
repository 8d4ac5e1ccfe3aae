"""`fencepost mutants`: runs the kill matrix of one kind of participant."""

from typing import TYPE_CHECKING, Annotated

import attrs
import typer

from fencepost.commands.engine import engine
from fencepost.commands.output import Conclusion, Progress, as_line
from fencepost.commands.typed import command
from fencepost.faults import UsageFault
from fencepost.kill_matrix.parts import PARTS, all_parts, part_named

if TYPE_CHECKING:
    from fencepost.kill_matrix.matrix import Matrix
    from fencepost.kill_matrix.part import Part
    from fencepost.kill_matrix.score import Score


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
    part: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(PARTS), help="Whose mutants: the agent's, if nobody is named."
        ),
    ] = None,
    score: Annotated[
        bool,
        typer.Option("--score", help="Count what is noticed of all that can be deleted."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> Conclusion:
    """Run the oracle on references that are wrong on purpose, and say which it finds, and how."""
    progress = Progress(silent=as_json)
    if score and only:
        raise UsageFault("a score counts everything", "leave --only away")
    try:
        found = (
            _scored(part, progress)
            if score
            else _examined(part_named(part or "agent"), tuple(only or ()), progress)
        )
    finally:
        progress.end()
    text = as_line(found.to_json()) if as_json else found.to_text()
    return Conclusion(found.exit_code, text)


def _scored(part: str | None, progress: Progress) -> "Score":
    """The score of a part, or of all."""
    parts = all_parts() if part is None else (part_named(part),)
    scored: Score = engine("fencepost.kill_matrix.score", "score")(parts, progress)
    return scored


def _examined(part: "Part", only: tuple[str, ...], progress: Progress) -> "Matrix":
    """The matrix of those meant. Whom a rule refuses is only known once all have been run."""
    run = engine("fencepost.kill_matrix.matrix", "run")
    chosen = engine("fencepost.kill_matrix.matrix", "chosen")
    refusing = {each for each in only if _is_rule(each) and not _means(part, each)}
    if not refusing:
        examined: Matrix = run(part, only, progress)
        return examined
    others = tuple(each for each in only if each not in refusing)
    names = chosen(part, others) if others else ()
    whole: Matrix = run(part, (), progress)
    rows = tuple(row for row in whole.rows if row.rule in refusing or row.name in names)
    if not rows:
        raise UsageFault(f"no mutant is called, cites, or is refused by {', '.join(refusing)}")
    return attrs.evolve(whole, rows=rows, whole=False)


def _is_rule(name: str) -> bool:
    from fencepost.catalog import rules

    return any(each.id == name for each in rules())


def _means(part: "Part", name: str) -> bool:
    try:
        engine("fencepost.kill_matrix.matrix", "chosen")(part, (name,))
    except UsageFault:
        return False
    return True
