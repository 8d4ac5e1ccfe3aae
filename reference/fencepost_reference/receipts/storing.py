"""Commit and restore while they run: one storage step at a time, and a crash between any two."""

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.changes import answered, change, raise_watermark, refuse
from fencepost_reference.receipts.counting import counts_of
from fencepost_reference.receipts.state import (
    LIVE,
    Boundary,
    Directory,
    Fence,
    Recorded,
    Reply,
    State,
    Storing,
)
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.facts import ControlFacts
from fencepost_spec.receipts.running import (
    ON_DISK,
    REPLACEMENT_REFUSED,
    STORAGE_STEP,
    UNREADABLE,
)
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_INSTALL_CHECKS = frozenset(
    {"something_is_live", "something_is_unacknowledged", "something_is_pending"}
)
_AT_THE_MANIFEST = frozenset({"manifest", "after_manifest"})


def store(spec: AgentSpec, state: State, action: a.Store) -> Step:
    """The running commit or restore takes its next step."""
    storing = state.fence.storing
    if storing is None:
        raise NotEnabled(action, "no commit or restore runs")
    if storing.op in state.holds:
        raise NotEnabled(action, "the storage is held")
    if action.spared and not may_be_spared(state):
        raise NotEnabled(action, "no failure of reading can be spared here")
    if not action.spared and "read" in state.failing and _looks(state, storing):
        state = _consumed(state, "read")
        if storing.op == "restore":
            return _fail(spec, state, storing, "restore_refused", None, STORAGE_STEP)
        if storing.stage == "started" and storing.directory in state.disk:
            return _fail(spec, state, storing, "commit_failed", None, STORAGE_STEP)
    if storing.op == "commit":
        return _commit_step(spec, state, storing)
    if storing.stage == "started":
        return _read(state, storing)
    return _install(spec, state, storing)


def may_be_spared(state: State) -> bool:
    """Whether a failure of reading waits that the next storage step need not meet.

    A restore of a whole checkpoint has to read it. Whatever else is looked at may be answered from
    less: no file is there, one has the wrong size, or a commit knows what it wrote.
    """
    storing = state.fence.storing
    if storing is None or "read" not in state.failing or not _looks(state, storing):
        return False
    return storing.op == "commit" or not _can_be_restored(state, storing)


def _looks(state: State, storing: Storing) -> bool:
    """Whether the next step looks at what lies there: before it begins, or after it has failed."""
    if storing.op == "restore":
        return storing.stage == "started"
    if storing.stage == "started":
        return storing.directory in state.disk or "records" in state.failing
    return storing.stage == "written" and not _AT_THE_MANIFEST.isdisjoint(state.failing)


def _finds_something(state: State, storing: Storing) -> bool:
    """Whether a commit that begins finds something to compare with."""
    here = state.disk.get(storing.directory)
    begins = storing.stage == "started"
    return begins and here is not None and here.kind not in ("partial", "unknown")


def _can_be_restored(state: State, storing: Storing) -> bool:
    here = state.disk.get(storing.directory)
    return here is not None and here.kind == "committed" and here.instance == state.instance


def _commit_step(spec: AgentSpec, state: State, storing: Storing) -> Step:
    """Records, then the manifest, then the answer; an existing directory is only compared."""
    if storing.stage == "published":
        return _succeed(spec, state, storing, "commit_finished", committed_body(storing.records))
    started = storing.stage == "started"
    if _finds_something(state, storing):
        if _same(state.disk[storing.directory], state, storing):
            return _stage(state, storing, "published")
        return _fail(spec, state, storing, "commit_failed", code.CHECKPOINT_ERROR, ON_DISK)
    step = "records" if started else "manifest"
    if step in state.failing:
        return _fail(spec, _consumed(state, step), storing, "commit_failed", None, STORAGE_STEP)
    if started:
        disk = state.disk.set(storing.directory, Directory("partial"))
        return _stage(change(state, disk=disk), storing, "written")
    directory = Directory("committed", storing.source, state.instance, storing.records)
    state = change(state, disk=state.disk.set(storing.directory, directory))
    if "after_manifest" in state.failing:
        state = _consumed(state, "after_manifest")
        return _fail(spec, state, storing, "commit_failed", None, STORAGE_STEP)
    return _stage(state, storing, "published")


def _same(here: Directory, state: State, storing: Storing) -> bool:
    return (
        here.kind == "committed"
        and here.source == storing.source
        and here.instance == state.instance
        and here.records == storing.records
    )


def _stage(state: State, storing: Storing, stage: str) -> Step:
    fence = change(state.fence, storing=change(storing, stage=stage))
    return Step(change(state, fence=fence))


def _consumed(state: State, step: str) -> State:
    failing = list(state.failing)
    failing.remove(step)
    return change(state, failing=tuple(failing))


def committed_body(records: tuple[tuple[Key, Boundary], ...]) -> tuple[tuple[str, int], ...]:
    """What the answer of a commit or restore counts: records, and those with a model call."""
    with_call = sum(1 for _, boundary in records if boundary.call_id is not None)
    return (("records", len(records)), ("continuations", with_call))


def _read(state: State, storing: Storing) -> Step:
    """Read the whole directory, or find that it cannot be read."""
    here = state.disk.get(storing.directory)
    if here is None or not _can_be_restored(state, storing):
        return _stage(state, change(storing, refusal=UNREADABLE), "read")
    return _stage(state, change(storing, records=here.records, source=here.source), "read")


def _install(spec: AgentSpec, state: State, storing: Storing) -> Step:
    """Install everything that was read, or refuse and change nothing."""
    refusal = storing.refusal or _why_not(spec, state, storing.records)
    if refusal is not None:
        return _fail(spec, state, storing, "restore_refused", code.CHECKPOINT_ERROR, refusal)
    rules: list[Rule] = []
    for key, boundary in storing.records:
        source = spec.execution.find("unknown", "source_restored", None)
        if source is not None:
            state = refuse(spec, state, key, "source", source.rule)
            rules.append(source.rule)
        state = raise_watermark(spec, state, key, "restore")
        waits = spec.execution.find("unknown", "record_installed", None)
        if waits is not None:
            record = change(
                boundary,
                attempt=key.attempt,
                capture_key=(boundary.capture_key or key.capture_key)
                if boundary.call_id is not None
                else None,
            )
            state = change(state, pending=state.pending.set(key.next(), record))
            rules.append(waits.rule)
    body = (*committed_body(storing.records), ("source_checkpoint_id", storing.source))
    step = _succeed(spec, change(state, accepting=False), storing, "restore_installed", body)
    return Step(step.state, step.outputs, (*rules, *step.rules))


def _why_not(
    spec: AgentSpec, state: State, records: tuple[tuple[Key, Boundary], ...]
) -> Rule | None:
    """The rule that keeps records from being installed now, asked again at the last moment."""
    facts = ControlFacts(
        anything_live=any(e.status in LIVE for e in state.executions.values())
        or bool(state.untracked),
        anything_unacknowledged=counts_of(state).completed_unacknowledged > 0,
        anything_pending=bool(state.pending),
    )
    for check in spec.operations["restore"].ladder:
        if check.when.__name__ in _INSTALL_CHECKS and check.when(facts):
            return check.rule
    history = state.history
    highest: dict[str, int] = {}
    for key, _ in records:
        highest[key.rollout_id] = max(key.attempt, highest.get(key.rollout_id, 0))
    for key, _ in records:
        claim = key.next()
        if claim.attempt <= highest[key.rollout_id]:
            return REPLACEMENT_REFUSED  # A later record of the same rollout refuses this claim.
        if claim in history.refused or claim in history.acknowledged:
            return REPLACEMENT_REFUSED
        if claim.attempt <= history.watermark.get(claim.rollout_id, -1):
            return REPLACEMENT_REFUSED
    return None


def _succeed(spec: AgentSpec, state: State, storing: Storing, event: str, body: object) -> Step:
    row = spec.fence.find(state.fence.phase, event, None)
    rule = spec.operations[storing.op].effect
    reply = Reply(200, body=("stored", body), rule=rule)
    for caller in storing.callers:
        state = answered(state, caller, reply)
    fence = change(
        state.fence,
        phase=state.fence.phase if row is None else row.target,
        storing=None,
        recorded=(*state.fence.recorded, Recorded(storing.op, storing.directory, reply)),
    )
    return Step(change(state, fence=fence), (), (rule,) if row is None else (rule, row.rule))


def _fail(
    spec: AgentSpec,
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
        reply = Reply(409, refusal, any_code=True, rule=rule)
    for caller in storing.callers:
        state = answered(state, caller, reply)
    phase = state.fence.phase if row is None else row.target
    fence = change(state.fence, phase=phase, storing=None)
    if phase == "idle":
        fence = Fence()
    return Step(change(state, fence=fence), (), (rule,) if row is None else (rule, row.rule))
