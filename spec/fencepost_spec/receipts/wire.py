"""The bodies of the agent's control routes, by operation: what is asked and what is answered.

One table for each rendering and level: as they travel, as a trace shows them, and as a trace of an
agent of level 2942 shows them. May import: pydantic, `strict`, `requests`, `replies`.
"""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import BaseModel, Field

from fencepost_spec.receipts import replies
from fencepost_spec.receipts.requests import (
    REQUESTS,
    WIRE_REQUESTS,
    GivenReceipt,
    Receipt,
    absolute,
    relative,
)
from fencepost_spec.receipts.versions import SCHEMA_VERSION, SchemaVersion
from fencepost_spec.strict import Strict

__all__ = [
    "EARLY_REPLIES",
    "ERRORS",
    "REPLIES",
    "REQUESTS",
    "SCHEMA_VERSION",
    "WIRE_REPLIES",
    "WIRE_REQUESTS",
    "ErrorBody",
    "GivenReceipt",
    "Receipt",
    "SchemaVersion",
    "ValidationBody",
    "absolute",
    "relative",
]

Code = Annotated[str, Field(pattern=r"^[a-z][a-z_]*$")]


class CodedError(Strict):
    """A refusal: its code, and a text for people, which a trace may leave out."""

    code: Code
    detail: str = ""


class ErrorBody(Strict):
    """The body of every refusal by a participant."""

    error: CodedError


class ValidationFault(Strict):
    """One place of a body that is not what its model says."""

    loc: list[str | int]
    type: str


class ValidationBody(Strict):
    """The body of an answer to a malformed request, as a trace shows it."""

    validation: Annotated[list[ValidationFault], Field(min_length=1)]


ERRORS: Final[Mapping[int, type[BaseModel]]] = {
    401: ErrorBody,
    409: ErrorBody,
    422: ValidationBody,
    500: ErrorBody,
}
"""The bodies of refused calls, by status."""

# fmt: off
REPLIES: Final[Mapping[str, type[BaseModel]]] = {
    "prepare":                       replies.TracedStatus,
    "status":                        replies.TracedStatusReply,
    "commit":                        replies.CommitReply,
    "restore":                       replies.RestoreReply,
    "resume":                        replies.ResumeReply,
    "retire":                        replies.RetireReply,
    "acknowledge":                   replies.AcknowledgeReply,
    "acknowledge-completed":         replies.BatchReply,
    "completion-receipt":            Receipt,
    "discard-restored-continuation": replies.DiscardReply,
    "capabilities":                  replies.CapabilitiesReply,
}
"""The answers with status 200 as a trace shows them, by operation."""

WIRE_REPLIES: Final[Mapping[str, type[BaseModel]]] = {
    **REPLIES,
    "prepare":                       replies.WireStatus,
    "status":                        replies.WireStatusReply,
}
"""The answers with status 200 as they travel, by operation."""

EARLY_REPLIES: Final[Mapping[str, type[BaseModel]]] = {
    "prepare":                       replies.TracedEarlyStatus,
    "status":                        replies.TracedEarlyStatusReply,
    "commit":                        replies.EarlyCommitReply,
    "restore":                       replies.EarlyRestoreReply,
    "resume":                        replies.ResumeReply,
    "retire":                        replies.RetireReply,
    "capabilities":                  replies.CapabilitiesReply,
}
"""The answers with status 200 of an agent of level 2942, as a trace shows them."""
# fmt: on
