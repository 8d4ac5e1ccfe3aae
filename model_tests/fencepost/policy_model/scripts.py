"""What of a trace of a policy model the harness decided, so that it can be played again."""

from collections.abc import Sequence

from fencepost.driven import REST
from fencepost.policy_model.participant import OPERATIONS
from fencepost.replayed import script_with
from fencepost.trace.lines import Call, Fault, Line, Lost, Tick, Work
from fencepost_reference.receipts.policy_model.gate import is_gated
from fencepost_spec.receipts.policy_model.spec import MODEL

_FAULTS = {"release": "hold", "index": "commit", "remove": "copy"}


def is_action(line: Line) -> bool:
    """Whether the harness decides a line, so that its length counts."""
    match line:
        case Work():
            return line.event != "cancel"
        case Lost():
            return line.how != "disconnected"
        case _:
            return isinstance(line, Call | Fault | Tick)


def script_of(lines: Sequence[Line]) -> list[Line]:
    """The actions of a trace, with its points of rest."""
    return script_with(lines, is_action, REST)


def needs_of(line: Line) -> frozenset[str]:
    """The capabilities without which an action cannot be sent.

    >>> sorted(needs_of(Call(0, "pause", "q1", {}, "none")))
    ['auth', 'pause']
    """
    match line:
        case Call():
            needs = {line.op} & set(OPERATIONS)
            needs |= set() if line.auth is None else {"auth"}
            return frozenset(needs | ({"malformed"} if "extra" in (line.request or {}) else set()))
        case Work(event="admit"):
            path = str(line.detail.get("path"))
            return frozenset(() if is_gated(MODEL, path) else {"ungated"})
        case Fault(name="replace"):
            fresh = line.detail.get("ledger") == "fresh"
            return frozenset({"replace", "fresh_ledger"} if fresh else {"replace"})
        case Fault():
            return frozenset({_FAULTS.get(line.name, line.name)})
        case Tick():
            return frozenset({"time"})
        case Lost():
            return frozenset({"gone"})
        case _:
            return frozenset()
