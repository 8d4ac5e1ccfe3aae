"""The pages of properties and refusals leave nobody out."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any, TypeGuard

import fencepost_spec
from fencepost.report.everything import (
    PROMISED,
    REFUSED,
    REFUSED_BY_LIBRARIES,
    render_properties,
    render_refusals,
)
from fencepost_spec.operation import Property, Refusal
from fencepost_spec.receipts.policy_model.refusals import ANSWERED, MISSING_WORKERS, MODEL_REFUSALS
from fencepost_spec.receipts.policy_model.spec import MODEL
from fencepost_spec.receipts.refusals import STORAGE_FAILED


def declared(kind: type[Any]) -> Iterator[Any]:
    """Every value of a kind in a tuple of some module of the specification."""
    for found in pkgutil.walk_packages(fencepost_spec.__path__, "fencepost_spec."):
        module = importlib.import_module(found.name)
        for value in vars(module).values():
            if is_tuple(value):
                yield from (one for one in value if isinstance(one, kind))


def is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Tell whether a value is a tuple."""
    return isinstance(value, tuple)


def test_every_promise_of_the_specification_stands_on_the_page_of_properties() -> None:
    """A property that some module declares belongs to a part, and is shown with its rule."""
    found = {one.id for one in declared(Property)}
    page = render_properties()

    assert {one.id for promises in PROMISED.values() for one in promises} == found
    assert all(f"| {rule_id} |" in page for rule_id in found)


def test_every_refusal_of_the_specification_stands_on_the_page_of_refusals() -> None:
    """A refusal that some module declares belongs to a part, and is shown with its meaning."""
    found = {*declared(Refusal)}
    shown = {one for some in (*REFUSED.values(), *REFUSED_BY_LIBRARIES.values()) for one in some}
    page = render_refusals()

    assert shown == found
    for one in found:
        assert any(
            line.startswith(f"| `{one.code}` |") and line.endswith(f"| {one.says} |")
            for line in page.splitlines()
        )


def test_a_model_answers_with_the_codes_of_its_ladders() -> None:
    """Its list has what a ladder answers, a step of storage, and the code of the coordinator."""
    ladders = [operation.ladder for operation in MODEL.operations.values()]
    ladders += [MODEL.gate, MODEL.roots, MODEL.existing, MODEL.source]
    answers = {check.answer for ladder in ladders for check in ladder} - {"replay", "share"}

    assert {one.code for one in ANSWERED} == answers | {STORAGE_FAILED, MISSING_WORKERS}
    assert set(MODEL_REFUSALS) <= set(ANSWERED)
