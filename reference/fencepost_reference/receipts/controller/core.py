"""The core of a controller: a value, a step, and what it may do by itself.

>>> from fencepost_reference.receipts.controller import actions as a
>>> core = ControllerCore()
>>> state = core.step(core.initial(), a.Submit("g", 1, "sibling", "a1")).state
>>> [own.action for own in core.own(state)]
[Register(keys=(Key(rollout_id='g_g0', attempt=0),))]
"""

from collections.abc import Callable
from typing import Any

from fencepost_reference.model import NotEnabled, Own, Step
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller import (
    asking,
    attempts,
    dispatching,
    outbox,
    owning,
    publishing,
    rounds,
    starting,
)
from fencepost_reference.receipts.controller.book import Book, reservation, results_of
from fencepost_reference.receipts.controller.draft import Draft, round_of
from fencepost_reference.receipts.controller.said import AGENT, Answer
from fencepost_reference.receipts.controller.state import Fleet, State
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec


class ControllerCore:
    """A specification of a controller, made runnable for a fleet. Holds no state of its own."""

    def __init__(
        self,
        spec: ControllerSpec = CONTROLLER,
        fleet: Fleet | None = None,
        book: Book | None = None,
    ) -> None:
        self.spec = spec
        self.fleet = fleet or Fleet()
        self.book = book or Book()
        self._steps: dict[type, Callable[[Draft, Any], None]] = {
            a.Submit: _submit,
            a.Admit: _admit,
            a.SnapshotDue: lambda draft, _action: publishing.due(draft),
            a.DeadlinePassed: _deadline,
            a.TrainerStepped: _stepped,
            a.GoneStale: _stale,
            a.Answered: lambda draft, action: _heard(draft, action, action.answer),
            a.Lost: lambda draft, action: _heard(draft, action, None),
            a.Trained: _trained,
            a.Stored: _stored,
            a.Start: starting.start,
            a.Call: self._call,
            a.Register: self._register,
            a.Record: _record,
            a.Finalize: _finalize,
            a.Capture: _capture,
            a.StoreStep: _store,
            a.Conclude: _conclude,
        }

    @property
    def kinds(self) -> frozenset[type]:
        """The kinds of actions that it takes."""
        return frozenset(self._steps)

    def initial(self) -> State:
        """A process that has just started, from nothing."""
        return State()

    def step(self, state: State, action: Any) -> Step:
        """Apply one action; one that is not enabled raises NotEnabled and changes nothing."""
        if state.halted and not isinstance(action, a.Start):
            raise NotEnabled(action, state.halted)
        draft = Draft(self.spec, self.fleet, self.book, state)
        self._steps[type(action)](draft, action)
        return draft.step()

    def own(self, state: State) -> tuple[Own, ...]:
        """What the controller may do by itself now, in a stable order."""
        return () if state.halted else owning.own(self.spec, self.fleet, state)

    def _call(self, draft: Draft, action: a.Call) -> None:
        state = draft.state
        for key in sorted(state.works):
            due = attempts.due_call(self.spec, state, key)
            if due is not None and due[0] == action:
                attempts.ask(draft, key)
                return
        if action in outbox.due_calls(self.spec, state):
            outbox.send(draft, action)
        elif action in asking.due_calls(self.spec, self.fleet, state):
            rounds.begin(draft, action)
        else:
            raise NotEnabled(action, "nothing asks for this call")

    def _register(self, draft: Draft, action: a.Register) -> None:
        if action.keys not in dispatching.registrations(self.spec, draft.state):
            raise NotEnabled(action, "this is no batch that may be sent")
        dispatching.register(draft, action.keys)


# The world.


def _submit(draft: Draft, action: a.Submit) -> None:
    """A group is owned; one that is owned or trained already is not taken again."""
    if action.group_id not in draft.state.trained:
        draft.ledger("reserve_group", **reservation(action, draft.state.step))


def _admit(draft: Draft, action: a.Admit) -> None:
    draft.ledger(
        "mark_group_admitted",
        group_id=action.group_id,
        target_step=action.target_step,
        start_weight_version=draft.state.step,
    )


def _deadline(draft: Draft, action: a.DeadlinePassed) -> None:
    if not publishing.may_time_out(draft.state.round):
        raise NotEnabled(action, "nobody waits for participants")
    publishing.timed_out(draft)


def _stepped(draft: Draft, _action: a.TrainerStepped) -> None:
    draft.change(step=draft.state.step + 1)


def _stale(draft: Draft, action: a.GoneStale) -> None:
    """A group is let go before its attempts are, and not while it is being finalized."""
    group = draft.state.ledger.groups.get(action.group_id)
    if group is None or group.status in publishing.UNSAFE:
        return
    draft.ledger("discard_group", group_id=action.group_id)
    attempts.let_go(draft, action.group_id)


_OF_KEY = {
    "completion-receipt": attempts.receipt_answered,
    "retire": attempts.retire_answered,
}


def _heard(draft: Draft, action: a.Answered | a.Lost, answer: Answer | None) -> None:
    opened = draft.closed(action.call)
    if opened is None:
        raise NotEnabled(action, "no such call waits for an answer")
    about_key, key = _OF_KEY.get(opened.op), opened.request.key
    if opened.op == "run" and key is not None:
        attempts.run_answered(draft, key, answer, opened.place.instance)
    elif about_key is not None and key is not None and opened.place.kind == AGENT:
        about_key(draft, key, answer)
    elif opened.op == outbox.OP:
        outbox.answered(draft, opened, answer)
    else:
        rounds.answered(draft, opened, answer)


def _trained(draft: Draft, action: a.Trained) -> None:
    """The finalizer has the group, or has dropped it; if nobody knows, the process ends."""
    group = draft.state.ledger.groups.get(action.group_id)
    if group is None or group.status != "finalizing":
        raise NotEnabled(action, "the group is not with the finalizer")
    if action.outcome == "unknown":
        draft.ledger("mark_finalization_unknown", group_id=action.group_id)
        draft.change(halted=f"nobody knows whether {action.group_id} was trained")
        return
    draft.ledger("discard_group", group_id=action.group_id)
    if action.outcome == "committed":
        draft.change(trained=tuple(sorted({*draft.state.trained, action.group_id})))


def _stored(draft: Draft, action: a.Stored) -> None:
    if draft.state.round is None or not draft.state.round.storing:
        raise NotEnabled(action, "the disk was asked for nothing")
    publishing.stored(draft, action.ok)


# The controller.


def _record(draft: Draft, action: a.Record) -> None:
    if action.key not in owning.unrecorded(draft.spec, draft.state):
        raise NotEnabled(action, "nothing waits to be recorded")
    attempts.record(draft, action.key)


def _finalize(draft: Draft, action: a.Finalize) -> None:
    group = draft.state.ledger.groups.get(action.group_id)
    if group is None or group.status != "ready_to_finalize":
        raise NotEnabled(action, "the group is not ready")
    draft.ledger("mark_finalization_started", group_id=action.group_id)
    draft.outputs.append(a.Training(action.group_id, results_of(group)))


def _capture(draft: Draft, action: a.Capture) -> None:
    if not publishing.may_capture(draft.state):
        raise NotEnabled(action, "there is nothing to capture yet")
    publishing.capture(draft)


def _store(draft: Draft, action: a.StoreStep) -> None:
    if publishing.due_step(draft.state) != action:
        raise NotEnabled(action, "this step is not the next")
    publishing.store(draft, action)


def _conclude(draft: Draft, action: a.Conclude) -> None:
    if not publishing.may_conclude(draft.state):
        raise NotEnabled(action, "the checkpoint is not over")
    assert round_of(draft.state).transaction == "idle"
    publishing.conclude(draft, action)
