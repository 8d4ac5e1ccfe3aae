"""What the agent's control routes are asked, in both renderings.

On the wire a deadline is `deadline_ts`, absolute Unix seconds; in a trace it is `deadline_in`,
seconds from now, and may be negative. Each request is declared once, without its deadline; a
`…Request` adds the first, a `…Call` the second. Not decided here: who may ask, and what refuses.
May import: pydantic, `strict`, `versions`, `vocabulary`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Self, TypeVar

from pydantic import Field, model_validator

from fencepost_spec.receipts.versions import SCHEMA_VERSION, SchemaVersion
from fencepost_spec.strict import CheckpointId, Count, Digest, Positive, RolloutId, Strict, Text
from fencepost_spec.vocabulary import (
    RESULT_IDENTITY_LENGTH_MAX,
    Key,
    microseconds,
    seconds_of,
    without,
)

_Body = TypeVar("_Body")
ResultIdentity = Annotated[str, Field(min_length=1, max_length=RESULT_IDENTITY_LENGTH_MAX)]


class Versioned(Strict):
    """A body that may name its schema version, and means the current one when it does not."""

    schema_version: SchemaVersion = SCHEMA_VERSION


class AbsoluteDeadline(Strict):
    """A deadline as the wire has it: Unix seconds."""

    deadline_ts: float


class RelativeDeadline(Strict):
    """A deadline as a trace has it: seconds from now, negative when it has passed."""

    deadline_in: float


class Keyed(Strict):
    """A body that names one attempt of a rollout."""

    rollout_id: RolloutId
    attempt_index: Count

    @property
    def key(self) -> Key:
        """The key that the body names."""
        return Key(self.rollout_id, self.attempt_index)


class Control(Versioned):
    """What every fenced request carries: the checkpoint that it belongs to."""

    checkpoint_id: CheckpointId


class Prepare(Control):
    """Close admission and wait until everything has parked; a model wait may count as parked."""

    allow_model_wait_boundary: bool = False


class Directed(Control):
    """A fenced request about a checkpoint directory."""

    checkpoint_dir: Text


class KeyedControl(Control, Keyed):
    """A fenced request about one attempt."""


class PrepareRequest(Prepare, AbsoluteDeadline):
    """The body of prepare on the wire."""


class PrepareCall(Prepare, RelativeDeadline):
    """The body of prepare in a trace."""


class CommitRequest(Directed, AbsoluteDeadline):
    """The body of commit on the wire."""


class CommitCall(Directed, RelativeDeadline):
    """The body of commit in a trace."""


class RestoreRequest(Directed, AbsoluteDeadline):
    """The body of restore on the wire."""


class RestoreCall(Directed, RelativeDeadline):
    """The body of restore in a trace."""


class ResumeRequest(Control, AbsoluteDeadline):
    """The body of resume, which is also abort, on the wire."""


class ResumeCall(Control, RelativeDeadline):
    """The body of resume, which is also abort, in a trace."""


class RetireRequest(KeyedControl, AbsoluteDeadline):
    """The body of retire on the wire."""


class RetireCall(KeyedControl, RelativeDeadline):
    """The body of retire in a trace."""


class DiscardRequest(KeyedControl, AbsoluteDeadline):
    """The body of discard-restored-continuation on the wire; the attempt is the replacement's."""


class DiscardCall(KeyedControl, RelativeDeadline):
    """The body of discard-restored-continuation in a trace."""


class StatusQuery(Strict):
    """The query of status, which has no deadline."""

    checkpoint_id: CheckpointId


class ReceiptQuery(Keyed):
    """The query of completion-receipt."""


class CapabilitiesQuery(Strict):
    """The query of capabilities: nothing."""


class Completion(Keyed):
    """Which execution finished, and with what."""

    execution_generation: Positive
    result_identity: ResultIdentity
    result_digest: Digest


class Receipt(Completion):
    """A completion receipt as a participant gives it: the lineage pair may be null, not absent."""

    manifest_capture_key: Text | None
    terminal_model_call_id: Text | None

    @model_validator(mode="after")
    def _both_or_neither(self) -> Self:
        return _paired(self, self.manifest_capture_key, self.terminal_model_call_id)


class GivenReceipt(Completion):
    """A completion receipt as a caller gives it back: a lineage pair left out reads as null."""

    manifest_capture_key: Text | None = None
    terminal_model_call_id: Text | None = None

    @model_validator(mode="after")
    def _both_or_neither(self) -> Self:
        return _paired(self, self.manifest_capture_key, self.terminal_model_call_id)

    @property
    def receipt(self) -> Receipt:
        """The same receipt with nothing left out."""
        return Receipt.model_validate(self.model_dump())


class Batch(Versioned):
    """The body of acknowledge-completed: at least one receipt, and no key twice."""

    executions: Annotated[list[GivenReceipt], Field(min_length=1)]

    @model_validator(mode="after")
    def _keys_are_unique(self) -> Self:
        if len({receipt.key for receipt in self.executions}) != len(self.executions):
            raise ValueError("a batch names each execution once")
        return self


def _paired(body: _Body, capture_key: str | None, call_id: str | None) -> _Body:
    if (capture_key is None) != (call_id is None):
        raise ValueError("manifest_capture_key and terminal_model_call_id go together")
    return body


# fmt: off
WIRE_REQUESTS: Final[Mapping[str, type[Strict]]] = {
    "prepare":                       PrepareRequest,
    "status":                        StatusQuery,
    "commit":                        CommitRequest,
    "restore":                       RestoreRequest,
    "resume":                        ResumeRequest,
    "retire":                        RetireRequest,
    "acknowledge":                   GivenReceipt,
    "acknowledge-completed":         Batch,
    "completion-receipt":            ReceiptQuery,
    "discard-restored-continuation": DiscardRequest,
    "capabilities":                  CapabilitiesQuery,
}
"""The requests as they travel, by operation."""

REQUESTS: Final[Mapping[str, type[Strict]]] = {
    **WIRE_REQUESTS,
    "prepare":                       PrepareCall,
    "commit":                        CommitCall,
    "restore":                       RestoreCall,
    "resume":                        ResumeCall,
    "retire":                        RetireCall,
    "discard-restored-continuation": DiscardCall,
}
"""The requests as a trace shows them, by operation."""
# fmt: on


def relative(request: Mapping[str, Any], now_us: int) -> dict[str, Any]:
    """A request as a trace shows it, from one as it travels.

    >>> relative({"checkpoint_id": "c1", "deadline_ts": 101.5}, 100_000_000)
    {'checkpoint_id': 'c1', 'deadline_in': 1.5}
    """
    left_us = microseconds(request["deadline_ts"]) - now_us
    return without(request, "deadline_ts") | {"deadline_in": seconds_of(left_us)}


def absolute(request: Mapping[str, Any], now_us: int) -> dict[str, Any]:
    """A request as it travels, from one as a trace shows it."""
    due_us = microseconds(request["deadline_in"]) + now_us
    return without(request, "deadline_in") | {"deadline_ts": seconds_of(due_us)}
