"""A saved state with one relation between its values spoiled, each by name; some may be so.

The state is that of `samples.saved`: groups s (sibling), p (cohort), r (reserved), and what is owed
for the first sibling of p and of s. Which are wrong is not decided here; the specification does.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from fencepost.ledger import samples
from fencepost_spec.vocabulary import Key

Spoiled = tuple[str, Any]

S, P, R = 0, 1, 2


def _group(document: Any, number: int) -> Any:
    return document["groups"][number]


def _current(document: Any, group: int, sibling: int) -> Any:
    return _group(document, group)["siblings"][sibling]["attempts"][-1]


def _set(group: int, **changes: Any) -> Callable[[Any], None]:
    return lambda document: _group(document, group).update(changes)


def _set_attempt(group: int, sibling: int, **changes: Any) -> Callable[[Any], None]:
    return lambda document: _current(document, group, sibling).update(changes)


def _empty() -> dict[str, Any]:
    return {
        "receipt": None,
        "completion_receipt": None,
        "reward": None,
        "mask_sample": None,
        "staging_keys": [],
    }


def _half_sealed_cohort(document: Any) -> None:
    _current(document, P, 1).update(status="abandoned", **_empty())
    _group(document, P)["status"] = "generating"


def _unsealed(document: Any) -> None:
    _current(document, P, 1).update(status="abandoned", **_empty())
    _current(document, P, 0).update(status="abandoned", **_empty())
    _group(document, P)["resolved_agent_name"] = None


def _no_receipt(document: Any) -> None:
    _current(document, S, 0).update(receipt=None)


def _followed(document: Any) -> None:
    fresh = {"attempt_index": 1, "status": "reserved", **_empty()}
    _group(document, S)["siblings"][0]["attempts"].append(fresh)
    _group(document, S)["resolved_agent_name"] = None


def _twice_group(document: Any) -> None:
    document["groups"].append(deepcopy(_group(document, R)))


def _twice_owed(document: Any) -> None:
    rows = document["pending_completed_execution_acknowledgements"]
    rows.append(deepcopy(rows[0]))


S_ROW = 1


def _row(document: Any, number: int) -> Any:
    return document["pending_completed_execution_acknowledgements"][number]


def _owed_otherwise(document: Any) -> None:
    _row(document, S_ROW)["receipt"].update(result_identity="another")


def _sealed_unheard(document: Any) -> None:
    """No receipt came with the result, so nothing is owed for it."""
    _current(document, S, 0).update(completion_receipt=None)
    del document["pending_completed_execution_acknowledgements"][S_ROW]


def _of_nobody(document: Any) -> None:
    """Nothing is owed for the seal, so that nothing else names its agent."""
    _group(document, S).update(resolved_agent_name=None)
    del document["pending_completed_execution_acknowledgements"][S_ROW]


def _unsealed_again(document: Any) -> None:
    """Its group was let go and is held again: what was owed before is owed still."""
    _row(document, S_ROW)["receipt"].update(rollout_id="r_g0", result_identity="another")
    _row(document, S_ROW).update(agent_name="other")


def _owed(rollout_id: str) -> Callable[[Any], None]:
    def spoil(document: Any) -> None:
        rows = document["pending_completed_execution_acknowledgements"]
        rows.append(samples.row(Key(rollout_id, 0)))

    return spoil


def _joined(**changes: Any) -> Callable[[Any], None]:
    """Groups r and s in one admission, which has to agree."""

    def spoil(document: Any) -> None:
        _group(document, R).update(admission_id="s", phase="admitted", target_step=5)
        _group(document, R).update(changes)

    return spoil


def _fewer(document: Any) -> None:
    _group(document, S)["siblings"][1]["attempts"] = []


def _none(document: Any) -> None:
    _group(document, S)["siblings"][0]["attempts"] = []
    _group(document, S)["resolved_agent_name"] = None


def _sealed_in_reserve(document: Any) -> None:
    """A group that was never admitted, ready all the same, and nothing else is wrong with it."""
    key = Key("r_g0", 0)
    result = samples.result(key)
    kept = ("receipt", "completion_receipt", "reward", "mask_sample")
    sealed = {name: result[name] for name in kept} | {"staging_keys": ["r_g0/0"]}
    _current(document, R, 0).update(status="sealed", **sealed)
    _group(document, R).update(status="ready_to_finalize", resolved_agent_name="agent")


def _cohort_given_up(document: Any) -> None:
    _unsealed(document)
    _group(document, P)["status"] = "generating"


def _gap(document: Any) -> None:
    _current(document, S, 1)["attempt_index"] = 2


def _swapped(document: Any) -> None:
    for number, sibling in enumerate(reversed(_group(document, S)["siblings"])):
        sibling["generation_index"] = number


RELATIONS: tuple[tuple[str, Callable[[Any], None]], ...] = (
    ("another version", lambda document: document.update(schema_version=2)),
    ("sealed without reward", _set_attempt(S, 0, reward=None)),
    ("sealed without mask", _set_attempt(S, 0, mask_sample=None)),
    ("staged rows without receipt", _no_receipt),
    ("sealed without any receipt", _set_attempt(S, 0, receipt=None, staging_keys=[])),
    ("sealed without completion", _sealed_unheard),
    ("receipt of another", lambda d: _current(d, S, 0)["receipt"].update(rollout_id="s_g0-a1")),
    ("staged rows of another order", _set_attempt(S, 0, staging_keys=["other"])),
    ("completion of another attempt",
     _set_attempt(S, 0, completion_receipt=samples.completion(Key("s_g0", 1)))),
    ("completion of another rollout",
     _set_attempt(S, 0, completion_receipt=samples.completion(Key("s_g1", 0)))),
    ("unsealed with reward", _set_attempt(S, 1, reward=1.0)),
    ("unsealed with mask", _set_attempt(S, 1, mask_sample=False)),
    ("unsealed with an empty gate receipt",
     _set_attempt(S, 1, receipt={"rollout_id": "s_g1-a1", "manifest": []})),
    ("unsealed with staged rows", _set_attempt(S, 1, staging_keys=["s_g1-a1/0"])),
    ("unsealed with completion",
     _set_attempt(S, 1, completion_receipt=samples.completion(Key("s_g1", 1)))),
    ("failed attempt", _set_attempt(S, 1, status="failed")),
    ("dispatched attempt", _set_attempt(S, 1, status="dispatched")),
    ("older sealed attempt", _followed),
    ("older dispatched attempt",
     lambda d: _group(d, S)["siblings"][1]["attempts"][0].update(status="dispatched")),
    ("older failed attempt",
     lambda d: _group(d, S)["siblings"][1]["attempts"][0].update(status="failed")),
    ("sibling without attempts", _fewer),
    ("sealed sibling without attempts", _none),
    ("attempts with a gap", _gap),
    ("siblings swapped", _swapped),
    ("more expected than there are", _set(S, expected_generations=3)),
    ("fewer expected than there are", _set(S, expected_generations=1)),
    ("reference to another prompt",
     lambda d: _group(d, S)["prompt_ref"].update(sample_id="8")),
    ("generating and all sealed", _set(P, status="generating")),
    ("ready and unsealed", _unsealed),
    ("sealed without agent", _of_nobody),
    ("agent without seal", _set(R, resolved_agent_name="agent")),
    ("half sealed cohort", _half_sealed_cohort),
    ("a cohort that was given up", _cohort_given_up),
    ("reserved and sealed", _sealed_in_reserve),
    ("reserved and dispatched", _set_attempt(R, 0, status="dispatched")),
    ("finalizing", _set(P, status="finalizing")),
    ("finalization unknown", _set(P, status="finalization_unknown")),
    ("a group twice", _twice_group),
    ("an obligation twice", _twice_owed),
    ("an obligation of an unknown group", _owed("unknown_g0")),
    ("an obligation of no sibling", _owed("s_g1-a1")),
    ("an obligation of an index with a zero before it", _owed("s_g01")),
    ("an obligation of another receipt than the sealed one", _owed_otherwise),
    ("an obligation to another agent than the group's",
     lambda d: _row(d, S_ROW).update(agent_name="other")),
    ("an obligation of a sealed attempt without a receipt",
     _set_attempt(S, 0, completion_receipt=None)),
    ("an obligation of what is not sealed again", _unsealed_again),
    ("one admission", _joined()),
    ("one admission, another step", _joined(target_step=6)),
    ("one admission, another phase", _joined(phase="reserved")),
    ("another granularity", _set(S, recovery_granularity="prompt_group")),
    ("a whole number as reward", _set_attempt(S, 0, reward=1)),
)  # fmt: skip


def related(document: Any) -> Iterator[Spoiled]:
    """The document with each relation spoiled in turn."""
    for name, spoil in RELATIONS:
        copy = deepcopy(document)
        spoil(copy)
        yield name, copy
