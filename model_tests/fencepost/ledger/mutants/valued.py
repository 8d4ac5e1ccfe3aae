"""Ledgers that keep, order or accept some values otherwise: odd numbers, zeros, what is free."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from struct import pack, unpack
from typing import Any

import attrs

from fencepost.ledger.mutants.careless import LOADS, SAVES
from fencepost.ledger.mutants.faults import changing, each_group
from fencepost.ledger.mutants.mutant import LedgerMutant, faulty
from fencepost.ledger.reading import OWED
from fencepost_reference.model import Step
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore, Planner
from fencepost_reference.receipts.ledger.planning import Done, Plan
from fencepost_reference.receipts.ledger.state import Group, State
from fencepost_spec.receipts.ledger.spec import LedgerSpec
from fencepost_spec.receipts.ledger.values import GateReceipt
from fencepost_spec.vocabulary import Key

SEALS = ("mark_sibling_sealed", "mark_group_sealed")


def of_values() -> Iterator[LedgerMutant]:
    """Ledgers that keep, order or accept some values otherwise."""
    # fmt: off
    yield LedgerMutant("keeps half of a reward", "a reward is kept with half of its digits",
        ("G7", "R-LOP-43"), faulty(_on_results(_less_exact), *SEALS))
    yield LedgerMutant("keeps named members of a manifest",
        "an entry of a manifest keeps its staging key and nothing beside", ("G1", "1.3"),
        faulty(_on_results(_named_entries), *SEALS))
    yield LedgerMutant("keeps named members of a receipt",
        "a gate receipt keeps its named members and nothing beside", ("G1", "1.3"),
        faulty(_on_results(_named_members), *SEALS))
    yield LedgerMutant("drops shortfalls of zero", "a shortfall of zero is not saved",
        ("1.2", "R-LOP-60"), changing(_no_zeros, "build_rollout_recovery_state"))
    yield LedgerMutant("orders siblings as texts", "the finalizer gets g10 before g2",
        ("1.1", "R-LOP-52"), changing(_by_text, "finalization_inputs"))
    yield LedgerMutant("orders attempts as texts", "attempt 10 is saved before attempt 9",
        ("1.2", "R-LOP-59"), changing(_rows_by_text, *SAVES))
    yield LedgerMutant("takes step zero for none", "a target step of zero is kept as none",
        ("1.2", "G7"), changing(_no_step, "reserve_group"))
    yield LedgerMutant("reads over what is owed", "a state is read although something is owed",
        ("4.1", "R-LOP-28"), faulty(_over_owed, *LOADS))
    yield LedgerMutant("never owes again", "what was confirmed once is never owed again",
        ("K8", "G3"), _Once())
    yield LedgerMutant("gives up three groups", "a restart gives up three groups at most",
        ("4.1",), changing(_three_of_them, "prepare_for_restart"))
    yield LedgerMutant("hears one source", "a restart heeds the first restored source only",
        ("G5",), faulty(_first_of("restored_sources"), "prepare_for_restart"))
    yield LedgerMutant("lets one canonical group go", "of canonical groups the first is let go",
        ("P11",), faulty(_first_of("group_ids"), "discard_canonical_groups"))
    yield LedgerMutant("saves failed as abandoned", "a failed attempt is saved as abandoned",
        ("1.2", "R-LOP-59"), changing(_none_failed, *SAVES))
    yield LedgerMutant("admits for step none", "an admission for step zero is kept as for none",
        ("1.2", "R-LOP-41"), changing(_no_step, "mark_group_admitted"))
    yield LedgerMutant("reads one digit of an attempt", "what follows attempt nine is not read",
        ("1.1",), changing(_ten_attempts, *LOADS), loads=True)
    # fmt: on


def _on_results(change: Callable[[Any], Any]) -> Any:
    def fault(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
        if hasattr(request, "results"):
            results = {index: change(one) for index, one in request.results.items()}
            return right(spec, state, request.model_copy(update={"results": results}))
        return right(spec, state, change(request))

    return fault


def _less_exact(result: Any) -> Any:
    try:
        (reward,) = unpack("f", pack("f", result.reward))
    except OverflowError:
        return result
    return result.model_copy(update={"reward": reward})


def _named_entries(result: Any) -> Any:
    if result.receipt is None:
        return result
    kept = [{"staging_key": entry.staging_key} for entry in result.receipt.manifest]
    plain = result.receipt.model_dump() | {"manifest": kept}
    receipt = GateReceipt.model_validate(plain)
    return result.model_copy(update={"receipt": receipt})


def _named_members(result: Any) -> Any:
    if result.receipt is None:
        return result
    plain = result.receipt.model_dump(include={"rollout_id", "manifest"})
    receipt = GateReceipt.model_validate(plain)
    return result.model_copy(update={"receipt": receipt})


def _no_zeros(_state: State, done: Done) -> Done:
    left = {step: count for step, count in done.body["batch_shortfall"].items() if count}
    return attrs.evolve(done, body=done.body | {"batch_shortfall": left})


def _by_text(_state: State, done: Done) -> Done:
    order = sorted(range(len(done.body[1])), key=lambda index: str(done.body[1][index]))
    return attrs.evolve(done, body=[[column[index] for index in order] for column in done.body])


def _rows_by_text(_state: State, done: Done) -> Done:
    def order(row: Any) -> list[str]:
        receipt = row["receipt"]
        return [row["agent_name"], receipt["rollout_id"], str(receipt["attempt_index"])]

    return attrs.evolve(done, body=done.body | {OWED: sorted(done.body[OWED], key=order)})


def _no_step(_state: State, done: Done) -> Done:
    return each_group(
        done, lambda group: attrs.evolve(group, target_step=group.target_step or None)
    )


def _first_of(name: str) -> Any:
    def fault(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
        first = getattr(request, name)[:1]
        return right(spec, state, request.model_copy(update={name: first}))

    return fault


def _three_of_them(state: State, done: Done) -> Done:
    kept = state
    changed = [one for one in done.state.ordered() if state.groups[one.group_id] != one]
    for group in changed[:3]:
        kept = kept.with_group(group)
    return attrs.evolve(done, state=kept)


def _none_failed(_state: State, done: Done) -> Done:
    body = deepcopy(done.body)
    for group in body["groups"]:
        for attempt in (one for sibling in group["siblings"] for one in sibling["attempts"]):
            if attempt["status"] == "failed":
                attempt["status"] = "abandoned"
    return attrs.evolve(done, body=body)


def _ten_attempts(_state: State, done: Done) -> Done:
    def cut(group: Group) -> Group:
        return attrs.evolve(group, siblings=tuple(one[:10] for one in group.siblings))

    return each_group(done, cut)


def _over_owed(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    return right(spec, state if state.groups else State(), request)


@attrs.frozen
class _Remembering(State):
    """A ledger that also holds which executions were confirmed once."""

    confirmed: frozenset[Key] = frozenset()


class _Once(LedgerCore):
    """What was confirmed once is never owed again."""

    def initial(self) -> State:
        """An empty ledger that remembers."""
        return _Remembering()

    def step(self, state: State, action: Any) -> Step:
        """A step, after which what was confirmed before is not owed."""
        step = super().step(state, action)
        after = step.state
        if not (isinstance(state, _Remembering) and isinstance(after, _Remembering)):
            return step
        for key in after.confirmed & set(after.owed):
            after = attrs.evolve(after, owed=after.owed.delete(key))
        if isinstance(action, Call) and action.op == "mark_completed_executions_acknowledged":
            gone = frozenset(state.owed) - frozenset(after.owed)
            after = attrs.evolve(after, confirmed=after.confirmed | gone)
        return attrs.evolve(step, state=after)
