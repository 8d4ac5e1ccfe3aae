"""Checkpoint directories as the harness sees them: looked at, copied and spoilt from outside."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fencepost.damage import DAMAGES
from fencepost.faults import HarnessFault, ParticipantFault
from fencepost.trace.lines import JsonObject
from fencepost_reference.storage import CheckpointRefused, read_checkpoint
from fencepost_reference.storage.checks import CHECKS
from fencepost_reference.storage.layout import INDEX_NAME, MANIFEST_NAME, place_of
from fencepost_spec.receipts import storage_rules as rules

SIMPLE: Final = ("truncate", "flip", "remove")
"""Kinds of damage that any committed directory can take."""

_BY_NAME: Final = {damage.name: damage for damage in DAMAGES}

# The headers of a part are a matter of its writer; another agent's may differ from ours.
OF_OTHERS = tuple(check for check in CHECKS if check.rule is not rules.PART_FORM)


def is_known(change: str) -> bool:
    """Whether a kind of damage is one of ours."""
    return change in SIMPLE or change in _BY_NAME


def rule_of(change: str) -> str:
    """The rule that refuses a kind of damage."""
    damage = _BY_NAME.get(change)
    return "R-STO-11" if damage is None else damage.rule.id


def spoil(directory: Path, instance: str | None, change: str) -> None:
    """Damage a committed directory of an instance."""
    if change in _BY_NAME:
        _BY_NAME[change].apply(directory, instance)
        return
    place = directory / place_of(instance)
    manifest = place / MANIFEST_NAME
    if change == "remove":
        (place / INDEX_NAME).unlink()
    elif change == "truncate":
        manifest.write_bytes(manifest.read_bytes()[: manifest.stat().st_size // 2])
    elif change == "flip":
        data = bytearray(manifest.read_bytes())
        data[0] ^= 0x01  # The manifest is no JSON object any more.
        manifest.write_bytes(bytes(data))
    else:
        raise HarnessFault(f"no kind of damage is called {change!r}")


def copy(source: Path, target: Path) -> None:
    """Copy a directory as it is."""
    shutil.copytree(source, target, symlinks=True)


def look(root: Path, name: str, instance: str | None) -> JsonObject:
    """What lies in a directory, as a trace shows it."""
    with _theirs():
        return _seen(root / name, name, instance)


def _seen(directory: Path, name: str, instance: str | None) -> JsonObject:
    files = sorted(
        str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()
    )
    seen: JsonObject = {"path": name, "files": files, "manifest": False}
    if not (directory / place_of(instance) / MANIFEST_NAME).exists():
        return seen
    seen["manifest"] = True
    try:
        checkpoint = read_checkpoint(directory, instance, checks=OF_OTHERS)
    except CheckpointRefused as refused:
        return seen | {"unreadable": str(refused), "records": []}
    records = [
        {
            "rollout_id": record.rollout_id,
            "attempt_index": record.attempt_index,
            "boundary_index": record.boundary_index,
            "last_committed_model_call_id": record.last_committed_model_call_id,
            "last_committed_model_capture_key": record.last_committed_model_capture_key,
        }
        for record in checkpoint.records
    ]
    return seen | {
        "checkpoint_id": checkpoint.source_checkpoint_id,
        "instance_name": instance,
        "records": records,
    }


def empty(directory: Path) -> None:
    """Take everything out of a directory."""
    with _theirs():
        for child in directory.iterdir():
            if child.is_dir() and not child.is_symlink():
                shutil.rmtree(child)
            else:
                child.unlink()


@contextmanager
def _theirs() -> Generator[None]:
    """What lies below the folder of a participant is its own affair, and so is whether it is."""
    try:
        yield
    except OSError as error:
        reason = f"the folder that start() was given cannot be used: {error.strerror}"
        raise ParticipantFault(reason, str(error.filename or "")) from error
