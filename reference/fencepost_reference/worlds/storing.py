"""Snapshots on the disk of the controller: written step by step, visible by one rename."""

from typing import Any

import attrs

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller import actions as controller
from fencepost_reference.receipts.controller.said import MODEL
from fencepost_reference.worlds.setting import Setting
from fencepost_reference.worlds.state import Published, State, Writing

RENAME = "rename"


def write(setting: Setting, state: State, action: object, *, ok: bool) -> Step:
    """The disk does the step that it was asked for, or fails and leaves everything as it was."""
    writing = state.writing
    if writing is None or writing.done is not None:
        raise NotEnabled(action, "the disk was asked for nothing")
    state = change(state, writing=Writing(writing.storing, ok))
    if ok and writing.storing.step == RENAME:
        trained = state.trained if state.captured is None else state.captured
        made = Published(writing.storing.snapshot, trained=trained)
        state = change(state, captured=None, disk=(*state.disk, made)[-setting.keep :])
    return Step(state)


def asked(state: State, storing: controller.Storing) -> State:
    """The disk is asked for a step."""
    return change(state, writing=Writing(storing))


def newest(state: State) -> Published | None:
    """The newest snapshot that can be read; broken ones are skipped."""
    readable = [one for one in state.disk if not one.damaged]
    return readable[-1] if readable else None


def is_unreadable(state: State) -> bool:
    """Whether snapshots were published, and none of them can be read."""
    return bool(state.disk) and newest(state) is None


def cleared(state: State, action: object) -> Step:
    """Somebody takes away what cannot be read, so that the next deployment starts from nothing."""
    if state.controller is not None or not is_unreadable(state):
        raise NotEnabled(action, "a controller runs, or a snapshot can be read")
    return Step(change(state, disk=()))


def damage(state: State, action: object, number: int) -> Step:
    """A published snapshot cannot be read any more."""
    hit = [one for one in state.disk if one.snapshot.number == number and not one.damaged]
    if not hit:
        raise NotEnabled(action, "no such snapshot can be read")
    disk = tuple(attrs.evolve(one, damaged=True) if one in hit else one for one in state.disk)
    return Step(change(state, disk=disk))


def first_free(state: State) -> int:
    """The first number that no published snapshot has."""
    return 1 + max((one.snapshot.number for one in state.disk), default=0)


def swept(setting: Setting, state: State) -> State:
    """What belongs to no published snapshot is removed, wherever a participant wrote it."""
    kept = {one.snapshot.checkpoint_id for one in state.disk}
    swept = tuple(
        _without(place.kind, participant, kept)
        for place, participant in zip(setting.places, state.participants, strict=True)
    )
    same = all(new is old for new, old in zip(swept, state.participants, strict=True))
    return state if same else change(state, participants=swept)


def _without(kind: str, participant: Any, kept: set[str]) -> Any:
    """A participant on whose disk only what belongs to some checkpoints is left."""
    disk = participant.disk
    for name, directory in participant.disk.items():
        if (directory.id if kind == MODEL else directory.source) not in kept:
            disk = disk.delete(name)
    if disk is not participant.disk:
        participant = change(participant, disk=disk)
    if kind == MODEL:
        gone = [path for path in participant.indexes if path.split(" ")[-1] not in kept]
        for path in gone:
            participant = change(participant, indexes=participant.indexes.delete(path))
    return participant
