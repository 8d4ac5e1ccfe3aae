"""What the participants of a snapshot may be asked: who they are, what each committed, restored.

A participant is compared by its identity: component, name, server.
"""

from collections import Counter
from collections.abc import Iterable

import attrs

from fencepost_spec.receipts.policy_model.wire import STORAGE_REFERENCES
from fencepost_spec.receipts.saved import ArtifactReference, check_relative_path
from fencepost_spec.receipts.snapshot.names import AGENT, MODEL, manifest_place
from fencepost_spec.receipts.snapshot.results import CheckpointTopology, Identity

ACKNOWLEDGEMENTS = "completed_result_acknowledgement"
CONTINUATION_INDEX = "agent_continuation_index_v1"
DISCARD = "discard_restored_continuation_v1"
DEPENDENCIES = "agent_resource_dependency_index_v1"
AGENT_FEATURES = (ACKNOWLEDGEMENTS, CONTINUATION_INDEX)
RESTART_FEATURES = (DISCARD, DEPENDENCIES)


@attrs.frozen
class CommitFacts:
    """Who committed, by the list it stands in, and who should have."""

    wanted_id: str | None
    checkpoint_id: str
    fingerprint: str | None
    fingerprint_said: str | None
    wanted: tuple[Identity, ...] | None
    members: tuple[tuple[str, Identity], ...]


@attrs.frozen
class CustodyFacts:
    """The manifest of one participant: what the commit result says, and what lies there."""

    identity: Identity
    path: str
    other_paths: tuple[str, ...]
    exists: bool = True
    digest: str = ""
    digest_said: str = ""
    checkpoint_id: str = ""
    checkpoint_id_said: str = ""
    reference: ArtifactReference | None = None
    reference_said: ArtifactReference | None = None
    counts: tuple[int, ...] = ()
    counts_said: tuple[int, ...] = ()


@attrs.frozen
class ArtifactFacts:
    """An index that a participant wrote, and what its reference says."""

    exists: bool
    bytes: int
    digest: str
    records: int
    said: ArtifactReference


@attrs.frozen
class RestoreFacts:
    """Who restored what, and who committed what, each by identity."""

    operation_id: str
    source_id: str
    wanted: tuple[Identity, ...]
    members: tuple[tuple[str, Identity], ...]
    sources: tuple[str, ...]
    references: tuple[tuple[Identity, ArtifactReference | None], ...]
    references_said: tuple[tuple[Identity, ArtifactReference | None], ...]
    counts: tuple[tuple[Identity, tuple[int, ...]], ...]
    counts_said: tuple[tuple[Identity, tuple[int, ...]], ...]


def contracts_are_not_sorted(facts: CheckpointTopology) -> bool:
    """The participants are not listed by component, name and server."""
    keys = [one.participant.key for one in facts.contracts]
    return keys != sorted(keys)


def server_comes_twice(facts: CheckpointTopology) -> bool:
    """Two participants are reached under one server name."""
    return _twice(one.participant.server_name for one in facts.contracts)


def participant_comes_twice(facts: CheckpointTopology) -> bool:
    """Two participants of one component have one name."""
    return _twice(one.participant.key[:2] for one in facts.contracts)


def there_is_no_policy_model(facts: CheckpointTopology) -> bool:
    """No model is the policy, or the policy exports nothing."""
    return not any(one.exports and one.participant.component == MODEL for one in facts.contracts)


def model_has_no_role(facts: CheckpointTopology) -> bool:
    """A model does not say whether it is the policy."""
    return any(
        one.capabilities.instance_role is None
        for one in facts.contracts
        if one.participant.component == MODEL
    )


def other_has_a_role(facts: CheckpointTopology) -> bool:
    """A participant that is no model has the role of one."""
    return any(
        one.capabilities.instance_role is not None
        for one in facts.contracts
        if one.participant.component != MODEL
    )


def workers_are_unmanaged(facts: CheckpointTopology) -> bool:
    """Nothing holds the processes of a participant together."""
    return any(one.capabilities.multi_process.mode == "unmanaged" for one in facts.contracts)


def agent_exports_nothing(facts: CheckpointTopology) -> bool:
    """An agent takes no part in commit and restore."""
    return any(not one.exports for one in facts.contracts if one.participant.component == AGENT)


def agent_lacks_a_feature(facts: CheckpointTopology) -> bool:
    """An agent takes no acknowledgements, or writes no index of continuations."""
    return _lacks(facts, AGENT, AGENT_FEATURES)


def model_lacks_a_feature(facts: CheckpointTopology) -> bool:
    """The policy model writes no index of storage references."""
    return _lacks(facts, MODEL, (STORAGE_REFERENCES,))


def agent_cannot_discard(facts: CheckpointTopology) -> bool:
    """A resources server only restarts, and an agent cannot tell or drop what relied on it."""
    return bool(facts.resources("restart_only")) and _lacks(facts, AGENT, RESTART_FEATURES)


def _lacks(facts: CheckpointTopology, component: str, features: tuple[str, ...]) -> bool:
    return any(
        not set(features) <= set(one.capabilities.features)
        for one in facts.contracts
        if one.participant.component == component and one.exports
    )


def _twice(names: Iterable[object]) -> bool:
    counted = Counter(names)
    return max(counted.values(), default=0) > 1


def commit_has_another_id(facts: CommitFacts) -> bool:
    """The participants committed another checkpoint than was asked for."""
    return facts.wanted_id is not None and facts.wanted_id != facts.checkpoint_id


def topology_is_another(facts: CommitFacts) -> bool:
    """The participants that were found are not those of the snapshot."""
    return facts.fingerprint is not None and facts.fingerprint != facts.fingerprint_said


def member_stands_in_another_list(facts: CommitFacts | RestoreFacts) -> bool:
    """A result stands in the list of another component."""
    return any(component != identity[0] for component, identity in facts.members)


def member_comes_twice(facts: CommitFacts | RestoreFacts) -> bool:
    """One participant has two results."""
    return _twice(identity for _, identity in facts.members)


def member_is_missing(facts: CommitFacts | RestoreFacts) -> bool:
    """A participant that has to take part has no result."""
    found = {identity for _, identity in facts.members}
    return facts.wanted is not None and not found >= set(facts.wanted)


def member_is_a_stranger(facts: CommitFacts | RestoreFacts) -> bool:
    """A participant has a result and no part to take."""
    found = {identity for _, identity in facts.members}
    return facts.wanted is not None and not found <= set(facts.wanted)


def manifest_leads_outside(facts: CustodyFacts) -> bool:
    """The path of a manifest is not one below the directory."""
    try:
        check_relative_path(facts.path)
    except ValueError:
        return True
    return False


def manifest_comes_twice(facts: CustodyFacts) -> bool:
    """Two participants name one manifest."""
    return facts.path in facts.other_paths


def manifest_lies_elsewhere(facts: CustodyFacts) -> bool:
    """A manifest is not where its participant writes it."""
    component, name, _ = facts.identity
    return facts.path != manifest_place(component, name)


def manifest_is_absent(facts: CustodyFacts) -> bool:
    """A manifest is not there."""
    return not facts.exists


def manifest_has_another_digest(facts: CustodyFacts) -> bool:
    """A manifest is not the one that its participant committed."""
    return facts.digest != facts.digest_said


def manifest_has_another_id(facts: CustodyFacts) -> bool:
    """A manifest belongs to another checkpoint."""
    return facts.checkpoint_id != facts.checkpoint_id_said


def manifest_has_another_index(facts: CustodyFacts) -> bool:
    """A manifest refers to another index than the result."""
    return facts.reference != facts.reference_said


def manifest_has_other_counts(facts: CustodyFacts) -> bool:
    """A manifest counts other records, rows or sessions than the result."""
    return facts.counts != facts.counts_said


def artifact_is_absent(facts: ArtifactFacts) -> bool:
    """An index is not there."""
    return not facts.exists


def artifact_has_another_size(facts: ArtifactFacts) -> bool:
    """An index has another number of bytes than its reference says."""
    return facts.exists and facts.bytes != facts.said.bytes


def artifact_has_another_digest(facts: ArtifactFacts) -> bool:
    """An index of the right size has another digest than its reference says."""
    right_size = facts.exists and facts.bytes == facts.said.bytes
    return right_size and facts.digest != facts.said.sha256


def artifact_is_miscounted(facts: ArtifactFacts) -> bool:
    """An index has another number of lines than its reference says."""
    return facts.records != facts.said.records


def restore_has_the_old_id(facts: RestoreFacts) -> bool:
    """The restore ran under the id of the commit, which is used up."""
    return facts.operation_id == facts.source_id


def source_is_another(facts: RestoreFacts) -> bool:
    """A participant was restored from another checkpoint."""
    return any(source != facts.source_id for source in facts.sources)


def restored_index_is_another(facts: RestoreFacts) -> bool:
    """A participant has restored another index than it committed."""
    return dict(facts.references) != dict(facts.references_said)


def restored_counts_differ(facts: RestoreFacts) -> bool:
    """A participant has restored more or less than it committed."""
    return dict(facts.counts) != dict(facts.counts_said)
