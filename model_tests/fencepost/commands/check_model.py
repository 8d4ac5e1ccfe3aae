"""`fencepost check model`: drives a policy model and judges what it does."""

from pathlib import Path
from typing import Annotated

import typer

from fencepost.commands.check import Asked, Profile, check, run_check
from fencepost.commands.engine import engine
from fencepost.supervised import supervises

__all__ = ["check", "check_model"]


@check.command("model")
@supervises
def check_model(
    context: typer.Context,
    adapter: Annotated[
        str | None,
        typer.Option(metavar="MODULE:FACTORY", help="Whose model; by default the bundled one."),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, metavar="NUMBER", help="The same seed draws the same cases.")
    ] = 0,
    budget: Annotated[
        int | None,
        typer.Option(min=1, metavar="ACTIONS", help="Stop after so many actions."),
    ] = None,
    profile: Annotated[Profile, typer.Option(help="How much is tried.")] = Profile.QUICK,
    xfail: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Known failures, each with its reason.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the shortest failing run there.")
    ] = None,
) -> None:
    """Check a policy model participant of the receipts protocol."""
    asked = Asked("model", adapter, seed, budget, profile, xfail, as_json, save)
    run_check(context, engine("fencepost.policy_model.checking", "check_model"), asked)
