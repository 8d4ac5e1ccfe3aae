"""Ledgers that are careless about one field; they are generated from the fields of the models.

What they do otherwise shows only where this field is null, or where it alone is another.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import attrs
from pydantic import BaseModel

from fencepost.ledger.mutants.faults import changing, each_group
from fencepost.ledger.mutants.mutant import LedgerMutant, faulty
from fencepost.ledger.reading import OWED
from fencepost.ledger.samples import Plain
from fencepost.ledger.varying import nullable
from fencepost.mismatch import is_object
from fencepost.trace.lines import is_list
from fencepost_reference.receipts.ledger.core import Planner
from fencepost_reference.receipts.ledger.planning import Done, Plan
from fencepost_reference.receipts.ledger.state import Group, Sealed, State
from fencepost_spec.receipts.ledger.saved import SavedAttempt, SavedGroup
from fencepost_spec.receipts.ledger.spec import LedgerSpec
from fencepost_spec.receipts.ledger.values import CompletedExecution, GateReceipt, Result
from fencepost_spec.receipts.requests import Receipt

SAVES = ("state_dict", "build_rollout_recovery_state")
LOADS = ("load", "load_state_dict")
_KEYS = ("rollout_id", "attempt_index")
"""Whose an obligation is; another one is nobody's, and not one of another content."""


def careless() -> Iterator[LedgerMutant]:
    """Every mutant of this kind."""
    yield from _saving()
    yield from _loading()
    yield from _comparing()


def _saving() -> Iterator[LedgerMutant]:
    for model in (SavedGroup, SavedAttempt, Receipt):
        for name in nullable(model):
            says = f"a saved state leaves out {name} where it is null"
            cites = ("B5", "V2")
            core = changing(_dropping(name), *SAVES)
            yield LedgerMutant(f"leaves out {name} when null", says, cites, core)


def _dropping(name: str) -> Callable[[State, Done], Done]:
    def drop(_state: State, done: Done) -> Done:
        body = deepcopy(done.body)
        for mapping in _mappings(body):
            if mapping.get(name, 0) is None:
                del mapping[name]
        return attrs.evolve(done, body=body)

    return drop


def _loading() -> Iterator[LedgerMutant]:
    marks = {SavedGroup: "prompt_ref", SavedAttempt: "staging_keys"}
    places: list[tuple[str, type[BaseModel], Callable[[Any], Any]]] = [
        ("a group", SavedGroup, lambda state: _marked(state, marks[SavedGroup])),
        ("an attempt", SavedAttempt, lambda state: _marked(state, marks[SavedAttempt])),
        ("an attempt's receipt", Receipt, lambda state: _receipts(state.get("groups"))),
        ("an obligation's receipt", Receipt, lambda state: _receipts(state.get(OWED))),
    ]
    for where, model, find in places:
        for name in nullable(model):
            says = f"{where} without {name} is read as one where it is null"
            cites = ("B5", "V2", "R-LSV-3")
            core = faulty(_filling(name, find), *LOADS)
            full = f"reads {where} without {name}"
            yield LedgerMutant(full, says, cites, core, loads=True)
    for name in ("admission_id", "task_source", "start_weight_version", "target_step"):
        says = f"a group that is read has another {name} than the file says"
        core = changing(_forgetting(name), *LOADS)
        yield LedgerMutant(f"reads another {name}", says, ("1.2", "R-LOP-59"), core, loads=True)


def _filling(name: str, find: Callable[[Any], Any]) -> Any:
    def fill(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
        document = deepcopy(request.state)
        if is_object(document):
            for mapping in find(document):
                mapping.setdefault(name, None)
        return right(spec, state, request.model_copy(update={"state": document}))

    return fill


def _forgetting(name: str) -> Callable[[State, Done], Done]:
    empty: Any = 0 if name == "start_weight_version" else "" if name == "admission_id" else None

    def forget(_state: State, done: Done) -> Done:
        return each_group(done, lambda group: attrs.evolve(group, **{name: empty}))

    return forget


def _mappings(value: Any) -> Iterator[dict[str, Any]]:
    left: list[Any] = [value]
    while left:
        one = left.pop()
        if is_object(one):
            yield one
            left += one.values()
        elif is_list(one):
            left += one


def _marked(value: Any, mark: str) -> list[dict[str, Any]]:
    return [one for one in _mappings(value) if mark in one]


def _receipts(value: Any) -> list[dict[str, Any]]:
    return _marked(value, "result_digest")


def _comparing() -> Iterator[LedgerMutant]:
    """What is compared with what is there already, one field left out."""
    of_row = [name for name in CompletedExecution.model_fields if name != "receipt"]
    of_receipt = [name for name in Receipt.model_fields if name not in _KEYS]
    of_result = [name for name in Result.model_fields if name != "gate_rollout_id"]
    for name in (*of_row, *of_receipt):
        says = f"a confirmation may name another {name} than what is owed"
        core = faulty(_confirming(name), "mark_completed_executions_acknowledged")
        yield LedgerMutant(f"confirms whatever the {name}", says, ("I14", "R-LOP-24"), core)
    for name in (*of_result, *of_receipt):
        says = f"a second seal may have another {name} than the first"
        core = faulty(_sealing(name), "mark_sibling_sealed")
        yield LedgerMutant(f"seals again whatever the {name}", says, ("A5", "B12"), core)


def _confirming(name: str) -> Any:
    def confirm(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
        rows = [
            _like(row, state.owed[row.receipt.key], name) if row.receipt.key in state.owed else row
            for row in request.acknowledgements
        ]
        return right(spec, state, request.model_copy(update={"acknowledgements": rows}))

    return confirm


def _like(row: CompletedExecution, pending: CompletedExecution, name: str) -> CompletedExecution:
    """The row with one field of what is owed, or two of its receipt that come together."""
    if name in CompletedExecution.model_fields:
        return row.model_copy(update={name: getattr(pending, name)})
    receipt = _with(row.receipt, pending.receipt, name)
    return row.model_copy(update={"receipt": receipt})


def _with(receipt: Receipt, other: Receipt, name: str) -> Receipt:
    names = nullable(Receipt) if name in nullable(Receipt) else (name,)
    return receipt.model_copy(update={one: getattr(other, one) for one in names})


def _sealing(name: str) -> Any:
    def seal(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
        group = state.groups.get(request.group_id)
        if group is None or request.generation_index >= len(group.siblings):
            return right(spec, state, request)
        kept = _sealed(group, request.generation_index)
        given: Receipt | None = request.completion_receipt
        if kept is None:
            return right(spec, state, request)
        if name in Receipt.model_fields:
            if given is None or kept.completion is None:
                return right(spec, state, request)
            changes: Plain = {"completion_receipt": _with(given, kept.completion, name)}
        else:
            changes = {name: _kept(group, request.generation_index)[name]}
        return right(spec, state, request.model_copy(update=changes))

    return seal


def _sealed(group: Group, index: int) -> Sealed | None:
    return group.current[index].result


def _kept(group: Group, index: int) -> dict[str, Any]:
    """What was sealed, by the names of a request."""
    result = group.current[index].result
    assert result is not None
    receipt = None if result.receipt is None else GateReceipt.model_validate(result.receipt_json)
    return {
        "receipt": receipt,
        "completion_receipt": result.completion,
        "reward": result.reward,
        "mask_sample": result.mask,
        "resolved_agent_name": group.agent,
    }
