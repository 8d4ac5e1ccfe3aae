"""Proposals of fenced calls: prepare, commit, restore, resume, status, with right and wrong ids."""

from collections.abc import Iterator

from fencepost.generating.scene import LONG, Proposal, Scene, control
from fencepost_reference.receipts.control import recorded_of

OTHER = "other"


def propose_fenced(scene: Scene) -> Iterator[Proposal]:
    """Every operation of the fence that moves it, and some that it must refuse."""
    for op, propose in (
        ("prepare", _prepares),
        ("commit", _commits),
        ("restore", _restores),
        ("resume", _resumes),
        ("status", _statuses),
    ):
        if scene.can(op):
            yield from propose(scene)


def wrong_ids(scene: Scene) -> list[str]:
    """An id that is finished, and one that is not the active one."""
    found = scene.some(sorted(scene.state.history.finished))
    if scene.state.fence.active is not None:
        found.append(OTHER)
    return found


def _prepares(scene: Scene) -> Iterator[Proposal]:
    fence, random = scene.state.fence, scene.random
    deadline = LONG
    if scene.can("time"):
        deadline = random.choices((LONG, scene.soon, 0.0, -1.0), (6, 2, 1, 1))[0]

    def prepare(weight: float, name: str) -> Proposal:
        request = control(name, deadline)
        waits = any(execution.wait == "model" for execution in scene.state.executions.values())
        if scene.can("model_wait") and random.random() < (0.8 if waits else 0.3):
            request["allow_model_wait_boundary"] = True
        return Proposal(weight, scene.call("prepare", request))

    if fence.active is None:
        weight = 3.0 if scene.state.executions else 0.6
        if scene.state.pending:
            weight *= scene.rather("R-EXP-3")
        yield prepare(weight, scene.names.fresh_checkpoint)
    elif fence.phase == "preparing":
        yield prepare(0.5 if fence.waiting else 4.0, fence.active)
    else:
        yield prepare(0.3, fence.active)
    for name in wrong_ids(scene):
        yield prepare(0.12, name)


def _commits(scene: Scene) -> Iterator[Proposal]:
    fence = scene.state.fence
    active = fence.active or scene.names.fresh_checkpoint

    def commit(weight: float, name: str, directory: str) -> Proposal:
        return Proposal(weight, scene.call("commit", control(name, checkpoint_dir=directory)))

    fresh = scene.names.fresh_directory
    if fence.storing is not None and fence.storing.op == "commit":
        yield commit(0.8, active, fence.storing.directory)
        yield commit(0.3, active, fresh)
    elif fence.phase == "prepared":
        continued = any(
            execution.boundary is None and execution.continuation is not None
            for execution in scene.state.executions.values()
        )
        wanted = scene.rather("R-EXP-2") if continued else 1.0
        yield commit(4.0 * wanted, active, fresh)
        whole = (name for name, d in scene.state.disk.items() if d.kind != "damaged")
        for directory in scene.some(sorted(whole)):
            weight = 0.8 * scene.rather("R-RUN-20", "R-STO-1", "R-STO-3", "R-STO-4")
            yield commit(weight, active, directory)
    else:
        recorded = recorded_of(fence, "commit")
        if recorded is not None and recorded.directory is not None:
            yield commit(0.4, active, recorded.directory)
        yield commit(0.15, active, fresh)
    for name in wrong_ids(scene):
        yield commit(0.12, name, fresh)


def _restores(scene: Scene) -> Iterator[Proposal]:
    state = scene.state
    fence = state.fence
    active = fence.active or scene.names.fresh_checkpoint
    at_work = bool(state.executions) or bool(state.untracked)

    def restore(weight: float, name: str, directory: str) -> Proposal:
        return Proposal(weight, scene.call("restore", control(name, checkpoint_dir=directory)))

    usable = scene.some(scene.committed)
    if fence.storing is not None and fence.storing.op == "restore":
        yield restore(0.8, active, fence.storing.directory)
        yield restore(0.4, active, "nowhere")
    elif fence.active is None:
        for directory in usable:
            weight = 0.3 if at_work else 1.0 if state.pending else 6.0
            yield restore(weight, active, directory)
        for directory in scene.some(n for n, d in state.disk.items() if d.kind != "committed"):
            weight = 0.3 if at_work else scene.rather("R-STO-10", "R-STO-11")
            yield restore(weight, active, directory)
        yield restore(0.1, active, "nowhere")
    else:
        recorded = recorded_of(fence, "restore")
        if recorded is not None and recorded.directory is not None:
            yield restore(0.5, active, recorded.directory)
        for directory in usable or ["nowhere"]:
            yield restore(0.2, active, directory)
    for name in wrong_ids(scene):
        yield restore(0.12, name, (usable or ["nowhere"])[0])


_RESUMES = {
    "preparing": 0.7,
    "prepared": 1.2,
    "committing": 0.4,
    "committed_paused": 3.0,
    "restoring": 0.4,
    "restored_paused": 3.0,
}


def _resumes(scene: Scene) -> Iterator[Proposal]:
    fence = scene.state.fence
    if fence.active is None:
        yield Proposal(0.2, scene.call("resume", control(scene.names.fresh_checkpoint)))
    else:
        yield Proposal(_RESUMES[fence.phase], scene.call("resume", control(fence.active)))
    for name in wrong_ids(scene):
        yield Proposal(0.25, scene.call("resume", control(name)))


def _statuses(scene: Scene) -> Iterator[Proposal]:
    named = scene.state.fence.active or scene.names.fresh_checkpoint
    for weight, name in ((0.3, named), *((0.12, each) for each in wrong_ids(scene))):
        yield Proposal(weight, scene.call("status", {"checkpoint_id": name}))
