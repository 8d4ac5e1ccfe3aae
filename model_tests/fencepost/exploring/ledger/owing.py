"""Each `eventually` of a ledger: to whom something is owed in a state, and what is assumed.

A ledger does nothing by itself, so everything that is assumed is assumed of its controller, as the
specification words it: that it asks, again and again while it may, and never that it is accepted.
"""

from collections.abc import Callable

from fencepost.exploring.ledger.around import around_of, state_of
from fencepost.exploring.ledger.scope import text_of
from fencepost.exploring.small_world import Eventually, Fair, Parts
from fencepost_reference.receipts.ledger.sealing import RETRIED
from fencepost_spec.receipts.ledger.properties import BY_ID


def _finished(parts: Parts) -> frozenset[str]:
    """Executions whose receipt somebody waits for and nothing records, while they are current."""
    state, around = state_of(parts), around_of(parts)
    return frozenset(
        text_of(key)
        for group in state.groups.values()
        for key, attempt in zip(group.executions(), group.current, strict=True)
        if attempt.status in ("dispatched", "sealed")
        and key not in state.owed
        and key in around.finished
        and not around.finished[key].over
    )


def _sent_out(parts: Parts) -> frozenset[str]:
    """Executions that were sent out, and are neither sealed nor followed by the next."""
    return frozenset(
        text_of(key)
        for group in state_of(parts).groups.values()
        for key, attempt in zip(group.executions(), group.current, strict=True)
        if attempt.status in ("dispatched", *RETRIED)
    )


def _owed(parts: Parts) -> frozenset[str]:
    """Executions whose acknowledgement is owed."""
    return frozenset(text_of(key) for key in state_of(parts).owed)


def _held(parts: Parts) -> frozenset[str]:
    """Groups that the ledger owns."""
    return frozenset(state_of(parts).groups)


_PROMISES: tuple[tuple[str, Callable[[Parts], frozenset[str]], tuple[str, ...]], ...] = (
    ("R-LLV-1", _finished, ("seal ", "record ")),
    ("R-LLV-2", _sent_out, ("give up ", "retry ")),
    ("R-LLV-5", _owed, ("release ",)),
    ("R-LLV-15", _held, ("let go ",)),
)
"""Which states owe, and the beginnings of the classes that are assumed of the controller.

That it begins again after a crash, and that names are given back, is assumed by all of them.
"""


def _retried(fair: str, subject: str, parts: Parts) -> bool:
    """A retry that is accepted follows each attempt that is over by the next one."""
    verb, _, group_id = fair.partition(" ")
    group = state_of(parts).groups.get(group_id)
    return (
        verb == "retry"
        and group is not None
        and any(
            text_of(key) == subject and attempt.status in RETRIED
            for key, attempt in zip(group.executions(), group.current, strict=True)
        )
    )


_ENDS = {"R-LLV-2": _retried}
"""What ends a debt, even where a scope cuts it off."""


def promises() -> tuple[Eventually, ...]:
    """Every `eventually` of a ledger."""
    return tuple(
        Eventually(BY_ID[name], pending, _assumes(begins), _ENDS.get(name))
        for name, pending, begins in _PROMISES
    )


def _assumes(begins: tuple[str, ...]) -> Callable[[str], Fair]:
    assumed = (*begins, "restart", "forget ")
    return lambda fair: Fair.WEAK if fair.startswith(assumed) else Fair.NOT
