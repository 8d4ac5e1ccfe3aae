"""Requests of clients: the checks on arrival, the lock, the handler, and what is published."""

import attrs

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.changes import (
    answered,
    is_below,
    is_locked,
    keeps,
    raise_watermark,
    row_for,
    runs_alone,
    status_of,
    waits,
    with_session,
)
from fencepost_reference.receipts.resources.state import Receipt, Request, Session, State
from fencepost_reference.receipts.state import Reply
from fencepost_spec.operation import REPLAY, Check
from fencepost_spec.receipts.resources import handling as h
from fencepost_spec.receipts.resources import refusals as code
from fencepost_spec.receipts.resources.routes import MUTATION, READ, START, TERMINAL, UNGATED
from fencepost_spec.receipts.resources.server import ResourcesSpec
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_EVENTS = {
    START: "start_published",
    MUTATION: "mutation_published",
    TERMINAL: "terminal_published",
}


def request_facts(
    spec: ResourcesSpec, state: State, request: Request, ask: a.Ask | None = None
) -> h.RequestFacts:
    """What is known about a request; `ask` is given on arrival."""
    kept, key = keeps(spec, state), request.key
    facts = h.RequestFacts(
        identity_holds=ask is None or ask.identity_holds,
        identified=key is not None,
        keeps=kept,
        closed=not state.accepting,
        headers_hold=ask is None or ask.headers_hold,
        has_request_id=request.request_id is not None,
        starts=request.kind == START,
        reads=request.kind == READ,
    )
    if key is None:
        return facts
    status, session = status_of(state, key), state.sessions.get(key)
    facts = attrs.evolve(
        facts,
        refused=key in state.history.refused,
        below_watermark=is_below(state, key),
        evicted=status == "evicted",
        uncertain=status == "uncertain",
        bound=status in ("bound", "restored"),
        started=status == "bound",
        ended=status == "ended",
    )
    return facts if session is None or not kept else _receipt_facts(state, request, session, facts)


def _receipt_facts(
    state: State, request: Request, session: Session, facts: h.RequestFacts
) -> h.RequestFacts:
    known = None
    if request.kind != READ:
        known = next((r for r in session.receipts if r.request_id == request.request_id), None)
    expected = request.expected
    return attrs.evolve(
        facts,
        known=known is not None,
        same=known is not None and (known.expected, known.input) == (expected, request.input),
        revision_differs=expected is not None and expected != session.revision,
        receipts_full=len(session.receipts) >= state.settings.capacity,
    )


def ask(spec: ResourcesSpec, state: State, action: a.Ask) -> Step:
    """A request arrives: a check answers, or it waits for its lock, if it needs one."""
    request = Request(action.kind, action.key, action.request_id, action.expected, action.input)
    if action.kind == UNGATED:
        state = waits(state, action.id, "request", None, None, None)
        return Step(_waiting(state, action.id, change(request, key=None)), (), (h.FREE,))
    facts = request_facts(spec, state, request, action)
    for check in spec.arrival:
        if check.when(facts):
            reply = refusal_of(state, request, check)
            state = waits(state, action.id, "request", action.key, None, reply)
            return Step(state, (), (check.rule,))
    state = waits(state, action.id, "request", action.key, None, None)
    return Step(_waiting(state, action.id, request), (), (h.SERVED,))


def _waiting(state: State, name: str, request: Request) -> State:
    return change(state, requests=state.requests.set(name, request))


def refusal_of(state: State, request: Request, check: Check) -> Reply:
    """The answer of a check that refuses; a revision is told with what was expected."""
    body = None
    session = None if request.key is None else state.sessions.get(request.key)
    if check.answer == code.REVISION_MISMATCH and session is not None:
        expected = 0 if request.expected is None else request.expected
        body = (("expected_revision", expected), ("actual_revision", session.revision))
    return Reply(409, check.answer, body=body, rule=check.rule)


def _begins(state: State, name: str, request: Request, rule: Rule) -> Step:
    gated = request.kind not in (UNGATED, READ)
    state = change(
        state,
        requests=state.requests.set(name, change(request, stage="running")),
        served=state.served or (gated and state.settings.mode != "stateless"),
    )
    return Step(state, (a.Began(name, request.key),), (rule,))


def may_take_lock(spec: ResourcesSpec, state: State, request: Request) -> bool:
    """Whether a request that waits can go on."""
    if request.stage != "waiting":
        return False
    key = request.key
    return key is None or not (runs_alone(spec, state, request) and is_locked(spec, state, key))


def take_lock(spec: ResourcesSpec, state: State, action: a.TakeLock) -> Step:
    """The lock is held, where there is one: everything is asked again, then the handler starts."""
    request = state.requests.get(action.request)
    if request is None or not may_take_lock(spec, state, request):
        raise NotEnabled(action, "the request does not wait, or the lock is held")
    if request.kind == UNGATED:
        return _begins(state, action.request, request, h.FREE)
    facts = request_facts(spec, state, request)
    for check in spec.under_lock:
        if not check.when(facts):
            continue
        reply = refusal_of(state, request, check)
        if check.answer == REPLAY:
            assert request.key is not None  # Only a session has receipts.
            receipts = state.sessions[request.key].receipts
            kept = next(r for r in receipts if r.request_id == request.request_id)
            reply = _answer(kept.status, kept.body, kept.revision, check.rule)
        state = change(state, requests=state.requests.delete(action.request))
        return Step(answered(state, action.request, reply), (), (check.rule,))
    return _begins(state, action.request, request, h.SERVED)


def _answer(status: int, body: str, revision: int | None, rule: Rule) -> Reply:
    """The answer of a handler, with the revision that its header tells."""
    return Reply(status, body=("answer", body, revision), rule=rule)


def handled(_spec: ResourcesSpec, state: State, action: a.Handled) -> Step:
    """The handler of a request ends; nothing of it has any effect yet."""
    request = state.requests.get(action.request)
    if request is None or request.stage != "running":
        raise NotEnabled(action, "no handler of this request runs")
    request = change(request, stage="handled", outcome=action.outcome)
    return Step(change(state, requests=state.requests.set(action.request, request)))


def publish(spec: ResourcesSpec, state: State, action: a.Publish) -> Step:
    """What a handler returned takes effect, the lock is free, and the answer is decided."""
    request = state.requests.get(action.request)
    if request is None or request.stage != "handled" or request.outcome is None:
        raise NotEnabled(action, "no handler of this request has ended")
    key, outcome = request.key, request.outcome
    left = change(state, requests=state.requests.delete(action.request))
    if request.kind == UNGATED:
        return _done(left, action, _plain(request, h.FREE), h.FREE)
    if key is None:
        return _untracked(left, action, request)
    if not keeps(spec, state):
        rule = h.BROKE if outcome.status == 0 else h.SERVED
        return _done(left, action, _plain(request, rule), rule)
    if key in state.history.refused or is_below(state, key):
        reply = Reply(409, code.STALE_ATTEMPT, rule=h.LATE)
        return _done(left, action, reply, h.LATE)
    if outcome.status == 0:
        return _broke(spec, state, left, action, request, key)
    session = state.sessions.get(key, Session("unbound"))
    if request.kind == READ:
        answer = _answer(outcome.status, outcome.body, session.revision, h.SERVED)
        return _done(left, action, answer, h.SERVED)
    if outcome.status >= 400:
        return _done(left, action, _plain(request, h.FAILED), h.FAILED)
    return _published(spec, state, left, action, request, key)


def _done(state: State, action: a.Publish, reply: Reply, *rules: Rule) -> Step:
    return Step(answered(state, action.request, reply), (), rules)


def _plain(request: Request, rule: Rule) -> Reply:
    """The answer of a handler that changes nothing; one that broke off is no success."""
    outcome = request.outcome
    if outcome is None or outcome.status == 0:
        return Reply(0, loose=True, rule=h.BROKE)
    return _answer(outcome.status, outcome.body, None, rule)


def _untracked(state: State, action: a.Publish, request: Request) -> Step:
    """A request without identity: what it may have changed belongs to no rollout."""
    outcome = request.outcome
    changed = outcome is not None and request.kind != READ and outcome.status < 400
    flag = changed and state.settings.mode != "stateless"
    state = change(state, untracked=state.untracked or flag)
    rules = (h.UNTRACKED,) if flag else (h.SERVED,)
    return _done(state, action, _plain(request, rules[0]), *rules)


def _broke(
    spec: ResourcesSpec,
    state: State,
    left: State,
    action: a.Publish,
    request: Request,
    key: Key,
) -> Step:
    """A handler broke off; unless it only read, its session is uncertain."""
    row = None if request.kind == READ else row_for(spec, state, key, "handler_broke")
    reply = _plain(request, h.BROKE)
    if row is None:
        return _done(left, action, reply, h.BROKE)
    session = state.sessions.get(key, Session("unbound"))
    broken = change(session, status=row.target, why=row.rule)
    return _done(with_session(left, key, broken), action, reply, h.BROKE, row.rule)


def _published(
    spec: ResourcesSpec,
    state: State,
    left: State,
    action: a.Publish,
    request: Request,
    key: Key,
) -> Step:
    """A change that succeeded: the revision rises and the receipt is kept, before the answer."""
    assert request.outcome is not None  # Its handler has ended.
    row, outcome = row_for(spec, state, key, _EVENTS[request.kind]), request.outcome
    if row is None:
        reply = Reply(409, code.STALE_ATTEMPT, rule=h.LATE)
        return _done(left, action, reply, h.LATE)
    before = Session("unbound") if request.kind == START else state.sessions[key]
    revision = before.revision + 1
    receipt = Receipt(
        request.request_id or "",
        request.expected,
        request.input,
        outcome.status,
        outcome.body,
        revision,
    )
    session = Session(row.target, revision, (*before.receipts, receipt), row.rule)
    if row.target == "ended":
        ended = left.history.ended.set(key, True)
        left = with_session(change(left, history=change(left.history, ended=ended)), key, None)
    else:
        left = with_session(left, key, session)
    superseded: tuple[Rule, ...] = ()
    if request.kind == START:
        left, superseded = raise_watermark(spec, left, key, "start")
    answer = _answer(outcome.status, outcome.body, revision, row.rule)
    return _done(left, action, answer, h.PUBLISHED, row.rule, *superseded)
