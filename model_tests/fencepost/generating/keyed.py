"""Proposals of calls about one key: retire, receipts, acknowledgements, discards."""

from collections.abc import Iterator
from typing import Any

import attrs

from fencepost.exercise import released_by
from fencepost.generating.fenced import wrong_ids
from fencepost.generating.scene import LONG, Proposal, Scene, control, keyed
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import Key, digest_of

UNHEARD_OF = Key("r9", 0)


def propose_keyed(scene: Scene) -> Iterator[Proposal]:
    """Every operation that names a key."""
    if scene.can("retire"):
        yield from _retires(scene)
    if scene.can("acknowledge"):
        yield from _acknowledgements(scene)
    if scene.can("acknowledge-completed"):
        yield from _batches(scene)
    if scene.can("completion-receipt"):
        for weight, key in [
            *((0.4, each) for each in scene.some(scene.completed)),
            *((0.2, each) for each in scene.some([*scene.live, *scene.ended, UNHEARD_OF])),
        ]:
            yield Proposal(weight, scene.call("completion-receipt", keyed(key)))
    if scene.can("discard-restored-continuation"):
        yield from _discards(scene)


def _retires(scene: Scene) -> Iterator[Proposal]:
    state = scene.state
    named = state.fence.active or scene.names.fresh_checkpoint
    deadline = scene.random.choice((LONG, scene.soon, 0.0)) if scene.can("time") else LONG

    def retire(weight: float, key: Key, name: str = named) -> Proposal:
        return Proposal(weight, scene.call("retire", control(name, deadline, **keyed(key))))

    for key in scene.live:
        execution = state.executions[key]
        stuck = execution.status in ("parked_without_boundary", "retiring")
        wanted = 1.0 if execution.handler else scene.rather("R-EXE-39")
        yield retire((0.6 if stuck else 0.2) * wanted, key)
    for key in scene.some(scene.completed):
        yield retire(0.25, key)
    for key in scene.some(state.pending):
        yield retire(0.4 * scene.rather("R-EXE-41"), key)
    for key in scene.some(scene.ended):
        yield retire(0.25, key)
    for directory in scene.some(scene.committed):
        # The key under which a restore would continue: refused before it is there.
        for key, _ in state.disk[directory].records[:1]:
            yield retire(0.15, key.next())
    yield retire(0.1, Key("r1", scene.next_attempt("r1")))
    for name in wrong_ids(scene):
        for key in scene.some([*scene.live, UNHEARD_OF]):
            yield retire(0.12, key, name)


def receipt_of(scene: Scene, key: Key) -> Receipt | None:
    """The receipt by which a key was or can be released."""
    return released_by(scene.state, key)


def receipt_body(key: Key, receipt: Receipt) -> JsonObject:
    """A receipt as a caller gives it back."""
    return keyed(key) | attrs.asdict(receipt)


def spoilt(scene: Scene, receipt: Receipt) -> Receipt:
    """The receipt with one field that is wrong."""
    changes: list[tuple[str, dict[str, Any]]] = [
        ("R-REC-1", {"execution_generation": receipt.execution_generation + 1}),
        ("R-REC-2", {"result_identity": f"{receipt.result_identity[:100]}x"}),
        ("R-REC-3", {"result_digest": digest_of("another result")}),
    ]
    if receipt.terminal_model_call_id is None:
        both = {"manifest_capture_key": "r1", "terminal_model_call_id": "m0"}
        changes.append(("R-REC-4", both))
    else:
        changes += [
            ("R-REC-4", {"manifest_capture_key": f"{receipt.manifest_capture_key}x"}),
            ("R-REC-5", {"terminal_model_call_id": f"{receipt.terminal_model_call_id}x"}),
        ]
    weights = [scene.rather(rule_id) for rule_id, _ in changes]
    ((_, change),) = scene.random.choices(changes, weights)
    return attrs.evolve(receipt, **change)


def _acknowledgements(scene: Scene) -> Iterator[Proposal]:
    def acknowledge(weight: float, key: Key, receipt: Receipt) -> Proposal:
        return Proposal(weight, scene.call("acknowledge", receipt_body(key, receipt)))

    wanted = 2.5 if scene.state.fence.active is not None else 0.8
    for key in scene.completed:
        receipt = receipt_of(scene, key)
        if receipt is not None:
            yield acknowledge(wanted, key, receipt)
            yield acknowledge(0.6, key, spoilt(scene, receipt))
    for key in scene.some(scene.state.history.acknowledged):
        receipt = receipt_of(scene, key)
        if receipt is not None:
            yield acknowledge(0.25, key, receipt)
            yield acknowledge(0.25, key, spoilt(scene, receipt))
    for key in scene.some([*scene.live, UNHEARD_OF]):
        yield acknowledge(0.15, key, Receipt(1, "x", digest_of("x")))


def _batches(scene: Scene) -> Iterator[Proposal]:
    receipts = [
        (key, receipt) for key in scene.completed if (receipt := receipt_of(scene, key)) is not None
    ]
    if not receipts:
        return
    right = [receipt_body(key, receipt) for key, receipt in receipts]
    for key in scene.some(scene.state.history.acknowledged):
        receipt = receipt_of(scene, key)
        if receipt is not None:
            right.append(receipt_body(key, receipt))
    yield Proposal(0.5, scene.call("acknowledge-completed", {"executions": right}))
    key, receipt = receipts[-1]
    wrong = [*right[: len(receipts) - 1], receipt_body(key, spoilt(scene, receipt))]
    yield Proposal(0.4, scene.call("acknowledge-completed", {"executions": wrong}))


def _discards(scene: Scene) -> Iterator[Proposal]:
    state = scene.state
    named = state.fence.active or scene.names.fresh_checkpoint

    def discard(weight: float, key: Key, name: str = named) -> Proposal:
        request = control(name, **keyed(key))
        return Proposal(weight, scene.call("discard-restored-continuation", request))

    paused = state.fence.phase == "restored_paused"
    for key in scene.some(state.pending):
        yield discard(0.8 if paused else 0.1, key)
    for key in scene.some([*scene.live, *scene.ended, UNHEARD_OF]):
        yield discard(0.4 if paused else 0.05, key)
    for name in wrong_ids(scene):
        yield discard(0.06, UNHEARD_OF, name)
