"""The bodies of a policy model's control routes, as they travel and as a trace shows them.

On the wire a deadline is `deadline_ts`, in a trace `deadline_in`; a live status also has the age of
each call. Not decided here: when each answer is given. May import: pydantic, `strict`, the agent's
requests and replies, `saved`.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, Field

from fencepost_spec.receipts.policy_model.saved import AttemptName
from fencepost_spec.receipts.replies import Aged, MultiProcess, OfCheckpoint
from fencepost_spec.receipts.requests import (
    AbsoluteDeadline,
    CapabilitiesQuery,
    Control,
    Directed,
    KeyedControl,
    RelativeDeadline,
    RestoreCall,
    RestoreRequest,
    ResumeCall,
    ResumeRequest,
)
from fencepost_spec.receipts.saved import ArtifactReference
from fencepost_spec.receipts.versions import SchemaVersion
from fencepost_spec.strict import (
    CheckpointId,
    Count,
    Digest,
    Positive,
    RolloutId,
    Strict,
    Text,
    Zero,
)

AdmissionState = Literal["accepting", "draining", "paused"]
Seconds = Annotated[float, Field(ge=0)]
_Entry = TypeVar("_Entry")


class PauseRequest(Control, AbsoluteDeadline):
    """The body of pause on the wire."""


class PauseCall(Control, RelativeDeadline):
    """The body of pause in a trace."""


class Waiting(Strict):
    """Which checkpoint a status is about, and whether it waits until nothing is in flight.

    Without `timeout_s` a status that waits does so until its deadline.
    """

    checkpoint_id: CheckpointId
    wait_state: Literal["paused"] | None = None
    timeout_s: Seconds | None = None


class ModelStatusQuery(Waiting, AbsoluteDeadline):
    """The query of status on the wire."""


class ModelStatusCall(Waiting, RelativeDeadline):
    """The query of status in a trace."""


class AbortRequest(KeyedControl, AbsoluteDeadline):
    """The body of abort_inflight on the wire."""


class AbortCall(KeyedControl, RelativeDeadline):
    """The body of abort_inflight in a trace."""


class LedgerCommit(Directed):
    """A commit names the indexes that the agents wrote: nothing else is worth keeping."""

    continuation_indexes: list[ArtifactReference]


class LedgerCommitRequest(LedgerCommit, AbsoluteDeadline):
    """The body of commit on the wire."""


class LedgerCommitCall(LedgerCommit, RelativeDeadline):
    """The body of commit in a trace."""


class Workers(Strict):
    """How many workers have taken the last change of state over, of how many."""

    acknowledged: Count
    expected: Positive


class PauseReply(Strict):
    """How far the drain has come; nobody waits at the gate, callers try again."""

    state: Literal["draining", "paused"]
    workers: Workers
    inflight_total: Count
    waiters_total: Zero


class Ticket(Strict):
    """One call in flight; without an identity both ids are null."""

    rollout_id: RolloutId | None
    attempt_index: Count | None
    plane: Text | None


class AgedTicket(Ticket, Aged):
    """One call in flight, in a live answer."""


class ModelStatus(Strict, Generic[_Entry]):
    """What a status shows of admission, calls and refused attempts."""

    state: AdmissionState
    per_worker: dict[str, Count]
    inflight_total: Count
    waiters_total: Zero
    inflight: list[_Entry]
    tombstones: list[AttemptName]


class TracedModelStatus(ModelStatus[Ticket]):
    """A status body in a trace; it is also a report."""


class WireModelStatusReply(ModelStatus[AgedTicket], OfCheckpoint):
    """The answer of status as it travels."""


class TracedModelStatusReply(TracedModelStatus, OfCheckpoint):
    """The answer of status in a trace."""


class ModelResumeReply(Strict):
    """Calls are let in again; nobody was waiting at the gate."""

    state: Literal["accepting"]
    workers: Workers
    released_waiters: Zero


class AbortReply(Strict):
    """How many calls of the attempt were cancelled, and how many are in flight, theirs too."""

    state: Literal["draining", "paused"]
    aborted_inflight: Count
    inflight_total: Count


class LedgerCommitReply(Strict):
    """What was written, and what was left out for want of a root or because it was aborted."""

    rollouts: Count
    rows: Count
    excluded_tombstoned: Count
    excluded_inactive: Count
    manifest_digest: Digest
    storage_reference_index: ArtifactReference


class LedgerRestoreReply(Strict):
    """What was restored, and what is refused from now on; the id is that of the commit."""

    rollouts: Count
    rows: Count
    checkpoint_id: CheckpointId
    tombstones: list[AttemptName]
    source_attempts: list[AttemptName]
    storage_reference_index: ArtifactReference


class ModelCapabilitiesReply(Strict):
    """What the model is, what it can do, and where its fence stands."""

    component: Literal["responses_api_models"]
    name: Text
    schema_version: SchemaVersion
    admission_states: list[AdmissionState]
    checkpoint_mode: Literal["stateless", "restart_only", "export_restore"]
    concurrency_contract: Literal["stateless", "serialized_per_session", "transactional_parallel"]
    multi_process: MultiProcess
    instance_role: Literal["policy", "auxiliary"]
    features: list[str]
    phase: Text
    active_checkpoint_id: CheckpointId | None
    deadline_ts: float | None


STORAGE_REFERENCES: Final = "external_storage_reference_index_v1"
GENERATION_CUTS: Final = "generation_cut_lineage_v1"
KNOWN_FEATURES: Final = (STORAGE_REFERENCES, GENERATION_CUTS)
"""The features of a model that the protocol names; others are ignored."""

# fmt: off
MODEL_REQUESTS: Final[Mapping[str, type[Strict]]] = {
    "pause":          PauseCall,
    "status":         ModelStatusCall,
    "resume":         ResumeCall,
    "abort_inflight": AbortCall,
    "commit":         LedgerCommitCall,
    "restore":        RestoreCall,
    "capabilities":   CapabilitiesQuery,
}
"""The requests as a trace shows them, by operation."""

MODEL_WIRE_REQUESTS: Final[Mapping[str, type[Strict]]] = {
    "pause":          PauseRequest,
    "status":         ModelStatusQuery,
    "resume":         ResumeRequest,
    "abort_inflight": AbortRequest,
    "commit":         LedgerCommitRequest,
    "restore":        RestoreRequest,
    "capabilities":   CapabilitiesQuery,
}
"""The requests as they travel, by operation."""

MODEL_REPLIES: Final[Mapping[str, type[BaseModel]]] = {
    "pause":          PauseReply,
    "status":         TracedModelStatusReply,
    "resume":         ModelResumeReply,
    "abort_inflight": AbortReply,
    "commit":         LedgerCommitReply,
    "restore":        LedgerRestoreReply,
    "capabilities":   ModelCapabilitiesReply,
}
"""The answers with status 200 as a trace shows them, by operation."""

MODEL_WIRE_REPLIES: Final[Mapping[str, type[BaseModel]]] = {
    **MODEL_REPLIES,
    "status":         WireModelStatusReply,
}
"""The answers with status 200 as they travel, by operation."""
# fmt: on
