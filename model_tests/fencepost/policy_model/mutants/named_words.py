"""Faults that show on some values only: a path, a reason, a length, a name that is like another."""

from collections.abc import Callable
from typing import Any

import attrs
from immutables import Map

from fencepost.policy_model.mutants.mutant import ModelMutant, faulty
from fencepost_reference.model import Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore, Transition
from fencepost_reference.receipts.policy_model.state import Row, State
from fencepost_spec.receipts.policy_model.policy import GATED
from fencepost_spec.receipts.policy_model.spec import ModelSpec
from fencepost_spec.vocabulary import Key

ROWS_KEPT = 6
CALLS_COUNTED = 4
KEYS_KEPT = 2
IDS_KEPT = 3
CUT = 8
_LONG_WAIT = 2_000_000
_FREE = "/v1/models"


def _reads(kind: type, changed: Callable[[Any], Any]) -> ModelCore:
    """A core that reads an action otherwise."""

    def takes(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        return right(spec, state, changed(action))

    return faulty({kind: takes})


def _leaves(kind: type, changed: Callable[[State], State]) -> ModelCore:
    """A core that loses something of the state after an action."""

    def takes(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        step = right(spec, state, action)
        return Step(changed(step.state), step.outputs, step.rules)

    return faulty({kind: takes})


def _with_path(changed: Callable[[str], str]) -> ModelCore:
    return _reads(a.Admit, lambda act: attrs.evolve(act, path=changed(act.path)))


def _contains(path: str) -> str:
    return next((one.name for one in GATED if one.name in path), path)


def _exactly(path: str) -> str:
    return path if path in {one.name for one in GATED} else _FREE


def _with_query(path: str) -> str:
    return path.replace("?", "/")


def _slashed(path: str) -> str:
    return path.rstrip("/")


def _with_row(changed: Callable[[Row], Row]) -> ModelCore:
    return _reads(a.Record, lambda act: attrs.evolve(act, row=changed(act.row)))


def _knows_one_reason(row: Row) -> Row:
    return row if row.failure in (None, "aborted") else attrs.evolve(row, failure=None)


def _newest_rows(state: State) -> State:
    kept = {k: attrs.evolve(one, rows=one.rows[-ROWS_KEPT:]) for k, one in state.lineages.items()}
    return change(state, lineages=Map(kept))


def _few_refused(state: State) -> State:
    history, kept = state.history, sorted(state.history.refused)[-KEYS_KEPT:]
    refused = Map({key: history.refused[key] for key in kept})
    return change(state, history=change(history, refused=refused))


def _few_finished(state: State) -> State:
    history, finished = state.history, state.history.finished
    for name in sorted(finished)[:-IDS_KEPT]:
        finished = finished.delete(name)
    return change(state, history=change(history, finished=finished))


def _counts_few() -> ModelCore:
    """Calls beyond the first few are let in and not counted."""

    def admits(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        step = right(spec, state, action)
        full = len(state.tickets) >= CALLS_COUNTED
        return Step(state if full else step.state, step.outputs, step.rules)

    def releases(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        return right(spec, state, action) if action.ticket in state.tickets else Step(state)

    return faulty({a.Admit: admits, a.Release: releases})


def _waits_half(call: a.Call) -> a.Call:
    timeout = call.request.timeout
    if timeout is None or timeout <= _LONG_WAIT:
        return call
    return attrs.evolve(call, request=attrs.evolve(call.request, timeout=timeout // 2))


def _cut_id(call: a.Call) -> a.Call:
    name = call.request.checkpoint_id
    cut = None if name is None else name[:CUT]
    return attrs.evolve(call, request=attrs.evolve(call.request, checkpoint_id=cut))


def _cut_rollout() -> ModelCore:
    """The gate tells refused attempts by the first characters of their rollout."""

    def cut(key: Key) -> tuple[str, int]:
        return key.rollout_id[:CUT], key.attempt

    def admits(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        key, refused = action.key, state.history.refused
        alike = key and next((one for one in refused if cut(one) == cut(key)), key)
        return right(spec, state, attrs.evolve(action, key=alike))

    return faulty({a.Admit: admits})


def _aborts_alike() -> ModelCore:
    """An abort also cancels calls of attempts whose capture key begins like the one it names."""

    def calls(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        step, key = right(spec, state, action), action.request.key
        if action.op != "abort_inflight" or key is None or key not in step.state.history.refused:
            return step
        tickets = step.state.tickets
        for name, ticket in tickets.items():
            if ticket.key is not None and ticket.key.capture_key.startswith(key.capture_key):
                tickets = tickets.set(name, change(ticket, status="cancelled"))
        return Step(change(step.state, tickets=tickets), step.outputs, step.rules)

    return faulty({a.Call: calls})


WORDS: tuple[ModelMutant, ...] = (
    ModelMutant("in the middle of a path", "a path that has a gated route in it is gated",
                ("R-GAT-6", "4.1"), lambda: _with_path(_contains)),
    ModelMutant("only whole paths", "a path that ends in a gated route is not gated",
                ("R-GAT-4", "4.1"), lambda: _with_path(_exactly)),
    ModelMutant("a query opens the gate", "a gated route with a query is not gated",
                ("R-GAT-4", "4.1"), lambda: _with_path(_with_query)),
    ModelMutant("a slash more", "a gated route with a slash at its end is gated",
                ("R-GAT-6", "4.1"), lambda: _with_path(_slashed)),
    ModelMutant("newest rows only", "of a lineage only the newest rows are kept",
                ("R-CUS-7", "4.4", "R-MOP-13"), lambda: _leaves(a.Record, _newest_rows)),
    ModelMutant("one reason is known", "a call that failed for another reason did not fail",
                ("R-CUS-7", "4.4"), lambda: _with_row(_knows_one_reason)),
    ModelMutant("few calls are counted", "calls beyond the first four are not drained",
                ("R-TIC-1", "R-TIC-2", "4.1", "I24"), _counts_few),
    ModelMutant("few keys are refused", "only two aborted attempts are remembered",
                ("R-MRF-1", "4.1", "I2", "R-GAT-2"), lambda: _leaves(a.Call, _few_refused)),
    ModelMutant("few ids are finished", "only three finished checkpoints are remembered",
                ("R-OPS-4", "2.3", "I10"), lambda: _leaves(a.Call, _few_finished)),
    ModelMutant("long waits end early", "a status that may wait long gives up at half of it",
                ("R-MOP-11", "2.4", "4.1", "R-PML-2"), lambda: _reads(a.Call, _waits_half)),
    ModelMutant("checkpoint ids are cut", "two checkpoints whose ids begin alike are one",
                ("R-OPS-4", "2.3", "R-OPS-3"), lambda: _reads(a.Call, _cut_id)),
    ModelMutant("rollout ids are cut", "two rollouts whose ids begin alike are one",
                ("R-GAT-2", "1.1", "4.1", "I27"), _cut_rollout),
    ModelMutant("aborts what begins alike", "an abort of attempt 1 cancels calls of attempt 10",
                ("R-MOP-17", "4.1", "I24", "R-TIC-3", "R-MOP-19"), _aborts_alike),
)  # fmt: skip
"""Each shows only on values that a world has to be told of."""
