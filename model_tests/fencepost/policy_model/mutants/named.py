"""Faults of a policy model that somebody made, or could: each named after what it does wrong."""

from typing import Any

from immutables import Map

from fencepost.policy_model.mutants.mutant import ModelMutant, faulty
from fencepost.policy_model.mutants.named_custody import (
    copies_before_it_checks,
    leaves_copies,
    new_rows_only,
    nonsense_is_restored,
    refuses_its_own_commit,
    writes_over,
)
from fencepost.policy_model.mutants.named_words import WORDS
from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore, Transition
from fencepost_reference.receipts.policy_model.state import Fence, State
from fencepost_spec.receipts.policy_model.spec import MODEL, ModelSpec


def _late_prepare() -> ModelCore:
    """A status that waited through a resume makes the finished id prepared again."""

    def resumes(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        step = right(spec, state, action)
        if action.op != "resume":
            return step
        calls = step.state.calls
        for name, waiting in state.calls.items():
            if waiting.op == "status" and waiting.reply is None and name in calls:
                calls = calls.set(name, waiting)
        return Step(change(step.state, calls=calls), step.outputs, step.rules)

    def reads(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        idle = state.fence.phase == "idle"
        step = right(spec, state, action)
        after: State = step.state
        if idle:
            after = change(after, fence=change(after.fence, phase="prepared"))
        return Step(after, step.outputs, step.rules)

    return faulty({a.Call: resumes, a.Read: reads})


def _failed_restore_opens() -> ModelCore:
    def stores(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        step = right(spec, state, action)
        after: State = step.state
        if after.fence.phase == "restore_failed_paused":
            after = change(after, fence=Fence(), admission="accepting")
        return Step(after, step.outputs, step.rules)

    return faulty({a.Store: stores})


def _cancelled_is_gone() -> ModelCore:
    def calls(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        step = right(spec, state, action)
        after: State = step.state
        left = {n: t for n, t in after.tickets.items() if t.status != "cancelled"}
        return Step(change(after, tickets=Map(left)), step.outputs, step.rules)

    def releases(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        return right(spec, state, action) if action.ticket in state.tickets else Step(state)

    return faulty({a.Call: calls, a.Release: releases})


def _one_more_call() -> ModelCore:
    """The gate is asked, then closes, then the call goes on: a drain lets one more in."""

    def admits(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        if state.admission != "draining" or len(state.tickets) != 1:
            return right(spec, state, action)
        step = right(spec, change(state, admission="accepting"), action)
        return Step(change(step.state, admission="draining"), step.outputs, step.rules)

    return faulty({a.Admit: admits})


def _closes_when_drained() -> ModelCore:
    """A pause over calls in flight leaves the gate open until they have ended."""

    def admits(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        if state.admission != "draining":
            return right(spec, state, action)
        step = right(spec, change(state, admission="accepting"), action)
        return Step(change(step.state, admission="draining"), step.outputs, step.rules)

    return faulty({a.Admit: admits})


def _reordered_gate() -> ModelCore:
    return faulty({}, gate=(MODEL.gate[0], MODEL.gate[3], *MODEL.gate[1:3]))


def _aborts_only_live() -> ModelCore:
    """An abort of an attempt without calls refuses nothing."""

    def calls(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        step = right(spec, state, action)
        key = action.request.key
        if action.op != "abort_inflight" or any(t.key == key for t in state.tickets.values()):
            return step
        history = change(step.state.history, refused=state.history.refused)
        return Step(change(step.state, history=history), step.outputs, step.rules)

    return faulty({a.Call: calls})


def _restore_opens() -> ModelCore:
    def stores(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        step = right(spec, state, action)
        after: State = step.state
        if after.fence.phase == "restored_paused":
            after = change(after, admission="accepting")
        return Step(after, step.outputs, step.rules)

    return faulty({a.Store: stores})


def _drain_counts_none() -> ModelCore:
    """Calls without an identity are not counted by a drain."""

    def releases(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        return right(spec, state, action) if action.ticket in state.tickets else Step(state)

    def admits(right: Transition, spec: ModelSpec, state: State, action: Any) -> Step:
        step = right(spec, state, action)
        kept = step.state if action.key is not None else state
        return Step(kept, step.outputs, step.rules)

    return faulty({a.Admit: admits, a.Release: releases})


def _never(kind: type) -> ModelCore:
    def never(_state: State, own: Own) -> bool:
        return type(own.action) is kind

    return faulty({}, never)


def _deaf_status() -> ModelCore:
    """A status that waits answers at its deadline only, although nothing runs any more."""

    def never(state: State, own: Own) -> bool:
        if type(own.action) is not a.Read:
            return False
        waiting = state.calls[own.action.call]
        return waiting.waits and waiting.left != 0

    return faulty({}, never)


NAMED: tuple[ModelMutant, ...] = (
    ModelMutant("late prepare", "a status that waits through a resume prepares the finished id",
                ("R-MOP-20", "A2", "I17", "R3"), _late_prepare),
    ModelMutant("new rows only", "a restored lineage is dropped from the next commit",
                ("R-MOP-13", "A7", "I21", "R-PMI-16"), new_rows_only),
    ModelMutant("failed restore opens", "a failed restore leaves the model open and idle",
                ("R-FEN-12", "D12", "4.4", "R20", "R-PMI-6"), _failed_restore_opens),
    ModelMutant("cancelled is gone", "a cancelled call counts as ended",
                ("R-TIC-3", "I24", "4.1"), _cancelled_is_gone),
    ModelMutant("one more call", "a drain lets one more call in",
                ("R-GAT-4", "I5", "I22", "4.1"), _one_more_call),
    ModelMutant("closes when drained", "the gate stays open until the last call has ended",
                ("R-GAT-4", "I5", "I22", "4.1", "R-MOP-10"), _closes_when_drained),
    ModelMutant("parked before stale", "a stale call of a closed model is told to try again",
                ("R-GAT-2", "4.1", "I2", "I3"), _reordered_gate),
    ModelMutant("copies before it checks", "a bad digest is found when half is in the ledger",
                ("R-CUS-24", "I19", "R-PMI-11", "4.4"), copies_before_it_checks),
    ModelMutant("leaves copies", "what a failed restore copied stays in the ledger",
                ("R-CUS-31", "I19", "4.4", "P6"), leaves_copies),
    ModelMutant("refuses its own commit", "a commit whose answer was lost can never be repeated",
                ("R-CUS-33", "R7", "I18", "6", "P6", "R-PML-4"), refuses_its_own_commit),
    ModelMutant("writes over", "a committed directory is written again",
                ("R-CUS-11", "I18", "R7", "6"), writes_over),
    ModelMutant("nonsense is restored", "a manifest of nonsense is answered as a success",
                ("R-CUS-21", "R20", "R25", "I19"), nonsense_is_restored),
    ModelMutant("aborts only live", "an abort refuses only an attempt that has calls",
                ("R-MRF-1", "4.1", "I2", "R-MOP-16"), _aborts_only_live),
    ModelMutant("restore opens", "a restored model lets calls in before resume",
                ("R-PMI-6", "I22", "R-GAT-4", "I5"), _restore_opens),
    ModelMutant("nameless is uncounted", "calls without an identity are not drained",
                ("R-TIC-2", "4.1", "I24"), _drain_counts_none),
    ModelMutant("never drains", "a drain never ends", ("R-ADM-3", "R-PML-1", "P1", "4.1"),
                lambda: _never(a.EndDrain)),
    ModelMutant("never cancels", "an aborted task never sees its cancellation",
                ("R-MOP-19", "I24", "4.1"), lambda: _never(a.CancelTask)),
    ModelMutant("never stores", "a commit or restore never ends",
                ("R-PML-3", "P2", "R-MOP-13", "R-MOP-14", "4.4", "6"), lambda: _never(a.Store)),
    ModelMutant("never answers", "an answer that is decided never leaves",
                ("R-PML-5", "P7", "4.1", "2.2", "5.4", "I15"), lambda: _never(a.Leave)),
    ModelMutant("deaf status", "a status waits for its deadline although nothing runs",
                ("R-PML-2", "R-MOP-11", "2.4", "P1", "4.1"), _deaf_status),
    *WORDS,
)  # fmt: skip
"""The named mutants; the bugs that somebody numbered stand among what they cite."""
