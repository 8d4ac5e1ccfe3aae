"""What can go wrong that is no verdict, sorted by who is to blame.

In the order in which a run meets them: the command was asked for something impossible
(`UsageFault`), a trace cannot be read (`TraceFault`), the participant under test could not be run
(`ParticipantFault`), the machine refused what every program needs (`MachineFault`), or our own part
broke (`HarnessFault`). Nothing else leaves the command line. Imports the standard library only.
"""

from typing import NamedTuple


class Raised(NamedTuple):
    """What an adapter raised where nobody awaited it, and its own frames, the innermost last."""

    error: str
    where: tuple[str, ...]


class FencepostFault(Exception):
    """Something that stops a run before it has a verdict; it knows its exit code."""

    exit_code = 4
    # Where it was raised, when that was another process.
    frames: tuple[str, ...] = ()
    # What the adapter had raised in tasks of its own until then.
    beside: tuple[Raised, ...] = ()
    # The last actions before it, where the process that did them is gone.
    last_actions: tuple[str, ...] = ()

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.reason} ({self.hint})" if self.hint else self.reason


class UsageFault(FencepostFault):
    """The command was asked for something that cannot be done; the caller is to blame."""

    exit_code = 2


class TraceFault(FencepostFault):
    """A trace cannot be read; whoever wrote the file is to blame.

    `line_number` counts the lines of the file, the header is line 1; None means the whole file.
    """

    exit_code = 2

    def __init__(
        self,
        line_number: int | None,
        reason: str,
        hint: str = "",
        file: str | None = None,
    ) -> None:
        super().__init__(reason, hint)
        self.line_number = line_number
        self.file = file

    def __str__(self) -> str:
        places = [self.file] if self.file else []
        if self.line_number is not None:
            places.append(f"file line {self.line_number}")
        return f"{', '.join(places)}: {super().__str__()}" if places else super().__str__()


def wrong_line(seq: int, reason: str, hint: str = "") -> TraceFault:
    """The fault of a line that has that `seq`: the header stands before the first."""
    return TraceFault(seq + 1, reason, hint)


class ParticipantFault(FencepostFault):
    """The participant under test, or its adapter, could not be run."""


class MachineFault(FencepostFault):
    """The machine refused what every program needs: a full disk, an output that takes nothing."""


class HarnessFault(FencepostFault):
    """Our own part broke: a mistake of the oracle, never of the participant."""


_OURS = "this is a mistake of fencepost; `fencepost --debug …` shows where it is"


def fault_of(error: BaseException) -> FencepostFault:
    """What left a command, as a fault: what the system refused, and all else as our own mistake."""
    if isinstance(error, FencepostFault):
        return error
    if isinstance(error, OSError) and error.strerror:
        where = "" if error.filename is None else f": {error.filename}"
        fault: FencepostFault = MachineFault(f"{error.strerror}{where}")
    else:
        left = "a command left without a word"
        what = left if isinstance(error, SystemExit) else "an unexpected error"
        fault = HarnessFault(f"{what}: {named(error)}", _OURS)
    fault.__cause__ = error
    return fault


def named(error: BaseException) -> str:
    """An exception in one line, also when it cannot say what it is."""
    kind = type(error).__name__
    try:
        text = str(error).strip().splitlines()
    except BaseException as worse:  # noqa: BLE001 - code of an adapter, and it may do anything
        return f"{kind}, whose text raised {type(worse).__name__}"
    return f"{kind}: {text[0]}" if text else kind


def deed(error: BaseException) -> str:
    """What somebody did who raised this.

    >>> deed(ValueError("no")), deed(SystemExit(0))
    ('raised ValueError: no', 'tried to end the process: SystemExit: 0')
    """
    ends = isinstance(error, SystemExit | KeyboardInterrupt)
    return f"{'tried to end the process:' if ends else 'raised'} {named(error)}"
