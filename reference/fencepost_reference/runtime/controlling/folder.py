"""The folder of one controller: where participants commit to, what is published, what is found.

Over a `SnapshotStore`: a controller knows snapshots as values, the store as files. Every method
blocks for as long as the disk takes. Not decided here: when a step is taken.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller import wire
from fencepost_reference.receipts.controller.said import MODEL, Place
from fencepost_reference.receipts.ledger import from_json
from fencepost_reference.receipts.snapshot.believing import read_ledger
from fencepost_reference.receipts.snapshot.choosing import Anchor, Mode, select
from fencepost_reference.receipts.snapshot.joining import required_staging_keys
from fencepost_reference.receipts.snapshot.validating import validate_topology
from fencepost_reference.receipts.snapshot.values import Capture, Refused, Snapshot
from fencepost_reference.runtime.controlling.asked import (
    check_fingerprint,
    check_generations,
    check_start,
)
from fencepost_reference.runtime.controlling.found import Beside, Found
from fencepost_reference.runtime.controlling.outside import Rows, Written
from fencepost_reference.runtime.controlling.results import (
    check_agents,
    commit_result,
    place_of,
    refused_restore,
)
from fencepost_reference.storage.boundary import (
    Boundary,
    boundary_candidates,
    existing_checkpoint,
)
from fencepost_reference.storage.disk import TreeDisk
from fencepost_reference.storage.snapshot_reading import SnapshotRefused
from fencepost_reference.storage.snapshot_reading import read_snapshot as read_directory
from fencepost_reference.storage.snapshots import (
    REAL_TREE_DISK,
    Draft,
    Published,
    SnapshotFailed,
    SnapshotStore,
)
from fencepost_spec.receipts.policy_model.saved import StorageReference
from fencepost_spec.receipts.snapshot import names, writing
from fencepost_spec.receipts.snapshot.refusals import MISMATCH
from fencepost_spec.receipts.snapshot.results import (
    CheckpointTopology,
    CommitResult,
    Committed,
    reference_of,
)
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.strict_json import parse_lines

_OF_THE_SAMPLER = ("batch_shortfall", "sampler_stamps_target_steps")


class SnapshotFolder:
    """A folder of snapshots, for one process of a controller.

    `generations` is how many siblings this run makes of a prompt; a snapshot whose unfinished
    groups have another number is refused like one of other participants. None asks nothing.
    """

    def __init__(
        self,
        root: str | Path,
        topology: CheckpointTopology,
        *,
        bootstrap_fingerprint: str,
        generations: int | None = None,
        keep_latest_k: int = 1,
        spec: SnapshotSpec = SNAPSHOT,
        disk: Any = REAL_TREE_DISK,
    ) -> None:
        check_fingerprint(bootstrap_fingerprint)
        check_generations(generations)
        # Participants are told by it where to write, from wherever they run.
        root = Path(root).absolute()
        self.store = SnapshotStore(root, keep_latest_k=keep_latest_k, spec=spec, disk=disk)
        self.topology = topology
        self.beside = Beside()
        self.published: Published | None = None
        self.boundary: Boundary | None = None
        """The trainer's checkpoint into which the next snapshot goes, if it goes into one."""
        self._fingerprint = bootstrap_fingerprint
        self._generations = generations
        self._spec = spec
        self._disk: TreeDisk = disk
        self._draft: Draft | None = None
        self._unbegun: SnapshotFailed | None = None
        self._rows: dict[str, tuple[str, ...]] = {}
        self._source: Path | None = None
        self._commit: CommitResult | None = None

    # The start of a process.

    def open(
        self,
        train_step: int,
        trainer_version: int,
        *,
        mode: Mode = "latest",
        checkpoint: str | Path | None = None,
    ) -> Found:
        """Clear the folder, and find the snapshot that fits what the trainer is restored to.

        `checkpoint` is where that lies; a snapshot inside it is a candidate, and the only one in
        mode `trainer_checkpoint`. SnapshotFailed when there is no directory.
        A damaged one is passed over for an older one that is whole. SnapshotRefused when the
        participants cannot be checkpointed together, when there are snapshots and none fits, and
        when the one that fits is not of these participants. Nothing was asked of anybody then.
        """
        check_start(train_step, trainer_version, mode, checkpoint)
        given = None if checkpoint is None else existing_checkpoint(Path(checkpoint), self._disk)
        refused = validate_topology(self.topology, self._spec)
        if refused is not None:
            raise SnapshotRefused.by(refused)
        self._draft = self._unbegun = self._source = self._commit = self.boundary = None
        self._rows = {}
        self.store.clear()
        fingerprint = None if train_step else self._fingerprint
        anchor = Anchor(train_step, trainer_version, fingerprint)
        taking_part = bool(self.topology.exporting())
        found = self.store.candidates()
        if given is not None:
            found += boundary_candidates(given, self._disk, self._spec)
        number = max(self.store.next_number(), *(one.number + 1 for one in found), 1)
        choice = select(anchor, found, mode=mode, participants=taking_part, spec=self._spec)
        if isinstance(choice, Refused):
            raise SnapshotRefused.by(choice)
        over = choice.reasons()
        if choice.candidate is None:
            return Found(number, passed_over=over)
        directory = self.store.directory(choice.candidate.number)
        if choice.candidate.at_boundary and given is not None:
            directory = given / directory.name
        files = read_directory(
            directory,
            topology=self.topology,
            generations=self._generations,
            spec=self._spec,
            disk=self._disk,
        )
        check_agents(files, self.topology)
        self._source, self._commit = directory, files.manifest.gym_checkpoint
        self._rows = {one.group_id: tuple(one.rows) for one in files.documents.replay.groups}
        beside = from_json(json.loads(files.documents.recovery))
        taken: dict[str, Any] = {name: beside[name] for name in _OF_THE_SAMPLER}
        self.beside = attrs.evolve(self.beside, **taken)
        snapshot = self._values(choice.candidate.number, directory, files)
        return Found(number, snapshot, files, over)

    def _values(self, number: int, directory: Path, files: Snapshot) -> a.Snapshot:
        """The snapshot as a controller knows it."""
        manifest = files.manifest
        commit = manifest.gym_checkpoint
        members = () if commit is None else tuple(one for _, one in commit.members())
        return a.Snapshot(
            number,
            f"c{number}" if commit is None else commit.checkpoint_id,
            manifest.base_train_step,
            manifest.trainer_version,
            files.documents.recovery.decode("ascii"),
            tuple(self._member(directory, one) for one in members),
            tuple(group.group_id for group in files.documents.replay.groups),
        )

    def _member(self, directory: Path, member: Committed) -> tuple[Place, Any]:
        place = place_of(member.participant)
        reference = reference_of(member)
        documents: list[Any] = []
        if reference is not None:
            documents = parse_lines(self._disk.read(directory / reference.relative_path))
        return place, wire.committed(place, member.result.model_dump(mode="json"), documents)

    def restored(
        self, operation_id: str, answers: Mapping[Place, Any], *, last: bool
    ) -> Refused | None:
        """Why the answers to a restore so far are not believed, or None."""
        if self._commit is None:
            raise RuntimeError("no snapshot with participants was found")
        return refused_restore(self._commit, operation_id, answers, last=last, spec=self._spec)

    @property
    def source(self) -> Path | None:
        """Where the snapshot lies from which this process goes on."""
        return self._source

    # What a process does.

    def trained(self, group_id: str, rows: Rows) -> None:
        """Rows have reached the finalizer; a snapshot indexes those of groups that training has."""
        self._rows[group_id] = tuple(key.rollout_id for key, _ in rows)

    def begin(self, number: int) -> Path:
        """Where participants commit to. A disk that fails is heard of at the first step."""
        if self._draft is None or self._draft.number != number:
            at = self.boundary
            self._draft, self._unbegun = (at or self.store).draft(number), None
            try:
                if at is None:
                    self.store.begin(number)
                else:
                    at.begin(self._disk, number)
            except SnapshotFailed as failed:
                self._unbegun = failed
        return self._draft.directory

    def write(self, step: str, snapshot: a.Snapshot, written: Mapping[Place, Written]) -> None:
        """One step: sidecars, manifest, rename. SnapshotRefused or SnapshotFailed."""
        self.begin(snapshot.number)
        draft = self._draft
        assert draft is not None  # It was begun just now, if not before.
        if self._unbegun is not None:
            raise self._unbegun
        if step == "rename":
            at = self.boundary
            self.published = at.rename(self._disk, draft) if at else self.store.rename(draft)
            self._draft = self.boundary = None
            return
        capture = self._capture(snapshot, written)
        (self.store.describe if step == "sidecars" else self.store.seal)(draft, capture)

    def confirm(self) -> None:
        """Find out what became of a rename; SnapshotFailed says that it came to nothing, or not."""
        assert self._draft is not None  # Its rename was tried.
        at, draft = self.boundary, self._draft
        self.published = at.confirm(self._disk, draft) if at else self.store.confirm(draft)
        self._draft = self.boundary = None

    def drop(self) -> None:
        """Nothing comes of what was begun."""
        if self._draft is not None:
            self.store.drop(self._draft)
        self._draft = self._unbegun = self.boundary = None

    def _capture(self, snapshot: a.Snapshot, written: Mapping[Place, Written]) -> Capture:
        try:
            return self._captured(snapshot, written)
        except (ValueError, KeyError) as error:
            name = names.snapshot_name(snapshot.number)
            raise SnapshotRefused(writing.BELIEVABLE, MISMATCH, name, str(error)) from error

    def _captured(self, snapshot: a.Snapshot, written: Mapping[Place, Written]) -> Capture:
        sidecar: dict[str, Any] = json.loads(snapshot.ledger)
        ledger = read_ledger(snapshot.ledger.encode("ascii"))
        if isinstance(ledger, Refused):
            raise SnapshotRefused.by(ledger)
        references = [
            StorageReference.model_validate(document)
            for place, _ in snapshot.participants
            if place.kind == MODEL
            for document in written[place].documents
        ]
        trained = snapshot.trained
        cursor = self.beside.sampler_dispatch_index
        if cursor is None:
            steps = [group.target_step for group in ledger.groups.values()]
            cursor = max((one for one in steps if one is not None), default=-1)
        given: dict[str, Any] = attrs.asdict(self.beside) | {"sampler_dispatch_index": cursor}
        sidecar |= {name: given.pop(name) for name in _OF_THE_SAMPLER}
        return Capture(
            base_train_step=snapshot.train_step,
            trainer_version=snapshot.trainer_version,
            bootstrap_fingerprint=None if snapshot.train_step else self._fingerprint,
            sidecar=sidecar,
            replay=tuple((group, self._rows[group]) for group in trained),
            staging=required_staging_keys(ledger, references, canonical=frozenset(trained)),
            topology=self.topology,
            commit=commit_result(
                self.topology,
                snapshot.checkpoint_id,
                (place for place, _ in snapshot.participants),
                written,
            ),
            **given,
        )
