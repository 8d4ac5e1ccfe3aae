"""Proposals of `/run` calls: new attempts, repeated and older ones, and those nobody may start."""

from collections.abc import Iterator

from fencepost.evidence import CAUSES
from fencepost.generating.scene import ROLLOUTS, Proposal, Scene
from fencepost.trace.lines import JsonObject
from fencepost_spec.vocabulary import Key

LIVE_MAX = 3


def body_of(key: Key) -> JsonObject:
    """The body of a run; a rollout that is named by its indices is named so."""
    if key.rollout_id[0].isdigit():
        task, rollout = key.rollout_id.split("-")
        name: JsonObject = {"_ng_task_index": int(task), "_ng_rollout_index": int(rollout)}
    else:
        name = {"_ng_rollout_id": key.rollout_id}
    return name | ({"_ng_attempt_index": key.attempt} if key.attempt else {})


def propose_runs(scene: Scene) -> Iterator[Proposal]:
    """Everything that a client may ask to run."""
    state = scene.state
    room = state.accepting and len(scene.live) < LIVE_MAX
    for rollout_id in ROLLOUTS:
        fresh = Key(rollout_id, scene.next_attempt(rollout_id))
        older = [key for key in state.executions if key.rollout_id == rollout_id]
        pending = [key for key in state.pending if key.rollout_id == rollout_id]
        if older:
            yield _run(scene, 0.15, fresh)
        elif pending:
            yield _run(scene, 0.5 if room else 0.1, fresh)
        else:
            yield _run(scene, 2.0 if room else 0.3, fresh)
        mark = state.history.watermark.get(rollout_id, -1)
        known = set(scene.keys())
        for attempt in range(mark):
            if Key(rollout_id, attempt) not in known:
                yield _run(scene, 0.5, Key(rollout_id, attempt))
        if not older and not pending and room:
            # An attempt that is left out can be asked for later, and is too old by then.
            yield _run(scene, 0.1 * scene.rather("R-WAT-1"), fresh.next())
    yield from _known_keys(scene, room)
    if scene.can("unidentified") and not state.untracked:
        yield Proposal(0.2, scene.call("run", {}))
    if scene.can("malformed"):
        yield Proposal(0.1, scene.call("run", {"_ng_rollout_id": "-not a name"}))


def _known_keys(scene: Scene, room: bool) -> Iterator[Proposal]:
    """Keys that were heard of: restored, at work, finished, ended."""
    state = scene.state
    for key in sorted(state.pending):
        yield _run(scene, 3.0 if room else 0.3, key)
    for key in scene.some(scene.live):
        yield _run(scene, 0.4, key)
    for key in scene.some(scene.completed):
        yield _run(scene, 0.5, key)
    for key in scene.some(scene.ended):
        yield _run(scene, 0.5, key)
    for key, why in sorted(state.history.refused.items(), key=lambda refused: refused[0]):
        if scene.rather(*CAUSES.get(why.id, ())) > 1:
            yield _run(scene, 1.5, key)


def _run(scene: Scene, weight: float, key: Key) -> Proposal:
    return Proposal(weight, scene.call("run", body_of(key)))
