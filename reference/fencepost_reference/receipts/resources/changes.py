"""Small changes and questions of a state that several actions share. Each change is a new value."""

from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources.state import HANDLING, Request, Session, State
from fencepost_reference.receipts.state import Outstanding, Reply
from fencepost_spec.receipts.resources.modes import Contract, Mode
from fencepost_spec.receipts.resources.routes import READ, UNGATED
from fencepost_spec.receipts.resources.server import ResourcesSpec
from fencepost_spec.receipts.resources.session import SessionFacts
from fencepost_spec.rule import Rule
from fencepost_spec.table import Row
from fencepost_spec.vocabulary import Key


def answered(state: State, call: str, reply: Reply) -> State:
    """The state in which the answer of a call is decided, if anybody waits for it."""
    if call not in state.calls:
        return state
    outstanding = change(state.calls[call], reply=reply)
    return change(state, calls=state.calls.set(call, outstanding))


def all_answered(state: State, calls: tuple[str, ...], reply: Reply) -> State:
    """The state in which several callers have the same answer."""
    for call in calls:
        state = answered(state, call, reply)
    return state


def waits(
    state: State, call: str, op: str, key: Key | None, deadline: int | None, reply: Reply | None
) -> State:
    """The state in which a call is open."""
    return change(state, calls=state.calls.set(call, Outstanding(op, key, deadline, reply)))


def mode_of(spec: ResourcesSpec, state: State) -> Mode | None:
    """The mode of the server, or None where the specification has lost it."""
    return next((mode for mode in spec.modes if mode.name == state.settings.mode), None)


def keeps(spec: ResourcesSpec, state: State) -> bool:
    """Whether the server has sessions at all."""
    mode = mode_of(spec, state)
    return mode is None or mode.keeps


def exports(spec: ResourcesSpec, state: State) -> bool:
    """Whether the sessions of the server can be written down."""
    mode = mode_of(spec, state)
    return mode is not None and mode.exports


def _contract(spec: ResourcesSpec, state: State) -> Contract | None:
    return next((c for c in spec.contracts if c.name == state.settings.contract), None)


def runs_alone(spec: ResourcesSpec, state: State, request: Request) -> bool:
    """Whether a request takes the lock of its session."""
    contract = _contract(spec, state)
    if request.key is None or request.kind == UNGATED or contract is None:
        return False
    return contract.reads_alone if request.kind == READ else contract.writes_alone


def is_locked(spec: ResourcesSpec, state: State, key: Key) -> bool:
    """Whether a request holds the lock of a session."""
    return any(
        request.key == key and request.stage in HANDLING and runs_alone(spec, state, request)
        for request in state.requests.values()
    )


def is_handled(state: State, key: Key) -> bool:
    """Whether a handler of a key runs, or has ended and has had no effect yet."""
    return any(one.key == key and one.stage in HANDLING for one in state.requests.values())


def status_of(state: State, key: Key) -> str:
    """The state of the chart in which a key stands."""
    session = state.sessions.get(key)
    if session is not None:
        return session.status
    if key in state.history.refused:
        return "retired"
    return "ended" if key in state.history.ended else "unbound"


def row_for(spec: ResourcesSpec, state: State, key: Key, event: str) -> Row | None:
    """The row that answers an event of a key."""
    facts = SessionFacts(is_handled(state, key))
    return spec.session.find(status_of(state, key), event, facts)


def with_session(state: State, key: Key, session: Session | None) -> State:
    """The state in which a key has another session, or none."""
    if session is not None:
        return change(state, sessions=state.sessions.set(key, session))
    return change(state, sessions=state.sessions.delete(key)) if key in state.sessions else state


def refuse(spec: ResourcesSpec, state: State, key: Key, cause: str, why: Rule) -> State:
    """The state in which a key is refused, when the specification says that the cause does so."""
    if not any(entry.cause == cause for entry in spec.refuses):
        return state
    refused = state.history.refused.set(key, why)
    return change(state, history=change(state.history, refused=refused))


def is_below(state: State, key: Key) -> bool:
    """Whether a key is below the watermark of its rollout."""
    return key.attempt < state.history.watermark.get(key.rollout_id, -1)


def raise_watermark(
    spec: ResourcesSpec, state: State, key: Key, cause: str
) -> tuple[State, tuple[Rule, ...]]:
    """The state in which the watermark is at least the attempt, and the rules that were used.

    Older sessions of the rollout are superseded: they go, and their snapshots with them.
    """
    marks = state.history.watermark
    named = any(entry.cause == cause for entry in spec.raises)
    if not named or marks.get(key.rollout_id, -1) >= key.attempt:
        return state, ()
    rules: dict[Rule, None] = {}
    history = change(state.history, watermark=marks.set(key.rollout_id, key.attempt))
    state = change(state, history=history)
    for other in state.sessions:
        if other.rollout_id == key.rollout_id and other.attempt < key.attempt:
            row = row_for(spec, state, other, "superseded")
            if row is not None:
                state, rules[row.rule] = without_session(state, other), None
    return state, tuple(rules)


def without_session(state: State, key: Key) -> State:
    """The state in which a key has no session, and no snapshot that could be written."""
    return with_session(without_snapshot(state, key), key, None)


def without_snapshot(state: State, key: Key) -> State:
    """The state in which the open checkpoint has no snapshot of a key."""
    if all(one[0] != key for one in state.fence.taken):
        return state
    taken = tuple(one for one in state.fence.taken if one[0] != key)
    return change(state, fence=change(state.fence, taken=taken))


def consumed(state: State, step: str) -> State:
    """The state in which one failure of that kind has been met."""
    failing = list(state.failing)
    failing.remove(step)
    return change(state, failing=tuple(failing))
