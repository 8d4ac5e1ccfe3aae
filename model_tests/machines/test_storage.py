"""A checkpoint directory: what was committed is what is read, and it is committed once."""

import hashlib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost_reference.storage import (
    Checkpoint,
    CheckpointRefused,
    CommitSummary,
    plan_commit,
    publish_manifest,
    read_checkpoint,
    write_records,
)
from fencepost_reference.storage.layout import LIMITS, Limits, place_of
from fencepost_reference.storage.memory import MemoryDisk
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.receipts.saved import AgentBoundaryRecord, boundary_record
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

INSTANCE = "agent-a"
NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,8}", fullmatch=True)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
RECORDS = st.builds(
    boundary_record,
    st.builds(Key, NAMES, st.integers(0, 3)),
    st.integers(0, 9),
    created_at=st.floats(0, 2e9),
    model_call_id=st.none() | TEXTS.filter(bool),
    output_items=st.lists(st.dictionaries(TEXTS, TEXTS, max_size=2), max_size=2),
    revisions=st.dictionaries(TEXTS, st.integers(0, 9), max_size=2),
)
SETS_OF_RECORDS = st.lists(RECORDS, max_size=7, unique_by=lambda record: record.key).map(tuple)


def some_records(count: int = 3, created_at: float = 1.0) -> tuple[AgentBoundaryRecord, ...]:
    """Records of different rollouts, each with a committed model call."""
    return tuple(
        boundary_record(
            Key(f"r{number}", number % 2), number, created_at=created_at, model_call_id="call"
        )
        for number in range(count)
    )


def commit(
    directory: Path,
    records: tuple[AgentBoundaryRecord, ...],
    checkpoint_id: str = "c1",
    instance: str | None = INSTANCE,
    limits: Limits = LIMITS,
) -> CommitSummary:
    """All steps of a commit."""
    plan = plan_commit(directory, instance, checkpoint_id, records, limits=limits)
    write_records(plan)
    return publish_manifest(plan)


def everything(directory: Path) -> dict[str, tuple[int, int, str]]:
    """Each file below a directory, by name: which file it is, when it changed, what is in it."""
    found: dict[str, tuple[int, int, str]] = {}
    for path in sorted(directory.rglob("*")):
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(directory))] = (status.st_ino, status.st_mtime_ns, content)
    return found


@given(SETS_OF_RECORDS, st.sampled_from([None, "agent-a", "ä/b"]), st.integers(1, 4))
@settings(max_examples=60)
def test_what_was_committed_is_what_is_read(
    records: tuple[AgentBoundaryRecord, ...], instance: str | None, members_max: int
) -> None:
    """Whatever the records and however they are cut into parts, a reader gets the same back."""
    disk = MemoryDisk()
    limits = Limits(members_max, 600)
    plan = plan_commit(Path("/dir1"), instance, "c1", records, limits=limits, disk=disk)
    write_records(plan)
    summary = publish_manifest(plan)

    checkpoint = read_checkpoint(Path("/dir1"), instance, disk=disk)

    assert checkpoint == Checkpoint(
        "c1",
        tuple(sorted(records, key=lambda record: record.key)),
        summary.continuation_index,
        summary.manifest_digest,
    )
    assert summary.records == len(records)
    assert summary.continuation_index.records == sum(1 for record in records if record.root)


@given(SETS_OF_RECORDS, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_the_same_records_make_the_same_bytes(
    records: tuple[AgentBoundaryRecord, ...], random: Random
) -> None:
    """The bytes of a checkpoint depend on its records and not on their order."""
    shuffled = list(records)
    random.shuffle(shuffled)
    one = plan_commit(Path("/d"), INSTANCE, "c1", records)
    assert plan_commit(Path("/d"), INSTANCE, "c1", tuple(shuffled)).contents == one.contents


def test_the_layout_is_the_one_that_public_agents_write() -> None:
    """Manifest and continuation index have the digests that recordings show (section 6)."""
    record = boundary_record(Key("r1", 0), 1, created_at=1.0, model_call_id="call-1")
    empty = plan_commit(Path("/d"), "agent-a", "c2", ()).contents
    filled = plan_commit(Path("/d"), "agent-a", "c1", (record,)).contents
    recorded = "46b7e941bc6033b9ce8f5d50d8533dcc4cfd0784ea4c3104a45599727259dc4d"
    assert hashlib.sha256(empty.manifest).hexdigest() == recorded
    assert filled.continuation_index.model_dump() == {
        "schema_version": 1,
        "relative_path": f"{place_of('agent-a')}/continuations.jsonl",
        "sha256": "87c4751e9dc4710f16d53a41ba88a7fd8435a5e61231a638bfc0f05af757c16f",
        "records": 1,
        "bytes": 146,
    }


def test_a_part_has_at_most_512_members(tmp_path: Path) -> None:
    """The 513th record opens a second part, and names of any length fit."""
    records = tuple(boundary_record(Key("r" * 300, n), n, created_at=1.0) for n in range(513))
    commit(tmp_path, records)
    parts = sorted(path.name for path in (tmp_path / place_of(INSTANCE)).glob("*.tar"))
    assert parts == ["agent-part-000000.tar", "agent-part-000001.tar"]
    assert read_checkpoint(tmp_path, INSTANCE).records == records


def test_instances_lie_beside_each_other(tmp_path: Path) -> None:
    """Each instance reads its own records, and one without a name its own too."""
    named: tuple[str | None, ...] = (None, "agent-a", "agent-b")
    for number, instance in enumerate(named):
        commit(tmp_path, some_records(number), instance=instance)
    for number, instance in enumerate(named):
        assert len(read_checkpoint(tmp_path, instance).records) == number
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".tmp")]


def test_records_of_one_key_cannot_be_committed_twice(tmp_path: Path) -> None:
    """N10: what cannot be saved refuses the commit, names the record and writes nothing."""
    record = some_records(1)[0]
    with pytest.raises(
        CheckpointRefused, match=r"r0\.a0\.json: two records for one key"
    ) as refused:
        plan_commit(tmp_path, INSTANCE, "c1", (record, record))
    assert refused.value.rule is rules.BUILDABLE
    assert everything(tmp_path) == {}


def test_a_record_that_is_no_json_cannot_be_committed(tmp_path: Path) -> None:
    """N10: a record that holds NaN is found before anything is written."""
    record = some_records(1)[0].model_copy(update={"agent_state": {"loss": float("nan")}})
    with pytest.raises(CheckpointRefused, match=r"r0\.a0\.json: .*JSON") as refused:
        plan_commit(tmp_path, INSTANCE, "c1", (record,))
    assert refused.value.code == "agent_checkpoint_error"


def test_a_repeated_commit_answers_the_same_and_writes_nothing(tmp_path: Path) -> None:
    """R7: the same id with the same records is told what is there, whenever they were written."""
    first = commit(tmp_path, some_records())
    before = everything(tmp_path)
    assert commit(tmp_path, some_records(created_at=2.0)) == first
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    ("records", "checkpoint_id", "rule"),
    [
        (some_records(2), "c1", rules.SAME_RECORDS),
        (some_records(4), "c1", rules.SAME_RECORDS),
        ((), "c1", rules.SAME_RECORDS),
        (some_records(3), "c2", rules.SAME_CHECKPOINT),
    ],
)
def test_a_committed_directory_is_refused_to_everyone_else(
    tmp_path: Path,
    records: tuple[AgentBoundaryRecord, ...],
    checkpoint_id: str,
    rule: Rule,
) -> None:
    """R7: other records or another id are refused for certain, and the directory stays as it is."""
    commit(tmp_path, some_records())
    before = everything(tmp_path)
    for step in (write_records, publish_manifest):
        plan = plan_commit(tmp_path, INSTANCE, checkpoint_id, records)
        with pytest.raises(CheckpointRefused, match=r"manifest\.json") as refused:
            step(plan)
        assert refused.value.rule is rule
    assert everything(tmp_path) == before


def test_a_commit_follows_no_link_out_of_its_directory(tmp_path: Path) -> None:
    """R25: where the agent's folder is a link, the commit is refused, and writes nothing there."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "dir1").mkdir()
    (tmp_path / "dir1" / "agent").symlink_to(tmp_path / "outside", target_is_directory=True)
    plan = plan_commit(tmp_path / "dir1", INSTANCE, "c1", some_records())
    with pytest.raises(CheckpointRefused, match="agent: ") as refused:
        write_records(plan)
    assert refused.value.rule is rules.IN_PLACE
    assert everything(tmp_path / "outside") == {}
