"""Where mutants are looked for: ledgers to begin with, and everything that can be asked of them.

Beginnings are told by calls, the shorter first. From each, every call of the alphabet is tried, and
after each of these every call again. Saved states are read into an empty ledger, one by one.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from fencepost.ledger import samples
from fencepost.ledger.spoiling import EXTRA, spoiled
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.saving import saved_ledger
from fencepost_reference.receipts.ledger.state import Group, State
from fencepost_spec.receipts.ledger.requests import REQUESTS
from fencepost_spec.vocabulary import Key


@attrs.frozen
class Beginning:
    """A ledger to begin with, and the calls that lead to it."""

    name: str
    calls: tuple[Call, ...]


def _of(op: str, group_id: str = "g", **more: Any) -> Call:
    return Call(op, {"group_id": group_id} | more)


def _seal(index: int, attempt: int = 0, **more: Any) -> Call:
    right = samples.result(Key(f"g_g{index}", attempt)) | more
    return _of("mark_sibling_sealed", generation_index=index, **right)


def _partial(index: int) -> Call:
    right = samples.result(Key(f"g_g{index}", 0))
    return _of("record_partial_group_acknowledgement", generation_index=index, result=right)


def _cohort(**more: Any) -> Call:
    results = {str(index): samples.result(Key(f"g_g{index}", 0)) | more for index in (0, 1)}
    return _of("mark_group_sealed", results=results)


def _read(*calls: Call) -> Call:
    """The state that these calls lead to, read back."""
    return Call("load_state_dict", {"state": saved_ledger(samples.lived(list(calls)))})


def _contradiction(status: str, granularity: str = "sibling") -> Call:
    """A saved group for which something is owed that its results will contradict."""
    calls = [
        Call("reserve_group", samples.reserve("g", granularity)),
        _of("mark_group_dispatched"),
        *([_seal(0)] if status == "sealed" else []),
    ]
    state = saved_ledger(samples.lived(calls))
    row = samples.row(Key("g_g0", 0), identity="another")
    state["pending_completed_execution_acknowledgements"] = [row]
    return Call("load_state_dict", {"state": state})


@cache
def beginnings() -> tuple[Beginning, ...]:
    """Every beginning, the shorter first."""
    reserve = Call("reserve_group", samples.reserve("g"))
    cohort = Call("reserve_group", samples.reserve("g", "prompt_group"))
    outside = Call("reserve_group", samples.reserve("g", admitted=False, admission_id="one"))
    beside = Call("reserve_group", samples.reserve("h", admitted=False, admission_id="one"))
    sent, given_up, again = (
        _of("mark_group_dispatched"),
        _of("abandon_unsealed"),
        _of("prepare_incomplete_retry"),
    )
    sealed = (reserve, sent, _seal(0), _seal(1))
    owed = _of("record_sealed_group_acknowledgements")
    started, lost = _of("mark_finalization_started"), _of("mark_finalization_unknown")
    bind = _of("bind_runtime_prompt", prompt_payload=samples.payload())
    found = [
        ("nothing", ()),
        ("a group", (reserve,)),
        ("a cohort", (cohort,)),
        ("a group outside", (outside,)),
        ("a group that runs", (reserve, sent)),
        ("a cohort that runs", (cohort, sent)),
        ("two groups of one admission", (outside, beside)),
        ("a group that was given up", (reserve, sent, given_up)),
        ("a group half sent", (reserve, _of("mark_group_dispatched", generation_indices=[0]))),
        ("a group half sealed", (reserve, sent, _seal(0))),
        ("a cohort half done", (cohort, sent, _partial(0))),
        ("a sealed cohort", (cohort, sent, _cohort())),
        ("a sealed group", sealed),
        ("a group without receipts", (reserve, sent, _seal(0, completion_receipt=None))),
        ("a group with one receipt", (*sealed[:3], _seal(1, completion_receipt=None))),
        ("a group given up half sealed", (*sealed[:3], given_up)),
        ("a group that owes", (*sealed, owed)),
        ("a group in its second attempt", (reserve, sent, given_up, again, sent)),
        ("a group being finalized", (*sealed, started)),
        ("a group with an unknown end", (*sealed, started, lost)),
        ("a group that was read", (_read(reserve),)),
        ("a group that was read and bound", (_read(*sealed), bind)),
        ("a group that ran and was read", (_read(reserve, sent, _seal(0)),)),
        ("a failed attempt", (_failed(),)),
        ("a debt that will be contradicted", (_contradiction("dispatched"),)),
        ("a debt that is contradicted", (_contradiction("sealed"),)),
        ("a debt that a group contradicts", (_contradiction("sealed"), _seal(1))),
        ("a debt that a cohort will contradict", (_contradiction("dispatched", "prompt_group"),)),
    ]
    ordered = sorted(found, key=lambda each: len(each[1]))
    return tuple(Beginning(name, tuple(calls)) for name, calls in ordered)


def _failed() -> Call:
    """A saved group whose attempts failed."""
    call = _read(Call("reserve_group", samples.reserve("g")), _of("mark_group_dispatched"))
    for sibling in call.request["state"]["groups"][0]["siblings"]:
        sibling["attempts"][0]["status"] = "failed"
    return call


def alphabet(state: State) -> Iterator[Call]:
    """Everything that is asked of a ledger, right and wrong; every group by name."""
    yield Call("reserve_group", samples.reserve("g"))
    yield Call("reserve_group", samples.reserve("k", admission_id="one", target_step=6))
    yield Call("reserve_group", samples.reserve("k", admission_id="one", admitted=False))
    for group in state.ordered():
        yield from _of_group(group)
    yield Call("mark_completed_executions_acknowledged", {"acknowledgements": []})
    for rows in _lists(state):
        yield Call("mark_completed_executions_acknowledged", {"acknowledgements": rows})
    yield Call("discard_pending_acknowledgements", {})
    yield Call("discard_canonical_groups", {"group_ids": ["g", "nobody"]})
    yield Call("assert_checkpoint_safe", {})
    yield Call("state_dict", {})
    yield Call("build_rollout_recovery_state", _BESIDE)
    source = {"rollout_id": "g_g0", "attempt_index": 0}
    yield Call("prepare_for_restart", {})
    yield Call("prepare_for_restart", {"restored_sources": [source]})
    yield Call("load_state_dict", {"state": saved_ledger(state)})
    yield from _malformed(state)


_BESIDE = {"batch_shortfall": {5: 1}, "sampler_stamps_target_steps": True}


def _lists(state: State) -> Iterator[list[Any]]:
    """Lists of confirmed rows: right, twice, of other content, of nobody, and mixed."""
    rows = [row.model_dump() for row in state.rows()]
    yield [samples.row(Key("gone_g0", 0))]
    if rows:
        other = rows[0] | {"receipt": rows[0]["receipt"] | {"result_identity": "changed"}}
        yield rows
        yield [rows[0]]
        yield [rows[0], rows[0]]
        yield [other]
        yield [*rows[1:], other]


def _of_group(group: Group) -> Iterator[Call]:
    name = group.group_id
    for op in _PLAIN:
        yield _of(op, name)
    yield _of("mark_group_admitted", name, target_step=6, start_weight_version=4)
    yield _of("mark_group_dispatched", name, generation_indices=[1])
    yield _of("mark_group_dispatched", name, generation_indices=[9])
    for task, index in (("t", 7), ("u", 7), ("t", 8)):
        yield _of("bind_runtime_prompt", name, prompt_payload=samples.payload(index, task))
    for index in (0, 1, 9):
        yield _of("record_sealed_sibling_acknowledgement", name, generation_index=index)
        key = group.key(index) if index < len(group.siblings) else Key(f"{name}_g{index}", 0)
        for result in _results(key):
            yield _of("mark_sibling_sealed", name, generation_index=index, **result)
            asked = {"generation_index": index, "result": result}
            yield _of("record_partial_group_acknowledgement", name, **asked)
    yield from _cohorts(group)


def _results(key: Key) -> Iterator[dict[str, Any]]:
    """What a sibling may hand over: right, of others, without receipts, by another agent."""
    right = samples.result(key)
    other, neighbour = Key(key.rollout_id, key.attempt + 1), Key(f"{key.rollout_id}0", key.attempt)
    yield right
    yield right | {"gate_rollout_id": other.capture_key}
    yield right | {"receipt": right["receipt"] | {"rollout_id": other.capture_key}}
    yield right | {"completion_receipt": samples.completion(other)}
    yield right | {"completion_receipt": samples.completion(neighbour)}
    yield right | {"completion_receipt": samples.completion(key, "changed")}
    yield right | {"completion_receipt": None}
    yield right | {"receipt": None}
    yield right | {"reward": 0.5, "mask_sample": True}
    yield right | {"resolved_agent_name": "other"}


def _cohorts(group: Group) -> Iterator[Call]:
    keys = group.executions()
    right = {str(index): samples.result(key) for index, key in enumerate(keys)}
    yield _of("mark_group_sealed", group.group_id, results=right)
    for count in (len(keys) - 1, len(keys) + 1):
        results = {str(n): samples.result(Key(f"{group.group_id}_g{n}", 0)) for n in range(count)}
        yield _of("mark_group_sealed", group.group_id, results=results)
    for last in list(_results(keys[-1]))[1:]:
        results = right | {str(len(keys) - 1): last}
        yield _of("mark_group_sealed", group.group_id, results=results)
    others = {name: one | {"resolved_agent_name": "other"} for name, one in right.items()}
    yield _of("mark_group_sealed", group.group_id, results=others)


_PLAIN = (
    "mark_group_dispatched",
    "abandon_unsealed",
    "prepare_incomplete_retry",
    "record_sealed_group_acknowledgements",
    "finalization_inputs",
    "mark_finalization_started",
    "mark_finalization_unknown",
    "discard_group",
)


def _malformed(state: State) -> Iterator[Call]:
    """Each operation with a value too many, outside of a cut, and of a group that is not there."""
    asked: dict[str, dict[str, Any]] = {op: {} for op in REQUESTS}
    asked |= dict(_templates(state))
    for op, request in asked.items():
        if op not in ("load", "load_state_dict"):
            yield Call(op, request | {EXTRA: 1})
        yield Call(op, request, cut=False)
        if "group_id" in request:
            yield Call(op, request | {"group_id": "nobody"})
    yield Call("load", {EXTRA: 1, "state": saved_ledger(state) | _BESIDE})
    yield Call("load_state_dict", {EXTRA: 1, "state": saved_ledger(state)})


def _templates(state: State) -> Iterator[tuple[str, Any]]:
    """A request of each operation that would be right but for what is added to it."""
    named = {"group_id": "g"}
    group = state.groups.get("g")
    key = Key("g_g0", 0) if group is None else group.key(0)
    result = samples.result(key)
    for op in _PLAIN:
        yield op, named
    yield "reserve_group", samples.reserve("k")
    yield "mark_group_admitted", named | {"target_step": 6, "start_weight_version": 4}
    yield "bind_runtime_prompt", named | {"prompt_payload": samples.payload()}
    yield "mark_sibling_sealed", named | {"generation_index": 0} | result
    yield "record_partial_group_acknowledgement", named | {"generation_index": 0, "result": result}
    yield "record_sealed_sibling_acknowledgement", named | {"generation_index": 0}
    keys = (key,) if group is None else group.executions()
    results = {str(index): samples.result(one) for index, one in enumerate(keys)}
    yield "mark_group_sealed", named | {"results": results}
    rows = [row.model_dump() for row in state.rows()]
    yield "mark_completed_executions_acknowledged", {"acknowledgements": rows}
    yield "discard_canonical_groups", {"group_ids": ["g"]}
    yield "build_rollout_recovery_state", _BESIDE


@cache
def loads() -> tuple[Call, ...]:
    """Every saved state that is read, right or spoiled."""
    saved = samples.saved()
    ledger = {name: one for name, one in saved.items() if name not in _BESIDE}
    calls = [Call("load", {"state": saved}), Call("load_state_dict", {"state": ledger})]
    calls += [Call("load", {"state": document}) for _, document in spoiled(saved)]
    return tuple(calls)
