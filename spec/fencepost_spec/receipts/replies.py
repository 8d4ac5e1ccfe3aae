"""What the agent's control routes answer, at both levels of development and in both renderings.

A live answer has the age of each execution; a trace leaves it out. An agent of level 2942 has
neither acknowledgements nor wait states, and shows less. Not decided here: when each answer is
given. May import: pydantic, `strict`, `versions`, `requests`, `saved`.
"""

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import Field, RootModel

from fencepost_spec.receipts.requests import Keyed, Receipt
from fencepost_spec.receipts.saved import ArtifactReference, BoundaryKind
from fencepost_spec.receipts.versions import SchemaVersion
from fencepost_spec.strict import (
    CheckpointId,
    Count,
    Digest,
    No,
    Positive,
    Revisions,
    Strict,
    Text,
    Yes,
)

Phase = Literal[
    "idle",
    "preparing",
    "prepared",
    "committing",
    "committed_paused",
    "restoring",
    "restored_paused",
]
EarlyState = Literal["running", "park_requested", "parked", "completed", "retired"]
# A retired execution is shown while its handler has not stopped (R14).
LiveState = Literal[
    "running",
    "park_requested",
    "parked",
    "external_wait_frozen",
    "model_wait_frozen",
    "retired",
]
ParkedBoundary = Literal[
    "parked_with_boundary", "parked_without_boundary", "external_wait_frozen", "model_wait_frozen"
]


class Entry(Keyed):
    """What status says of one execution, at every level."""

    generation: Positive
    parked_boundary_state: ParkedBoundary | None
    boundary_index: Count | None


class EarlyEntry(Entry):
    """An execution as an agent of level 2942 shows it."""

    state: EarlyState


class BoundaryEntry(Entry):
    """An execution with the boundary that it stands at, or null where it has none."""

    turn_index: Count | None
    boundary_kind: BoundaryKind | None
    resource_state_revisions: Revisions


class LiveEntry(BoundaryEntry):
    """An execution that has not ended."""

    state: LiveState


class CompletedEntry(BoundaryEntry):
    """An execution whose result waits for the acknowledgement of this receipt."""

    state: Literal["completed"]
    completion_receipt: Receipt


class Aged(Strict):
    """How long an execution has been there, which a trace leaves out."""

    age_seconds: Annotated[float, Field(ge=0)]


class AgedEarlyEntry(EarlyEntry, Aged):
    """An execution in a live answer of an agent of level 2942."""


class AgedLiveEntry(LiveEntry, Aged):
    """An execution that has not ended, in a live answer."""


class AgedCompletedEntry(CompletedEntry, Aged):
    """A completed execution in a live answer."""


TracedEntry = Annotated[LiveEntry | CompletedEntry, Field(discriminator="state")]
WireEntry = Annotated[AgedLiveEntry | AgedCompletedEntry, Field(discriminator="state")]
_Entry = TypeVar("_Entry")


class SelectedBoundary(Keyed):
    """A boundary that commit would write."""

    boundary_index: Count
    turn_index: Count
    boundary_kind: BoundaryKind
    resource_state_revisions: Revisions


class Counters(Strict):
    """The figures of a status body, at every level."""

    state: Literal["accepting", "preparing"]
    ready_to_commit: bool
    running: Count
    parked: Count
    parked_with_boundary: Count
    parked_without_boundary: Count
    completed_unacknowledged: Count
    active: Count


class EarlyStatus(Counters, Generic[_Entry]):
    """A status body of an agent of level 2942."""

    blocking_attempts: list[_Entry]
    completed_unacknowledged_attempts: list[_Entry]
    executions: list[_Entry]


class Status(EarlyStatus[_Entry], Generic[_Entry]):
    """A status body; it is also what a successful prepare answers."""

    acknowledged_completed: Count
    selected_boundaries: list[SelectedBoundary]


class OfCheckpoint(Strict):
    """The checkpoint that a status was asked for."""

    checkpoint_id: CheckpointId


class TracedStatus(Status[TracedEntry]):
    """A status body in a trace: a report, and the answer of prepare."""


class TracedEarlyStatus(EarlyStatus[EarlyEntry]):
    """A status body of an agent of level 2942 in a trace."""


class WireStatus(Status[WireEntry]):
    """A status body as it travels."""


class TracedStatusReply(TracedStatus, OfCheckpoint):
    """The answer of status in a trace."""


class TracedEarlyStatusReply(TracedEarlyStatus, OfCheckpoint):
    """The answer of status of an agent of level 2942 in a trace."""


class WireStatusReply(WireStatus, OfCheckpoint):
    """The answer of status as it travels."""


class EarlyCommitReply(Strict):
    """What an agent of level 2942 committed."""

    records: Count
    manifest_digest: Digest


class CommitReply(EarlyCommitReply):
    """What was committed: how many records, under which manifest, with which continuations."""

    continuation_index: ArtifactReference


class EarlyRestoreReply(Strict):
    """What an agent of level 2942 restored."""

    records: Count
    source_checkpoint_id: CheckpointId


class RestoreReply(EarlyRestoreReply):
    """What was restored: how many records, from which checkpoint, with which continuations."""

    continuation_index: ArtifactReference


class ResumeReply(Strict):
    """Admission is open again, and so many executions were let go."""

    state: Literal["accepting"]
    released: Count


class RetiredReply(Strict):
    """The key is refused from now on; `retired` says whether work of it was stopped."""

    retired: bool
    tombstoned: Yes


class KeptReply(Strict):
    """The key has a completed result that nobody acknowledged; it was left alone."""

    retired: No
    tombstoned: No
    completed_unacknowledged: Yes


class RetireReply(RootModel[RetiredReply | KeptReply]):
    """The answer of retire: one of two."""


class AcknowledgeReply(Strict):
    """Whether this acknowledgement released the result, or repeated one that did."""

    acknowledged: bool
    idempotent: bool


class BatchReply(Strict):
    """Every receipt that was asked for, those acknowledged before included."""

    acknowledged: Annotated[list[Receipt], Field(min_length=1)]


class DiscardReply(Strict):
    """Whether there was a restored continuation to discard."""

    discarded: bool


class MultiProcess(Strict):
    """How many processes serve the participant, and what holds them together."""

    mode: Literal["single_worker", "coordinator", "unmanaged"]
    num_workers: Positive


class CapabilitiesReply(Strict):
    """What the participant is, what it can do, and where its fence stands."""

    component: Literal["responses_api_agents"]
    name: Text
    schema_version: SchemaVersion
    admission_states: list[Literal["accepting", "draining", "paused"]]
    checkpoint_mode: Literal["stateless", "restart_only", "export_restore"]
    concurrency_contract: Literal["stateless", "serialized_per_session", "transactional_parallel"]
    multi_process: MultiProcess
    instance_role: Literal["policy", "auxiliary"] | None
    features: list[str]
    phase: Phase
    active_checkpoint_id: CheckpointId | None
    deadline_ts: float | None
