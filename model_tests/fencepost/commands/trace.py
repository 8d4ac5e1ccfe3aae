"""`fencepost trace FILE…`: judges recorded traces."""

import traceback
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from fencepost.commands.output import (
    Conclusion,
    Session,
    complain,
    say,
    say_json,
    text_width,
    wants_colour,
)
from fencepost.commands.typed import command
from fencepost.faults import FencepostFault, fault_of
from fencepost.layout import DOT
from fencepost.verdict import Verdict, combine, exit_code, verdict_as_json, verdict_of_fault
from fencepost.verdict_text import head_of, render_text


@command()
def trace(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Recorded traces.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="One line of JSON for each file.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say nothing of traces that conform.")
    ] = False,
) -> Conclusion:
    """Judge recorded traces; of several files the worst exit code counts: 4, 2, 1, 3, then 0.

    Exit codes: 0 conforms, 1 does not conform, 2 bad usage or input, 3 inconclusive, 4 the oracle
    itself failed.
    """
    session = context.find_object(Session) or Session()
    verdicts: list[Verdict] = []
    for file in files:
        verdict = judge(file, session)
        verdicts.append(verdict)
        if as_json:
            say_json(verdict_as_json(verdict))
        elif not quiet or exit_code(verdict) != 0:
            text = render_text(verdict, colour=wants_colour(), width=text_width())
            say(text if len(verdicts) == 1 else f"\n{text}")
    many = len(files) > 1 and not as_json
    last = f"\n{len(files)} traces  {_count(verdicts)}" if many else ""
    return Conclusion(combine(map(exit_code, verdicts)), last)


def judge(file: Path, session: Session) -> Verdict:
    """The verdict on one file; whatever goes wrong with it does not keep us from the others."""
    from fencepost.judging import judge_file

    try:
        return judge_file(file)
    except FencepostFault as fault:
        return verdict_of_fault(fault, str(file))
    except Exception as error:  # noqa: BLE001 - one file's surprise must not hide the next file
        if session.debug:
            complain(traceback.format_exc(), verbatim=True)
        return verdict_of_fault(fault_of(error), str(file))


def _count(verdicts: list[Verdict]) -> str:
    """How many verdicts of each kind there are."""
    counted = Counter(head_of(verdict) for verdict in verdicts)
    return DOT.join(f"{head}: {count}" for head, count in sorted(counted.items()))
