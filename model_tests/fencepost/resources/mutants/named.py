"""The numbered bugs that a resources server can have, each as one small fault."""

from typing import Any

import attrs

from fencepost.resources.mutants.mutant import Faulty, Mutant, core_with, operation_with
from fencepost.resources.mutants.named_requests import REQUESTS
from fencepost.resources.mutants.named_storage import (
    commit_writes_again,
    finds_no_agents,
    installs_before_the_hook,
    never_compares_agents,
    refused_restore_closes,
)
from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.actions import Call, Conclude, Store
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.changes import with_session
from fencepost_reference.receipts.resources.server import ResourcesCore, Transition
from fencepost_reference.receipts.resources.state import HANDLING, State
from fencepost_reference.receipts.state import Reply
from fencepost_spec.operation import REPLAY
from fencepost_spec.receipts.resources import handling as h
from fencepost_spec.receipts.resources.policy import Blocker, Standing
from fencepost_spec.receipts.resources.routes import READ, START
from fencepost_spec.receipts.resources.server import RESOURCES, ResourcesSpec


def _resume_leaves_the_prepare(r: Transition, s: ResourcesSpec, state: State, act: Call) -> Step:
    """Resume finishes the id, and the prepare that waits goes on."""
    step = r(s, state, act)
    if act.op != "resume" or step.state.fence.phase != "idle" or not state.fence.waiting:
        return step
    left = change(state.fence, phase="preparing", active=None)
    calls = {name: one for name, one in state.calls.items() if name in state.fence.callers}
    return Step(
        change(step.state, fence=left, calls=step.state.calls.update(calls)), step.outputs, ()
    )


def _prepare_misses_to_idle() -> ResourcesCore:
    """A prepare that failed leaves the fence at rest and admission closed."""
    return core_with(fence=_fence_without("prepare_missed"))


def _fence_without(event: str) -> Any:
    table = RESOURCES.fence
    for row in table.candidates("preparing", event):
        table = table.without(row)
    return table


def _uncertain_for_ever() -> ResourcesCore:
    """A prepare that failed leaves rest, and retire has no place at rest."""
    operations = operation_with("retire", phases=("preparing", "prepared"))
    return core_with(fence=_fence_without("prepare_missed"), operations=operations)


def _snapshot_survives(r: Transition, s: ResourcesSpec, state: State, act: Call) -> Step:
    """Retire leaves the snapshot of the session to be written."""
    step = r(s, state, act)
    if act.op != "retire":
        return step
    fence = change(step.state.fence, taken=state.fence.taken)
    return attrs.evolve(step, state=change(step.state, fence=fence))


def _retire_answers_at_once(r: Transition, s: ResourcesSpec, state: State, act: Call) -> Step:
    """Retire drops the session while its handler runs, and says that it is done."""
    step = r(s, state, act)
    key = act.request.key
    waiting = step.state.calls[act.id]
    if act.op != "retire" or key is None or waiting.reply is not None:
        return step
    body = (("retired", True), ("rollout_id", key.rollout_id), ("attempt_index", key.attempt))
    calls = step.state.calls.set(act.id, change(waiting, reply=Reply(200, body=body)))
    return attrs.evolve(step, state=with_session(change(step.state, calls=calls), key, None))


def _retire_refuses_late(r: Transition, s: ResourcesSpec, state: State, act: Call) -> Step:
    """Retire waits for the lock first, and refuses the key only then."""
    step = r(s, state, act)
    key = act.request.key
    if act.op != "retire" or key is None or step.state.calls[act.id].reply is not None:
        return step
    history = change(step.state.history, refused=state.history.refused)
    return attrs.evolve(step, state=change(step.state, history=history))


def _late_result_is_a_success(r: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
    """The result of a handler whose key was retired reaches its client."""
    step = r(s, state, act)
    request = state.requests[act.request]
    outcome, waiting = request.outcome, step.state.calls.get(act.request)
    if waiting is None or waiting.reply is None or waiting.reply.rule is not h.LATE:
        return step
    if outcome is None or outcome.status == 0:
        return step
    reply = Reply(outcome.status, body=("answer", outcome.body, 1))
    calls = step.state.calls.set(act.request, change(waiting, reply=reply))
    return attrs.evolve(step, state=change(step.state, calls=calls))


def _starts_are_not_counted() -> ResourcesCore:
    """A prepare waits for the locks of sessions, and sees no start that runs."""

    def no_handler(_standing: Standing) -> bool:
        """Nothing is ever waited for but locks."""
        return False

    def blind(blocker: Blocker) -> Blocker:
        return attrs.evolve(blocker, holds=no_handler) if blocker.name == "running" else blocker

    return core_with(blockers=tuple(map(blind, RESOURCES.blockers)))


def _failure_raises_the_revision(r: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
    """A request that its handler refused raises the revision all the same."""
    step = r(s, state, act)
    request = state.requests[act.request]
    if h.FAILED not in step.rules or request.key is None:
        return step
    if request.key not in step.state.sessions:
        return step
    session = step.state.sessions[request.key]
    higher = change(session, revision=session.revision + 1)
    return attrs.evolve(step, state=with_session(step.state, request.key, higher))


def _refused_changes(r: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
    """A request that is refused under its lock raises the revision of its session."""
    step = r(s, state, act)
    key = state.requests[act.request].key
    waiting = step.state.calls.get(act.request)
    reply = None if waiting is None else waiting.reply
    if step.outputs or reply is None or reply.code is None or key not in step.state.sessions:
        return step
    assert key is not None  # It has a session.
    session = step.state.sessions[key]
    higher = change(session, revision=session.revision + 1)
    return attrs.evolve(step, state=with_session(step.state, key, higher))


def _lock_is_leaked(r: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
    """A handler that breaks off keeps the lock of its session for ever."""
    step = r(s, state, act)
    request = state.requests[act.request]
    if h.BROKE not in step.rules or request.key is None:
        return step
    kept = step.state.requests.set(act.request, change(request, stage="running", outcome=None))
    return attrs.evolve(step, state=change(step.state, requests=kept))


def _read_makes_uncertain(r: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
    """A read that breaks off leaves its session uncertain."""
    step = r(s, state, act)
    request = state.requests[act.request]
    if h.BROKE not in step.rules or request.kind != READ or request.key is None:
        return step
    session = step.state.sessions.get(request.key)
    if session is None:
        return step
    broken = change(session, status="uncertain")
    return attrs.evolve(step, state=with_session(step.state, request.key, broken))


def _replay_tells_the_present(r: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
    """A request that is answered again is told the revision of now."""
    step = r(s, state, act)
    request, waiting = state.requests[act.request], step.state.calls.get(act.request)
    replayed = any(check.answer == REPLAY and check.rule in step.rules for check in s.under_lock)
    if not replayed or waiting is None or waiting.reply is None or request.key is None:
        return step
    _, body, _ = waiting.reply.body
    revision = step.state.sessions[request.key].revision
    reply = change(waiting.reply, body=("answer", body, revision))
    calls = step.state.calls.set(act.request, change(waiting, reply=reply))
    return attrs.evolve(step, state=change(step.state, calls=calls))


def _start_keeps_old_receipts(r: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
    """A session that is started afresh goes on from its restored revision."""
    step = r(s, state, act)
    request = state.requests[act.request]
    was = None if request.key is None else state.sessions.get(request.key)
    if request.kind != START or request.key is None or was is None or was.status != "restored":
        return step
    session = step.state.sessions.get(request.key)
    if session is None or session.status != "bound":
        return step
    kept = change(session, revision=was.revision + 1)
    return attrs.evolve(step, state=with_session(step.state, request.key, kept))


def _starts_open(r: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
    """A server that was started for a restore serves before it."""
    step = r(s, state, act)
    return attrs.evolve(step, state=change(step.state, accepting=True))


def _never(kind: type) -> ResourcesCore:
    def never(_state: State, own: Own) -> bool:
        return type(own.action) is kind

    return Faulty(RESOURCES, {}, never)


def _behind_handlers(state: State, own: Own) -> bool:
    waiting = state.calls.get(own.subject) if isinstance(own.subject, str) else None
    runs = any(one.stage in HANDLING for one in state.requests.values())
    return runs and waiting is not None and waiting.op != "request" and not own.hidden


def _with(kind: type, fault: Any) -> Any:
    return lambda: Faulty(RESOURCES, {kind: fault})


def _under_lock_only(*ids: str) -> Any:
    kept = tuple(check for check in RESOURCES.under_lock if check.rule.id in ids)
    return lambda: core_with(under_lock=kept)


def _mutant(name: str, fault: Any, make: Any, *cites: str) -> Mutant:
    return Mutant(name, (fault.__doc__ or "").strip(), cites, make)


def _plain(name: str, says: str, make: Any, *cites: str) -> Mutant:
    return Mutant(name, says, cites, make)


# fmt: off
NAMED: tuple[Mutant, ...] = (
    _mutant("resume during prepare", _resume_leaves_the_prepare,
            _with(Call, _resume_leaves_the_prepare), "A2", "I17", "R3"),
    _mutant("failed prepare says idle", _prepare_misses_to_idle, _prepare_misses_to_idle,
            "D1", "R1"),
    _mutant("uncertain for ever", _uncertain_for_ever, _uncertain_for_ever, "D4", "P5",
            "R-RLI-3", "R-ROP-16"),
    _mutant("snapshot of a retired session", _snapshot_survives, _with(Call, _snapshot_survives),
            "D15"),
    _mutant("retire answers at once", _retire_answers_at_once,
            _with(Call, _retire_answers_at_once), "C4", "D11", "R14"),
    _mutant("retire refuses late", _retire_refuses_late, _with(Call, _retire_refuses_late),
            "4.5", "D15"),
    _mutant("late result is a success", _late_result_is_a_success,
            _with(a.Publish, _late_result_is_a_success), "D10", "R14", "I28"),
    _mutant("starts are not counted", _starts_are_not_counted, _starts_are_not_counted,
            "C6", "I5"),
    _mutant("commit writes again", commit_writes_again, _with(Store, commit_writes_again),
            "I18", "R7"),
    _mutant("refused restore closes", refused_restore_closes,
            _with(Store, refused_restore_closes), "D12", "P6", "R-RLI-6"),
    _mutant("installs before the hook", installs_before_the_hook,
            _with(Store, installs_before_the_hook), "I19", "R-ROP-22"),
    _mutant("never compares agents", never_compares_agents, _with(Store, never_compares_agents),
            "I25", "D17"),
    _mutant("finds no agents", finds_no_agents, _with(Store, finds_no_agents), "D18", "I25"),
    _mutant("failure raises the revision", _failure_raises_the_revision,
            _with(a.Publish, _failure_raises_the_revision), "4.5", "I14", "R-RRQ-23"),
    _mutant("refused request changes", _refused_changes, _with(a.TakeLock, _refused_changes),
            "I14", "4.5"),
    _mutant("lock is leaked", _lock_is_leaked, _with(a.Publish, _lock_is_leaked), "P7", "4.5"),
    _mutant("read makes uncertain", _read_makes_uncertain,
            _with(a.Publish, _read_makes_uncertain), "4.5"),
    _mutant("replay tells the present", _replay_tells_the_present,
            _with(a.TakeLock, _replay_tells_the_present), "I13", "4.5"),
    _mutant("start goes on from what was restored", _start_keeps_old_receipts,
            _with(a.Publish, _start_keeps_old_receipts), "4.5", "P8"),
    _mutant("starts open", _starts_open, _with(a.Replace, _starts_open), "4.5", "P2"),
    _plain("no check again under the lock", "Only the receipts are asked for under the lock.",
           _under_lock_only("R-RRQ-12", "R-RRQ-13", "R-RRQ-14", "R-RRQ-15", "R-RRQ-16"),
           "4.5", "I5", "I14"),
    _plain("prepare never ends unprepared", "A prepare waits for ever for a lock.",
           lambda: _never(a.Miss), "P1", "2.4", "R-RLI-1"),
    _plain("prepare never ends prepared", "A prepare that is ready goes on waiting.",
           lambda: _never(Conclude), "P1", "P7"),
    _plain("retire never gives up", "A retire waits for its lock beyond its deadline.",
           lambda: _never(a.MissRetire), "2.4", "D15", "R-RLI-5"),
    _plain("retired session stays", "A retired session never goes, though its lock is free.",
           lambda: _never(a.Drop), "D15", "P6"),
    _plain("storage never ends", "A commit or restore never takes its next step.",
           lambda: _never(Store), "P2", "R-RLI-2"),
    _plain("lock is never handed on", "A request whose lock is free goes on waiting.",
           lambda: _never(a.TakeLock), "P7"),
    _plain("control queues behind handlers", "A control answer waits for handlers that run.",
           lambda: Faulty(RESOURCES, {}, _behind_handlers), "P7"),
    *REQUESTS,
)
# fmt: on
"""Faults that somebody has thought of, each citing what it stands for."""
