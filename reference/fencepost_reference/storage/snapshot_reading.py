"""Read a snapshot directory: all of it is checked before any of it is believed.

    snapshot = read_snapshot(directory, topology=found)

A snapshot that is refused raises `SnapshotRefused`, which names the rule, the file and the reason.
A disk that fails raises `StorageFailed`: that is no damage, and the next try may read it.
"""

import errno
from pathlib import Path

from fencepost_reference.receipts.snapshot.asking import first
from fencepost_reference.receipts.snapshot.believing import believe, read_manifest
from fencepost_reference.receipts.snapshot.choosing import Candidate
from fencepost_reference.receipts.snapshot.validating import Read
from fencepost_reference.receipts.snapshot.values import Refused, Snapshot
from fencepost_reference.storage.disk import Disk, Kind
from fencepost_reference.storage.errors import CheckpointRefused, StorageFailed
from fencepost_reference.storage.layout import folders_of
from fencepost_reference.storage.reader import REAL_DISK, read_checkpoint
from fencepost_spec.receipts import storage_rules
from fencepost_spec.receipts.snapshot.facts import PlaceFacts
from fencepost_spec.receipts.snapshot.refusals import UNREADABLE
from fencepost_spec.receipts.snapshot.results import CheckpointTopology, CommitResult
from fencepost_spec.receipts.snapshot.saved import SnapshotManifest
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key


class SnapshotRefused(Exception):  # a refusal is an answer, not a mistake
    """A snapshot, or what should become one, is refused; nothing was changed."""

    def __init__(
        self, rule: Rule, answer: str, where: str, reason: str, directory: Path | None = None
    ) -> None:
        named = where if directory is None else directory / where
        super().__init__(f"{named}: {reason} ({rule.id})")
        self.rule = rule
        self.answer = answer
        self.where = where
        self.reason = reason

    @classmethod
    def by(cls, refused: Refused, directory: Path | None = None) -> "SnapshotRefused":
        """The same refusal, to be raised; it tells the directory of the snapshot."""
        return cls(refused.rule, refused.answer, refused.where, refused.reason, directory)

    def value(self) -> Refused:
        """The same refusal, as a value."""
        return Refused(self.rule, self.answer, self.where, self.reason)


def read_snapshot(
    directory: str | Path,
    *,
    topology: CheckpointTopology | None = None,
    generations: int | None = None,
    spec: SnapshotSpec = SNAPSHOT,
    disk: Disk = REAL_DISK,
) -> Snapshot:
    """The snapshot in a directory, or SnapshotRefused.

    With a topology it is also held to the participants that were found, with `generations` to how
    many siblings the run makes of a prompt.
    """
    directory = Path(directory)
    files = files_of(directory, spec, disk)

    def pending(commit: CommitResult) -> frozenset[Key] | Refused:
        return pending_in(directory, commit, disk)

    with_agents = believe(
        files, topology=topology, pending=pending, generations=generations, spec=spec
    )
    if isinstance(with_agents, Refused):
        raise SnapshotRefused.by(with_agents, directory)
    return with_agents


def manifest_in(
    directory: str | Path, *, spec: SnapshotSpec = SNAPSHOT, disk: Disk = REAL_DISK
) -> SnapshotManifest:
    """The manifest of a snapshot by itself, or SnapshotRefused; the rest is not looked at."""
    directory = Path(directory)
    manifest = read_manifest(files_of(directory, spec, disk), spec)
    if isinstance(manifest, Refused):
        raise SnapshotRefused.by(manifest, directory)
    return manifest


def candidate_in(
    directory: str | Path,
    number: int,
    *,
    at_boundary: bool = False,
    spec: SnapshotSpec = SNAPSHOT,
    disk: Disk = REAL_DISK,
) -> Candidate:
    """A directory as a candidate for a restore: with its manifest when all of it is whole.

    Whether it is of the participants that are there is asked of the one that is chosen.
    """
    try:
        snapshot = read_snapshot(directory, spec=spec, disk=disk)
    except SnapshotRefused as refused:
        return Candidate(number, None, at_boundary, refused.value())
    return Candidate(number, snapshot.manifest, at_boundary)


def files_of(directory: Path, spec: SnapshotSpec, disk: Disk) -> Read:
    """The files below a directory, by relative path; a link on the way is refused."""

    def read(name: str) -> bytes | None:
        try:
            kinds = [disk.look(directory).kind]
            kinds += [disk.look(directory / step).kind for step in folders_of(name)]
            elsewhere = PlaceFacts(leads_elsewhere=Kind.OTHER in kinds)
            refused = first(spec.checks.place, elsewhere, name)
            if refused is not None:
                raise SnapshotRefused.by(refused, directory)
            return disk.read(directory / name) if kinds[-1] is Kind.FILE else None
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return None
            raise StorageFailed(name, error.strerror or str(error)) from error

    return read


def pending_in(directory: Path, commit: CommitResult, disk: Disk) -> frozenset[Key] | Refused:
    """The attempts that agents committed with a model's reply whose actions are not done."""
    found: set[Key] = set()
    for member in commit.agents:
        name = member.participant.participant_name
        try:
            checkpoint = read_checkpoint(directory, name, disk=disk)
        except CheckpointRefused as refused:
            if refused.rule is storage_rules.READABLE and isinstance(refused.__cause__, OSError):
                raise StorageFailed(refused.file, refused.reason) from refused
            return Refused(refused.rule, UNREADABLE, refused.file, refused.reason)
        found |= {one.key for one in checkpoint.records if one.boundary_kind == "pending_model"}
    return frozenset(found)
