"""The difference between what a line shows and what the model expects."""

from typing import Any, TypeGuard

import attrs

from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

RECEIPT_NAMES = (
    "execution_generation",
    "result_identity",
    "result_digest",
    "manifest_capture_key",
    "terminal_model_call_id",
)


class Inconclusive(Exception):
    """The trace leaves more possibilities than the budget allows, or does not show enough."""


@attrs.frozen
class Mismatch:
    """What was expected, what came, and the rule that decided it. A higher weight is closer."""

    expected: str
    came: str
    rule: Rule | None
    weight: int = 1
    stall: bool = False
    key: Key | None = None


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def as_object(value: object) -> dict[str, Any]:
    """A JSON object as it is, and anything else as an empty one."""
    return value if is_object(value) else {}
