"""What a ledger is always told has every kind of value in it, taken from the models."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from fencepost.ledger import samples
from fencepost.ledger.lives import bare, lives
from fencepost.ledger.reading import OWED
from fencepost.ledger.stories import missing_keys
from fencepost.ledger.telling import told
from fencepost.ledger.varying import nullable, varied, varied_results, varied_rows
from fencepost.mismatch import is_object
from fencepost.trace.lines import is_list
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.receipts.ledger.saved import (
    PromptRef,
    SavedAttempt,
    SavedGroup,
    SavedSibling,
    SavedSidecar,
)
from fencepost_spec.receipts.ledger.values import CompletedExecution, Result
from fencepost_spec.receipts.requests import Receipt
from fencepost_spec.vocabulary import Key

MODELS: tuple[type[BaseModel], ...] = (
    SavedSidecar,
    SavedGroup,
    PromptRef,
    SavedSibling,
    SavedAttempt,
    CompletedExecution,
    Receipt,
)


def _mappings(value: Any) -> Iterator[dict[str, Any]]:
    if is_object(value):
        yield value
    for one in value.values() if is_object(value) else value if is_list(value) else ():
        yield from _mappings(one)


def _of(model: type[BaseModel], document: Any) -> list[dict[str, Any]]:
    """The mappings in a document that are what a model says."""
    names = set(model.model_fields)
    return [one for one in _mappings(document) if set(one) == names]


@pytest.mark.parametrize("model", MODELS)
def test_what_may_be_null_is_saved_as_null_and_as_a_value(model: type[BaseModel]) -> None:
    """A field that is left out where it is null, or lost where it is not, is seen."""
    found = [one for life in lives() for one in _of(model, life.saved())]

    assert found
    for name in nullable(model):
        assert {one[name] is None for one in found} == {True, False}, name


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("where", ["groups", OWED, ""])
def test_every_key_of_every_model_is_missing_once(model: type[BaseModel], where: str) -> None:
    """In a group and in an obligation; where it may be null, it is missing in place of a null."""
    documents = [samples.saved(), bare().saved()]
    whole = [document.get(where) if where else document for document in documents]
    loaded = [action.request["state"] for case in missing_keys() for action in case
              if isinstance(action, Call)]  # fmt: skip
    fewer = [one for state in loaded for one in _mappings(state.get(where) if where else state)]
    for name in model.model_fields:
        full = [one for document in whole for one in _of(model, document)]
        for is_null in {one[name] is None for one in full}:
            wanted = [
                {key: value for key, value in one.items() if key != name}
                for one in full
                if (one[name] is None) is is_null
            ]
            assert any(one in fewer for one in wanted), (name, is_null)


def test_every_field_of_what_names_an_execution_varies() -> None:
    """Each variation is right in itself, and every field is another in one of them."""
    key = Key("g_g0", 0)
    row, result = samples.row(key), samples.result(key)
    receipts = list(varied(Receipt, row["receipt"]))
    rows, results = list(varied_rows(row)), list(varied_results(result))

    for other in rows:
        CompletedExecution.model_validate(other)
    for other in results:
        Result.model_validate(other)
    changed = {name for one in receipts for name in one if one[name] != row["receipt"][name]}
    assert changed == set(Receipt.model_fields)
    for values, right, model in ((rows, row, CompletedExecution), (results, result, Result)):
        assert all(other != right for other in values)
        names = {name for one in values for name in one if one[name] != right[name]}
        assert names == set(model.model_fields)


def test_every_life_goes_as_it_is_told() -> None:
    """Nothing of a life is refused but what asks for results that are not there yet."""
    core = LedgerCore()
    for life in lives():
        state: State = core.initial()
        for action in life.told():
            step = core.step(state, action)
            state = step.state
            if isinstance(action, Call) and action.op != "finalization_inputs":
                assert step.outputs[0].ok, (action, step.outputs[0])


def test_what_is_told_leaves_most_of_a_check_to_what_is_drawn() -> None:
    """The told cases are a small part of the actions of a quick check, and none is long."""
    cases = list(told())

    assert sum(map(len, cases)) < 1_000
    assert max(map(len, cases)) <= 60
