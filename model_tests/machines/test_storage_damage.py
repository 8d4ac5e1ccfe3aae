"""Damaged checkpoint directories: every kind is refused, and nothing is changed.

Goal: a damaged directory is refused with its file, its reason and the rule it breaks. Method: a
good directory, spoiled in one place with all digests above it made anew.
"""

import hashlib
import json
import os
import tarfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.damage import DAMAGES, Damage
from fencepost.damage.draft import Edit, put_together, take_apart
from fencepost.damage.edits import FIRST, Change, Placed, disk, file, record, root
from fencepost_reference.storage import (
    CHECKS,
    CheckpointRefused,
    StorageCheck,
    plan_commit,
    publish_manifest,
    read_checkpoint,
    write_records,
)
from fencepost_reference.storage.layout import (
    CONTINUATIONS_NAME,
    INDEX_NAME,
    MANIFEST_NAME,
    place_of,
)
from fencepost_reference.storage.parts import decode_part, encode_part
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.receipts.saved import AgentBoundaryRecord, boundary_record
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

INSTANCE = "agent-a"
GIB = 1024**3


def headed(**keywords: str) -> Change:
    """The part with an extended header before its first member, all of it well formed."""

    def change(data: bytes) -> bytes:
        (name, content), *rest = decode_part(data)
        buffer = BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as part:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            info.pax_headers = {word.replace("_", "."): value for word, value in keywords.items()}
            part.addfile(info, BytesIO(content))
            for other, more in rest:
                info = tarfile.TarInfo(other)
                info.size = len(more)
                part.addfile(info, BytesIO(more))
        return buffer.getvalue()

    return change


def mode(data: bytes) -> bytes:
    """The part with another mode in its first header, and the checksum of that."""
    header = tarfile.TarInfo.frombuf(data[:512], "utf-8", "strict")
    header.mode = 0o600
    return header.tobuf(tarfile.USTAR_FORMAT) + data[512:]


def grown(name: str, size: int) -> Edit:
    """A file that ends in a hole, as large as nobody can read."""
    return lambda draft: os.truncate(draft.place / name, size)


# fmt: off
MORE: Mapping[Rule, Mapping[str, Placed]] = {
    rules.PART_FORM: {
        "an endless size":         file(FIRST, headed(size="9" * 24)),
        "a negative size":         file(FIRST, headed(size="-5")),
        "an endless hole":         file(FIRST, headed(GNU_sparse_map="0,1,99999999999,1",
                                                     GNU_sparse_size="999999999999")),
        "a hole of a gigabyte":    file(FIRST, headed(GNU_sparse_map="0,1,1000000000,1",
                                                     GNU_sparse_size="1000000001")),
        "a hole of the first kind": file(FIRST, headed(GNU_sparse_offset="0",
                                                     GNU_sparse_numbytes="5",
                                                     GNU_sparse_size="9" * 20)),
        "a comment":               file(FIRST, headed(comment="x")),
        "a time that is none":     file(FIRST, headed(mtime="nan")),
        "an owner":                file(FIRST, headed(uid="9" * 6000)),
        "an unknown charset":      file(FIRST, headed(hdrcharset="zzz")),
        "another mode":            file(FIRST, mode),
        "more empty blocks":       file(FIRST, lambda data: data + bytes(512)),
    },
    rules.INDEX_LINES: {
        "a zero with a sign in a line":
            file(INDEX_NAME, lambda data: data.replace(b'_index":0', b'_index":-0', 1)),
    },
    rules.ROOT_LINES: {
        "a zero with a sign in a root":
            file(CONTINUATIONS_NAME, lambda data: data.replace(b'_index":0', b'_index":-0', 1)),
    },
    rules.RECORD_TEXT: {
        "a zero with a sign in a record":
            record(lambda data: data.replace(b'_index":0', b'_index":-0', 1)),
    },
    rules.READABLE: {
        "a manifest without end":  disk(grown(MANIFEST_NAME, 20 * GIB)),
        "an index without end":    disk(grown(INDEX_NAME, 20 * GIB)),
        "roots without end":       disk(grown(CONTINUATIONS_NAME, 20 * GIB)),
        "an endless part":         disk(grown(FIRST, 20 * GIB)),
        "a part with one byte more": disk(lambda draft: os.truncate(
            draft.place / FIRST, (draft.place / FIRST).stat().st_size + 1)),
    },
}
# fmt: on
ALL = DAMAGES + tuple(
    Damage(name, rule, edit) for rule, ways in MORE.items() for name, edit in ways.items()
)


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
        # A file that is too large to be read is known by its size.
        small = path.is_file() and status.st_size < GIB
        content = hashlib.sha256(path.read_bytes()).hexdigest() if small else f"{status.st_size}"
        found[str(path.relative_to(directory))] = (status.st_ino, status.st_mtime_ns, content)
    return found


def spoiled(directory: Path, damage: Damage) -> dict[str, tuple[int, int, str]]:
    """Commit, damage the directory, and say what lies there now."""
    directory.mkdir()
    commit(directory)
    damage.apply(directory, INSTANCE)
    return everything(directory.parent)


@pytest.mark.parametrize("damage", ALL, ids=lambda damage: damage.name)
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
    "damage", [d for d in ALL if d.rule is not rules.COMMITTED], ids=lambda damage: damage.name
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
    damages = [damage for damage in ALL if damage.rule is check.rule]
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
    assert len({damage.name for damage in ALL}) == len(ALL)


def test_a_file_that_declares_too_much_is_not_read(tmp_path: Path) -> None:
    """A limit holds whatever the manifest says, also when the file is as large as it says."""
    commit(tmp_path)
    place = tmp_path / place_of(INSTANCE)
    os.truncate(place / FIRST, 20 * GIB)
    document = json.loads((place / MANIFEST_NAME).read_bytes())
    document["archives"][0]["bytes"] = 20 * GIB
    (place / MANIFEST_NAME).write_text(json.dumps(document))
    with pytest.raises(CheckpointRefused, match="is not read") as refused:
        read_checkpoint(tmp_path, INSTANCE)
    assert refused.value.rule is rules.READABLE


@pytest.mark.parametrize("path", ["a\0b", "a\ud800", "x" * 5000])
def test_a_path_that_names_nothing_is_refused(path: str) -> None:
    """A path that no file system takes is refused like any other that cannot be read."""
    with pytest.raises(CheckpointRefused):
        read_checkpoint(Path("/tmp") / path, INSTANCE)
    if len(path) < 10:
        with pytest.raises(CheckpointRefused) as refused:
            plan_commit(Path(path), INSTANCE, "c1", some_records())
        assert refused.value.rule is rules.BUILDABLE


def test_a_part_has_the_same_bytes_on_every_interpreter() -> None:
    """Exact parts may be asked for because a part is a function of its members alone."""
    part = encode_part([("a.json", b"{}"), ("r" * 300 + ".a0.json", b"[1]" * 200)])
    assert (
        hashlib.sha256(part).hexdigest()
        == "a371318f4f61aa5ae30107eaf1ad24764fb172a708a5d7eec8e34bb9792b3356"
    )


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
