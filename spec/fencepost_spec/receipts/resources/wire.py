"""The bodies of the control routes of a resources server, on the wire and in a trace.

On the wire a deadline is `deadline_ts`, absolute Unix seconds; in a trace it is `deadline_in`,
seconds from now. Not decided here: who may ask, and what refuses. May import: pydantic, `strict`,
`versions`, the requests and replies of every participant.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field

from fencepost_spec.receipts import requests
from fencepost_spec.receipts.replies import MultiProcess, OfCheckpoint, Phase
from fencepost_spec.receipts.requests import AbsoluteDeadline, Control, Keyed, RelativeDeadline
from fencepost_spec.receipts.resources.refusals import REVISION_MISMATCH
from fencepost_spec.receipts.versions import SchemaVersion
from fencepost_spec.strict import (
    CheckpointId,
    Count,
    Digest,
    Strict,
    Text,
    Yes,
)


class PrepareRequest(Control, AbsoluteDeadline):
    """The body of prepare on the wire."""


class PrepareCall(Control, RelativeDeadline):
    """The body of prepare in a trace."""


class StatusQuery(OfCheckpoint, AbsoluteDeadline):
    """The query of status on the wire."""


class StatusCall(OfCheckpoint, RelativeDeadline):
    """The query of status in a trace."""


WIRE_REQUESTS: Final[Mapping[str, type[Strict]]] = {
    "prepare": PrepareRequest,
    "status": StatusQuery,
    "commit": requests.CommitRequest,
    "restore": requests.RestoreRequest,
    "resume": requests.ResumeRequest,
    "retire": requests.RetireRequest,
    "capabilities": requests.CapabilitiesQuery,
}
"""The requests as they travel, by operation."""

REQUESTS: Final[Mapping[str, type[Strict]]] = {
    "prepare": PrepareCall,
    "status": StatusCall,
    "commit": requests.CommitCall,
    "restore": requests.RestoreCall,
    "resume": requests.ResumeCall,
    "retire": requests.RetireCall,
    "capabilities": requests.CapabilitiesQuery,
}
"""The requests as a trace shows them, by operation."""


class InventoryEntry(Keyed):
    """One session of which a prepare has taken the snapshot."""

    revision: Count
    mutation_receipts: Count


class PrepareReply(Strict):
    """What was prepared: how many sessions, and which."""

    state: Literal["prepared"]
    sessions: Count
    inventory: list[InventoryEntry]


class CommitReply(Strict):
    """What was written."""

    sessions: Count
    manifest_digest: Digest


class RestoreReply(Strict):
    """What was installed, and from which checkpoint."""

    sessions: Count
    source_checkpoint_id: CheckpointId


class ResumeReply(Strict):
    """Admission is open again."""

    state: Literal["accepting"]


class RetireReply(Keyed):
    """The attempt is refused from now on, and has no session."""

    retired: Yes


class SessionEntry(Keyed):
    """One session as a status lists it."""

    revision: Count
    locked: bool


class StatusBody(Strict):
    """Where the fence, the admission and the sessions stand."""

    state: Phase
    admission_state: Literal["accepting", "paused"]
    sessions: Count
    per_session: list[SessionEntry]
    lock_entries: Count
    locked_sessions: Count
    tombstones: Count
    uncertain_sessions: Count
    mutation_receipts: Count
    receipt_history_saturated: bool


class StatusReply(StatusBody):
    """The answer of status: a status body, and the checkpoint that was asked for."""

    checkpoint_id: CheckpointId


class CapabilitiesReply(Strict):
    """What the server is, what it can do, and where its fence stands."""

    component: Literal["resources_servers"]
    name: Text
    schema_version: SchemaVersion
    admission_states: list[Literal["accepting", "draining", "paused"]]
    checkpoint_mode: Literal["stateless", "restart_only", "export_restore"]
    concurrency_contract: Literal["stateless", "serialized_per_session", "transactional_parallel"]
    multi_process: MultiProcess
    instance_role: None
    features: list[str]
    phase: Phase
    active_checkpoint_id: CheckpointId | None
    deadline_ts: float | None


REPLIES: Final[Mapping[str, type[BaseModel]]] = {
    "prepare": PrepareReply,
    "status": StatusReply,
    "commit": CommitReply,
    "restore": RestoreReply,
    "resume": ResumeReply,
    "retire": RetireReply,
    "capabilities": CapabilitiesReply,
}
"""The answers with status 200, by operation; on the wire and in a trace they are the same."""


class Refused(Strict):
    """Why a request of a client was refused, with a text for people."""

    code: Annotated[str, Field(pattern=r"^[a-z][a-z_]*$")]
    message: str = ""


class RefusedBody(Strict):
    """The body of a refused request of a client."""

    error: Refused


class RevisionRefused(Strict):
    """A request that expects another revision."""

    code: Literal["resource_revision_mismatch"]
    message: str = ""
    expected_revision: Count
    actual_revision: Count


class RevisionRefusedBody(Strict):
    """The body of a request that expects another revision."""

    error: RevisionRefused


def refused_model(code: str | None) -> type[BaseModel]:
    """The model of the body of a request of a client that is refused with a code."""
    return RevisionRefusedBody if code == REVISION_MISMATCH else RefusedBody
