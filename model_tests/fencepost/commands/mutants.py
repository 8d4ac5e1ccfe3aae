"""`fencepost mutants`: runs the kill matrix of one kind of participant."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import attrs
import typer

from fencepost.commands.engine import engine
from fencepost.commands.output import Conclusion, Progress, as_line, complain
from fencepost.commands.typed import command
from fencepost.faults import UsageFault
from fencepost.kill_matrix.parts import PARTS, all_parts, owners, part_named
from fencepost.naming import unknown

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
            metavar="|".join(PARTS),
            help="Whose mutants: the agent's, if nobody is named and --only names no other's.",
        ),
    ] = None,
    score: Annotated[
        bool,
        typer.Option("--score", help="Count what is noticed of all that can be deleted."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> Conclusion:
    """Run the oracle on references that are wrong on purpose, and say which it finds, and how.

    Exit codes: 0 each is found, or argued to be right; 1 one is not, 2 bad usage, 4 a mutant could
    not be run.
    """
    progress = Progress(silent=as_json)
    if score and only:
        raise UsageFault("a score counts everything", "leave --only away")
    names = tuple(only or ())
    try:
        found = (
            _scored(part, progress) if score else _examined(_whose(part, names), names, progress)
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


def _whose(part: str | None, only: tuple[str, ...]) -> "Part":
    """The part that was named, or the one whose mutants were; a `UsageFault` if it has none."""
    homes = {each: _homes(each) for each in only}
    agreed = [name for name in PARTS if all(name in some for some in homes.values())]
    if part is not None:
        named = part_named(part)
        for each, some in homes.items():
            if part not in some:
                raise _elsewhere(named, each, some)
        return named
    if not agreed:
        raise UsageFault(
            "no part has all of these: "
            + "; ".join(f"{each!r} {_of_parts(some)}" for each, some in homes.items()),
            "ask for one of them at a time",
        )
    if agreed[0] != "agent" and len(agreed) > 1:
        raise UsageFault(
            f"{' and '.join(map(repr, only))} may mean mutants {_of_parts(agreed)}",
            "--part says whose are meant",
        )
    if agreed[0] != "agent":
        complain(f"{' and '.join(map(repr, only))}: mutants {_of_parts(agreed)}")
    return part_named(agreed[0])


def _homes(wanted: str) -> tuple[str, ...]:
    """The parts that a name may mean mutants of, or a `UsageFault` when there is none."""
    from fencepost.catalog import kinds_of

    exact = owners(wanted)
    if exact:
        return exact
    found = tuple(
        part.name
        for part in all_parts()
        if _means(part, wanted) or any(rule.id == wanted for rule in part.rules())
    )
    if not found:
        rule_of = kinds_of(wanted)
        if rule_of:
            raise UsageFault(f"{wanted} is a rule of the {rule_of[0]}, which has no mutants")
        every = (name for part in all_parts() for name in part.mutants)
        raise unknown("mutant", wanted, every, "docs/reference/README.md")
    return found


def _of_parts(parts: Iterable[str]) -> str:
    return f"of the {' or of the '.join(parts)}"


def _elsewhere(part: "Part", wanted: str, homes: tuple[str, ...]) -> UsageFault:
    """The fault of a name that means mutants of others."""
    return UsageFault(
        f"no mutant of the {part.name} is called, cites, or could be refused by {wanted!r}",
        f"there are some {_of_parts(homes)}: --part {' or --part '.join(homes)}",
    )


def _examined(part: "Part", only: tuple[str, ...], progress: Progress) -> "Matrix":
    """The matrix of those meant. Whom a rule refuses is only known once all have been run."""
    run = engine("fencepost.kill_matrix.matrix", "run")
    chosen = engine("fencepost.kill_matrix.matrix", "chosen")
    refusing = {each for each in only if not _means(part, each)}
    if not refusing:
        examined: Matrix = run(part, only, progress)
        return examined
    asked = " or ".join(sorted(refusing))
    every = f"all {len(part.mutants)} mutants of the {part.name} are run"
    complain(f"{every}: only then is known which of them {asked} refuses")
    others = tuple(each for each in only if each not in refusing)
    names = chosen(part, others) if others else ()
    whole: Matrix = run(part, (), progress)
    rows = tuple(row for row in whole.rows if row.rule in refusing or row.name in names)
    if not rows:
        raise UsageFault(f"no mutant is called, cites, or is refused by {asked}")
    return attrs.evolve(whole, rows=rows, whole=False)


def _means(part: "Part", name: str) -> bool:
    try:
        engine("fencepost.kill_matrix.matrix", "chosen")(part, (name,))
    except UsageFault:
        return False
    return True
