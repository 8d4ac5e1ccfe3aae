"""`fencepost check`: drives a participant and judges what it does."""

from enum import Enum
from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer

from fencepost.check_result import CheckResult, render_result, result_as_json
from fencepost.commands.engine import engine
from fencepost.commands.output import (
    Progress,
    Session,
    complain,
    say,
    say_json,
    text_width,
    wants_colour,
)
from fencepost.faults import FencepostFault, HarnessFault, TraceFault, UsageFault
from fencepost.loading import load_factory
from fencepost.profiles import PROFILES
from fencepost.supervised import supervises, take_back_streams
from fencepost.trace import TraceReader, write_trace
from fencepost.xfail import KnownFailure, read_known_failures

check = typer.Typer(no_args_is_help=True, help="Drive a participant and judge what it does.")


class Profile(Enum):
    """How much is tried."""

    QUICK = "quick"
    LONG = "long"


_SIZES = "; ".join(f"{name}: {size}" for name, size in PROFILES.items())


@check.callback()
def _participants() -> None:
    """Drive a participant and judge what it does."""


@check.command("agent")
@supervises
def check_agent(
    context: typer.Context,
    adapter: Annotated[
        str | None,
        typer.Option(metavar="MODULE:FACTORY", help="Whose agent; by default the bundled one."),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="NUMBER",
            help="The same seed draws the same cases, as many as the time allows.",
        ),
    ] = 0,
    budget: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="ACTIONS",
            show_default="that of the profile",
            help="Stop after so many actions.",
        ),
    ] = None,
    profile: Annotated[Profile, typer.Option(help=f"How much is tried. {_SIZES}.")] = Profile.QUICK,
    xfail: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Known failures, each with its reason.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the shortest failing run there.")
    ] = None,
) -> None:
    """Check an agent participant of the receipts protocol."""
    factory = load_factory(adapter)
    known = _known_failures(xfail)
    progress = Progress(silent=as_json)
    run = engine("fencepost.checking", "check_agent")
    try:
        result: CheckResult = run(
            adapter=factory,
            seed=seed,
            budget=budget,
            profile=profile.value,
            xfail=known,
            progress=progress,
            options=_options(adapter, seed, profile, budget, xfail, save),
        )
    finally:
        take_back_streams()
        progress.end()
    if result.traceback and (context.find_object(Session) or Session()).debug:
        complain(result.traceback, verbatim=True)
    if save is not None:
        _save(result, save)
    if as_json:
        say_json(result_as_json(result))
    else:
        say(render_result(result, colour=wants_colour(), width=text_width()))
    raise typer.Exit(result.exit_code)


def _options(
    adapter: str | None,
    seed: int,
    profile: Profile,
    budget: int | None,
    xfail: Path | None,
    save: Path | None,
) -> object:
    """What was typed, for the line that says how to see a failure again."""
    from fencepost.explaining import Options

    paths = (None if path is None else str(path) for path in (xfail, save))
    return Options(adapter, seed, profile.value, budget, *paths)


def _known_failures(path: Path | None) -> tuple[KnownFailure, ...]:
    if path is None:
        return ()
    from fencepost.catalog import rules

    return read_known_failures(path, {each.id: each for each in rules()})


def _save(result: CheckResult, path: Path) -> None:
    """Write the failing run once it is known to read back; without one, nothing old stays there."""
    if result.counterexample is None:
        _nothing_to_save(path)
        return
    written = BytesIO()
    write_trace(written, *result.counterexample)
    try:
        with TraceReader(BytesIO(written.getvalue())) as reader:
            for _ in reader:
                pass
    except TraceFault as fault:
        raise HarnessFault(f"the failing run would not read back: {fault}") from fault
    try:
        path.write_bytes(written.getvalue())
    except OSError as error:
        raise UsageFault(f"cannot write {path}: {error.strerror}") from None


def _nothing_to_save(path: Path) -> None:
    """Say that there is no failing run, and take the one of an earlier check away."""
    if not path.exists():
        complain(f"nothing to save: no failing run, so {path} is not written")
        return
    try:
        with TraceReader(path) as reader:
            ours = reader.header.settings.get("rests") == "reports"
        if ours:
            path.unlink()
    except (FencepostFault, OSError):
        ours = False
    left = "of an earlier check, is removed" if ours else "which no check has saved, stays as it is"
    complain(f"nothing to save: no failing run; {path}, {left}")
