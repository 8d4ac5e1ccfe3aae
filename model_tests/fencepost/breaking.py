"""Faults of the storage, put in by the adapter or by the harness itself, from outside."""

from collections.abc import Awaitable
from pathlib import Path

from fencepost import files
from fencepost.participant import Participant
from fencepost.trace.lines import Fault, JsonObject


def storage_fault(
    participant: Participant, root: Path, instance: str | None, action: Fault
) -> Awaitable[None] | None:
    """What has to be awaited to put a fault in, or None for one that nobody knows."""
    detail = action.detail
    match action.name:
        case "hold":
            return participant.hold(str(detail.get("of", "commit")))
        case "release":
            return participant.release(str(detail.get("of", "commit")))
        case "fail":
            return participant.fail(str(detail.get("step", "records")))
        case "damage":
            return _damage(participant, root, instance, detail)
        case "copy":
            return _copy(root, detail)
        case _:
            return None


async def _damage(
    participant: Participant, root: Path, instance: str | None, detail: JsonObject
) -> None:
    directory = str(detail.get("path", "")).split("/")[0]
    change = str(detail.get("change"))
    if not files.is_known(change):
        change = files.SIMPLE[0]  # How a trace of others says it is for people.
    if "files" not in participant.capabilities:
        await participant.damage(directory, change)
    elif (root / directory).exists():
        files.spoil(root / directory, instance, change)


async def _copy(root: Path, detail: JsonObject) -> None:
    source = root / str(detail.get("from"))
    if source.exists():
        files.copy(source, root / str(detail.get("to")))
