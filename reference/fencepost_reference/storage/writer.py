"""Commit records into a directory: payloads first, the manifest last, and never twice.

The steps are apart, so that what waits between them can be interrupted: plan, write, publish.
Whatever happens in between, the directory is either no checkpoint or the whole one. Two writers of
one instance at the same time are a fault of their callers: one of them publishes, and a reader may
refuse what is left, but never believes a mixture.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs

from fencepost_reference.storage.checks import CHECKS, StorageCheck
from fencepost_reference.storage.disk import Disk, Kind
from fencepost_reference.storage.errors import CheckpointRefused, StorageFailed
from fencepost_reference.storage.layout import (
    LIMITS,
    MANIFEST_NAME,
    Contents,
    Limits,
    contents_of,
    folders_of,
    path_fault,
    place_of,
    sha256,
)
from fencepost_reference.storage.reader import REAL_DISK, evidence_of, inspect
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.receipts.saved import AgentBoundaryRecord, ArtifactReference
from fencepost_spec.vocabulary import Key, check_checkpoint_id, check_instance_name


@attrs.frozen
class CommitSummary:
    """What a commit answers."""

    records: int
    manifest_digest: str
    continuation_index: ArtifactReference


@attrs.frozen
class CommitPlan:
    """Everything a commit will write, made before it writes anything."""

    directory: Path
    instance_name: str | None
    checkpoint_id: str
    records: tuple[AgentBoundaryRecord, ...]
    contents: Contents
    disk: Disk = attrs.field(repr=False)
    checks: tuple[StorageCheck, ...] = attrs.field(repr=False)

    @property
    def place(self) -> Path:
        """The directory of the instance."""
        return self.directory / place_of(self.instance_name)


def plan_commit(
    directory: Path,
    instance_name: str | None,
    checkpoint_id: str,
    records: tuple[AgentBoundaryRecord, ...],
    *,
    limits: Limits = LIMITS,
    checks: tuple[StorageCheck, ...] = CHECKS,
    disk: Disk = REAL_DISK,
) -> CommitPlan:
    """All bytes of a checkpoint, or CheckpointRefused when a record cannot be saved.

    Nothing on disk is touched or looked at.
    """
    check_instance_name(instance_name)
    check_checkpoint_id(checkpoint_id)
    if (fault := path_fault(directory)) is not None:
        raise CheckpointRefused(
            rules.BUILDABLE, f"{place_of(instance_name)}/{MANIFEST_NAME}", fault
        )
    contents = contents_of(checkpoint_id, instance_name, records, limits)
    return CommitPlan(
        directory, instance_name, checkpoint_id, tuple(records), contents, disk, checks
    )


def write_records(plan: CommitPlan) -> None:
    """Make every payload durable under its name, or leave what was visible before.

    Where a manifest is visible already, nothing is written: CheckpointRefused when it is not the
    manifest of these records under this id. A step that fails raises StorageFailed.
    """
    with _failing(plan, MANIFEST_NAME):
        if _is_published(plan):
            _confirm(plan)
            return
        _make_place(plan)
    for name, data in plan.contents.payloads:
        with _failing(plan, name):
            # Asked again before each name is taken: a payload of a checkpoint is never replaced.
            _write(plan, name, data, plan.disk.rename, unless=_is_published)
    with _failing(plan, MANIFEST_NAME):
        plan.disk.sync_directory(plan.place)


def publish_manifest(plan: CommitPlan) -> CommitSummary:
    """Make the directory a checkpoint in one step; call it after `write_records`.

    Where a manifest is visible already, its own summary is the answer, or CheckpointRefused when it
    is not the manifest of these records under this id. A step that fails raises StorageFailed; then
    the manifest may be visible, and a repeat finds out.
    """
    with _failing(plan, MANIFEST_NAME):
        if _is_published(plan):
            return _confirm(plan)
        try:
            _write(plan, MANIFEST_NAME, plan.contents.manifest, plan.disk.publish)
        except FileExistsError:
            return _confirm(plan)
        plan.disk.sync_directory(plan.place)
    return CommitSummary(
        len(plan.records), sha256(plan.contents.manifest), plan.contents.continuation_index
    )


def _is_published(plan: CommitPlan) -> bool:
    return plan.disk.look(plan.place / MANIFEST_NAME).kind is not Kind.ABSENT


def _make_place(plan: CommitPlan) -> None:
    """Make the directories that are missing, each durable in the one above it."""
    missing: list[Path] = []
    above = plan.directory
    while plan.disk.look(above).kind is Kind.ABSENT and above != above.parent:
        missing.insert(0, above)
        above = above.parent
    for path in missing:
        plan.disk.make_directory(path)
        plan.disk.sync_directory(path.parent)
    for folder in folders_of(place_of(plan.instance_name)):
        path = plan.directory / folder
        kind = plan.disk.look(path).kind
        if kind not in (Kind.ABSENT, Kind.DIRECTORY):
            raise CheckpointRefused(rules.IN_PLACE, folder, "it is no directory of its own")
        # Made durable even when it is there: whoever made it may have died before doing so.
        plan.disk.make_directory(path)
        plan.disk.sync_directory(path.parent)


def _write(
    plan: CommitPlan,
    name: str,
    data: bytes,
    take_name: Callable[[Path, Path], None],
    unless: Callable[[CommitPlan], bool] | None = None,
) -> None:
    disk, final = plan.disk, plan.place / name
    temporary = disk.write(final, data)
    try:
        disk.sync_file(temporary)
        if unless is not None and unless(plan):
            _confirm(plan)
            disk.remove(temporary)
            return
        take_name(temporary, final)
    except (OSError, CheckpointRefused):
        with suppress(OSError):
            disk.remove(temporary)
        raise


def _confirm(plan: CommitPlan) -> CommitSummary:
    """The summary of what is committed here, when that is what was to be committed."""
    # A disk that fails here is no damage: the OSError goes on.
    evidence = evidence_of(plan.directory, plan.instance_name, plan.disk)
    stored = inspect(evidence, plan.checks)
    file = f"{place_of(plan.instance_name)}/{MANIFEST_NAME}"
    if stored.source_checkpoint_id != plan.checkpoint_id:
        reason = f"checkpoint {stored.source_checkpoint_id!r} committed this directory"
        raise CheckpointRefused(rules.SAME_CHECKPOINT, file, reason)
    there, here = _digests(stored.records), _digests(plan.records)
    differing = sorted(key for key in there.keys() | here.keys() if there.get(key) != here.get(key))
    if differing:
        reason = f"it was committed with another record of {differing[0].capture_key}"
        raise CheckpointRefused(rules.SAME_RECORDS, file, reason)
    # Whoever published it may have died before its name was durable.
    plan.disk.sync_directory(plan.place)
    return CommitSummary(len(stored.records), stored.manifest_digest, stored.continuation_index)


def _digests(records: tuple[AgentBoundaryRecord, ...]) -> dict[Key, str]:
    return {record.key: record.digest for record in records}


@contextmanager
def _failing(plan: CommitPlan, name: str) -> Generator[None]:
    """A step that the disk could not take is no refusal: both ends stay open."""
    try:
        yield
    except OSError as error:
        file = f"{place_of(plan.instance_name)}/{name}"
        raise StorageFailed(file, error.strerror or str(error)) from error
