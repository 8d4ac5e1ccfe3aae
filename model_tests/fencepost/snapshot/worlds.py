"""A snapshot in the hands of somebody who damages it: files, participants, and what is asked.

What is changed in one place is made to agree again in the others, so that exactly one thing is
wrong: digests and counts follow their files unless they are what is damaged.
"""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs

from fencepost.snapshot import specimens as s
from fencepost_reference.receipts.snapshot.asking import modelled
from fencepost_reference.receipts.snapshot.believing import believe
from fencepost_reference.receipts.snapshot.building import sha256
from fencepost_reference.receipts.snapshot.validating import validate_commit, validate_restore
from fencepost_reference.receipts.snapshot.values import Refused, Snapshot
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot.results import CheckpointTopology, RestoreResult
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.vocabulary import Key

CARELESS = (AttributeError, KeyError, TypeError, ValueError, IndexError)
"""What a reader without one of its checks may stumble over."""

Change = Callable[[Any], None]


@attrs.define
class World:
    """Everything that a controller is given when it restores, as plain values."""

    files: s.Files
    topology: Any
    restore: Any
    pending: frozenset[Key] = frozenset({s.PENDING})
    wanted_id: str = s.ID
    generations: int | None = None

    @property
    def is_of_this_run(self) -> bool:
        """Whether the participants and the size of a group are those of the intact world."""
        whole = World.whole()
        return (self.topology, self.generations) == (whole.topology, whole.generations)

    @classmethod
    def whole(cls, **changes: Any) -> "World":
        """The intact specimen, with other things captured."""
        found, restored = _participants()
        files = s.snapshot_files(**changes) if changes else dict(_files())
        return cls(files, json.loads(found), json.loads(restored))

    def change(self, name: str, change: Change) -> None:
        """Change one document, and nothing else."""
        value = json.loads(self.files[name])
        change(value)
        self.files[name] = s.encode(value)

    def sealed(self, name: str, change: Change) -> None:
        """Change one listed document, and the digests of it."""
        self.change(name, change)
        self.bind()

    def bind(self) -> None:
        """Let digests and counts follow the recovery file and the replay index again."""
        recovery, replay = self.files[names.RECOVERY], self.files[names.REPLAY]

        def follow(metadata: Any) -> None:
            metadata["rollout_recovery_payload_sha256"] = sha256(recovery)
            metadata["replay_manifest_digest"] = sha256(replay)
            metadata["rollout_recovery_group_count"] = len(json.loads(recovery)["groups"])
            metadata["replay_group_count"] = len(json.loads(replay)["groups"])

        self.change(names.METADATA, follow)
        self.list_again()

    def list_again(self) -> None:
        """Let the manifest list the files as they are."""

        def follow(manifest: Any) -> None:
            for name in manifest["files"]:
                data = self.files[name]
                manifest["files"][name] = {"sha256": sha256(data), "bytes": len(data)}

        self.change(names.MANIFEST, follow)

    def commit(self, change: Change) -> None:
        """Change the commit result."""
        self.change(names.MANIFEST, lambda manifest: change(manifest["gym_checkpoint"]))

    def custody(self, listed: str, change: Change) -> None:
        """Change the manifest of the first participant of a list, and the digest of it."""
        commit = json.loads(self.files[names.MANIFEST])["gym_checkpoint"]
        path = commit[listed][0]["manifest_path"]
        self.change(path, change)

        def follow(result: Any) -> None:
            result[listed][0]["result"]["manifest_digest"] = sha256(self.files[path])

        self.commit(follow)

    def index(self, listed: str, change: Change, *, counted: bool = True) -> None:
        """Change the lines of an index, and every reference to it."""
        field = {"agents": "continuation_index", "models": "storage_reference_index"}[listed]
        commit = json.loads(self.files[names.MANIFEST])["gym_checkpoint"]
        path = commit[listed][0]["result"][field]["relative_path"]
        lines = [json.loads(line) for line in self.files[path].splitlines()]
        change(lines)
        self.files[path] = s.encode_lines(lines)
        self.refer(listed, len(lines) if counted else None)

    def refer(self, listed: str, count: int | None) -> None:
        """Let the references to an index follow its bytes."""
        field = {"agents": "continuation_index", "models": "storage_reference_index"}[listed]

        def follow(reference: Any) -> None:
            data = self.files[reference["relative_path"]]
            reference.update(sha256=sha256(data), bytes=len(data))
            if count is not None:
                reference["records"] = count

        self.custody(listed, lambda manifest: follow(manifest[field]))
        self.commit(lambda result: follow(result[listed][0]["result"][field]))
        follow(self.restore[listed][0]["result"][field])

    def refound(self) -> None:
        """Let the fingerprint follow the participants that were found."""
        found = CheckpointTopology.model_validate(self.topology)

        def follow(manifest: Any) -> None:
            manifest["gym_topology_fingerprint"] = found.fingerprint()

        self.change(names.MANIFEST, follow)


@cache
def _files() -> s.Files:
    """The files of the intact specimen, which take a while to make."""
    return s.snapshot_files()


@cache
def _participants() -> tuple[str, str]:
    """Who was found, and what they have restored, as JSON texts."""
    _, commit = s.participants()
    return s.topology().model_dump_json(), s.restore(commit).model_dump_json()


def ask(world: World, spec: SnapshotSpec = SNAPSHOT) -> Refused | Snapshot:
    """What a controller with that specification makes of it: the snapshot, or the refusal."""
    found = modelled(spec.checks, "the topology", CheckpointTopology, world.topology)
    if isinstance(found, Refused):
        return found
    snapshot = believe(
        world.files.get,
        topology=found,
        pending=lambda _: world.pending,
        generations=world.generations,
        spec=spec,
    )
    if isinstance(snapshot, Refused) or snapshot.manifest.gym_checkpoint is None:
        return snapshot
    commit = snapshot.manifest.gym_checkpoint
    custody = validate_commit(commit, world.files.get, wanted_id=world.wanted_id, spec=spec)
    if isinstance(custody, Refused):
        return custody
    restored = modelled(spec.checks, "the restore", RestoreResult, world.restore)
    if isinstance(restored, Refused):
        return restored
    return validate_restore(commit, restored, spec) or snapshot


def rule_of(world: World, spec: SnapshotSpec = SNAPSHOT) -> str:
    """The id of the rule that refuses a world, or how else asking ended."""
    try:
        answer = ask(world, spec)
    except CARELESS as error:
        return f"stumbled: {type(error).__name__}"
    return answer.rule.id if isinstance(answer, Refused) else "believed"
