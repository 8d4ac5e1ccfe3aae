"""What a controller may do in a scope: own groups, send out, seal, give up, save, crash, read.

What a ledger refuses for now is asked for all the same; a refusal has to change nothing.
"""

from collections.abc import Iterator

from fencepost.exploring.core_world import Doing, deed
from fencepost.exploring.ledger import calls
from fencepost.exploring.ledger.around import CRASHES, DOWN, FAULTS, READ, UP, Around, Finished
from fencepost.exploring.ledger.calls import Files, of_group
from fencepost.exploring.ledger.scope import LedgerScope, text_of
from fencepost.exploring.ledger.wrongly import wrongly
from fencepost.ledger import samples
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.ledger.actions import Call, Replace
from fencepost_reference.receipts.ledger.state import Group, State


def doings(scope: LedgerScope, files: Files, state: State, around: Around) -> Iterator[Doing]:
    """Everything that the world may do now, in a stable order."""
    yield from _process(scope, files, state, around)
    if around.stage != UP:
        return
    for group_id in scope.group_names:
        group = state.groups.get(group_id)
        if group is not None:
            yield from _of_group(scope, state, around, group)
        elif _is_free(state, around, group_id):
            yield called(f"reserve {group_id}", calls.reserve(scope, group_id), around)
    if scope.together and len(state.groups) > 1:
        canonical = Call("discard_canonical_groups", {"group_ids": list(scope.group_names)})
        yield called("find all in the training data", canonical, around)
    yield from _owed(state, around)
    yield from wrongly(scope, state, around)


def called(words: str, call: Call, around: Around) -> Doing:
    """A call whose class of fairness is its words."""
    return Doing(deed(words, fair=words), around, call)


def _is_free(state: State, around: Around, group_id: str) -> bool:
    """Whether nothing mentions a group, so that its name is somebody new's."""
    for ledger in (state, around.disk):
        if ledger is None:
            continue
        owed = any(key.rollout_id.startswith(f"{group_id}_") for key in ledger.owed)
        if owed or group_id in ledger.groups:
            return False
    return True


def _of_group(scope: LedgerScope, state: State, around: Around, group: Group) -> Iterator[Doing]:
    name = group.group_id
    if scope.admits:
        step = 0 if scope.odd else 5
        admit = of_group("mark_group_admitted", name, target_step=step, start_weight_version=3)
        yield called(f"admit {name}", admit, around)
    if not group.bound:
        bind = of_group("bind_runtime_prompt", name, prompt_payload=samples.payload())
        yield called(f"bind {name}", bind, around)
    yield from _sending(group, around)
    yield from _finishing(scope, state, around, group)
    yield from _sealing(scope, group, around)
    yield called(f"give up {name}", of_group("abandon_unsealed", name), around)
    yield _retry(scope, group, around)
    for words, op in _ENDS if scope.ends else ():
        yield called(f"{words} {name}", of_group(op, name), around)
    if scope.ends:
        canonical = Call("discard_canonical_groups", {"group_ids": [name]})
        yield called(f"find {name} in the training data", canonical, around)
    yield called(f"let go {name}", of_group("discard_group", name), around)


_ENDS = (
    ("inputs", "finalization_inputs"),
    ("finalize", "mark_finalization_started"),
    ("lose", "mark_finalization_unknown"),
)


def _sending(group: Group, around: Around) -> Iterator[Doing]:
    """A cohort is sent out as one, other siblings each by itself."""
    name, op = group.group_id, "mark_group_dispatched"
    if group.whole_cohorts:
        yield called(f"dispatch {name}", of_group(op, name), around)
        return
    for index, key in enumerate(group.executions()):
        words = f"dispatch {text_of(key)}"
        yield called(words, of_group(op, name, generation_indices=[index]), around)


def _finishing(scope: LedgerScope, state: State, around: Around, group: Group) -> Iterator[Doing]:
    """What was sent out ends, at the agent that has the group; its receipt is at hand then."""
    known = {around.finished[key].agent for key in group.executions() if key in around.finished}
    known |= {state.owed[key].agent_name for key in group.executions() if key in state.owed}
    known |= {group.agent} if group.agent is not None else set()
    for key, attempt in zip(group.executions(), group.current, strict=True):
        if attempt.status != "dispatched" or key in around.finished:
            continue
        for agent in scope.agent_names:
            if known <= {agent}:
                done = around.finished.set(key, Finished(agent))
                ended = deed(f"{agent} finishes {text_of(key)}")
                yield Doing(ended, change(around, finished=done))


def _sealing(scope: LedgerScope, group: Group, around: Around) -> Iterator[Doing]:
    name = group.group_id
    at_hand = [
        (index, key, around.finished[key])
        for index, key in enumerate(group.executions())
        if key in around.finished
    ]
    for index, key, done in at_hand:
        result = calls.result(scope, key, done.agent)
        if not group.whole_cohorts:
            seal = calls.seal_sibling(name, index, result)
            yield called(f"seal {text_of(key)}", seal, around)
        if scope.masked:
            seal = calls.seal_sibling(name, index, result | {"mask_sample": True})
            yield called(f"seal {text_of(key)} masked", seal, around)
        if done.over and not scope.again:
            continue
        record = calls.partial(name, index, result)
        if not group.whole_cohorts:
            op = "record_sealed_sibling_acknowledgement"
            record = of_group(op, name, generation_index=index)
        yield called(f"record {text_of(key)}", record, around)
    if not group.whole_cohorts or len(at_hand) < len(group.siblings):
        return
    results = {str(index): calls.result(scope, key, done.agent) for index, key, done in at_hand}
    yield called(f"seal {name}", calls.seal_group(group, results), around)
    if scope.again or not all(done.over for _, _, done in at_hand):
        record = of_group("record_sealed_group_acknowledgements", name)
        yield called(f"record {name}", record, around)


def _retry(scope: LedgerScope, group: Group, around: Around) -> Doing:
    """The next attempt of each sibling that needs one; what is refused passes no bound."""
    words, name = f"retry {group.group_id}", group.group_id

    def beyond(after: State) -> str | None:
        siblings = after.groups[name].siblings if name in after.groups else ()
        return "attempts" if any(len(one) > scope.attempts for one in siblings) else None

    call = of_group("prepare_incomplete_retry", name)
    return Doing(deed(words, fair=words), around, call, beyond=beyond)


def _owed(state: State, around: Around) -> Iterator[Doing]:
    """A participant confirms that it has released a result."""
    for key in sorted(state.owed):
        confirmed = calls.release([state.owed[key].model_dump()])
        yield called(f"release {text_of(key)}", confirmed, around)
    if len(state.owed) > 1:
        rows = [row.model_dump() for row in state.rows()]
        yield called("release everything", calls.release(rows), around)


def _process(scope: LedgerScope, files: Files, state: State, around: Around) -> Iterator[Doing]:
    """The process saves, ends, and begins again with what lies on disk."""
    if scope.crashes and around.stage != DOWN:
        if around.left[CRASHES]:
            stage = UP if around.disk is None else DOWN
            left = change(around.less(CRASHES), stage=stage)
            yield Doing(deed("crash", marks=("crash",)), left, Replace())
        else:
            yield Doing(deed("crash", marks=("crashes",)), cut=True)
    if around.stage == UP:
        yield from _saving(scope, around)
    elif around.stage == DOWN and around.disk is not None:
        yield from _reading(scope, files, around, around.disk)
    elif around.stage == READ:
        yield from _restarting(scope, state, around)


def _saving(scope: LedgerScope, around: Around) -> Iterator[Doing]:
    for how in scope.saves:
        yield called(f"save {how}", calls.save(scope, how), around)
    if scope.saves:
        yield called("ask whether to save", Call("assert_checkpoint_safe", {}), around)
    if scope.faults:
        # The file that was there stays, as if nobody had saved.
        words = "a file is not written"
        if around.left[FAULTS]:
            yield Doing(deed(words), around.less(FAULTS))
        else:
            yield Doing(deed(words, marks=("storage faults",)), cut=True)


def _reading(scope: LedgerScope, files: Files, around: Around, disk: State) -> Iterator[Doing]:
    for how in scope.saves:
        document = files.document(how, disk)
        if document is None:
            continue
        yield called(f"load {how}", Call(calls.LOADS[how], {"state": document}), around)
        failed = files.failed(how, disk) if scope.odd else None
        if failed is not None:
            yield called(f"load {how} with failures", failed, around)
        for damage in scope.damages:
            wrong = files.damaged(how, disk, damage)
            if wrong is not None:
                yield Doing(deed(f"load {how} with {damage}"), around, wrong)


def _restarting(scope: LedgerScope, state: State, around: Around) -> Iterator[Doing]:
    op = "prepare_for_restart"
    yield called("restart", Call(op, {}), around)
    keys = sorted(key for group in state.groups.values() for key in group.executions())
    for key in keys if scope.sources else ():
        source = {"rollout_id": key.rollout_id, "attempt_index": key.attempt}
        words = f"restart that continues {text_of(key)}"
        yield Doing(deed(words, fair="restart"), around, Call(op, {"restored_sources": [source]}))
    if scope.sources and len(keys) > 1:
        every = [{"rollout_id": key.rollout_id, "attempt_index": key.attempt} for key in keys]
        restart = Call(op, {"restored_sources": every})
        yield Doing(deed("restart that continues all", fair="restart"), around, restart)
    if state.owed:
        yield Doing(deed("drop what is owed"), around, Call("discard_pending_acknowledgements", {}))
