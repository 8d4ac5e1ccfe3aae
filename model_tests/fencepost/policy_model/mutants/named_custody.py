"""Faults of custody: commits that leave out or write over, restores that check too late."""

from typing import Any

import attrs

from fencepost.policy_model.mutants.mutant import faulty
from fencepost_reference.model import Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore, Transition
from fencepost_reference.receipts.policy_model.state import Lineage, State
from fencepost_reference.receipts.state import Reply
from fencepost_spec.receipts.policy_model.spec import ModelSpec


def new_rows_only() -> ModelCore:
    """A commit writes a lineage only when this process wrote a row into it."""
    return faulty({a.Store: _without_restored})


def _without_restored(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
    storing = state.fence.storing
    step = right(spec, state, action)
    if storing is None or storing.op != "commit" or storing.content is not None:
        return step
    after: State = step.state
    now = after.fence.storing
    if now is None or now.content is None:
        return step
    sources = {key.capture_key for key in state.history.sources}
    kept = tuple(one for one in now.content.lineages if one[0] not in sources)
    content = attrs.evolve(now.content, lineages=kept)
    fence = change(after.fence, storing=change(now, content=content))
    return Step(change(after, fence=fence), step.outputs, step.rules)


def copies_before_it_checks() -> ModelCore:
    """The lineages that can be read are in the ledger before a bad digest is found."""

    def stores(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        storing = state.fence.storing
        step = right(spec, state, action)
        if storing is None or storing.op != "restore" or storing.content is not None:
            return step
        here = state.disk.get(storing.directory)
        after: State = step.state
        if here is None or not here.damaged or after.fence.phase != "restore_failed_paused":
            return step
        lineages = state.lineages
        for name, rows in here.lineages:
            lineages = lineages.set(name, Lineage(rows))
        return Step(change(after, lineages=lineages), step.outputs, step.rules)

    return faulty({a.Store: stores})


def leaves_copies() -> ModelCore:
    """What a restore had copied, and what it was about to copy, stay when it fails."""

    def stores(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        storing = state.fence.storing
        step = right(spec, state, action)
        after: State = step.state
        if after.fence.phase != "restore_failed_paused" or storing is None:
            return step
        lineages = state.lineages
        for name, rows in () if storing.content is None else storing.content.lineages:
            lineages = lineages.set(name, Lineage(rows))
        return Step(change(after, lineages=lineages), step.outputs, step.rules)

    return faulty({a.Store: stores})


def refuses_its_own_commit() -> ModelCore:
    """A directory with a manifest is a mismatch, also for the very commit that wrote it."""

    def stores(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        storing = state.fence.storing
        if storing is None or storing.op != "commit" or storing.stage != "checked":
            return right(spec, state, action)
        here = state.disk.get(storing.directory)
        if here is None or here.kind != "committed":
            return right(spec, state, action)
        other = state.disk.set(storing.directory, attrs.evolve(here, id="\0"))
        step = right(spec, change(state, disk=other), action)
        return Step(change(step.state, disk=state.disk), step.outputs, step.rules)

    return faulty({a.Store: stores})


def writes_over() -> ModelCore:
    """A commit writes over whatever lies in its directory."""

    def stores(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        storing = state.fence.storing
        if storing is None or storing.op != "commit" or storing.directory not in state.disk:
            return right(spec, state, action)
        here = state.disk[storing.directory]
        if here.kind == "partial" or storing.stage == "published":
            return right(spec, state, action)
        return right(spec, change(state, disk=state.disk.delete(storing.directory)), action)

    return faulty({a.Store: stores})


_NOTHING = (
    ("rollouts", 0),
    ("rows", 0),
    ("references", 0),
    ("checkpoint_id", "c1"),
    ("tombstones", ()),
    ("source_attempts", ()),
)


def nonsense_is_restored() -> ModelCore:
    def stores(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        storing = state.fence.storing
        step = right(spec, state, action)
        here = None if storing is None else state.disk.get(storing.directory)
        if storing is None or storing.op != "restore" or here is None or here.kind != "garbled":
            return step
        calls = step.state.calls
        for name in storing.callers:
            if name in calls:
                calls = calls.set(name, change(calls[name], reply=Reply(200, body=_NOTHING)))
        return Step(change(step.state, calls=calls), step.outputs, step.rules)

    return faulty({a.Store: stores})
