"""`--save` of a check: the shortest failing run as a trace, and nothing old in its place."""

from io import BytesIO
from pathlib import Path

from fencepost.check_result import CheckResult
from fencepost.commands.files import write_file
from fencepost.commands.output import complain
from fencepost.faults import FencepostFault, HarnessFault, TraceFault
from fencepost.trace import TraceReader, write_trace


def save(result: CheckResult, path: Path) -> None:
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
    write_file(path, written.getvalue())


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
