"""Participants as a controller knows them, and what each answered to a commit and to a restore.

What a participant answers is its own wire model; here it is put beside the participant's identity.
May import: pydantic, `strict`, `versions`, the replies of every participant.
"""

from collections.abc import Iterator
from typing import Literal

from fencepost_spec.receipts.policy_model.wire import LedgerCommitReply, LedgerRestoreReply
from fencepost_spec.receipts.replies import CommitReply as AgentCommitReply
from fencepost_spec.receipts.replies import MultiProcess
from fencepost_spec.receipts.replies import RestoreReply as AgentRestoreReply
from fencepost_spec.receipts.resources.wire import CommitReply as ResourcesCommitReply
from fencepost_spec.receipts.resources.wire import RestoreReply as ResourcesRestoreReply
from fencepost_spec.receipts.saved import ArtifactReference
from fencepost_spec.receipts.snapshot.names import AGENT, MODEL, RESOURCES
from fencepost_spec.receipts.versions import SnapshotSchema
from fencepost_spec.strict import CheckpointId, Strict, Text
from fencepost_spec.vocabulary import digest_of

Component = Literal["responses_api_models", "responses_api_agents", "resources_servers"]
Identity = tuple[str, str, str]
"""Component, name and server of a participant: what it is sorted and compared by."""


class ParticipantIdentity(Strict):
    """Where a participant is reached, what it is, and what it calls itself."""

    server_name: Text
    component: Component
    participant_name: Text

    @property
    def key(self) -> Identity:
        """What it is sorted and compared by."""
        return (self.component, self.participant_name, self.server_name)


class ParticipantCapabilities(Strict):
    """What a participant is able to do, whatever it is doing now."""

    checkpoint_mode: Literal["stateless", "restart_only", "export_restore"]
    concurrency_contract: Literal["stateless", "serialized_per_session", "transactional_parallel"]
    multi_process: MultiProcess
    instance_role: Literal["policy", "auxiliary"] | None
    admission_states: list[Literal["accepting", "draining", "paused"]]
    features: list[Text]


class ParticipantContract(Strict):
    """One participant with what it is able to do."""

    participant: ParticipantIdentity
    capabilities: ParticipantCapabilities

    @property
    def exports(self) -> bool:
        """Whether it takes part in commit and restore; an auxiliary model never does."""
        able = self.capabilities.checkpoint_mode == "export_restore"
        return able and self.capabilities.instance_role != "auxiliary"


class CheckpointTopology(Strict):
    """The participants that a controller has discovered, sorted."""

    schema_version: SnapshotSchema
    contracts: list[ParticipantContract]

    def fingerprint(self) -> str:
        """The digest by which topologies are equal: features may come and go."""
        plain = self.model_dump(mode="json")
        for contract in plain["contracts"]:
            del contract["capabilities"]["features"]
        return digest_of(plain)

    def exporting(self) -> tuple[Identity, ...]:
        """The participants that take part in commit and restore."""
        return tuple(one.participant.key for one in self.contracts if one.exports)

    def resources(self, *modes: str) -> frozenset[str]:
        """The names of the resources servers, of the named modes only when there are any."""
        return frozenset(
            one.participant.participant_name
            for one in self.contracts
            if one.participant.component == RESOURCES
            and (not modes or one.capabilities.checkpoint_mode in modes)
        )


class CommittedModel(Strict):
    """What a policy model committed."""

    participant: ParticipantIdentity
    manifest_path: Text
    result: LedgerCommitReply


class CommittedAgent(Strict):
    """What an agent committed."""

    participant: ParticipantIdentity
    manifest_path: Text
    result: AgentCommitReply


class CommittedResources(Strict):
    """What a resources server committed."""

    participant: ParticipantIdentity
    manifest_path: Text
    result: ResourcesCommitReply


Committed = CommittedModel | CommittedAgent | CommittedResources


class CommitResult(Strict):
    """What all participants committed under one id."""

    schema_version: SnapshotSchema
    checkpoint_id: CheckpointId
    models: list[CommittedModel]
    agents: list[CommittedAgent]
    resources: list[CommittedResources]

    def members(self) -> Iterator[tuple[str, Committed]]:
        """Every result, with the component that its list is of."""
        yield from ((MODEL, one) for one in self.models)
        yield from ((AGENT, one) for one in self.agents)
        yield from ((RESOURCES, one) for one in self.resources)


class RestoredModel(Strict):
    """What a policy model restored."""

    participant: ParticipantIdentity
    result: LedgerRestoreReply


class RestoredAgent(Strict):
    """What an agent restored."""

    participant: ParticipantIdentity
    result: AgentRestoreReply


class RestoredResources(Strict):
    """What a resources server restored."""

    participant: ParticipantIdentity
    result: ResourcesRestoreReply


Restored = RestoredModel | RestoredAgent | RestoredResources


class RestoreResult(Strict):
    """What all participants restored, under the id of the restore itself."""

    schema_version: SnapshotSchema
    operation_id: CheckpointId
    models: list[RestoredModel]
    agents: list[RestoredAgent]
    resources: list[RestoredResources]

    def members(self) -> Iterator[tuple[str, Restored]]:
        """Every result, with the component that its list is of."""
        yield from ((MODEL, one) for one in self.models)
        yield from ((AGENT, one) for one in self.agents)
        yield from ((RESOURCES, one) for one in self.resources)


def reference_of(member: Committed | Restored) -> ArtifactReference | None:
    """The index that a participant has written or restored, or None when it has none."""
    match member:
        case CommittedModel() | RestoredModel():
            return member.result.storage_reference_index
        case CommittedAgent() | RestoredAgent():
            return member.result.continuation_index
        case _:
            return None


def counts_of(member: Committed | Restored) -> tuple[int, ...]:
    """How much a participant has written or restored."""
    match member:
        case CommittedModel() | RestoredModel():
            return (member.result.rollouts, member.result.rows)
        case CommittedAgent() | RestoredAgent():
            return (member.result.records,)
        case _:
            return (member.result.sessions,)


def source_of(member: Restored) -> str:
    """The checkpoint id that a participant says it was restored from."""
    if isinstance(member, RestoredModel):
        return member.result.checkpoint_id
    return member.result.source_checkpoint_id
