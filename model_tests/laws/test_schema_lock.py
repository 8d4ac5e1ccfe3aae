"""A version bump is one edit; half of one does not build, a change without one does not pass."""

import copy
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fencepost_spec
from fencepost.schemas import stale_schemas, write_schemas
from fencepost_spec.schemas import SAVED, current_lock, lock_faults, schema_files

LOCK = Path(__file__).with_name("schemas.lock.json")
SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "schemas"
PACKAGE = Path(fencepost_spec.__file__).parent


def test_saved_models_have_the_shape_that_the_lock_holds() -> None:
    """A saved field that changes without a bump fails here, and the text says what to do."""
    current = current_lock()
    locked: dict[str, Any] = json.loads(LOCK.read_text(encoding="utf-8")) if LOCK.exists() else {}
    faults = lock_faults(locked, current)
    if os.environ.get("REWRITE") and not any(
        "still" in fault or "gone" in fault for fault in faults
    ):
        LOCK.write_text(json.dumps(current, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        return
    assert faults == [], "\n".join(faults)


@pytest.mark.parametrize("name", sorted(SAVED))
def test_a_changed_field_without_a_bump_is_told_what_to_do(name: str) -> None:
    """The lock names the model, the field, the version to bump and the step to add."""
    before, now = current_lock(), current_lock()
    now[name] = _with_another_field(now[name], bump=0)
    (fault,) = lock_faults(before, now)
    for words in (name, "another", "bump the version in receipts/versions.py", "UPGRADES"):
        assert words in fault


def test_a_changed_field_with_a_bump_only_asks_for_the_lock() -> None:
    """After an honest bump the lock is written again, and the change log says who must act."""
    before, now = current_lock(), current_lock()
    now["manifest"] = _with_another_field(now["manifest"], bump=1)
    (fault,) = lock_faults(before, now)
    assert "from version 2 to 3" in fault
    assert "REWRITE=1" in fault


def test_models_do_not_come_and_go_unseen() -> None:
    """A new saved model must be locked, and a locked one must stay readable."""
    lock = current_lock()
    fewer = {name: entry for name, entry in lock.items() if name != "manifest"}
    assert "manifest is new" in lock_faults(fewer, lock)[0]
    assert "manifest is gone" in lock_faults(lock, fewer)[0]
    assert lock_faults(lock, lock) == []


def _with_another_field(entry: dict[str, Any], bump: int) -> dict[str, Any]:
    changed = copy.deepcopy(entry)
    changed["fields"].append("another")
    changed["shape"] = "0" * 64
    changed["schema_version"] += bump
    return changed


# B7: each is half of a bump: the file, the old text, the new text, and what the build says.
HALF_BUMPS = {
    "the saved alias moves and nothing upgrades": (
        "receipts/versions.py",
        "SavedSchema = Annotated[Literal[2], VERSION_MARK]",
        "SavedSchema = Annotated[Literal[3], VERSION_MARK]",
        "needs upgrades from each version before it",
    ),
    "the written version moves and the read one does not": (
        "receipts/versions.py",
        "SCHEMA_VERSION: Final = version_of(SchemaVersion)",
        "SCHEMA_VERSION: Final = 2",
        "the default of schema_version is not valid",
    ),
    "the read version moves and the written one does not": (
        "receipts/versions.py",
        "SchemaVersion = Annotated[Literal[1], VERSION_MARK]",
        "SchemaVersion = Annotated[Literal[2], VERSION_MARK]\nversion_of = lambda alias: 1",
        "the default of schema_version is not valid",
    ),
    "one model types its version out by hand": (
        "receipts/saved.py",
        "    schema_version: SavedSchema\n    checkpoint_id: CheckpointId",
        "    schema_version: Literal[2]\n    checkpoint_id: CheckpointId",
        "schema_version is typed out by hand",
    ),
    "one request types its version out by hand": (
        "receipts/requests.py",
        "    schema_version: SchemaVersion = SCHEMA_VERSION",
        "    schema_version: int = SCHEMA_VERSION",
        "schema_version is typed out by hand",
    ),
}


@pytest.mark.parametrize("half", HALF_BUMPS)
def test_half_a_version_bump_cannot_be_imported(half: str, tmp_path: Path) -> None:
    """B7: an edit of the version in one place only fails the build, before any data is written."""
    file, old, new, complaint = HALF_BUMPS[half]
    answer = _import_edited(tmp_path, file, old, new)
    assert answer.returncode != 0
    assert complaint in answer.stderr


def test_a_whole_version_bump_on_the_wire_is_one_edit(tmp_path: Path) -> None:
    """The alias alone moves every default and every reader of the wire together."""
    answer = _import_edited(
        tmp_path, "receipts/versions.py", "Annotated[Literal[1]", "Annotated[Literal[7]"
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.strip() == "7 7"


def _import_edited(
    tmp_path: Path, file: str, old: str, new: str
) -> "subprocess.CompletedProcess[str]":
    copied = tmp_path / PACKAGE.name
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    text = (copied / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file} no longer says {old!r} once; edit this test with it"
    (copied / file).write_text(text.replace(old, new), encoding="utf-8")
    program = (
        "from fencepost_spec.receipts import requests, saved, wire\n"
        f"assert wire.__file__.startswith({str(copied)!r}), wire.__file__\n"
        "body = requests.PrepareCall(checkpoint_id='c1', deadline_in=1.0)\n"
        "again = requests.PrepareCall.model_validate(body.model_dump())\n"
        "print(body.schema_version, again.schema_version)\n"
    )
    return subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_published_schemas_are_what_the_models_say() -> None:
    """The JSON Schemas in the documentation are not stale; REWRITE=1 writes them again."""
    if os.environ.get("REWRITE"):
        write_schemas(SCHEMAS)
    assert [path.name for path in stale_schemas(SCHEMAS)] == []


def test_a_stale_missing_or_foreign_schema_is_noticed(tmp_path: Path) -> None:
    """A changed, a missing and a left-over file are each named, and writing repairs all three."""
    assert len(write_schemas(tmp_path)) == len(schema_files())
    assert stale_schemas(tmp_path) == []
    changed, missing, *_ = sorted(tmp_path.iterdir())
    foreign = tmp_path / "foreign.json"
    changed.write_text("{}", encoding="utf-8")
    missing.unlink()
    foreign.write_text("{}", encoding="utf-8")
    assert stale_schemas(tmp_path) == sorted([changed, foreign, missing])
    write_schemas(tmp_path)
    assert stale_schemas(tmp_path) == []
