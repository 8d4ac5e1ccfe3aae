"""Calls of the data plane: the gate, the ledger, the end of a call, the end of a drain."""

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import Lineage, State, Ticket
from fencepost_spec.receipts.policy_model.facts import DrainFacts, GateFacts
from fencepost_spec.receipts.policy_model.rules import ADMITTED, CANCELS, LEDGER_ROW, UNGATED
from fencepost_spec.receipts.policy_model.spec import ModelSpec
from fencepost_spec.rule import Rule


def is_gated(spec: ModelSpec, path: str) -> bool:
    """Whether a call on a path needs a ticket."""
    return bool(_routes(spec, path))


def _routes(spec: ModelSpec, path: str) -> tuple[Rule, ...]:
    """The routes that a path ends in; its query is no part of it."""
    bare = path.partition("?")[0]
    return tuple(entry.rule for entry in spec.gated if bare.endswith(entry.name))


def gate_facts(state: State, action: a.Admit) -> GateFacts:
    """What is known when a call arrives."""
    key, history = action.key, state.history
    return GateFacts(
        identity_agrees=action.agrees,
        refused=key is not None and (key in history.refused or key in history.sources),
        below_source=key is not None and key.attempt < history.mark.get(key.rollout_id, -1),
        closed=state.admission != "accepting",
    )


def admit(spec: ModelSpec, state: State, action: a.Admit) -> Step:
    """A call reaches the gate: it is answered by the first check that holds, or holds a ticket."""
    if action.ticket in state.tickets:
        raise NotEnabled(action, "this call holds a ticket already")
    if not is_gated(spec, action.path):
        return Step(state, (a.Passed(action.ticket, None),), (UNGATED,))
    facts = gate_facts(state, action)
    route = _routes(spec, action.path)
    for check in spec.gate:
        if check.when(facts):
            return Step(state, (a.Passed(action.ticket, check.answer),), (*route, check.rule))
    ticket = Ticket(action.key, spec.ticket.initial)
    state = change(state, tickets=state.tickets.set(action.ticket, ticket))
    return Step(state, (a.Passed(action.ticket, None),), (*route, ADMITTED))


def _ticket(state: State, action: a.Record | a.Release | a.CancelTask) -> Ticket:
    ticket = state.tickets.get(action.ticket)
    if ticket is None:
        raise NotEnabled(action, "this call is not in flight")
    return ticket


def record(_spec: ModelSpec, state: State, action: a.Record) -> Step:
    """A call in flight writes a row into the lineage of its attempt."""
    key = _ticket(state, action).key
    if key is None or not state.has_ledger:
        raise NotEnabled(action, "there is no lineage that the row belongs to")
    known = state.lineages.get(key.capture_key, Lineage())
    lineage = Lineage((*known.rows, action.row), known.damaged)
    state = change(state, lineages=state.lineages.set(key.capture_key, lineage))
    return Step(state, (), (LEDGER_ROW,))


def release(spec: ModelSpec, state: State, action: a.Release) -> Step:
    """The task of a call has ended."""
    ticket = _ticket(state, action)
    row = spec.ticket.find(ticket.status, "task_ended", None)
    if row is None or row.target != "released":
        return Step(state)
    state = change(state, tickets=state.tickets.delete(action.ticket))
    return Step(state, (), (row.rule,))


def cancel_task(_spec: ModelSpec, state: State, action: a.CancelTask) -> Step:
    """The task of an aborted call sees its cancellation; the call still counts."""
    ticket = _ticket(state, action)
    if ticket.status != "cancelled" or ticket.told:
        raise NotEnabled(action, "nobody aborted this call, or it was told")
    tickets = state.tickets.set(action.ticket, change(ticket, told=True))
    return Step(change(state, tickets=tickets), (a.Cancelled(action.ticket),), (CANCELS,))


def end_drain(spec: ModelSpec, state: State, action: a.EndDrain) -> Step:
    """The drain is over."""
    row = spec.admission.find(state.admission, "drain_ended", DrainFacts(len(state.tickets)))
    if row is None:
        raise NotEnabled(action, "calls are in flight, or nothing drains")
    return Step(change(state, admission=row.target), (), (row.rule,))


def closed(spec: ModelSpec, state: State) -> tuple[State, tuple[Rule, ...]]:
    """The state in which the gate is closed, and the rules of closing it."""
    row = spec.admission.find(state.admission, "close_called", DrainFacts(len(state.tickets)))
    if row is None:
        return state, ()
    return change(state, admission=row.target), (row.rule,)
