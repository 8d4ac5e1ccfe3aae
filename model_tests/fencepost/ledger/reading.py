"""Lines of a ledger's trace into plain values, in the words of one dialect.

What JSON cannot hold stands in a trace as an object with a dollar sign; and earlier versions saved
an obligation as one flat mapping, and attempts with a uuid. Both are undone here, nothing else.
"""

from collections.abc import Callable
from math import isfinite
from typing import Any

from fencepost.mismatch import as_object, is_object
from fencepost.trace.lines import is_list
from fencepost_spec.receipts.ledger.dialects import LedgerDialect

_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
_RECEIPT = (
    "rollout_id",
    "attempt_index",
    "execution_generation",
    "result_identity",
    "result_digest",
    "manifest_capture_key",
    "terminal_model_call_id",
)
OWED = "pending_completed_execution_acknowledgements"


def decoded(value: Any) -> Any:
    """A value as it was, from the way a trace shows it; a broken sign stays as it stands."""
    if is_list(value):
        return [decoded(one) for one in value]
    if not is_object(value):
        return value
    if len(value) == 1:
        ((sign, held),) = value.items()
        if sign == "$float" and held in _FLOATS:
            return _FLOATS[held]
        if sign == "$bytes" and isinstance(held, str):
            return bytes.fromhex(held)
        if sign == "$map" and is_list(held):
            return {decoded(key): decoded(one) for key, one in held}
    return {name: decoded(one) for name, one in value.items()}


def encoded(value: Any) -> Any:
    """A value as a trace shows it.

    >>> encoded({"a": {5: 1}, "b": float("nan")})
    {'a': {'$map': [[5, 1]]}, 'b': {'$float': 'nan'}}
    """
    if isinstance(value, float) and not isfinite(value):
        return {"$float": str(value)}
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if is_list(value):
        return [encoded(one) for one in value]
    if is_object(value):
        names: list[Any] = list(value)
        if all(isinstance(name, str) for name in names):
            return {name: encoded(one) for name, one in value.items()}
        return {"$map": [[encoded(name), encoded(one)] for name, one in value.items()]}
    return value


def request_of(op: str, request: Any, dialect: LedgerDialect) -> Any:
    """What an operation is asked, in the words of the models."""
    asked = decoded(request)
    if not is_object(asked):
        return asked
    asked = {name: one for name, one in asked.items() if name != "cut"}
    if op in ("load", "load_state_dict") and "state" in asked:
        asked["state"] = state_of(asked["state"], dialect)
    if op == "mark_completed_executions_acknowledged" and dialect.flat_obligations:
        asked["acknowledgements"] = _each(asked.get("acknowledgements"), nested)
    return asked


def body_of(op: str, body: Any, dialect: LedgerDialect) -> Any:
    """What an operation answered, in the words of the models."""
    value = decoded(body)
    if op in ("state_dict", "build_rollout_recovery_state"):
        return state_of(value, dialect)
    if op.startswith("record_") and dialect.flat_obligations:
        return _each(value, nested) if is_list(value) else nested(value)
    return value


def state_of(state: Any, dialect: LedgerDialect) -> Any:
    """A saved state in the words of the models; one that is none stays as it is."""
    if not is_object(state):
        return state
    changed = dict(state)
    if dialect.flat_obligations and OWED in changed:
        changed[OWED] = _each(changed[OWED], nested)
    if dialect.attempt_fields and is_list(changed.get("groups")):
        changed["groups"] = [_group(group, dialect.attempt_fields) for group in changed["groups"]]
    return changed


def nested(row: Any) -> Any:
    """An obligation with its receipt, from the flat mapping of an earlier version."""
    if not is_object(row) or "receipt" in row:
        return row
    receipt = {name: row[name] for name in _RECEIPT if name in row}
    return {name: one for name, one in row.items() if name not in _RECEIPT} | {"receipt": receipt}


def _group(group: Any, fields: frozenset[str]) -> Any:
    if not is_object(group) or "siblings" not in group:
        return group

    def sibling(one: Any) -> Any:
        if not is_object(one) or "attempts" not in one:
            return one
        return one | {"attempts": _each(one["attempts"], lambda each: _attempt(each, fields))}

    return group | {"siblings": _each(group["siblings"], sibling)}


def _attempt(attempt: Any, fields: frozenset[str]) -> Any:
    """An attempt without the fields of its version; one that lacks them lacks its index too."""
    if not is_object(attempt):
        return attempt
    lacks = fields - set(attempt)
    left_out = fields | {"attempt_index"} if lacks else fields
    return {name: one for name, one in attempt.items() if name not in left_out}


def _each(values: Any, change: Callable[[Any], Any]) -> Any:
    return [change(one) for one in values] if is_list(values) else values


def cut_of(request: Any) -> bool:
    """Whether the cut of a call was live."""
    return as_object(request).get("cut") != "not live"
