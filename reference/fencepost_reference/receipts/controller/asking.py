"""What a checkpoint or restore asks of all participants, kind by kind."""

from collections.abc import Iterable

from fencepost_reference.receipts.controller.actions import Call, Request
from fencepost_reference.receipts.controller.outbox import outbox
from fencepost_reference.receipts.controller.said import AGENT, MODEL, Place
from fencepost_reference.receipts.controller.sessions import left_over
from fencepost_reference.receipts.controller.state import Fleet, Round, State
from fencepost_spec.receipts.controller.spec import ControllerSpec
from fencepost_spec.vocabulary import Key

DISCARD = "discard-restored-continuation"


def directory_of(checkpoint_id: str) -> str:
    """Where participants write: a directory named after the checkpoint."""
    return checkpoint_id


def due_calls(spec: ControllerSpec, fleet: Fleet, state: State) -> tuple[Call, ...]:
    """The calls of the open checkpoint that may leave now."""
    current = state.round
    calls = () if current is None else _due(spec, fleet, state, current)
    return tuple(call for call in calls if call.call not in state.calls)


def _due(spec: ControllerSpec, fleet: Fleet, state: State, current: Round) -> Iterable[Call]:
    """The calls that the phase of a checkpoint asks for."""
    waits = spec.policy.flush == "before_prepare" and bool(outbox(state))
    match current.transaction:
        case "idle" if current.publication == "gated" and not waits:
            return _preparing(spec, fleet, current)
        case "preparing":
            return _preparing(spec, fleet, current)
        case "prepared" if not waits:
            return _committing(spec, fleet, state, current)
        case "committing":
            return _committing(spec, fleet, state, current)
        case "restoring":
            return _restoring(spec, current)
        case "restored" if current.discards:
            return _discarding(current)
        case "restored" | "releasing":
            return _releasing(spec, current)
        case _:
            return ()


def _next(order: tuple[str, ...], places: Iterable[Place], done: frozenset[Place]) -> list[Place]:
    """Those of the first kind in order that have not all answered."""
    for kind in order:
        left = [place for place in places if place.kind == kind and place not in done]
        if left:
            return left
    return []


def _preparing(spec: ControllerSpec, fleet: Fleet, current: Round) -> list[Call]:
    left = _next(spec.policy.prepare_order, fleet.places(saved=False), current.done)
    calls: list[Call] = []
    for place in left:
        op = "prepare" if place.kind != MODEL else "pause"
        if place.kind == MODEL and place in current.pending:
            op = "status"
        calls.append(_call(op, place, Request(current.id)))
    return calls


def _call(op: str, place: Place, request: Request) -> Call:
    return Call(f"{op} {place}", place, op, request)


def _committing(spec: ControllerSpec, fleet: Fleet, state: State, current: Round) -> list[Call]:
    left = _next(spec.policy.commit_order, fleet.places(saved=True), current.done)
    digests = tuple(one.digest for place, one in current.results if place.kind == AGENT)
    directory = directory_of(current.id)
    over = [(place, left_over(state, current, place)) for place in left]
    if spec.policy.sessions != "keep" and any(keys for _, keys in over):
        return [_retiring(current, place, key) for place, keys in over for key in keys]
    return [
        _call(
            "commit",
            place,
            Request(current.id, directory, agents=digests if place.kind == MODEL else ()),
        )
        for place in left
    ]


def _retiring(current: Round, place: Place, key: Key) -> Call:
    name = f"retire {key.rollout_id} {key.attempt} at {place}"
    return Call(name, place, "retire", Request(current.id, key=key))


def _restoring(spec: ControllerSpec, current: Round) -> list[Call]:
    snapshot = current.snapshot
    assert snapshot is not None, "a restore has a snapshot"
    places = [place for place, _ in snapshot.participants]
    left = _next(spec.policy.restore_order, places, current.done)
    request = Request(current.id, directory_of(snapshot.checkpoint_id))
    return [_call("restore", place, request) for place in left]


def _discarding(current: Round) -> list[Call]:
    return [
        Call(
            f"discard {key.rollout_id} {key.attempt}", place, DISCARD, Request(current.id, key=key)
        )
        for place, key in current.discards
    ]


def _releasing(spec: ControllerSpec, current: Round) -> list[Call]:
    """Everybody is attempted in the order of kinds, whether or not others have confirmed."""
    tried: frozenset[Place] = current.done if current.transaction == "releasing" else frozenset()
    due: list[Place] = []
    for kind in spec.policy.release_order:
        here = sorted(place for place in current.touched if place.kind == kind)
        again = spec.policy.release == "until_confirmed"
        due += [place for place in here if again or place not in tried]
        if any(place not in tried for place in here):
            break
    return [_call("resume", place, Request(current.id)) for place in due]
