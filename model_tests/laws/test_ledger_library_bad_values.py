"""The ledger as a library, handed whatever a caller may hand over by mistake.

Every argument of every public method gets every wrong value. What comes of it is a refusal with a
rule that changes nothing, or an answer after which the ledger can still be saved.
"""

import inspect
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from fencepost.ledger import samples
from fencepost_reference.receipts.ledger import LedgerRefused, RecoveryLedger
from fencepost_spec.strict_json import DIGITS_MAX
from fencepost_spec.vocabulary import Key


def deep() -> Any:
    """A value that is nested deeper than anybody reads."""
    value: Any = None
    for _ in range(20_000):
        value = {"a": value}
    return value


def endless() -> Any:
    """A value that holds itself."""
    value: dict[str, Any] = {}
    value["a"] = value
    return value


WRONG: dict[str, Any] = {
    "None": None,
    "a number": 5,
    "a negative number": -1,
    "a truth value": True,
    "a float": 1.5,
    "no number": float("nan"),
    "a number too long": 10**DIGITS_MAX,
    "an empty text": "",
    "a text": "x",
    "half a character": "\ud800",
    "bytes": b"x",
    "an object": object(),
    "a class": dict,
    "a list": [None],
    "a set": {1},
    "a mapping": {"a": 1},
    "a mapping by number": {0: None},
    "a mapping by text": {"0": 1},
    "a mapping by None": {None: {}},
    "a mapping that cannot change": MappingProxyType({1: 2}),
    "a list of mappings": [{"receipt": {}}],
    "a result with its place": {"group_id": "g", "cut": None, "op": 1, "self": 2},
    "nested": deep(),
    "endless": endless(),
}

RESULT = samples.result(Key("g_g0", 0))
RECEIPT = RESULT["completion_receipt"]
RIGHT: dict[str, Any] = {
    **samples.reserve("g"),
    "admission_id": None,
    "generation_indices": None,
    "group_ids": ["g"],
    "generation_index": 0,
    "result": RESULT,
    "results": {0: RESULT, 1: samples.result(Key("g_g1", 0))},
    "acknowledgements": [samples.row(Key("g_g0", 0))],
    "state": {},
    "batch_shortfall": {5: 1},
    "sampler_stamps_target_steps": True,
    "restored_sources": [{"rollout_id": "g_g1", "attempt_index": 0}],
    "op": "state_dict",
    "request": {},
}
QUIET = {"mutation_cut", "report", "pending_acknowledgements", "state"}
"""What takes no argument and refuses nothing."""

METHODS: dict[str, Callable[..., Any]] = {
    name: member
    for name, member in inspect.getmembers(RecoveryLedger)
    if not name.startswith("_") and callable(member) and name not in QUIET
}
ARGUMENTS = [
    (name, argument)
    for name, method in METHODS.items()
    for argument in inspect.signature(method).parameters
    if argument not in ("self", "core")
]


def ledger() -> RecoveryLedger:
    """A ledger with one group that is at work."""
    made = RecoveryLedger()
    with made.mutation_cut() as cut:
        made.reserve_group(cut, **samples.reserve("g"))
        made.mark_group_dispatched(cut, "g")
    return made


def called(subject: RecoveryLedger, method: str, spoilt: Mapping[str, Any]) -> None:
    """Call a method with arguments that are right but for those that are spoilt."""
    with subject.mutation_cut() as cut:
        known = {**RIGHT, "cut": cut}
        if method == "call":
            known["cut"] = True
        bound = getattr(subject, method)
        names = inspect.signature(bound).parameters
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for name, parameter in names.items():
            if name == "core":
                continue
            value = spoilt.get(name, known[name])
            if parameter.kind is parameter.KEYWORD_ONLY:
                named[name] = value
            else:
                positional.append(value)
        bound(*positional, **named)


def held(subject: RecoveryLedger, method: str, spoilt: Mapping[str, Any]) -> str | None:
    """Call it: the rule of the refusal, which has changed nothing, or None when it was done."""
    before = subject.state
    try:
        called(subject, method, spoilt)
    except LedgerRefused as refused:
        assert subject.state is before
        return refused.rule.id
    json.dumps(subject.state_dict(), allow_nan=False)
    return None


@pytest.mark.parametrize(("method", "argument"), ARGUMENTS)
def test_no_argument_does_anything_but_be_refused(method: str, argument: str) -> None:
    """A refusal is the one exception that leaves a method, and the ledger is as it was."""
    for wrong in WRONG.values():
        held(ledger(), method, {argument: wrong})


@pytest.mark.parametrize("field", RESULT)
def test_no_field_of_a_result_does_anything_but_be_refused(field: str) -> None:
    """Inside a result too, whichever method takes it."""
    for wrong in WRONG.values():
        spoilt = {**RESULT, field: wrong}
        for method in ("mark_sibling_sealed", "record_partial_group_acknowledgement"):
            held(ledger(), method, {"result": spoilt})
        held(ledger(), "mark_group_sealed", {"results": {0: spoilt, 1: spoilt}})


@pytest.mark.parametrize("field", RECEIPT)
def test_no_field_of_a_receipt_does_anything_but_be_refused(field: str) -> None:
    """Nor in the receipts of a result, and in the rows that are confirmed."""
    for wrong in WRONG.values():
        receipt = {**RECEIPT, field: wrong}
        held(ledger(), "mark_sibling_sealed", {"result": {**RESULT, "completion_receipt": receipt}})
        rows = [{"receipt": receipt, "agent_name": "agent"}]
        held(ledger(), "mark_completed_executions_acknowledged", {"acknowledgements": rows})


@pytest.mark.parametrize("wrong", [None, 5, "x", [], {}])
def test_a_receipt_of_another_type_is_refused_by_the_rule_of_values(wrong: object) -> None:
    """A result without a receipt may be; one with something else in its place may not."""
    for field in ("receipt", "completion_receipt"):
        rule = held(ledger(), "mark_sibling_sealed", {"result": {**RESULT, field: wrong}})
        assert rule == ("R-LOP-2" if wrong is not None else rule)


def test_a_dead_thing_in_the_place_of_a_cut_is_no_live_cut() -> None:
    """Whoever has no cut changes nothing, whatever else is given."""
    for wrong in (None, True, object(), "cut"):
        assert held(ledger(), "discard_group", {"cut": wrong}) == "R-LOP-1"


@pytest.mark.parametrize(
    ("method", "spoilt", "words"),
    [
        ("discard_group", {"group_id": None}, "discard_group: group_id is None"),
        ("mark_group_dispatched", {"generation_indices": 5}, "generation_indices is an int"),
        ("mark_sibling_sealed", {"result": None}, "mark_sibling_sealed: result is unknown"),
        (
            "mark_sibling_sealed",
            {"result": {**RESULT, "receipt": 5}},
            "mark_sibling_sealed: receipt is an int",
        ),
        ("reserve_group", {"group_id": "h", "prompt_id": 7}, "reserve_group: prompt_id is an int"),
        (
            "reserve_group",
            {"group_id": "h", "start_weight_version": 10**DIGITS_MAX},
            "start_weight_version: a whole number of more than 4300 digits",
        ),
        ("reserve_group", {"group_id": "h", "expected_generations": 10**9}, "a limit of this tool"),
        ("reserve_group", {"group_id": "h", "expected_generations": 65_537}, "65536 siblings"),
        ("call", {"op": "nosuch"}, "no operation of a ledger is called 'nosuch'"),
        ("call", {"op": ["x"]}, "no operation of a ledger is called a list"),
        (
            "build_rollout_recovery_state",
            {"batch_shortfall": None},
            "build_rollout_recovery_state: batch_shortfall is None",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_refusal_of_values_names_the_operation_and_the_value(
    method: str, spoilt: dict[str, Any], words: str
) -> None:
    """The rule says why values are looked at; beside it stands which one was wrong, and how."""
    with pytest.raises(LedgerRefused) as refused:
        called(ledger(), method, spoilt)

    assert refused.value.rule.id == "R-LOP-2"
    assert words in str(refused.value)


def test_what_is_right_is_done() -> None:
    """The arguments from which the wrong ones are made are right, where the ledger is so far."""
    done = {
        method
        for method in METHODS
        if "core" not in inspect.signature(METHODS[method]).parameters
        and method != "from_rollout_recovery_state"
        and held(ledger(), method, {}) is None
    }

    assert {"mark_sibling_sealed", "discard_group", "call", "prepare_for_restart"} <= done
