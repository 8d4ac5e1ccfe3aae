"""Damaged checkpoint directories: every kind is refused, and nothing is changed.

Goal: a damaged directory is refused with its file, its reason and the rule it breaks. Method: a
good directory, spoiled in one place with all digests above it made anew.
"""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.damage import DAMAGES, Damage
from fencepost.damage.draft import put_together, take_apart
from fencepost.damage.edits import record, root
from fencepost_reference.storage import (
    CHECKS,
    CheckpointRefused,
    StorageCheck,
    plan_commit,
    publish_manifest,
    read_checkpoint,
    write_records,
)
from fencepost_reference.storage.layout import place_of
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.receipts.saved import AgentBoundaryRecord, boundary_record
from fencepost_spec.vocabulary import Key

INSTANCE = "agent-a"


def some_records() -> tuple[AgentBoundaryRecord, ...]:
    """Records of different rollouts, each with a committed model call of its own."""
    return tuple(
        boundary_record(Key(f"r{n}", n % 2), n, created_at=1.0, model_call_id=f"call-{n}")
        for n in range(3)
    )


def commit(directory: Path) -> None:
    """All steps of a commit."""
    plan = plan_commit(directory, INSTANCE, "c1", some_records())
    write_records(plan)
    publish_manifest(plan)


def everything(directory: Path) -> dict[str, tuple[int, int, str]]:
    """Each path below a directory, by name: which file it is, when it changed, what is in it."""
    found: dict[str, tuple[int, int, str]] = {}
    for path in sorted(directory.rglob("*")):
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(directory))] = (status.st_ino, status.st_mtime_ns, content)
    return found


def spoiled(directory: Path, damage: Damage) -> dict[str, tuple[int, int, str]]:
    """Commit, damage the directory, and say what lies there now."""
    directory.mkdir()
    commit(directory)
    damage.apply(directory, INSTANCE)
    return everything(directory.parent)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_damage_is_refused_with_file_and_reason(tmp_path: Path, damage: Damage) -> None:
    """I19, R20: a damaged directory is refused by the rule against it, and stays as it is."""
    before = spoiled(tmp_path / "dir1", damage)

    with pytest.raises(CheckpointRefused) as refused:
        read_checkpoint(tmp_path / "dir1", INSTANCE)

    assert refused.value.rule is damage.rule
    assert refused.value.file.startswith("agent/instance-")
    assert str(refused.value) == f"{refused.value.file}: {refused.value.reason}"
    assert len(refused.value.reason) > 10
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    "damage", [d for d in DAMAGES if d.rule is not rules.COMMITTED], ids=lambda damage: damage.name
)
def test_a_damaged_directory_is_not_written_over(tmp_path: Path, damage: Damage) -> None:
    """R7: what lies under a visible manifest is not repaired by a commit, but refused."""
    before = spoiled(tmp_path / "dir1", damage)
    plan = plan_commit(tmp_path / "dir1", INSTANCE, "c1", some_records())
    with pytest.raises(CheckpointRefused):
        write_records(plan)
    with pytest.raises(CheckpointRefused):
        publish_manifest(plan)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.rule.id)
def test_every_check_is_load_bearing(tmp_path: Path, check: StorageCheck) -> None:
    """Without any one check, each damage that it is there for goes through."""
    damages = [damage for damage in DAMAGES if damage.rule is check.rule]
    assert damages
    for number, damage in enumerate(damages):
        directory = tmp_path / f"{number}" / "dir1"
        directory.parent.mkdir()
        spoiled(directory, damage)
        lax = tuple(other for other in CHECKS if other is not check)
        assert read_checkpoint(directory, INSTANCE, checks=lax), damage.name


def test_every_reading_rule_has_its_damage() -> None:
    """No rule about reading is without a damage that it refuses, and no name is used twice."""
    assert {damage.rule for damage in DAMAGES} == {*rules.CHECK_RULES, *rules.FLOOR_RULES}
    assert {check.rule for check in CHECKS} == {*rules.CHECK_RULES}
    assert len({damage.name for damage in DAMAGES}) == len(DAMAGES)


@given(st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_changed_byte_never_changes_a_record(tmp_path: Path, data: st.DataObject) -> None:
    """Whatever byte of whatever file is changed, cut or added: refused, or the same records."""
    directory = tmp_path / "dir1"
    if not directory.exists():
        commit(directory)
    names = sorted(path.name for path in (directory / place_of(INSTANCE)).iterdir())
    path = directory / place_of(INSTANCE) / data.draw(st.sampled_from(names))
    good = path.read_bytes()
    at = data.draw(st.integers(0, len(good) - 1))
    new = data.draw(st.binary(max_size=2))
    path.write_bytes(good[:at] + new + good[at + 1 :])
    try:
        records = read_checkpoint(directory, INSTANCE).records
    except CheckpointRefused:
        records = some_records()
    finally:
        path.write_bytes(good)
    assert records == some_records()


def test_an_index_without_revisions_is_still_read(tmp_path: Path) -> None:
    """A root of an older index states no revisions; what it does state must agree."""
    commit(tmp_path)
    put_together(take_apart(tmp_path / place_of(INSTANCE)), *root(resource_state_revisions=None))
    assert read_checkpoint(tmp_path, INSTANCE).records == some_records()


def test_a_record_of_schema_1_is_still_read(tmp_path: Path) -> None:
    """A checkpoint that holds older records is restored from them, upgraded."""
    newer = ("turn_index", "boundary_kind", "pending_model", "last_committed_model_capture_key")

    def older(data: bytes) -> bytes:
        document = json.loads(data) | {"schema_version": 1}
        return json.dumps({k: v for k, v in document.items() if k not in newer}).encode("ascii")

    commit(tmp_path)
    put_together(take_apart(tmp_path / place_of(INSTANCE)), *record(older))
    assert read_checkpoint(tmp_path, INSTANCE).records == some_records()
