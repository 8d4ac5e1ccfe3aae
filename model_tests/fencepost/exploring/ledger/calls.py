"""What a controller says to a ledger, right and wrong: requests as plain values."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import Any

from pydantic import BaseModel

from fencepost.exploring.ledger.scope import LedgerScope
from fencepost.ledger import samples
from fencepost.ledger.varying import nullable
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.state import Group, State
from fencepost_spec.receipts.ledger.requests import REQUESTS
from fencepost_spec.receipts.ledger.saved import SavedAttempt, SavedGroup
from fencepost_spec.receipts.requests import Receipt
from fencepost_spec.vocabulary import Key

SIDECAR = {"batch_shortfall": {5: 1}, "sampler_stamps_target_steps": True}
SAVES = {
    "sidecar": Call("build_rollout_recovery_state", SIDECAR),
    "plain": Call("state_dict", {}),
}
LOADS = {"sidecar": "load", "plain": "load_state_dict"}

_INTENDED = LedgerCore()


def of_group(op: str, group_id: str, **more: Any) -> Call:
    """An operation on one group."""
    return Call(op, {"group_id": group_id, **more})


def save(scope: LedgerScope, how: str) -> Call:
    """A way to save."""
    sidecar = how == "sidecar" and scope.odd
    return Call(SAVES[how].op, SIDECAR | {"batch_shortfall": {5: 0}}) if sidecar else SAVES[how]


def result(scope: LedgerScope, key: Key, agent: str) -> dict[str, Any]:
    """What one finished execution hands over."""
    right = samples.result(key, agent)
    if not scope.odd:
        return right
    entries = [entry | {"more": 0} for entry in right["receipt"]["manifest"]]
    receipt = right["receipt"] | {"manifest": entries, "more": None}
    completion = right["completion_receipt"] | dict.fromkeys(nullable(Receipt))
    return right | {"reward": 0.1, "receipt": receipt, "completion_receipt": completion}


def reserve(scope: LedgerScope, group_id: str) -> Call:
    """A new group, as its scope has it."""
    more: dict[str, Any] = {"admission_id": "one", "admitted": False} if scope.admits else {}
    if scope.odd:
        more |= {"task_source": None, "target_step": None if scope.admits else 0}
    granularity = scope.granularity(group_id)
    return Call("reserve_group", samples.reserve(group_id, granularity, scope.siblings, **more))


def seal_sibling(group_id: str, index: int, result: dict[str, Any]) -> Call:
    """The result of one sibling."""
    return of_group("mark_sibling_sealed", group_id, generation_index=index, **result)


def seal_group(group: Group, results: dict[str, Any]) -> Call:
    """The results of a cohort."""
    return of_group("mark_group_sealed", group.group_id, results=results)


def partial(group_id: str, index: int, result: dict[str, Any]) -> Call:
    """The acknowledgement of one finished sibling of a cohort."""
    op = "record_partial_group_acknowledgement"
    return of_group(op, group_id, generation_index=index, result=result)


def release(rows: list[Any]) -> Call:
    """Rows that a participant has confirmed."""
    return Call("mark_completed_executions_acknowledged", {"acknowledgements": rows})


def wrong_results(key: Key, agent: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Results of which one thing is wrong."""
    right, next_key = samples.result(key, agent), key.next()
    elsewhere = Key("nobody_g0", key.attempt)
    yield "gate", right | {"gate_rollout_id": next_key.capture_key}
    yield "receipt", right | {"receipt": right["receipt"] | {"rollout_id": next_key.capture_key}}
    yield "attempt", right | {"completion_receipt": samples.completion(next_key)}
    yield "rollout", right | {"completion_receipt": samples.completion(elsewhere)}
    yield "agent", right | {"resolved_agent_name": "another"}
    yield "identity", right | {"completion_receipt": samples.completion(key, "another")}


def wrong_rows(rows: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Lists of confirmed rows of which one is wrong."""
    other = deepcopy(rows)
    other[-1]["receipt"]["result_identity"] = "another"
    yield "in another row", other
    yield "twice", [*rows, rows[0]]


def otherwise(right: dict[str, Any], varied: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Values that differ from a right one, each under the name of the field that does."""
    times: Counter[str] = Counter()
    for value in varied:
        name = next(name for name in right if value[name] != right[name])
        times[name] += 1
        yield f"{name} {times[name]}", value


def malformed() -> Iterator[tuple[str, Call]]:
    """Every operation with a request that is none, and those on a group with one nobody knows."""
    for op, model in REQUESTS.items():
        yield f"{op} of nothing that it takes", Call(op, {"nothing": 1})
        if set(model.model_fields) == {"group_id"}:
            yield f"{op} of nobody", of_group(op, "nobody")


Damage = Callable[[Any], None]


def _first(document: Any) -> Any:
    return document["groups"][0]


def _attempt(document: Any) -> Any:
    return _first(document)["siblings"][0]["attempts"][-1]


def _without_status(document: Any) -> None:
    del _first(document)["status"]


def _twice_owed(document: Any) -> None:
    rows = document["pending_completed_execution_acknowledgements"]
    rows.append(deepcopy(rows[0]))


def _completion_of_another(document: Any) -> None:
    _attempt(document)["completion_receipt"]["attempt_index"] += 1


def _of_group(**values: Any) -> Damage:
    return lambda document: _first(document).update(values)


def _of_attempt(**values: Any) -> Damage:
    return lambda document: _attempt(document).update(values)


DAMAGES: dict[str, Damage] = {
    "another version": lambda document: document.update(schema_version=2),
    "a missing key": _without_status,
    "a key too many": _of_group(more=1),
    "a value of another type": _of_group(expected_generations="1"),
    "a value that may not stand": _of_group(status="nothing"),
    "a group twice": lambda document: document["groups"].append(deepcopy(_first(document))),
    "an obligation twice": _twice_owed,
    "another status": _of_group(status="finalizing"),
    "a status of its own": _of_group(status="generating"),
    "no agent": _of_group(resolved_agent_name=None),
    "an agent": _of_group(resolved_agent_name="a1"),
    "a phase of its own": _of_group(phase="reserved"),
    "more siblings": _of_group(expected_generations=2),
    "another prompt": lambda document: _first(document)["prompt_ref"].update(sample_id="8"),
    "no attempts": lambda document: _first(document)["siblings"][0].update(attempts=[]),
    "another sibling": lambda document: _first(document)["siblings"][0].update(generation_index=1),
    "another number": _of_attempt(attempt_index=1),
    "no reward": _of_attempt(reward=None),
    "no mask": _of_attempt(mask_sample=None),
    "a reward": _of_attempt(reward=1.0),
    "another row": _of_attempt(staging_keys=["another"]),
    "rows of nobody": _of_attempt(receipt=None),
    "the receipt of another": lambda document: _attempt(document)["receipt"].update(
        rollout_id="another"
    ),
    "the completion of another": _completion_of_another,
}
"""What may be wrong with a file, by name."""


def _without(find: Callable[[Any], Any], name: str) -> Damage:
    def damage(document: Any) -> None:
        del find(document)[name]

    return damage


def _obligation(document: Any) -> Any:
    return document["pending_completed_execution_acknowledgements"][0]


_PLACES: tuple[tuple[str, type[BaseModel], Callable[[Any], Any]], ...] = (
    ("group", SavedGroup, _first),
    ("attempt", SavedAttempt, _attempt),
    ("attempt's receipt", Receipt, lambda document: _attempt(document)["completion_receipt"]),
    ("obligation's receipt", Receipt, lambda document: _obligation(document)["receipt"]),
)

MISSING: dict[str, Damage] = {
    f"a {where} without {name}": _without(find, name)
    for where, model, find in _PLACES
    for name in nullable(model)
}
"""The keys that a file may lack although their value may be null, by name."""


_ALL = DAMAGES | MISSING


class Files:
    """What a core saves of a ledger, worked out once for each."""

    def __init__(self, scope: LedgerScope, core: LedgerCore) -> None:
        self._scope, self._core = scope, core
        self._saved: dict[tuple[str, State], Any] = {}

    def document(self, how: str, state: State) -> Any:
        """The file that was made from a ledger; None when the core refuses to make one."""
        if (how, state) not in self._saved:
            answer = self._core.step(state, save(self._scope, how)).outputs[0]
            self._saved[how, state] = answer.body if answer.ok else None
        return self._saved[how, state]

    def failed(self, how: str, state: State) -> Call | None:
        """The call that reads a file in which what was given up has failed; None without that."""
        document = deepcopy(self.document(how, state))
        attempts = [
            attempt
            for group in document["groups"]
            for sibling in group["siblings"]
            for attempt in sibling["attempts"]
            if attempt["status"] == "abandoned"
        ]
        for attempt in attempts:
            attempt["status"] = "failed"
        return Call(LOADS[how], {"state": document}) if attempts else None

    def damaged(self, how: str, state: State, damage: str) -> Call | None:
        """The call that reads a damaged file; None when the damage is none to this one."""
        document = deepcopy(self.document(how, state))
        try:
            _ALL[damage](document)
        except (LookupError, TypeError, AttributeError):
            return None
        call = Call(LOADS[how], {"state": document})
        return None if _INTENDED.step(_INTENDED.initial(), call).outputs[0].ok else call
