"""What an action needs of a participant, and what a participant can do in its dialect."""

from fencepost.participant import OPERATIONS, Participant
from fencepost.trace.lines import Call, Fault, Line, Lost, Tick, Work
from fencepost_spec.receipts.dialects import dialect_of


def usable(participant: Participant) -> frozenset[str]:
    """The capabilities of a participant that its dialect knows."""
    operations = dialect_of(participant.version).operations
    others = participant.capabilities - set(OPERATIONS)
    return frozenset(others | (participant.capabilities & operations))


def need_of(line: Line) -> str | None:
    """The capability without which an action cannot be sent, or None when there is none.

    >>> need_of(Work(0, "model_wait_end", "r1", 0, {}, "ok"))
    'model_wait'
    """
    match line:
        case Call(op="run") | Work(event="finish"):
            return None
        case Call():
            return line.op
        case Work():
            return line.event.removesuffix("_begin").removesuffix("_end")
        case Fault(name="fail") if line.detail.get("step") == "admission":
            return "fail_prepare"
        case Fault():
            return "files" if line.name == "copy" else line.name
        case Tick():
            return "time"
        case Lost():
            return "gone"
        case _:
            return None
