"""The numbered bugs that a ledger alone can have, and further faults that no deletion makes."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from fencepost.ledger.mutants.mutant import LedgerMutant, core_with, faulty
from fencepost_reference.model import Step
from fencepost_reference.receipts.ledger.actions import Answer, Call
from fencepost_reference.receipts.ledger.core import LedgerCore, Planner
from fencepost_reference.receipts.ledger.planning import Done, Plan
from fencepost_reference.receipts.ledger.state import Attempt, Group, State
from fencepost_spec.receipts.ledger.facts import CallFacts, cut_is_not_live
from fencepost_spec.receipts.ledger.spec import LEDGER, LedgerSpec
from fencepost_spec.vocabulary import Key

Change = Callable[[State, Done], Done]


def _after(plan: Plan, state: State, change: Change) -> Plan:
    """The plan whose effect, once it takes place, is another."""

    def do() -> Done | Answer:
        done = plan.do()
        return change(state, done) if isinstance(done, Done) else done

    return attrs.evolve(plan, do=do)


def _changing(change: Change, *operations: str) -> Any:
    def fault(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
        return _after(right(spec, state, request), state, change)

    return faulty(fault, *operations)


def _without_operation(name: str) -> Any:
    fewer = {each: one for each, one in LEDGER.operations.items() if each != name}
    return core_with(operations=fewer)


def _without_cuts() -> Any:
    operations = {
        name: attrs.evolve(
            one, ladder=tuple(c for c in one.ladder if c.when is not cut_is_not_live)
        )
        for name, one in LEDGER.operations.items()
    }
    return core_with(operations=operations)


def _without_shape(*rules: str) -> Any:
    shape = tuple(check for check in LEDGER.loading.shape if check.rule.id not in rules)
    return core_with(loading=attrs.evolve(LEDGER.loading, shape=shape))


def _drops_owed_of_group(state: State, done: Done) -> Done:
    """What is owed for the siblings of groups that are gone, or moved, is gone too."""
    moved = {
        key.rollout_id
        for group in state.groups.values()
        if done.state.groups.get(group.group_id) != group
        for key in group.executions()
    }
    owed = done.state.owed
    for key in state.owed:
        if key.rollout_id in moved and key in owed:
            owed = owed.delete(key)
    return attrs.evolve(done, state=attrs.evolve(done.state, owed=owed))


def _each_group(done: Done, change: Callable[[Group], Group]) -> Done:
    state = done.state
    for group in state.groups.values():
        state = state.with_group(change(group))
    return attrs.evolve(done, state=state)


def _same_number(state: State, done: Done) -> Done:
    """A retry gives the same number to the next attempt."""

    def again(group: Group) -> Group:
        before = state.groups[group.group_id]
        siblings = tuple(
            (*old[:-1], Attempt("reserved")) if len(new) > len(old) else new
            for old, new in zip(before.siblings, group.siblings, strict=True)
        )
        return attrs.evolve(group, siblings=siblings)

    return _each_group(done, again)


def _burns_reserved(state: State, done: Done) -> Done:
    def burn(group: Group) -> Group:
        for index, attempt in enumerate(state.groups[group.group_id].current):
            if attempt.status == "reserved":
                group = group.with_attempt(index, Attempt("abandoned"))
        return group

    return _each_group(done, burn)


def _reruns_sealed(_state: State, done: Done) -> Done:
    def rerun(group: Group) -> Group:
        if group.all_sealed:
            return group
        for index, attempt in enumerate(group.current):
            if attempt.status == "sealed":
                group = group.with_attempt(index, Attempt("abandoned"))
        return attrs.evolve(group, agent=None)

    return _each_group(done, rerun)


def _admits_one(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    def only(before: State, done: Done) -> Done:
        kept = before.with_group(done.state.groups[request.group_id])
        return attrs.evolve(done, state=kept)

    return _after(right(spec, state, request), state, only)


def _keeps_unready(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    plan = right(spec, state, request)
    group = state.groups.get(request.group_id)
    if group is None or group.status != "generating":
        return plan
    return Plan(CallFacts(status_allows=False), plan.do)


def _names_by_prompt(state: State, done: Done) -> Done:
    """Rollouts are named after their prompt."""
    body = list(done.body)
    index = 1
    body[index] = [f"{group.prompt_id}_g{n}" for group in list(state.groups.values())[:1]
                   for n in range(len(body[index]))]  # fmt: skip
    return attrs.evolve(done, body=body)


def _saves_uuid(_state: State, done: Done) -> Done:
    body = dict(done.body)
    body["groups"] = [
        group
        | {
            "siblings": [
                sibling
                | {"attempts": [one | {"attempt_uuid": b"0" * 16} for one in sibling["attempts"]]}
                for sibling in group["siblings"]
            ]
        }
        for group in body["groups"]
    ]
    return attrs.evolve(done, body=body)


def _saves_unsorted(_state: State, done: Done) -> Done:
    name = "pending_completed_execution_acknowledgements"
    rows = sorted(done.body[name], key=lambda row: row["receipt"]["rollout_id"], reverse=True)
    return attrs.evolve(done, body=done.body | {name: rows})


def _never_safe(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    plan = right(spec, state, request)
    return attrs.evolve(plan, facts=attrs.evolve(plan.facts, all_are_safe=not state.groups))


def _forgets_shortfall(_state: State, done: Done) -> Done:
    return attrs.evolve(done, body=done.body | {"batch_shortfall": {}})


def _stays_bound(_state: State, done: Done) -> Done:
    return _each_group(done, lambda group: attrs.evolve(group, bound=True))


def _takes_part(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    """A list of confirmed rows is taken as far as it fits."""
    del right, spec
    owed = state.owed
    for row in request.acknowledgements:
        if owed.get(row.receipt.key) == row:
            owed = owed.delete(row.receipt.key)
    return Plan(CallFacts(), lambda: Done(attrs.evolve(state, owed=owed)))


def _half_cohort(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    """A cohort of which one sibling has a result is sealed as far as it goes."""
    plan = right(spec, state, request)
    return attrs.evolve(plan, facts=attrs.evolve(plan.facts, whole_cohort=True))


def _forgets_mask(_state: State, done: Done) -> Done:
    def forget(group: Group) -> Group:
        for index, attempt in enumerate(group.current):
            if attempt.result is not None:
                result = attrs.evolve(attempt.result, mask=False)
                group = group.with_attempt(index, Attempt(attempt.status, result))
        return group

    return _each_group(done, forget)


def _forgets_keys(_state: State, done: Done) -> Done:
    def forget(group: Group) -> Group:
        for index, attempt in enumerate(group.current):
            if attempt.result is not None:
                result = attrs.evolve(attempt.result, staging_keys=())
                group = group.with_attempt(index, Attempt(attempt.status, result))
        return group

    return _each_group(done, forget)


def _owes_next(state: State, done: Done) -> Done:
    """What is owed names the next attempt."""
    owed = done.state.owed
    for key, row in done.state.owed.items():
        if key not in state.owed:
            later = row.receipt.model_copy(update={"attempt_index": key.attempt + 1})
            moved = row.model_copy(update={"receipt": later})
            owed = owed.delete(key).set(Key(key.rollout_id, key.attempt + 1), moved)
    return attrs.evolve(done, state=attrs.evolve(done.state, owed=owed))


class _Leaky(LedgerCore):
    """A refused seal leaves the agent of its result behind."""

    def step(self, state: State, action: Any) -> Step:
        """A step, after which something has changed that should not have."""
        step = super().step(state, action)
        seals = isinstance(action, Call) and action.op == "mark_sibling_sealed"
        if not seals or step.outputs[0].ok:
            return step
        group = state.groups.get(action.request.get("group_id"))
        agent = action.request.get("resolved_agent_name")
        if group is None or not isinstance(agent, str):
            return step
        return attrs.evolve(step, state=state.with_group(attrs.evolve(group, agent=agent)))


_SEALS = ("mark_sibling_sealed", "mark_group_sealed")
_SAVES = ("state_dict", "build_rollout_recovery_state")
_LOADS = ("load", "load_state_dict")


def named() -> Iterator[LedgerMutant]:
    """Every mutant that was thought of, bugs first."""
    # fmt: off
    yield LedgerMutant("acknowledges whole cohorts only",
        "a finished sibling cannot be acknowledged before its cohort is sealed", ("B1", "L1"),
        _without_operation("record_partial_group_acknowledgement"))
    yield LedgerMutant("reads missing keys as null", "a missing key is read as null",
        ("B5", "X9", "V2"), _without_shape("R-LSV-3"), loads=True)
    yield LedgerMutant("passes over unknown keys", "an unknown key is passed over", ("V1",),
        _without_shape("R-LSV-2"), loads=True)
    yield LedgerMutant("reads any version", "a state of another version is read", ("B6", "I31"),
        _without_shape("R-LSV-1"), loads=True)
    yield LedgerMutant("saves a uuid", "attempts are saved with a uuid that nobody reads", ("B10",),
        _changing(_saves_uuid, *_SAVES))
    yield LedgerMutant("takes any result", "a result is not asked whose it is", ("B12", "I5"),
        core_with(results=()))
    yield LedgerMutant("keeps what is given up", "a generating group cannot be let go",
        ("B15", "G8"), faulty(_keeps_unready, "discard_group"))
    yield LedgerMutant("reruns sealed siblings", "a restart gives up sealed siblings", ("B16",),
        _changing(_reruns_sealed, "prepare_for_restart"))
    yield LedgerMutant("needs no cut", "a change needs no live cut", ("B18",), _without_cuts())
    yield LedgerMutant("names rollouts by prompt", "the finalizer gets rollouts named by prompt",
        ("B22",), _changing(_names_by_prompt, "finalization_inputs"))
    yield LedgerMutant("records once", "what is owed already cannot be recorded again",
        ("X7", "K3"), core_with(obligation=LEDGER.obligation.without(
            next(row for row in LEDGER.obligation.rows if row.rule.id == "R-LOB-2"))))
    yield LedgerMutant("burns reserved attempts", "a restart gives up what was only reserved",
        ("G5",), _changing(_burns_reserved, "prepare_for_restart"))
    yield LedgerMutant("admits one group", "an admission admits only the group named",
        ("G11", "R-LOP-41"), faulty(_admits_one, "mark_group_admitted"))
    yield LedgerMutant("releases a part", "a list of confirmed rows is taken in part", ("G2",),
        faulty(_takes_part, "mark_completed_executions_acknowledged"))
    yield LedgerMutant("remembers what it refused", "a refused seal leaves its agent behind",
        ("G2", "R-LIN-40"), _Leaky())
    yield LedgerMutant("seals half a cohort", "a cohort is sealed as far as it goes",
        ("I6", "R-LOP-44"), faulty(_half_cohort, "mark_group_sealed"))
    yield LedgerMutant("numbers attempts again", "a retry uses a number again", ("I2", "A8"),
        _changing(_same_number, "prepare_incomplete_retry"))
    yield LedgerMutant("forgets what is owed with the group", "letting a group go drops its debts",
        ("2.4",), _changing(_drops_owed_of_group, "discard_group"))
    yield LedgerMutant("forgets what is owed for abandoned work", "giving up drops debts",
        ("2.4", "B1"), _changing(_drops_owed_of_group, "abandon_unsealed"))
    yield LedgerMutant("forgets the mask", "a seal forgets that a sample is masked", ("A3",),
        _changing(_forgets_mask, *_SEALS))
    yield LedgerMutant("forgets staged rows", "a seal forgets its staged rows", ("1.3",),
        _changing(_forgets_keys, *_SEALS))
    yield LedgerMutant("owes the next attempt", "what is owed names the next attempt", ("K2p'",),
        _changing(_owes_next, "record_partial_group_acknowledgement"))
    yield LedgerMutant("owes the next attempt of sealed work",
        "what is owed for sealed work names the next attempt", ("K2s", "R-LOP-47", "R-LOP-48"),
        _changing(_owes_next, "record_sealed_sibling_acknowledgement",
                  "record_sealed_group_acknowledgements"))
    yield LedgerMutant("is never safe", "no ledger with a group may be saved", ("R-LOP-58",),
        faulty(_never_safe, "assert_checkpoint_safe"))
    yield LedgerMutant("forgets the shortfall", "the file has no shortfall", ("R-LOP-60", "1.2"),
        _changing(_forgets_shortfall, "build_rollout_recovery_state"))
    yield LedgerMutant("saves debts in any order", "obligations are saved in another order",
        ("1.2",), _changing(_saves_unsorted, *_SAVES))
    yield LedgerMutant("binds prompts by itself", "a loaded group counts as bound", ("1.2",),
        _changing(_stays_bound, *_LOADS), loads=True)
    # fmt: on
