"""Saved states and requests with one thing wrong: each key missing, too much, of another type.

Which of them are wrong is not decided here; the specification does that. What a gate receipt may
hold freely is left alone. The relations between values are spoiled one by one, by name.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from fencepost.ledger import samples
from fencepost.mismatch import is_object
from fencepost.trace.lines import is_list
from fencepost_spec.vocabulary import Key

Path = tuple[str | int, ...]
Spoiled = tuple[str, Any]
FREE = ("capture_poisoned",)
EXTRA = "zz_extra"
_NUMBERS: tuple[Any, ...] = (True, "3", 3.5, 3.0, -1, None)
_TEXTS: tuple[Any, ...] = (5, "", "a b", "zzz", None)
_TRUTHS: tuple[Any, ...] = (1, "true", None)
_FLOATS: tuple[Any, ...] = (True, "1.0", float("nan"), float("inf"), None)


def places(document: Any, start: Path = ()) -> Iterator[Path]:
    """Every place in a document, parents before what they hold."""
    yield start
    if is_object(document):
        for name in document:
            if name not in FREE:
                yield from places(document[name], (*start, name))
    elif is_list(document):
        for number, item in enumerate(document):
            yield from places(item, (*start, number))


def held(document: Any, path: Path) -> Any:
    """What stands at a place."""
    for step in path:
        document = document[step]
    return document


def changed(document: Any, path: Path, value: Any) -> Any:
    """A copy with another value at a place."""
    copy = deepcopy(document)
    if not path:
        return value
    held(copy, path[:-1])[path[-1]] = value
    return copy


def missing(document: Any) -> Iterator[Spoiled]:
    """The document without each of its keys in turn."""
    for path in places(document):
        if path and is_object(held(document, path[:-1])):
            copy = deepcopy(document)
            del held(copy, path[:-1])[path[-1]]
            yield f"missing {named(path)}", copy


def extra(document: Any) -> Iterator[Spoiled]:
    """The document with a key too many in each mapping, gate receipts apart."""
    for path in places(document):
        mapping = held(document, path)
        if is_object(mapping) and not {"manifest", "staging_key"} & mapping.keys():
            yield f"extra key in {named(path)}", changed(document, (*path, EXTRA), 1)


def mistyped(document: Any) -> Iterator[Spoiled]:
    """The document with another value at each place: of another type, or out of its domain."""
    for path in places(document):
        if path:
            for value in _others(held(document, path)):
                yield f"{named(path)} is {value!r}", changed(document, path, value)


def _others(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return _TRUTHS
    if isinstance(value, int):
        return _NUMBERS
    if isinstance(value, float):
        return _FLOATS
    if isinstance(value, str):
        return _TEXTS
    if value is None:
        return ([], 7, True)
    return (None, "x", 7)


def named(path: Path) -> str:
    """A place in words."""
    return "/".join(map(str, path)) or "the whole"


# Relations. The state is that of `samples.saved`: groups s (sibling), p (cohort), r (reserved).

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
    ("sealed without completion", _set_attempt(S, 0, completion_receipt=None)),
    ("receipt of another", lambda d: _current(d, S, 0)["receipt"].update(rollout_id="s_g0-a1")),
    ("staged rows of another order", _set_attempt(S, 0, staging_keys=["other"])),
    ("completion of another attempt",
     _set_attempt(S, 0, completion_receipt=samples.completion(Key("s_g0", 1)))),
    ("completion of another rollout",
     _set_attempt(S, 0, completion_receipt=samples.completion(Key("s_g1", 0)))),
    ("unsealed with reward", _set_attempt(S, 1, reward=1.0)),
    ("unsealed with mask", _set_attempt(S, 1, mask_sample=False)),
    ("unsealed with staged rows", _set_attempt(S, 1, staging_keys=["s_g1-a1/0"])),
    ("unsealed with completion",
     _set_attempt(S, 1, completion_receipt=samples.completion(Key("s_g1", 1)))),
    ("failed attempt", _set_attempt(S, 1, status="failed")),
    ("dispatched attempt", _set_attempt(S, 1, status="dispatched")),
    ("older sealed attempt", _followed),
    ("older dispatched attempt",
     lambda d: _group(d, S)["siblings"][1]["attempts"][0].update(status="dispatched")),
    ("sibling without attempts", _fewer),
    ("sealed sibling without attempts", _none),
    ("attempts with a gap", _gap),
    ("siblings swapped", _swapped),
    ("more expected than there are", _set(S, expected_generations=3)),
    ("reference to another prompt",
     lambda d: _group(d, S)["prompt_ref"].update(sample_id="8")),
    ("generating and all sealed", _set(P, status="generating")),
    ("ready and unsealed", _unsealed),
    ("sealed without agent", _set(S, resolved_agent_name=None)),
    ("agent without seal", _set(R, resolved_agent_name="agent")),
    ("half sealed cohort", _half_sealed_cohort),
    ("reserved and dispatched", _set_attempt(R, 0, status="dispatched")),
    ("finalizing", _set(P, status="finalizing")),
    ("finalization unknown", _set(P, status="finalization_unknown")),
    ("a group twice", _twice_group),
    ("an obligation twice", _twice_owed),
    ("an obligation of an unknown group", _owed("unknown_g0")),
    ("an obligation of no sibling", _owed("s_g1-a1")),
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


def spoiled(document: Any) -> Iterator[Spoiled]:
    """Every variation of a saved state that there is."""
    yield from related(document)
    yield from missing(document)
    yield from extra(document)
    yield from mistyped(document)
