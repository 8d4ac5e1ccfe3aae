"""Proposals of calls that nobody may make: without the right token, or with a malformed body."""

from collections.abc import Iterator

from fencepost.generating.keyed import UNHEARD_OF, receipt_body
from fencepost.generating.scene import Proposal, Scene, control, keyed
from fencepost.participant import OPERATIONS
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import digest_of


def propose_wrong(scene: Scene) -> Iterator[Proposal]:
    """One call without the right token, one with a body of another shape."""
    offered = [op for op in OPERATIONS if scene.can(op)]
    if scene.can("auth"):
        auth = scene.random.choice(("none", "wrong"))
        for op in scene.some(offered):
            yield Proposal(0.35, scene.call(op, _body(scene, op), auth))
    if scene.can("malformed"):
        for op in scene.some(each for each in offered if each != "capabilities"):
            yield Proposal(0.35, scene.call(op, _malformed(scene, _body(scene, op))))


def _body(scene: Scene, op: str) -> JsonObject:
    """A body of the right shape, which would mean something."""
    name = scene.state.fence.active or scene.names.fresh_checkpoint
    live = [*scene.live, *scene.completed, UNHEARD_OF]
    receipt = receipt_body(UNHEARD_OF, Receipt(1, "x", digest_of("x")))
    bodies: dict[str, JsonObject] = {
        "status": {"checkpoint_id": name},
        "commit": control(name, checkpoint_dir=scene.names.fresh_directory),
        "restore": control(name, checkpoint_dir="nowhere"),
        "retire": control(name, **keyed(live[0])),
        "acknowledge": receipt,
        "acknowledge-completed": {"executions": [receipt]},
        "completion-receipt": keyed(live[0]),
        "discard-restored-continuation": control(name, **keyed(UNHEARD_OF)),
        "capabilities": {},
    }
    return bodies.get(op, control(name))


def _malformed(scene: Scene, body: JsonObject) -> JsonObject:
    """The body with a member too many, one too few, or one of another type."""
    member = scene.random.choice(sorted(body))
    kind = scene.random.choice(("more", "less", "other"))
    if kind == "more":
        return body | {"surprise": True}
    if kind == "less":
        return {name: value for name, value in body.items() if name != member}
    return body | {member: {"not": "this"}}
