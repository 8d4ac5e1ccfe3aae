"""Real snapshot directories: written, published, pruned, damaged, read again."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.snapshot import specimens as s
from fencepost.snapshot.damages import DAMAGES, Damage
from fencepost.snapshot.samples import lay_out
from fencepost.snapshot.worlds import World
from fencepost_reference.receipts.snapshot.choosing import Anchor, Choice, select
from fencepost_reference.storage.disk import Kind, RealDisk
from fencepost_reference.storage.errors import StorageFailed
from fencepost_reference.storage.faulty import Fault, FaultyDisk
from fencepost_reference.storage.snapshot_reading import (
    SnapshotRefused,
    manifest_in,
    read_snapshot,
)
from fencepost_reference.storage.snapshots import SnapshotStore
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot import writing as rules
from fencepost_spec.receipts.snapshot.results import CheckpointTopology
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT

DISK = RealDisk()
ANCHOR = Anchor(s.STEP, s.STEP)

# Asked of a commit under way, and of a restore; the last is found in the agent's records first.
NOT_OF_A_DIRECTORY = {"R-SNP-31", *(f"R-SNP-{number}" for number in range(100, 108)), "R-SNP-71"}
OF_A_DIRECTORY = [damage for damage in DAMAGES if damage.rule not in NOT_OF_A_DIRECTORY]


def contents(directory: Path) -> s.Files:
    """Every file below a directory."""
    found = (path for path in sorted(directory.rglob("*")) if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}


def listed(directory: Path) -> list[str]:
    """The names in a directory, sorted."""
    return sorted(path.name for path in directory.iterdir())


def publish(root: Path, keep: int = 2, **changes: Any) -> Path:
    """One snapshot with participants from its beginning to its end."""
    store = SnapshotStore(root, keep_latest_k=keep)
    store.clear()
    draft = store.begin()
    files, commit = s.participants()
    lay_out(files, draft.directory)
    return store.publish(draft, s.capture(commit, **changes)).directory


def test_what_is_published_is_read_back(tmp_path: Path) -> None:
    """A snapshot is read as it was captured, with its participants' continuations."""
    directory = publish(tmp_path / "run" / "snapshots")
    snapshot = read_snapshot(directory, topology=s.topology())

    assert directory.name == "snapshot_000001"
    assert snapshot.manifest.base_train_step == s.STEP
    assert set(snapshot.documents.ledger.groups) == {"a", "b", "r"}
    assert [str(one.replacement.capture_key) for one in snapshot.continuations] == [
        "a_g1-a1",
        "b_g0-a2",
    ]
    assert snapshot.reserve == b"two spare prompts"
    assert contents(directory).keys() == {*s.snapshot_files()}


def test_an_empty_reserve_has_no_file(tmp_path: Path) -> None:
    """Where there is nothing in reserve, nothing is written of it and nothing is missed."""
    directory = publish(tmp_path, reserve=b"")

    assert not (directory / names.RESERVE).exists()
    assert read_snapshot(directory).reserve == b""


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    """R-SNW-6, R-SNW-9: numbers rise, the newest stay, and nothing else is left."""
    for number in range(1, 6):
        assert publish(tmp_path, keep=2).name == f"snapshot_00000{number}"

    assert listed(tmp_path) == ["snapshot_000004", "snapshot_000005"]


def test_left_overs_are_cleared_and_strangers_stay(tmp_path: Path) -> None:
    """R-SNW-8: unfinished and half-deleted directories go; what is not ours is left alone."""
    publish(tmp_path)
    for name in ("tmp_snapshot_000009", "trash_snapshot_000003", "tmp_notes", "notes"):
        lay_out({"deep/er/file": b"1"}, tmp_path / name)
    (tmp_path / "tmp_snapshot_000009" / "link").symlink_to(tmp_path / "notes")
    store = SnapshotStore(tmp_path)

    assert store.begin().number == 10
    assert set(store.clear()) == {
        "tmp_snapshot_000009",
        "tmp_snapshot_000010",
        "trash_snapshot_000003",
    }
    assert listed(tmp_path) == ["notes", "snapshot_000001", "tmp_notes"]
    assert contents(tmp_path / "notes") == {"deep/er/file": b"1"}


@pytest.mark.parametrize("damage", OF_A_DIRECTORY, ids=lambda one: f"{one.rule} {one.says}")
def test_a_damaged_directory_is_refused(damage: Damage, tmp_path: Path) -> None:
    """B12: the reader of real directories refuses each damage, and names rule, file and reason."""
    world = World.whole()
    damage.spoil(world)
    directory = lay_out(world.files, tmp_path)
    before = contents(directory)
    found = CheckpointTopology.model_validate(world.topology)

    with pytest.raises(SnapshotRefused, match=damage.rule) as refused:
        read_snapshot(directory, topology=found, generations=world.generations)

    assert refused.value.rule.id == damage.rule
    assert refused.value.where
    assert refused.value.reason
    assert contents(directory) == before


@pytest.mark.parametrize(
    "name", [names.MANIFEST, names.CONFIG, "data_plane", "agent", f"model-ledger/{s.POLICY}"]
)
def test_a_link_is_refused_wherever_it_leads(name: str, tmp_path: Path) -> None:
    """R-SNP-1: a file or folder that lies elsewhere is no part of a snapshot."""
    directory = lay_out(s.snapshot_files(), tmp_path / "snapshot")
    moved = tmp_path / "elsewhere"
    (directory / name).rename(moved)
    (directory / name).symlink_to(moved)

    with pytest.raises(SnapshotRefused) as refused:
        read_snapshot(directory)

    assert refused.value.rule.id == "R-SNP-1"


def test_without_its_check_a_linked_folder_is_believed(tmp_path: Path) -> None:
    """R-SNP-1 is missed when it is left out: nothing else asks where a folder lies."""
    directory = lay_out(s.snapshot_files(), tmp_path / "snapshot")
    (directory / "data_plane").rename(tmp_path / "elsewhere")
    (directory / "data_plane").symlink_to(tmp_path / "elsewhere")
    fewer = SNAPSHOT.checks.without(SNAPSHOT.checks.place[0])

    assert read_snapshot(directory, spec=attrs.evolve(SNAPSHOT, checks=fewer))


def test_a_linked_directory_is_refused(tmp_path: Path) -> None:
    """R-SNP-1: the snapshot itself is no link."""
    lay_out(s.snapshot_files(), tmp_path / "real")
    (tmp_path / "snapshot_000001").symlink_to(tmp_path / "real")

    with pytest.raises(SnapshotRefused, match="R-SNP-1"):
        read_snapshot(tmp_path / "snapshot_000001")


def test_damage_in_the_records_of_an_agent_is_refused(tmp_path: Path) -> None:
    """The records that an agent committed are held to the agent's own rules."""
    directory = lay_out(s.snapshot_files(), tmp_path)
    part = next(directory.rglob("agent-part-*.tar"))
    part.write_bytes(part.read_bytes()[:-1] + b"x")

    with pytest.raises(SnapshotRefused, match="R-STO-"):
        read_snapshot(directory)


def test_a_pending_reply_without_a_row_is_found_in_the_records(tmp_path: Path) -> None:
    """R-SNP-68: which replies are pending stands in the agents' records, and is read there."""
    world = World.whole()
    world.index("models", lambda lines: lines.pop(1))
    directory = lay_out(world.files, tmp_path)

    with pytest.raises(SnapshotRefused, match="R-SNP-68"):
        read_snapshot(directory)


def test_a_ledger_is_held_to_its_own_rules(tmp_path: Path) -> None:
    """The recovery file is read by the checks of a saved ledger, all of it or nothing."""
    world = World.whole()
    world.sealed(names.RECOVERY, lambda saved: saved["groups"][0].update(status="finalizing"))
    directory = lay_out(world.files, tmp_path)

    with pytest.raises(SnapshotRefused, match="R-LSV-33"):
        read_snapshot(directory)


def test_what_would_be_refused_is_not_published(tmp_path: Path) -> None:
    """R-SNW-4: a capture that no reader believes leaves everything as it was."""
    publish(tmp_path)
    before = contents(tmp_path)

    with pytest.raises(SnapshotRefused) as missing:
        publish(tmp_path, staging=frozenset())
    with pytest.raises(SnapshotRefused) as unsavable:
        publish(tmp_path, current_epoch=-1)

    assert missing.value.rule.id == "R-SNP-91"
    assert unsavable.value.rule is rules.BELIEVABLE
    assert contents(tmp_path) == before
    assert listed(tmp_path) == ["snapshot_000001"]


def test_a_broken_snapshot_is_passed_over_in_a_selection(tmp_path: Path) -> None:
    """4.1: the newest that is whole and fits is chosen, the broken one is passed over."""
    publish(tmp_path)
    newest = publish(tmp_path)
    (newest / names.CONFIG).write_bytes(b"")
    candidates = SnapshotStore(tmp_path).candidates()

    choice = select(ANCHOR, candidates, participants=True)

    assert isinstance(choice, Choice)
    assert choice.candidate is not None
    assert choice.candidate.number == 1
    assert [(one.number, rule.id) for one, rule in choice.passed_over] == [(2, "R-SNS-1")]


def test_a_disk_that_fails_while_reading_is_no_damage(tmp_path: Path) -> None:
    """B19: a read that fails may succeed next time, so no snapshot is passed over for it."""
    directory = publish(tmp_path)
    reads = FaultyDisk(DISK, count_reads=True)
    read_snapshot(directory, disk=reads)

    for moment in reads.moments:
        failing = FaultyDisk(DISK, {moment.number: Fault.FAIL}, count_reads=True)
        with pytest.raises(StorageFailed):
            read_snapshot(directory, disk=failing)


def test_an_empty_root_has_no_snapshots(tmp_path: Path) -> None:
    """Before the first snapshot there is nothing to list, to clear or to choose from."""
    store = SnapshotStore(tmp_path / "none")

    assert [*store.numbers(), *store.clear(), *store.candidates()] == []
    assert DISK.look(tmp_path / "none").kind is Kind.ABSENT
    with pytest.raises(SnapshotRefused, match="R-SNP-2"):
        store.read(1)
    with pytest.raises(ValueError, match="at least one"):
        SnapshotStore(tmp_path, keep_latest_k=0)


def test_the_manifest_alone_can_be_read(tmp_path: Path) -> None:
    """Who only wants to know of which step a snapshot is reads one file."""
    directory = publish(tmp_path)

    assert manifest_in(directory).trainer_version == s.STEP
    with pytest.raises(SnapshotRefused, match="R-SNP-2"):
        manifest_in(tmp_path)


def test_a_name_that_no_file_can_have_is_a_file_that_is_not_there(tmp_path: Path) -> None:
    """R-SNP-50: a path that is too long for the file system is damage, and no failing disk."""
    world = World.whole()
    field = "storage_reference_index"
    longer: dict[str, Any] = {"relative_path": "x" * 5000}
    world.custody("models", lambda manifest: manifest[field].update(longer))
    world.commit(lambda result: result["models"][0]["result"][field].update(longer))

    with pytest.raises(SnapshotRefused, match="R-SNP-50"):
        read_snapshot(lay_out(world.files, tmp_path))
