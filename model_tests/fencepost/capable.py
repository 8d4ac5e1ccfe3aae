"""What an action needs of a participant, and what a participant can do in its dialect."""

from fencepost.agent import reading
from fencepost.participant import OPERATIONS, Participant
from fencepost.trace.lines import Call, Fault, Line, Lost, Tick, Work
from fencepost_spec.receipts.dialects import dialect_of


def usable(participant: Participant) -> frozenset[str]:
    """The capabilities of a participant that its dialect knows, and those that they bring along."""
    operations = dialect_of(participant.version).operations
    others = participant.capabilities - set(OPERATIONS)
    # Directories that the harness can read it can spoil.
    brought = {"damage"} if "files" in others else set[str]()
    return frozenset(others | (participant.capabilities & operations) | brought)


def needs_of(line: Line) -> frozenset[str]:
    """The capabilities without which an action cannot be sent.

    >>> sorted(needs_of(Work(0, "model_wait_end", "r1", 0, {}, "ok")))
    ['model_wait']
    >>> sorted(needs_of(Call(0, "resume", "q1", {"checkpoint_id": "c1"}, "wrong")))
    ['auth', 'malformed', 'resume']
    """
    match line:
        case Call():
            return _needs_of_call(line)
        case Work(event="finish" | "begin"):
            return frozenset()
        case Work():
            return frozenset({line.event.removesuffix("_begin").removesuffix("_end")})
        case Fault():
            return frozenset({_need_of_fault(line)})
        case Tick():
            return frozenset({"time"})
        case Lost():
            return frozenset({"gone"})
        case _:
            return frozenset()


def _needs_of_call(line: Call) -> frozenset[str]:
    if line.op == "run":
        run = reading.run_action(line)
        if not run.well_formed:
            return frozenset({"malformed"})
        return frozenset({"unidentified"} if run.key is None else ())
    request = reading.call_action(line).request
    needs = {
        line.op: True,
        "auth": not request.authorised,
        "malformed": not request.well_formed,
        # A deadline that has passed already needs no time to pass, but somebody who looks at it.
        "time": request.deadline is not None and request.deadline <= 0,
    }
    return frozenset(name for name, needed in needs.items() if needed)


def _need_of_fault(line: Fault) -> str:
    match line.name:
        case "fail" if line.detail.get("step") == "admission":
            return "fail_prepare"
        case "release":
            return "hold"
        case "copy" | "remove":
            return "files"
        case _:
            return line.name
