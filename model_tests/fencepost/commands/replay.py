"""`fencepost replay FILE`: runs the actions of a trace again on a participant."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from fencepost.blame import frames_of, traceback_of
from fencepost.commands.engine import engine
from fencepost.commands.output import (
    Conclusion,
    Session,
    as_line,
    complain,
    text_width,
    wants_colour,
)
from fencepost.commands.typed import command
from fencepost.faults import FencepostFault
from fencepost.loading import load_factory
from fencepost.supervised import supervises, take_back_streams
from fencepost.trace.lines import JsonObject
from fencepost.verdict import (
    Verdict,
    exit_code,
    raised_as_json,
    verdict_as_json,
    verdict_of_fault,
)
from fencepost.verdict_text import raised_rows, render_text


def _unable(fault: FencepostFault, arguments: Mapping[str, Any]) -> JsonObject:
    return _as_json(verdict_of_fault(fault, str(arguments["file"])), frames_of(fault))


@command(_unable)
@supervises
def replay(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A trace.")],
    adapter: Annotated[
        str | None,
        typer.Option(metavar="MODULE:FACTORY", help="Who runs it; by default the bundled agent."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
) -> Conclusion:
    """Send a trace's calls, work, faults and ticks to a participant and judge what comes back.

    Exit codes: 0 conforms, 1 does not conform, 2 bad usage or input, 3 inconclusive, 4 the harness
    or the participant could not run.
    """
    factory = load_factory(adapter)
    where: tuple[str, ...] = ()
    replay_file = engine("fencepost.replay", "replay_file")
    try:
        verdict: Verdict = replay_file(file, factory)
    except FencepostFault as fault:
        take_back_streams()
        verdict, where = verdict_of_fault(fault, str(file)), frames_of(fault)
        if (context.find_object(Session) or Session()).debug:
            complain(traceback_of(fault), verbatim=True)
    take_back_streams()
    if as_json:
        told = _as_json(verdict, where) | {"not_sent": list(verdict.not_sent)}
        return Conclusion(exit_code(verdict), as_line(told))
    text = render_text(verdict, colour=wants_colour(), width=text_width())
    return Conclusion(exit_code(verdict), "\n".join([text, *raised_rows(where, text_width())]))


def _as_json(verdict: Verdict, where: tuple[str, ...]) -> JsonObject:
    told = {"where": list(where), "raised": raised_as_json(verdict)}
    return verdict_as_json(verdict) | told
