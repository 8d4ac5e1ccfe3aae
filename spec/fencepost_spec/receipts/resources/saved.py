"""What a resources server leaves on disk: one file for each session, and the manifest.

A saved document has no defaults: what may be null is still there. Not decided here: when each is
written. May import: pydantic, `strict`, `versions`, `vocabulary`.
"""

from typing import Annotated, Self

from pydantic import Field, JsonValue, model_validator

from fencepost_spec.receipts.versions import SchemaVersion
from fencepost_spec.strict import CheckpointId, Count, Digest, Positive, RolloutId, Strict, Text
from fencepost_spec.vocabulary import Key

SuccessStatus = Annotated[int, Field(ge=200, lt=400)]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\.a(0|[1-9][0-9]*)\.json$")]


def file_name(key: Key) -> str:
    """The name of the file that holds the session of a key.

    >>> file_name(Key("r1", 2))
    'r1.a2.json'
    """
    return f"{key.rollout_id}.a{key.attempt}.json"


class MutationReceipt(Strict):
    """A request that was served, with the answer that is given again when it is sent again."""

    request_id: Text
    expected_revision: Count | None
    input_digest: Digest
    status: SuccessStatus
    headers: dict[str, str]
    body: str
    revision: Positive


class SessionFile(Strict):
    """One session: where it stands, what it has served, and what the environment exported."""

    schema_version: SchemaVersion
    rollout_id: RolloutId
    attempt_index: Count
    revision: Count
    mutation_receipts: list[MutationReceipt]
    state: JsonValue

    @model_validator(mode="after")
    def _receipts_fit_the_revision(self) -> Self:
        ids = [receipt.request_id for receipt in self.mutation_receipts]
        if len(set(ids)) != len(ids):
            raise ValueError("a request id has one receipt")
        revisions = [receipt.revision for receipt in self.mutation_receipts]
        if revisions != sorted(set(revisions)) or any(one > self.revision for one in revisions):
            raise ValueError("receipts rise, and none is above the revision of the session")
        return self

    @property
    def key(self) -> Key:
        """The attempt that the session belongs to."""
        return Key(self.rollout_id, self.attempt_index)


class ResourcesManifest(Strict):
    """The file that makes a directory a committed checkpoint of a server, written last."""

    schema_version: SchemaVersion
    checkpoint_id: CheckpointId
    server_name: Text
    files: dict[FileName, Digest]
