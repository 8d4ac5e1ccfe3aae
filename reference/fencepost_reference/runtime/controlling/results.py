"""What participants answered to a commit and to a restore, put beside who they are.

An answer names nobody: who has given it is known by where it came from.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES, Place
from fencepost_reference.receipts.controller.wire import JsonObject, index_in
from fencepost_reference.receipts.snapshot.asking import modelled
from fencepost_reference.receipts.snapshot.validating import validate_restore
from fencepost_reference.receipts.snapshot.values import Refused, Snapshot
from fencepost_reference.runtime.controlling.outside import Written
from fencepost_reference.storage.snapshot_reading import SnapshotRefused
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot.participant_facts import topology_is_another
from fencepost_spec.receipts.snapshot.results import (
    CheckpointTopology,
    CommitResult,
    Committed,
    ParticipantIdentity,
    RestoreResult,
)
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.receipts.versions import SNAPSHOT_SCHEMA

COMPONENTS: Final = {AGENT: names.AGENT, MODEL: names.MODEL, RESOURCES: names.RESOURCES}
KINDS: Final = {component: kind for kind, component in COMPONENTS.items()}
LISTS: Final = {AGENT: "agents", MODEL: "models", RESOURCES: "resources"}

(_PRESENT,) = (one for one in SNAPSHOT.checks.commit if one.when is topology_is_another)


def place_of(participant: ParticipantIdentity) -> Place:
    """Where a participant is called."""
    return Place(KINDS[participant.component], participant.participant_name)


def places_of(topology: CheckpointTopology) -> dict[Place, bool]:
    """Where each participant is called, and whether it takes part in commit and restore."""
    return {place_of(one.participant): one.exports for one in topology.contracts}


def check_agents(files: Snapshot, topology: CheckpointTopology) -> None:
    """Every unfinished group is run by an agent that is there, or SnapshotRefused."""
    agents = {place.instance for place in places_of(topology) if place.kind == AGENT}
    finished = {one.group_id for one in files.documents.replay.groups}
    for group in files.documents.ledger.ordered():
        if group.group_id not in finished and group.task_source not in agents:
            reason = f"nobody here runs group {group.group_id}, which is of {group.task_source}"
            raise SnapshotRefused(_PRESENT.rule, _PRESENT.answer, names.RECOVERY, reason)


def check_names(place: Place, who: ParticipantIdentity, body: JsonObject) -> None:
    """A participant has written where one of its name writes, or ValueError."""
    index = index_in(place, body)
    folder = names.manifest_place(who.component, who.participant_name).rpartition("/")[0]
    path = folder if index is None else str(index.get("relative_path"))
    if path != folder and not path.startswith(f"{folder}/"):
        raise ValueError(
            f"{place} has written {path}, and not below {folder}, which follows from its name: "
            "the participant, its client and the topology have to give it the same instance name"
        )


def commit_result(
    topology: CheckpointTopology,
    checkpoint_id: str,
    places: Iterable[Place],
    written: Mapping[Place, Written],
) -> CommitResult:
    """What participants answered to a commit; ValueError or KeyError when it is no commit."""
    listed: dict[str, list[Any]] = {name: [] for name in LISTS.values()}
    for place in sorted(places):
        who = _identity(topology, place)
        check_names(place, who, written[place].body)
        listed[LISTS[place.kind]].append(
            {
                "participant": who.model_dump(mode="json"),
                "manifest_path": names.manifest_place(who.component, who.participant_name),
                "result": written[place].body,
            }
        )
    common = {"schema_version": SNAPSHOT_SCHEMA, "checkpoint_id": checkpoint_id}
    return CommitResult.model_validate({**common, **listed})


def refused_restore(
    commit: CommitResult,
    operation_id: str,
    restored: Mapping[Place, JsonObject],
    *,
    last: bool,
    spec: SnapshotSpec = SNAPSHOT,
) -> Refused | None:
    """Why the answers to a restore are not believed, or None.

    Until the last of them only those are held to the commit that have answered.
    """
    members = [(place_of(one.participant), one) for _, one in commit.members()]
    known = {place: one.participant for place, one in members}
    listed: dict[str, list[Any]] = {name: [] for name in LISTS.values()}
    for place in sorted(restored):
        who = known.get(place) or _stranger(place)
        said = {"participant": who.model_dump(mode="json"), "result": restored[place]}
        listed[LISTS[place.kind]].append(said)
    common = {"schema_version": SNAPSHOT_SCHEMA, "operation_id": operation_id}
    result = modelled(spec.checks, "the restore result", RestoreResult, {**common, **listed})
    if isinstance(result, Refused):
        return result
    kept = [one for place, one in members if last or place in restored]
    return validate_restore(_only(commit, kept), result, spec)


def _only(commit: CommitResult, kept: list[Committed]) -> CommitResult:
    listed: dict[str, list[Committed]] = {name: [] for name in LISTS.values()}
    for one in kept:
        listed[LISTS[KINDS[one.participant.component]]].append(one)
    return commit.model_copy(update=listed)


def _identity(topology: CheckpointTopology, place: Place) -> ParticipantIdentity:
    for contract in topology.contracts:
        if place_of(contract.participant) == place:
            return contract.participant
    raise ValueError(f"{place} is no participant of the topology")


def _stranger(place: Place) -> ParticipantIdentity:
    """Somebody whom no commit names."""
    return ParticipantIdentity.model_validate(
        {
            "server_name": place.instance,
            "component": COMPONENTS[place.kind],
            "participant_name": place.instance,
        }
    )
