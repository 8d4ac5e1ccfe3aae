"""Commit and restore while they run: one storage step at a time, and a crash between any two."""

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.actions import Store
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources.changes import (
    all_answered,
    consumed,
    exports,
    is_below,
    raise_watermark,
    refuse,
    row_for,
    with_session,
)
from fencepost_reference.receipts.resources.control_facts import was_served
from fencepost_reference.receipts.resources.state import (
    Directory,
    Fence,
    Records,
    Session,
    State,
    Storing,
)
from fencepost_reference.receipts.state import Recorded, Reply
from fencepost_spec.receipts.resources import operations as ops
from fencepost_spec.receipts.resources import refusals as code
from fencepost_spec.receipts.resources.server import ResourcesSpec
from fencepost_spec.receipts.running import ON_DISK, REPLACEMENT_REFUSED, STORAGE_STEP, UNREADABLE
from fencepost_spec.rule import Rule


def store(spec: ResourcesSpec, state: State, action: Store) -> Step:
    """The running commit or restore takes its next step."""
    storing = state.fence.storing
    if storing is None:
        raise NotEnabled(action, "no commit or restore runs")
    if storing.op in state.holds:
        raise NotEnabled(action, "the storage is held")
    if storing.op == "commit":
        return _commit_step(spec, state, storing)
    if storing.stage == "started":
        return _read(spec, state, storing)
    return _install(spec, state, storing)


def _commit_step(spec: ResourcesSpec, state: State, storing: Storing) -> Step:
    """Records, then the manifest, then the answer; an existing directory is only compared."""
    here = state.disk.get(storing.directory)
    if storing.stage == "published":
        body = (("sessions", len(storing.records)),)
        return _succeed(spec, state, storing, "commit_finished", body)
    started = storing.stage == "started"
    if started and here is not None and here.kind not in ("partial", "unknown"):
        if _same(here, state, storing):
            return _stage(state, storing, "published")
        return _fail(spec, state, storing, "commit_failed", code.CHECKPOINT_ERROR, ON_DISK)
    step = "records" if started else "manifest"
    if step in state.failing:
        failed = consumed(state, step)
        return _fail(spec, failed, storing, "commit_failed", None, STORAGE_STEP)
    agents = None if here is None else here.agents
    if started:
        left = Directory("partial", agents=agents)
        disk = state.disk.set(storing.directory, left)
        return _stage(change(state, disk=disk), storing, "written")
    written = Directory("committed", storing.source, state.settings.name, storing.records, agents)
    state = change(state, disk=state.disk.set(storing.directory, written))
    if "after_manifest" in state.failing:
        failed = consumed(state, "after_manifest")
        return _fail(spec, failed, storing, "commit_failed", None, STORAGE_STEP)
    return _stage(state, storing, "published")


def _same(here: Directory, state: State, storing: Storing) -> bool:
    """Whether a committed directory is the one that this commit would write."""
    mine = here.kind == "committed" and here.name == state.settings.name
    return mine and here.source == storing.source and here.records == storing.records


def _stage(state: State, storing: Storing, stage: str) -> Step:
    fence = change(state.fence, storing=change(storing, stage=stage))
    return Step(change(state, fence=fence))


def _read(spec: ResourcesSpec, state: State, storing: Storing) -> Step:
    """Read the whole directory, or find that it cannot be read."""
    if "read" in state.failing:
        failed = consumed(state, "read")
        return _fail(spec, failed, storing, "restore_refused", None, STORAGE_STEP)
    here = state.disk.get(storing.directory)
    if here is None or here.kind != "committed" or here.name != state.settings.name:
        refused = change(storing, refusal=UNREADABLE, code=code.CHECKPOINT_ERROR)
        return _stage(state, refused, "read")
    read = change(storing, records=here.records, source=here.source)
    revisions = tuple((key, snapshot.revision) for key, snapshot in here.records)
    named = here.agents if exports(spec, state) else None
    if named is not None and named != revisions:
        read = change(read, refusal=ops.AGENTS_DIFFER, code=code.REVISION_MISMATCH)
    return _stage(state, read, "read")


def _install(spec: ResourcesSpec, state: State, storing: Storing) -> Step:
    """Hand everything over, then install it; or refuse and change nothing."""
    refusal, refused_with = storing.refusal, storing.code
    if refusal is None:
        refusal, refused_with = _why_not(spec, state, storing.records)
    if refusal is None and "install" in state.failing:
        state = consumed(state, "install")
        refusal, refused_with = ops.INSTALL_FAILED, code.CHECKPOINT_ERROR
    if refusal is not None:
        return _fail(spec, state, storing, "restore_refused", refused_with, refusal)
    rules: list[Rule] = []
    for key, snapshot in storing.records:
        source = row_for(spec, state, key, "source_restored")
        if source is not None:
            state = refuse(spec, state, key, "source", source.rule)
            rules.append(source.rule)
        state, superseded = raise_watermark(spec, state, key, "restore")
        rules += superseded
        waits = row_for(spec, state, key.next(), "snapshot_installed")
        if waits is not None:
            session = Session(waits.target, snapshot.revision, snapshot.receipts, waits.rule)
            state = with_session(state, key.next(), session)
            rules.append(waits.rule)
    body = (("sessions", len(storing.records)), ("source_checkpoint_id", storing.source))
    installed = change(state, accepting=False, restore_awaited=False)
    step = _succeed(spec, installed, storing, "restore_installed", body)
    return Step(step.state, step.outputs, (*rules, *step.rules))


def _why_not(spec: ResourcesSpec, state: State, records: Records) -> tuple[Rule | None, str | None]:
    """What keeps the records from being installed now, asked again at the last moment."""
    facts = ops.ResourcesControlFacts(served=was_served(state))
    for check in spec.operations["restore"].ladder:
        if check.when is ops.something_was_served and check.when(facts):
            return check.rule, check.answer
    if records and not exports(spec, state):
        return ops.FOREIGN_SESSIONS, code.CHECKPOINT_ERROR
    highest: dict[str, int] = {}
    for key, _ in records:
        highest[key.rollout_id] = max(key.attempt, highest.get(key.rollout_id, 0))
    for key, _ in records:
        claim = key.next()
        taken = claim in state.history.refused or is_below(state, claim)
        if taken or claim.attempt <= highest[key.rollout_id]:
            return REPLACEMENT_REFUSED, code.CHECKPOINT_ERROR
    return None, None


def _succeed(
    spec: ResourcesSpec,
    state: State,
    storing: Storing,
    event: str,
    body: tuple[tuple[str, object], ...],
) -> Step:
    """The operation ends well; its answer is recorded for whoever asks again."""
    row = spec.fence.find(state.fence.phase, event, None)
    rule = spec.operations[storing.op].effect
    reply = Reply(200, body=body, rule=rule)
    state = all_answered(state, storing.callers, reply)
    fence = change(
        state.fence,
        phase=state.fence.phase if row is None else row.target,
        storing=None,
        recorded=(*state.fence.recorded, Recorded(storing.op, storing.directory, reply)),
    )
    return Step(change(state, fence=fence), (), (rule,) if row is None else (rule, row.rule))


def _fail(
    spec: ResourcesSpec,
    state: State,
    storing: Storing,
    event: str,
    refusal: str | None,
    rule: Rule,
) -> Step:
    """The operation ends without effect; without a code the answer is a server error."""
    row = spec.fence.find(state.fence.phase, event, None)
    reply = Reply(0, loose=True, rule=rule)
    if refusal is not None:
        reply = Reply(409, refusal, any_code=refusal == code.CHECKPOINT_ERROR, rule=rule)
    state = all_answered(state, storing.callers, reply)
    phase = state.fence.phase if row is None else row.target
    fence = Fence() if phase == "idle" else change(state.fence, phase=phase, storing=None)
    return Step(change(state, fence=fence), (), (rule,) if row is None else (rule, row.rule))
