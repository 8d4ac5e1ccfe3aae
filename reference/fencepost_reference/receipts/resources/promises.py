"""The promises of a resources server as questions: each `always`, asked of one step.

A question is true while the promise is kept. None asks the specification what to do: they read
states, and what a watcher remembers, so that a variation of the specification can be caught
breaking one. Each takes it that the promises were kept until now.
"""

from collections.abc import Callable, Mapping
from typing import Any

from fencepost_reference.model import Step
from fencepost_reference.receipts.actions import Store
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources import promises_of_checkpoints as checkpoints
from fencepost_reference.receipts.resources.ghost import Ghost, Moment
from fencepost_reference.receipts.resources.state import HANDLING, Request, Session, State
from fencepost_spec.operation import Property
from fencepost_spec.receipts.resources.properties import BY_ID
from fencepost_spec.receipts.resources.routes import READ, START, UNGATED
from fencepost_spec.vocabulary import Key

Promise = Callable[[Moment], bool]


def no_handler_starts_for_a_refused_key(m: Moment) -> bool:
    """Neither the exact key was refused nor a later attempt is known."""
    history = m.before.history
    return not any(
        one.key is not None
        and (
            one.key in history.refused
            or one.key.attempt < history.watermark.get(one.key.rollout_id, -1)
        )
        for one in m.began
    )


def no_session_stands_below_the_watermark(m: Moment) -> bool:
    """An older session goes when a later attempt is known; one that is retired is on its way."""
    marks = m.after.history.watermark
    return not any(
        key.attempt < marks.get(key.rollout_id, -1) and session.status != "retiring"
        for key, session in m.after.sessions.items()
    )


def no_gated_handler_starts_while_closed(m: Moment) -> bool:
    """What starts while admission is closed is not gated."""
    if m.before.accepting:
        return True
    return all(m.after.requests[one.request].kind == UNGATED for one in m.began)


def a_refused_request_changes_no_session(m: Moment) -> bool:
    """A request that arrives, or gets its lock, leaves the sessions as they are."""
    if type(m.action) not in (a.Ask, a.TakeLock):
        return True
    return m.before.sessions == m.after.sessions and m.before.untracked == m.after.untracked


def a_request_is_served_at_most_once(m: Moment) -> bool:
    """No handler starts for a request whose effect its session has already."""
    for one in m.began:
        request = m.after.requests[one.request]
        known = one.key is not None and (one.key, request.request_id or "") in m.ghost.served
        if known and request.kind not in (READ, UNGATED):
            return False
    return True


def a_revision_rises_by_one(m: Moment) -> bool:
    """A session changes by the publication of a success only, which raises its revision by one.

    A start puts a restored session back to the first revision.
    """
    if m.replaced or m.before.sessions is m.after.sessions:
        return True
    for key, session in m.after.sessions.items():
        was = m.before.sessions.get(key, Session("unbound"))
        if session.revision == was.revision:
            continue
        if type(m.action) is a.Publish:
            request = m.before.requests[m.action.request]
            first = request.kind == START and session.revision == 1
            if request.key != key or not (first or session.revision == was.revision + 1):
                return False
            if request.outcome is None or not 0 < request.outcome.status < 400:
                return False
        elif type(m.action) is not Store:
            return False
    return True


def requests_that_run_alone_never_run_together(m: Moment) -> bool:
    """Of two requests of a session, one may run beside the other only when the contract says so."""
    if m.before.requests is m.after.requests or m.after.settings.mode == "stateless":
        return True
    alone: set[Key] = set()
    for request in m.after.requests.values():
        if request.key is None or not _alone(m.after, request):
            continue
        if request.key in alone:
            return False
        alone.add(request.key)
    return True


def _alone(state: State, request: Request) -> bool:
    if request.stage not in HANDLING or request.kind == UNGATED:
        return False
    return state.settings.contract == "serialized_per_session" or request.kind != READ


PROMISES: Mapping[str, Promise] = {
    "R-RIN-1": no_handler_starts_for_a_refused_key,
    "R-RIN-2": checkpoints.the_source_of_a_restored_session_is_refused,
    "R-RIN-3": no_session_stands_below_the_watermark,
    "R-RIN-4": no_gated_handler_starts_while_closed,
    "R-RIN-5": checkpoints.nothing_moves_in_a_prepared_checkpoint,
    "R-RIN-6": a_refused_request_changes_no_session,
    "R-RIN-7": a_request_is_served_at_most_once,
    "R-RIN-8": a_revision_rises_by_one,
    "R-RIN-9": requests_that_run_alone_never_run_together,
    "R-RIN-10": checkpoints.at_most_one_id_is_active,
    "R-RIN-11": checkpoints.an_operation_succeeds_at_most_once,
    "R-RIN-12": checkpoints.the_fence_has_an_active_id_when_it_is_not_at_rest,
    "R-RIN-13": checkpoints.a_committed_directory_never_changes,
    "R-RIN-14": checkpoints.a_restore_installs_everything_or_nothing,
    "R-RIN-15": checkpoints.a_restore_meets_a_fresh_server,
    "R-RIN-16": checkpoints.a_written_checkpoint_has_every_session,
    "R-RIN-17": checkpoints.admission_is_closed_between_prepare_and_resume,
    "R-RIN-18": checkpoints.what_cannot_be_written_is_in_no_checkpoint,
    "R-RIN-19": checkpoints.restored_revisions_are_those_of_the_agents,
}
"""Every `always` of a resources server, by its id."""


def broken(before: State, action: Any, step: Step, ghost: Ghost) -> tuple[Property, ...]:
    """The promises that a step breaks, given what was remembered before it."""
    moment = Moment(before, action, step, ghost)
    if type(action) is a.Replace:
        return ()
    return tuple(BY_ID[name] for name, kept in PROMISES.items() if not kept(moment))
