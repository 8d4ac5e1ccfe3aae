"""Whether an answer or a report has the shape that its wire model gives it.

Only what is there and of which kind; whether it is true is compared elsewhere.
"""

from typing import Any

from pydantic import BaseModel, ValidationError

from fencepost.mismatch import Mismatch
from fencepost_spec.receipts import operation_rules as ops
from fencepost_spec.receipts.dialects import Dialect, dialect_of
from fencepost_spec.receipts.replies import TracedStatus
from fencepost_spec.receipts.wire import REPLIES

_WEIGHT = 4


def answer_misshapen(op: str, status: int | None, body: Any, dialect: Dialect) -> Mismatch | None:
    """What is wrong with the shape of a successful answer, where the dialect holds it to one."""
    model = REPLIES.get(op)
    if not dialect.shape or status != 200 or model is None:
        return None
    return _misshapen(model, body, f"the body of {op}")


def report_model(version: str) -> type[BaseModel] | None:
    """The form of a report, where the dialect of that version holds it to one."""
    return TracedStatus if dialect_of(version).shape else None


def report_misshapen(body: Any, dialect: Dialect) -> Mismatch | None:
    """What is wrong with the shape of a report."""
    return _misshapen(TracedStatus, body, "the body of status") if dialect.shape else None


def _misshapen(model: type[BaseModel], body: Any, name: str) -> Mismatch | None:
    try:
        model.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "it"
        return Mismatch(f"{name} in its shape", f"{place}: {first['msg']}", ops.SHAPE, _WEIGHT)
    return None
