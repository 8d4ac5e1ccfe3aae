"""What a participant shows must be a line that a trace can hold, so that all that is judged can be
saved and read again.

May import: the contract, faults, lines, the writer and the reader of lines.
"""

from typing import Any

from fencepost.faults import FencepostFault, ParticipantFault
from fencepost.participant import Execution
from fencepost.trace.build import build_line
from fencepost.trace.lines import Line, Reply, Report, Returned, Work, is_list, is_object
from fencepost.trace.writer import line_as_json, render_line

_SHOWN = (Reply, Report, Work, Returned)
_LOOKED_AT_MAX = 100_000
"""So many values of a line are looked at for one that is no JSON: a list may hold itself."""


def require_writable(line: Line) -> None:
    """Raise a `ParticipantFault` when a line of the participant cannot be written and read back."""
    if not isinstance(line, _SHOWN):
        return
    try:
        render_line(line)
    except FencepostFault as fault:
        text = f"{_what(line)} holds what JSON cannot hold"
        raise ParticipantFault(text, _alien(line_as_json(line)) or _cause(fault)) from None
    try:
        build_line(line_as_json(line))
    except FencepostFault as fault:
        raise ParticipantFault(f"{_what(line)} cannot be in a trace", fault.reason) from None


def require_identity(execution: Execution) -> None:
    """Raise a `ParticipantFault` when an execution has half an identity, or none that can be."""
    identity: tuple[Any, Any] = (execution.rollout_id, execution.attempt)
    rollout_id, attempt = identity
    if rollout_id is None and attempt is not None:
        raise ParticipantFault(
            f"the execution given to a handler has attempt {attempt!r} and no rollout_id",
            "a run without identity has neither",
        )
    if rollout_id is None:
        return
    if not isinstance(rollout_id, str) or not rollout_id:
        raise ParticipantFault(
            f"the execution given to a handler has rollout_id {rollout_id!r}", "a name is wanted"
        )
    if type(attempt) is not int or attempt < 0:
        raise ParticipantFault(
            f"the execution given to a handler has attempt {attempt!r}",
            "a run with a rollout_id has a number from 0",
        )


def _alien(value: Any) -> str | None:
    """The first value of a type that JSON has not, in words, or None."""
    left: list[Any] = [value]
    for _ in range(_LOOKED_AT_MAX):
        if not left:
            break
        one = left.pop()
        if is_object(one):
            left += reversed(one.values())
        elif is_list(one):
            left += reversed(one)
        elif isinstance(one, tuple):
            return "it holds a tuple, and a tuple is no list: make it one with list()"
        elif one is not None and type(one) not in (bool, int, float, str):
            return f"it holds a value of type {type(one).__name__}"
    return None


def _cause(fault: FencepostFault) -> str:
    """Why it is no JSON, in few words."""
    text = str(fault.__cause__ or fault.reason)
    return "a whole number of too many digits" if "digits" in text else text


def _what(line: Line) -> str:
    match line:
        case Reply():
            return f"the answer of call {line.id}"
        case Report():
            return "report()"
        case Work(event="begin"):
            return "the execution given to a handler"
        case Work():
            return f"what the event {line.event} came to"
        case _:
            return "what an event came to"
