"""Rules that a step of an agent uses without carrying them: the entries of lists.

A blocker is used where it keeps a prepare from being ready, a field of a receipt where it alone
differs, a cause where it refuses a key, a source of records where a commit takes one from it.
"""

from typing import Any

from fencepost import catalog
from fencepost.evidence import CAUSES
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.counting import counts_of
from fencepost_reference.receipts.state import State
from fencepost_spec.receipts.policy import BLOCKERS, RECEIPT_FIELDS
from fencepost_spec.rule import Rule

_NONE: tuple[Rule, ...] = ()
_CAUSED = {row: tuple(map(catalog.rule, causes)) for row, causes in CAUSES.items()}
_SOURCES = {name: catalog.rule(name) for name in ("R-EXP-1", "R-EXP-2", "R-EXP-3")}
_MARKS = {name: catalog.rule(name) for name in ("R-WAT-1", "R-WAT-2")}


def also_used(before: State, action: Any, step: Step) -> tuple[Rule, ...]:
    """The rules of lists that a step has used."""
    if type(action) is a.Conclude and step.state.fence.phase == "preparing":
        counts = counts_of(before)
        return tuple(blocker.rule for blocker in BLOCKERS if blocker.count(counts))
    found: list[Rule] = []
    for rule in step.rules:
        found += _CAUSED.get(rule.id, ())
        if rule.id == "R-RUN-4":
            found.append(_mark(before, action))
        elif rule.id == "R-FEN-5":
            found += _sources(step.state)
        elif rule.id in ("R-ACK-1", "R-ACK-2", "R-ACK-3"):
            found += _differing(before, action)
    return tuple(found) if found else _NONE


def _mark(before: State, action: Any) -> Rule:
    """Which watermark a run is below: that of an attempt that began, or of one restored from."""
    restored = action.key is not None and action.key.next() in before.pending
    return _MARKS["R-WAT-2" if restored else "R-WAT-1"]


def _sources(after: State) -> list[Rule]:
    """Where the records of a commit that starts are from."""
    found: dict[str, Rule] = {}
    storing = after.fence.storing
    for key, _ in () if storing is None else storing.records:
        execution = after.executions.get(key)
        name = "R-EXP-1"
        if execution is None:
            name = "R-EXP-3"
        elif execution.boundary is None:
            name = "R-EXP-2"
        found[name] = _SOURCES[name]
    return list(found.values())


def _differing(before: State, action: Any) -> list[Rule]:
    """The one field in which a receipt differs from that of a result."""
    found: list[Rule] = []
    for key, receipt in action.request.receipts:
        execution = before.executions.get(key)
        wanted = None if execution is None else execution.receipt
        wanted = wanted or before.history.acknowledged.get(key)
        if wanted is not None:
            fields = [
                field.rule
                for field in RECEIPT_FIELDS
                if getattr(wanted, field.name) != getattr(receipt, field.name)
            ]
            found += fields if len(fields) == 1 else []
    return found
