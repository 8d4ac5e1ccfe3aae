"""What a controller may do by itself, in a stable order, each with the rule that asks for it."""

from fencepost_reference.model import Own
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller import (
    asking,
    attempts,
    dispatching,
    outbox,
    publishing,
)
from fencepost_reference.receipts.controller.book import status_of
from fencepost_reference.receipts.controller.said import MODEL
from fencepost_reference.receipts.controller.state import Fleet, State
from fencepost_spec.receipts.controller.policy import DECISIONS
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.rule import Rule
from fencepost_spec.table import Table
from fencepost_spec.vocabulary import Key

_BY_SWITCH = {one.switch: one.rule for one in DECISIONS}


def _row(table: Table, state: str, event: str) -> Rule:
    return table.candidates(state, event)[0].rule


_REGISTERS = _row(CONTROLLER.fence, "unfrozen", "batch_registered")
_CAPTURES = _row(CONTROLLER.publication, "committed", "capture_called")
_CONCLUDES = _row(CONTROLLER.publication, "published", "concluded")
_RECEIPTS = _row(CONTROLLER.attempt, "finished", "receipt_asked")
_RETIRES = _row(CONTROLLER.attempt, "lost", "retire_sent")
_ADOPTS = _row(CONTROLLER.attempt, "kept", "run_sent")
_WRITES = _row(CONTROLLER.publication, "captured", "sidecars_written")
_ROUNDS = {
    "resume": _BY_SWITCH["release"],
    "commit": _row(CONTROLLER.transaction, "prepared", "commit_called"),
    "restore": _row(CONTROLLER.transaction, "restoring", "restore_finished"),
    "retire": _BY_SWITCH["sessions"],
    asking.DISCARD: _BY_SWITCH["orphans"],
}
_PREPARES = _row(CONTROLLER.transaction, "idle", "prepare_called")
_OF_ATTEMPT = {"completion-receipt": _RECEIPTS, "retire": _RETIRES, "run": _ADOPTS}


def own(spec: ControllerSpec, fleet: Fleet, state: State) -> tuple[Own, ...]:
    """Everything that may be done now."""
    found: list[Own] = []
    batches = dispatching.registrations(spec, state)
    found += [Own(a.Register(keys), keys[0], True, _REGISTERS) for keys in batches]
    for key in sorted(state.works):
        due = attempts.due_call(spec, state, key)
        if due is not None:
            found.append(Own(due[0], key, True, _OF_ATTEMPT[due[0].op]))
    late = unrecorded(spec, state)
    found += [Own(a.Record(key), key, True, _BY_SWITCH["recording"], hidden=True) for key in late]
    owed = outbox.due_calls(spec, state)
    found += [Own(call, call.call, True, _BY_SWITCH["removal"]) for call in owed]
    for group in state.ledger.ordered():
        if group.status == "ready_to_finalize":
            name = group.group_id
            found.append(Own(a.Finalize(name), name, True, _REGISTERS))
    found += _own_round(spec, fleet, state)
    return tuple(found)


def _own_round(spec: ControllerSpec, fleet: Fleet, state: State) -> list[Own]:
    found: list[Own] = []
    current = state.round
    if current is None:
        return found
    for call in asking.due_calls(spec, fleet, state):
        # A model that drains is asked again and again: that is no debt at rest.
        again = call.place.kind == MODEL and call.place in current.pending
        rule = _ROUNDS.get(call.op, _PREPARES)
        found.append(Own(call, call.call, not again, rule))
    if publishing.may_capture(state):
        found.append(Own(a.Capture(), "snapshot", True, _CAPTURES, hidden=True))
    step = publishing.due_step(state)
    if step is not None:
        found.append(Own(step, "snapshot", True, _WRITES))
    if publishing.may_conclude(state):
        found.append(Own(a.Conclude(), "snapshot", True, _CONCLUDES, hidden=not current.saves))
    return found


def unrecorded(spec: ControllerSpec, state: State) -> tuple[Key, ...]:
    """Sealed siblings whose acknowledgement a careless controller has still to record."""
    if spec.policy.recording == "with_the_seal":
        return ()
    return tuple(
        key
        for key in sorted(state.works)
        if state.works[key].status == "taken"
        and key not in state.ledger.owed
        and status_of(state.ledger, key) == "sealed"
    )
