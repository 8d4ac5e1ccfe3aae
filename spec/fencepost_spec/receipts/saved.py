"""What an agent leaves on disk: boundary records, continuation roots, the index and the manifest.

A saved document has no defaults: what may be null is still there. Older records are read through
`UPGRADES`, one step for every version before the current one. Not decided here: the names of files
and when each is written. May import: pydantic, `strict`, `versions`, `vocabulary`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, JsonValue, TypeAdapter, model_validator

from fencepost_spec.receipts.versions import (
    SAVED_SCHEMA,
    SCHEMA_VERSION,
    SavedSchema,
    SchemaVersion,
)
from fencepost_spec.strict import (
    VERSION_FIELD,
    CheckpointId,
    Count,
    Digest,
    InstanceName,
    Revisions,
    RolloutId,
    Strict,
    Text,
)
from fencepost_spec.vocabulary import Key, capture_key_for, record_digest

BoundaryKind = Literal["pending_model", "turn_complete"]
JsonObject = dict[str, JsonValue]


def check_relative_path(path: str) -> str:
    """Return a path that stays below where it starts, or raise ValueError.

    >>> check_relative_path("agent/manifest.json")
    'agent/manifest.json'
    """
    # A leading slash makes the first part empty.
    safe = all(part not in {"", ".", ".."} for part in path.split("/"))
    if not safe or set(path) & {"\\", "\0"}:
        raise ValueError(f"not a relative path below the directory: {path!r}")
    return path


def check_absolute_path(path: str) -> str:
    """Return a path that is the same from wherever it is looked at, or raise ValueError.

    >>> check_absolute_path("/shared/c1")
    '/shared/c1'
    """
    if not path.startswith("/") or "\0" in path:
        raise ValueError(f"not an absolute path: {path!r}")
    return path


RelativePath = Annotated[str, AfterValidator(check_relative_path)]


class PendingModel(Strict):
    """A model reply that was received and whose actions are not all done."""

    model_call_id: Text
    response: JsonObject
    model_server_cookies: JsonObject
    usage: JsonObject | None
    pending_action_cursor: Count
    resource_request_id: Text


class AgentBoundaryRecord(Strict):
    """Where one attempt could continue: everything a replacement needs and nothing of the task."""

    schema_version: SavedSchema
    rollout_id: RolloutId
    attempt_index: Count
    boundary_index: Count
    turn_index: Count
    boundary_kind: BoundaryKind
    output_items: list[JsonObject]
    usage: JsonObject | None
    pending_model: PendingModel | None
    last_committed_model_capture_key: Text | None
    last_committed_model_call_id: Text | None
    resource_state_revisions: Revisions
    agent_state: JsonObject
    created_at: float

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if (self.boundary_kind == "pending_model") != (self.pending_model is not None):
            raise ValueError("pending_model is there exactly when the kind is pending_model")
        capture_key, call_id = (
            self.last_committed_model_capture_key,
            self.last_committed_model_call_id,
        )
        if (capture_key is None) != (call_id is None):
            raise ValueError("a committed model call has a capture key and a call id, or neither")
        return self

    @property
    def key(self) -> Key:
        """The attempt that the record belongs to."""
        return Key(self.rollout_id, self.attempt_index)

    @property
    def digest(self) -> str:
        """The digest by which records are equal: over all but the time of writing."""
        return record_digest(self.model_dump(mode="json"))

    @property
    def root(self) -> "ContinuationRoot | None":
        """Which model call a replacement's first call follows, or None when there was none."""
        capture_key, call_id = (
            self.last_committed_model_capture_key,
            self.last_committed_model_call_id,
        )
        if capture_key is None or call_id is None:
            return None
        return ContinuationRoot(
            schema_version=SCHEMA_VERSION,
            rollout_id=self.rollout_id,
            attempt_index=self.attempt_index,
            capture_key=capture_key,
            last_committed_model_call_id=call_id,
            resource_state_revisions=self.resource_state_revisions,
        )

    def under(self, key: Key) -> "AgentBoundaryRecord":
        """The same boundary as the record of another attempt of the rollout."""
        if key.rollout_id != self.rollout_id:
            raise ValueError(f"{self.rollout_id} does not continue as {key.rollout_id}")
        return self.model_copy(update={"attempt_index": key.attempt})


def boundary_record(
    key: Key,
    boundary_index: int,
    *,
    created_at: float,
    turn_index: int | None = None,
    model_call_id: str | None = None,
    capture_key: str | None = None,
    output_items: Sequence[JsonObject] = (),
    usage: JsonObject | None = None,
    pending_model: PendingModel | None = None,
    revisions: Mapping[str, int] | None = None,
    agent_state: JsonObject | None = None,
) -> AgentBoundaryRecord:
    """A record from what an agent knows, or ValueError when no record can hold it.

    The turn defaults to the boundary, the kind follows from the pending model, and a call without a
    capture key was made by the attempt itself.
    """
    if model_call_id is not None and capture_key is None:
        capture_key = key.capture_key
    return AgentBoundaryRecord(
        schema_version=SAVED_SCHEMA,
        rollout_id=key.rollout_id,
        attempt_index=key.attempt,
        boundary_index=boundary_index,
        turn_index=boundary_index if turn_index is None else turn_index,
        boundary_kind="turn_complete" if pending_model is None else "pending_model",
        output_items=list(output_items),
        usage=usage,
        pending_model=pending_model,
        last_committed_model_capture_key=capture_key,
        last_committed_model_call_id=model_call_id,
        resource_state_revisions=dict(revisions or {}),
        agent_state=agent_state or {},
        created_at=created_at,
    )


class ContinuationRoot(Strict):
    """The committed model call that the work of one record rests on.

    Null revisions come from an index that did not state them; an empty object says that no
    resources were used.
    """

    schema_version: SchemaVersion
    rollout_id: RolloutId
    attempt_index: Count
    capture_key: Text
    last_committed_model_call_id: Text
    resource_state_revisions: Revisions | None


class ArtifactReference(Strict):
    """One file of a checkpoint, by what it must contain."""

    schema_version: SchemaVersion
    relative_path: RelativePath
    sha256: Digest
    records: Count
    bytes: Count


class IndexLine(Strict):
    """Where the record of one attempt lies, and what its bytes are."""

    rollout_id: RolloutId
    attempt_index: Count
    archive: Text
    member: Text
    sha256: Digest
    bytes: Count

    @property
    def key(self) -> Key:
        """The attempt whose record it is."""
        return Key(self.rollout_id, self.attempt_index)


class Archive(Strict):
    """One part of the records."""

    name: Text
    sha256: Digest
    members: Count
    bytes: Count


class Manifest(Strict):
    """The file that makes a directory a committed checkpoint, written last."""

    schema_version: SavedSchema
    checkpoint_id: CheckpointId
    instance_name: InstanceName
    archives: list[Archive]
    record_index: ArtifactReference
    records: Count
    continuation_index: ArtifactReference


Document = dict[str, Any]


def _from_1(document: Document) -> Document:
    """Schema 1 counted boundaries only and knew calls of the attempt itself only."""
    call_id = document.get("last_committed_model_call_id")
    capture_key = capture_key_for(str(document.get("rollout_id")), document.get("attempt_index", 0))
    added: Document = {
        "turn_index": document.get("boundary_index"),
        "boundary_kind": "turn_complete",
        "pending_model": None,
        "last_committed_model_capture_key": None if call_id is None else capture_key,
    }
    for name in added:
        if name in document:
            raise ValueError(f"{name} does not belong to schema 1")
    return document | added | {VERSION_FIELD: 2}


UPGRADES: Final[Mapping[int, Callable[[Document], Document]]] = {1: _from_1}
"""One step for each version before the current one."""

if set(UPGRADES) != set(range(1, SAVED_SCHEMA)):
    raise ImportError(
        f"schema {SAVED_SCHEMA} of saved records needs upgrades from each version before it, "
        f"and there are: {sorted(UPGRADES)}; add the missing step to UPGRADES"
    )


_OBJECT: Final = TypeAdapter(Document)


def read_record(document: object) -> AgentBoundaryRecord:
    """The record that a document holds, older ones upgraded step by step, or ValueError."""
    current = _OBJECT.validate_python(document)
    version = current.get(VERSION_FIELD)
    if type(version) is not int or not 1 <= version <= SAVED_SCHEMA:
        raise ValueError(f"schema_version is 1 to {SAVED_SCHEMA}, not {version!r}")
    for step in range(version, SAVED_SCHEMA):
        current = UPGRADES[step](current)
    return AgentBoundaryRecord.model_validate(current)
