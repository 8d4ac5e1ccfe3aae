"""The steps of a commit and of a restore, one await point each."""

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model import custody
from fencepost_reference.receipts.policy_model.control import answered, kept, refuse
from fencepost_reference.receipts.policy_model.state import Checkpoint, Lineage, State, Storing
from fencepost_reference.receipts.state import Reply
from fencepost_spec.operation import Check
from fencepost_spec.receipts.policy_model.rules import COPY_UNDONE, REPEAT_COMMIT, STORAGE_STEP
from fencepost_spec.receipts.policy_model.spec import ModelSpec
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key


def store(spec: ModelSpec, state: State, action: a.Store) -> Step:
    """The running commit or restore takes its next step."""
    storing = state.fence.storing
    if storing is None or storing.op in state.holds:
        raise NotEnabled(action, "no storage step can be taken now")
    steps = _commit_step if storing.op == "commit" else _restore_step
    return steps(spec, state, storing)


def _first(ladder: tuple[Check, ...], facts: object) -> Check | None:
    return next((check for check in ladder if check.when(facts)), None)


def _stage(state: State, storing: Storing, *rules: Rule) -> Step:
    return Step(change(state, fence=change(state.fence, storing=storing)), (), rules)


def _commit_step(spec: ModelSpec, state: State, storing: Storing) -> Step:
    """Check everything, write the lineages, then the manifest, then answer."""
    if storing.content is None:
        refusal = _first(spec.roots, custody.root_facts(state, storing))
        if refusal is not None:
            return _fail(spec, state, storing, refusal.answer, refusal.rule)
        content, left_out = custody.content_of(state, storing)
        storing = change(storing, stage="checked", content=content, left_out=left_out)
        return _stage(state, storing)
    if storing.stage == "published":
        return _succeed(spec, state, storing, storing.content)
    here = state.disk.get(storing.directory)
    if here is not None and here.kind not in ("partial", "unknown"):
        refusal = _first(spec.existing, custody.existing_facts(here, storing.content))
        if refusal is not None:
            return _fail(spec, state, storing, refusal.answer, refusal.rule)
        return _stage(state, change(storing, stage="published"), REPEAT_COMMIT)
    step = "records" if storing.stage == "checked" else "manifest"
    if step in state.failing:
        return _fail(spec, _consumed(state, step), storing, None, STORAGE_STEP)
    if storing.stage == "checked":
        disk = state.disk.set(storing.directory, Checkpoint("partial"))
        return _stage(change(state, disk=disk), change(storing, stage="written"))
    state = change(state, disk=state.disk.set(storing.directory, storing.content))
    if "after_manifest" in state.failing:
        return _fail(spec, _consumed(state, "after_manifest"), storing, None, STORAGE_STEP)
    return _stage(state, change(storing, stage="published"))


def _consumed(state: State, step: str) -> State:
    failing = list(state.failing)
    failing.remove(step)
    return change(state, failing=tuple(failing))


def _restore_step(spec: ModelSpec, state: State, storing: Storing) -> Step:
    """Check the whole directory, copy its lineages one by one, then refuse its sources."""
    content = storing.content
    if content is None:
        if "read" in state.failing:
            return _fail(spec, _consumed(state, "read"), storing, None, STORAGE_STEP)
        refusal = _first(spec.source, custody.restore_facts(state, storing))
        if refusal is not None:
            return _fail(spec, state, storing, refusal.answer, refusal.rule)
        here = state.disk.get(storing.directory, Checkpoint("partial"))
        return _stage(state, change(storing, stage="checked", content=here))
    missing = [(name, rows) for name, rows in content.lineages if name not in state.lineages]
    if not missing:
        return _install(spec, state, storing, content)
    if "copy" in state.failing:
        return _fail(spec, _consumed(state, "copy"), storing, None, COPY_UNDONE)
    name, rows = missing[0]
    lineages = state.lineages.set(name, Lineage(rows))
    copied = change(storing, copied=(*storing.copied, name))
    return _stage(change(state, lineages=lineages), copied)


def _install(spec: ModelSpec, state: State, storing: Storing, content: Checkpoint) -> Step:
    """Every lineage is there: refuse what the checkpoint refuses, and its sources."""
    rules: list[Rule] = []
    for key in content.tombstones:
        state, used = refuse(spec, state, key, "restored")
        rules += used
    for key in content.sources:
        state, used = refuse(spec, state, key, "source")
        state, raised = _raised(spec, state, key)
        rules += (*used, *raised)
    step = _succeed(spec, state, storing, content)
    return Step(step.state, step.outputs, (*rules, *step.rules))


def _raised(spec: ModelSpec, state: State, key: Key) -> tuple[State, tuple[Rule, ...]]:
    rules = tuple(entry.rule for entry in spec.raises if entry.cause == "source")
    mark = state.history.mark
    if not rules or mark.get(key.rollout_id, -1) >= key.attempt:
        return state, ()
    history = change(state.history, mark=mark.set(key.rollout_id, key.attempt))
    return change(state, history=history), rules


def _counted(storing: Storing, content: Checkpoint) -> tuple[tuple[str, object], ...]:
    """What the answer says of the ledger that was written or restored."""
    common: tuple[tuple[str, object], ...] = (
        ("rollouts", len(content.lineages)),
        ("rows", sum(len(rows) for _, rows in content.lineages)),
        ("references", custody.references_of(content)),
    )
    if storing.op == "commit":
        aborted, inactive = storing.left_out
        return (*common, ("excluded_tombstoned", aborted), ("excluded_inactive", inactive))
    refused = (("tombstones", content.tombstones), ("source_attempts", content.sources))
    return (*common, ("checkpoint_id", content.id), *refused)


def _succeed(spec: ModelSpec, state: State, storing: Storing, content: Checkpoint) -> Step:
    event = {"commit": "commit_finished", "restore": "restore_installed"}[storing.op]
    row = spec.fence.find(state.fence.phase, event, None)
    rule = spec.operations[storing.op].effect
    reply = Reply(200, body=_counted(storing, content), rule=rule)
    for caller in storing.callers:
        state = answered(state, caller, reply)
    phase = state.fence.phase if row is None else row.target
    state = change(state, fence=change(state.fence, phase=phase, storing=None))
    state = kept(state, storing.op, storing.directory, reply)
    return Step(state, (), (rule,) if row is None else (rule, row.rule))


def _fail(spec: ModelSpec, state: State, storing: Storing, refusal: str | None, rule: Rule) -> Step:
    """The operation ends without effect; without a code the answer is a server error."""
    event = {"commit": "commit_failed", "restore": "restore_failed_closed"}[storing.op]
    row = spec.fence.find(state.fence.phase, event, None)
    reply = Reply(0, loose=True, rule=rule) if refusal is None else Reply(409, refusal, rule=rule)
    for caller in storing.callers:
        state = answered(state, caller, reply)
    lineages = state.lineages
    for name in storing.copied:
        lineages = lineages.delete(name)
    phase = state.fence.phase if row is None else row.target
    fence = change(state.fence, phase=phase, storing=None)
    state = change(state, fence=fence, lineages=lineages)
    return Step(state, (), (rule,) if row is None else (rule, row.rule))
