"""What a policy model leaves on disk: rows of lineage, storage references, the manifest.

Rows hold no tokens; those stay in the trainer's storage and are referred to by key. A saved
document has no defaults. Not decided here: names of files and when each is written. May import:
pydantic, `strict`, `versions`, `saved` of the agent.
"""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from fencepost_spec.receipts.saved import ArtifactReference, RelativePath
from fencepost_spec.receipts.versions import SavedSchema, SchemaVersion
from fencepost_spec.strict import CheckpointId, Count, Digest, RolloutId, Strict, Text
from fencepost_spec.vocabulary import ROLLOUT_ID_PATTERN

ServerName = Annotated[str, StringConstraints(pattern=ROLLOUT_ID_PATTERN)]
"""The name of a model server, which is also a folder."""

REFERENCE_KIND: Final = "token_capture_staging"


class LineageRow(Strict):
    """One model call of an attempt, as the ledger keeps it."""

    schema_version: SchemaVersion
    capture_key: Text
    model_call_id: Text
    failure_reason: Text | None
    storage_key: Text | None


class StorageReference(Strict):
    """Where the tokens of a boundary call lie, outside this checkpoint."""

    schema_version: SchemaVersion
    capture_key: Text
    boundary_model_call_id: Text
    kind: Literal["token_capture_staging"]
    key: Text


class AttemptName(Strict):
    """One attempt of a rollout."""

    rollout_id: RolloutId
    attempt_index: Count


class LineageFiles(Strict):
    """The files of one capture key, by digest, and how many rows they hold."""

    files: Annotated[dict[RelativePath, Digest], Field(min_length=1)]
    rows: Count


class LedgerManifest(Strict):
    """The file that makes a directory a committed ledger, written last."""

    schema_version: SavedSchema
    checkpoint_id: CheckpointId
    server_name: ServerName
    rollouts: dict[Text, LineageFiles]
    bytes: Count
    tombstones: list[AttemptName]
    source_attempts: list[AttemptName]
    continuation_roots: Count
    continuation_roots_sha256: Digest
    excluded_inactive: Count
    storage_reference_index: ArtifactReference
