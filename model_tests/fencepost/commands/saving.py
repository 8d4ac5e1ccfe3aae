"""What `--save` writes, or says where there is nothing to write."""

import functools
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import ParamSpec

from fencepost.check_result import CheckResult
from fencepost.commands.files import write_file
from fencepost.commands.output import Conclusion, complain
from fencepost.faults import (
    FencepostFault,
    HarnessFault,
    ParticipantFault,
    TraceFault,
)
from fencepost.trace import TraceReader, write_trace

P = ParamSpec("P")

NOTHING_DONE = "it could not be run before anything was done that could be played again"
GONE = "the run went with the process of the participant"


def says_what_is_not_saved(command: Callable[P, Conclusion]) -> Callable[P, Conclusion]:
    """The command, which says that nothing is saved where the process that could is gone."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> Conclusion:
        try:
            return command(*args, **kwargs)
        except ParticipantFault as fault:
            path = kwargs.get("save")
            if isinstance(path, Path):
                _nothing_to_save(path, GONE if fault.last_actions else NOTHING_DONE)
            raise

    return run


def save(result: CheckResult, path: Path) -> None:
    """Write the failing run once it is known to read back; without one, nothing old stays there."""
    if result.counterexample is None:
        could_run = result.verdict.kind != "harness"
        _nothing_to_save(path, "no failing run" if could_run else NOTHING_DONE)
        return
    written = BytesIO()
    write_trace(written, *result.counterexample)
    try:
        with TraceReader(BytesIO(written.getvalue())) as reader:
            for _ in reader:
                pass
    except TraceFault as fault:
        raise HarnessFault(f"the failing run would not read back: {fault}") from fault
    write_file(path, written.getvalue())


def _nothing_to_save(path: Path, why: str) -> None:
    """Say why there is no failing run, and take the one of an earlier check away."""
    if not path.exists():
        complain(f"nothing to save: {why}, so {path} is not written")
        return
    try:
        with TraceReader(path) as reader:
            ours = reader.header.settings.get("rests") == "reports"
        if ours:
            path.unlink()
    except (FencepostFault, OSError):
        ours = False
    left = "of an earlier check, is removed" if ours else "which no check has saved, stays as it is"
    complain(f"nothing to save: {why}; {path}, {left}")
