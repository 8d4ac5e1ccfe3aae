"""`fencepost check`: drives a participant and judges what it does."""

from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer

from fencepost.check_result import CheckResult, render_result, result_as_json, result_of_fault
from fencepost.commands.engine import engine
from fencepost.commands.files import must_be_writable
from fencepost.commands.output import (
    Conclusion,
    Progress,
    Session,
    as_line,
    complain,
    text_width,
    wants_colour,
)
from fencepost.commands.saved import save
from fencepost.commands.typed import Unable, command
from fencepost.faults import FencepostFault
from fencepost.loading import load_factory
from fencepost.profiles import PROFILES
from fencepost.supervised import supervises, take_back_streams
from fencepost.trace.lines import JsonObject
from fencepost.xfail import read_known_failures

check = typer.Typer(no_args_is_help=True)


class Profile(Enum):
    """How much is tried."""

    QUICK = "quick"
    LONG = "long"


class Protocol(Enum):
    """Which protocol is spoken."""

    RECEIPTS = "receipts"


_SIZES = "; ".join(f"{name}: {size}" for name, size in PROFILES.items())


Seed = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="NUMBER",
        help="The same seed draws the same cases, as many as the time allows.",
    ),
]
Budget = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="ACTIONS",
        show_default="that of the profile",
        help="Stop after so many actions.",
    ),
]
Xfail = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Known failures, each with its reason.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
Save = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the shortest failing run there.")
]
Tried = Annotated[Profile, typer.Option(help=f"How much is tried. {_SIZES}.")]
"""What every check may be given, beside its adapter."""


def adapter_option(whose: str) -> typer.models.OptionInfo:
    """The option that names somebody's own participant."""
    text = f"Whose {whose}; by default the bundled one."
    option: typer.models.OptionInfo = typer.Option(metavar="MODULE:FACTORY", help=text)
    return option


@attrs.frozen
class Asked:
    """What was typed after `fencepost check`, for a participant of that kind."""

    kind: str
    adapter: str | None
    seed: int
    budget: int | None
    profile: Profile
    xfail: Path | None
    as_json: bool
    save: Path | None


@check.callback()
def _participants() -> None:
    """Drive a participant and judge what it does.

    Exit codes: 0 conforms, 1 does not conform or the list of known failures is out of date, 2 bad
    usage, 3 inconclusive, 4 the harness or the participant could not run.
    """


def _unable(kind: str) -> Unable:
    """What a check of that kind says in JSON when a fault kept it from its verdict."""

    def told(fault: FencepostFault, arguments: Mapping[str, Any]) -> JsonObject:
        from fencepost.catalog import must_rules

        musts = len(must_rules(kind))
        name, profile = arguments["adapter"] or kind, arguments["profile"].value
        return result_as_json(result_of_fault(fault, name, arguments["seed"], profile, musts))

    return told


@check.command("agent")
@command(_unable("agent"))
@supervises
def check_agent(
    context: typer.Context,
    adapter: Annotated[str | None, adapter_option("agent")] = None,
    seed: Seed = 0,
    budget: Budget = None,
    profile: Tried = Profile.QUICK,
    xfail: Xfail = None,
    as_json: AsJson = False,
    save: Save = None,
) -> Conclusion:
    """Check an agent participant of the receipts protocol.

    Exit codes: 0 conforms, 1 does not conform or the list of known failures is out of date, 2 bad
    usage, 3 inconclusive, 4 the harness or the participant could not run.
    """
    asked = Asked("agent", adapter, seed, budget, profile, xfail, as_json, save)
    return run_check(context, engine("fencepost.checking", "check_agent"), asked)


@check.command("ledger")
@command(_unable("ledger"))
@supervises
def check_ledger(
    context: typer.Context,
    adapter: Annotated[str | None, adapter_option("ledger")] = None,
    seed: Seed = 0,
    budget: Budget = None,
    profile: Tried = Profile.QUICK,
    xfail: Xfail = None,
    as_json: AsJson = False,
    save: Save = None,
) -> Conclusion:
    """Check a recovery ledger of the receipts protocol.

    Exit codes: 0 conforms, 1 does not conform or the list of known failures is out of date, 2 bad
    usage, 3 inconclusive, 4 the harness or the participant could not run.
    """
    asked = Asked("ledger", adapter, seed, budget, profile, xfail, as_json, save)
    return run_check(context, engine("fencepost.ledger.checking", "check_ledger"), asked)


@check.command("model")
@command(_unable("model"))
@supervises
def check_model(
    context: typer.Context,
    adapter: Annotated[str | None, adapter_option("model")] = None,
    seed: Seed = 0,
    budget: Budget = None,
    profile: Tried = Profile.QUICK,
    xfail: Xfail = None,
    as_json: AsJson = False,
    save: Save = None,
) -> Conclusion:
    """Check a policy model participant of the receipts protocol.

    Exit codes: 0 conforms, 1 does not conform or the list of known failures is out of date, 2 bad
    usage, 3 inconclusive, 4 the harness or the participant could not run.
    """
    asked = Asked("model", adapter, seed, budget, profile, xfail, as_json, save)
    return run_check(context, engine("fencepost.policy_model.checking", "check_model"), asked)


@check.command("resources")
@command(_unable("resources"))
@supervises
def check_resources(
    context: typer.Context,
    adapter: Annotated[str | None, adapter_option("server")] = None,
    seed: Seed = 0,
    budget: Budget = None,
    profile: Tried = Profile.QUICK,
    xfail: Xfail = None,
    as_json: AsJson = False,
    save: Save = None,
) -> Conclusion:
    """Check a resources server of the receipts protocol.

    Exit codes: 0 conforms, 1 does not conform or the list of known failures is out of date, 2 bad
    usage, 3 inconclusive, 4 the harness or the participant could not run.
    """
    asked = Asked("resources", adapter, seed, budget, profile, xfail, as_json, save)
    return run_check(context, engine("fencepost.resources.checking", "check_resources"), asked)


@check.command("controller", short_help="Check a controller, by the calls that it makes.")
@command(_unable("controller"))
@supervises
def check_controller(
    context: typer.Context,
    protocol: Annotated[Protocol, typer.Option(help="Which protocol it speaks.")] = (
        Protocol.RECEIPTS
    ),
    adapter: Annotated[str | None, adapter_option("controller")] = None,
    seed: Seed = 0,
    budget: Budget = None,
    profile: Tried = Profile.QUICK,
    xfail: Xfail = None,
    as_json: AsJson = False,
    save: Save = None,
) -> Conclusion:
    """Check a controller, by the calls that it makes to our participants.

    Exit codes: 0 conforms, 1 does not conform or the list of known failures is out of date, 2 bad
    usage, 3 inconclusive, 4 the harness or the participant could not run.
    """
    assert protocol is Protocol.RECEIPTS  # There is no other yet.
    asked = Asked("controller", adapter, seed, budget, profile, xfail, as_json, save)
    return run_check(context, engine("fencepost.controller.checking", "check_controller"), asked)


def run_check(context: typer.Context, run: Callable[..., CheckResult], asked: Asked) -> Conclusion:
    """Run a check, show and keep what it finds, and say how it ends."""
    if asked.save is not None:
        must_be_writable(asked.save)
    factory = load_factory(asked.adapter)
    known = () if asked.xfail is None else read_known_failures(asked.xfail, asked.kind)
    progress = Progress(silent=asked.as_json)
    try:
        result = run(
            adapter=factory,
            seed=asked.seed,
            budget=asked.budget,
            profile=asked.profile.value,
            xfail=known,
            progress=progress,
            options=_options(asked),
        )
    finally:
        take_back_streams()
        progress.end()
    if result.traceback and (context.find_object(Session) or Session()).debug:
        complain(result.traceback, verbatim=True)
    if asked.save is not None:
        save(result, asked.save)
    if asked.as_json:
        return Conclusion(result.exit_code, as_line(result_as_json(result)))
    text = render_result(result, colour=wants_colour(), width=text_width())
    return Conclusion(result.exit_code, text)


def _options(asked: Asked) -> object:
    """What was typed, for the line that says how to see a failure again."""
    from fencepost.explaining import Options

    xfail, save = (None if path is None else str(path) for path in (asked.xfail, asked.save))
    profile = asked.profile.value
    return Options(asked.adapter, asked.seed, profile, asked.budget, xfail, save, asked.kind)
