"""`fencepost mutants`: runs the kill matrix."""

from typing import Annotated, Protocol

import typer

from fencepost.commands.engine import engine
from fencepost.commands.output import Progress, say, say_json
from fencepost.trace.lines import JsonObject


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


def mutants(
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Just these mutants.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Run the oracle on references that are wrong on purpose, and say which it finds, and how."""
    progress = Progress(silent=as_json)
    run = engine("fencepost.mutants.matrix", "run")
    try:
        matrix: Matrix = run(only=tuple(only or ()), progress=progress)
    finally:
        progress.end()
    if as_json:
        say_json(matrix.as_json())
    else:
        say(matrix.render_text())
    raise typer.Exit(matrix.exit_code)
