"""What wrong ledgers do otherwise: each a changed plan, or another value of the specification."""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost.ledger.mutants.mutant import core_with, faulty
from fencepost_reference.model import Step
from fencepost_reference.receipts.ledger.actions import Answer, Call
from fencepost_reference.receipts.ledger.core import LedgerCore, Planner
from fencepost_reference.receipts.ledger.planning import Done, Plan
from fencepost_reference.receipts.ledger.state import Attempt, Group, State
from fencepost_spec.receipts.ledger.facts import CallFacts, cut_is_not_live
from fencepost_spec.receipts.ledger.spec import LEDGER, LedgerSpec
from fencepost_spec.vocabulary import Key

Change = Callable[[State, Done], Done]


def after(plan: Plan, state: State, change: Change) -> Plan:
    """The plan whose effect, once it takes place, is another."""

    def do() -> Done | Answer:
        done = plan.do()
        return change(state, done) if isinstance(done, Done) else done

    return attrs.evolve(plan, do=do)


def changing(change: Change, *operations: str) -> Any:
    """A core whose operations have another effect."""

    def fault(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
        return after(right(spec, state, request), state, change)

    return faulty(fault, *operations)


def without_operation(name: str) -> Any:
    """A core that lacks an operation."""
    fewer = {each: one for each, one in LEDGER.operations.items() if each != name}
    return core_with(operations=fewer)


def without_cuts() -> Any:
    """A core that never asks for a live cut."""
    operations = {
        name: attrs.evolve(
            one, ladder=tuple(c for c in one.ladder if c.when is not cut_is_not_live)
        )
        for name, one in LEDGER.operations.items()
    }
    return core_with(operations=operations)


def without_shape(*rules: str) -> Any:
    """A core that lacks some checks of the shape of a saved state."""
    shape = tuple(check for check in LEDGER.loading.shape if check.rule.id not in rules)
    return core_with(loading=attrs.evolve(LEDGER.loading, shape=shape))


def drops_owed_of_group(state: State, done: Done) -> Done:
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


def each_group(done: Done, change: Callable[[Group], Group]) -> Done:
    """The effect with every group changed."""
    state = done.state
    for group in state.groups.values():
        state = state.with_group(change(group))
    return attrs.evolve(done, state=state)


def same_number(state: State, done: Done) -> Done:
    """A retry gives the same number to the next attempt."""

    def again(group: Group) -> Group:
        before = state.groups[group.group_id]
        siblings = tuple(
            (*old[:-1], Attempt("reserved")) if len(new) > len(old) else new
            for old, new in zip(before.siblings, group.siblings, strict=True)
        )
        return attrs.evolve(group, siblings=siblings)

    return each_group(done, again)


def burns_reserved(state: State, done: Done) -> Done:
    """A restart gives up attempts that were only reserved."""

    def burn(group: Group) -> Group:
        for index, attempt in enumerate(state.groups[group.group_id].current):
            if attempt.status == "reserved":
                group = group.with_attempt(index, Attempt("abandoned"))
        return group

    return each_group(done, burn)


def reruns_sealed(_state: State, done: Done) -> Done:
    """A restart gives up sealed siblings."""

    def rerun(group: Group) -> Group:
        if group.all_sealed:
            return group
        for index, attempt in enumerate(group.current):
            if attempt.status == "sealed":
                group = group.with_attempt(index, Attempt("abandoned"))
        return attrs.evolve(group, agent=None)

    return each_group(done, rerun)


def admits_one(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    """Only the group that was named is admitted."""

    def only(before: State, done: Done) -> Done:
        kept = before.with_group(done.state.groups[request.group_id])
        return attrs.evolve(done, state=kept)

    return after(right(spec, state, request), state, only)


def keeps_unready(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    """A generating group is not let go."""
    plan = right(spec, state, request)
    group = state.groups.get(request.group_id)
    if group is None or group.status != "generating":
        return plan
    return Plan(CallFacts(status_allows=False), plan.do)


def names_by_prompt(state: State, done: Done) -> Done:
    """Rollouts are named after their prompt."""
    body = list(done.body)
    index = 1
    body[index] = [f"{group.prompt_id}_g{n}" for group in list(state.groups.values())[:1]
                   for n in range(len(body[index]))]  # fmt: skip
    return attrs.evolve(done, body=body)


def saves_uuid(_state: State, done: Done) -> Done:
    """Every saved attempt has a uuid."""
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


def saves_unsorted(_state: State, done: Done) -> Done:
    """Obligations are saved in another order."""
    name = "pending_completed_execution_acknowledgements"
    rows = sorted(done.body[name], key=lambda row: row["receipt"]["rollout_id"], reverse=True)
    return attrs.evolve(done, body=done.body | {name: rows})


def never_safe(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    """A ledger that holds a group is never safe."""
    plan = right(spec, state, request)
    return attrs.evolve(plan, facts=attrs.evolve(plan.facts, all_are_safe=not state.groups))


def forgets_shortfall(_state: State, done: Done) -> Done:
    """The file has no shortfall."""
    return attrs.evolve(done, body=done.body | {"batch_shortfall": {}})


def stays_bound(_state: State, done: Done) -> Done:
    """A loaded group counts as bound."""
    return each_group(done, lambda group: attrs.evolve(group, bound=True))


def takes_part(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    """A list of confirmed rows is taken as far as it fits."""
    del right, spec
    owed = state.owed
    for row in request.acknowledgements:
        if owed.get(row.receipt.key) == row:
            owed = owed.delete(row.receipt.key)
    return Plan(CallFacts(), lambda: Done(attrs.evolve(state, owed=owed)))


def half_cohort(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    """A cohort of which one sibling has a result is sealed as far as it goes."""
    plan = right(spec, state, request)
    return attrs.evolve(plan, facts=attrs.evolve(plan.facts, whole_cohort=True))


def forgets_mask(_state: State, done: Done) -> Done:
    """A sealed result is never masked."""

    def forget(group: Group) -> Group:
        for index, attempt in enumerate(group.current):
            if attempt.result is not None:
                result = attrs.evolve(attempt.result, mask=False)
                group = group.with_attempt(index, Attempt(attempt.status, result))
        return group

    return each_group(done, forget)


def forgets_keys(_state: State, done: Done) -> Done:
    """A sealed result has no staged rows."""

    def forget(group: Group) -> Group:
        for index, attempt in enumerate(group.current):
            if attempt.result is not None:
                result = attrs.evolve(attempt.result, staging_keys=())
                group = group.with_attempt(index, Attempt(attempt.status, result))
        return group

    return each_group(done, forget)


def owes_next(state: State, done: Done) -> Done:
    """What is owed names the next attempt."""
    owed = done.state.owed
    for key, row in done.state.owed.items():
        if key not in state.owed:
            later = row.receipt.model_copy(update={"attempt_index": key.attempt + 1})
            moved = row.model_copy(update={"receipt": later})
            owed = owed.delete(key).set(Key(key.rollout_id, key.attempt + 1), moved)
    return attrs.evolve(done, state=attrs.evolve(done.state, owed=owed))


class Leaky(LedgerCore):
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
