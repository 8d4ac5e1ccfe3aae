"""The end of a run in a world: faults stop, and all that was handed over comes to its end."""

from fencepost.exploring.world.driving import Drive
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts.controller.actions import DeadlinePassed, SnapshotDue
from fencepost_reference.receipts.controller.said import MODEL
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.viewing import gate_is_open, groups, owed

ROUNDS = 40
ARMED = 9
"""More failures of storage than may be waiting to happen, so that one attempt is without."""


def wind_down(drive: Drive, expected: set[str]) -> None:
    """Everybody does what they owe until all groups are gone; then a snapshot is made and read."""
    for _ in range(ROUNDS):
        drive.finish_all()
        if not groups(drive.state.controller) and _is_at_rest(drive):
            break
        _wait_in_vain(drive)
        drive.give(SnapshotDue())
        drive.park_all()
    _check(drive)
    assert set(drive.state.trained) == expected, f"{expected ^ set(drive.state.trained)} differ"
    for group_id, rows in drive.state.trained.items():
        rollouts = sorted(key.rollout_id for key, _ in rows)
        siblings = drive.ghost.siblings[group_id]
        assert rollouts == [f"{group_id}_g{index}" for index in range(siblings)]
    _check_a_snapshot(drive)


def _is_at_rest(drive: Drive) -> bool:
    closed = [one for one in drive.state.participants if one.fence.active is not None]
    return gate_is_open(drive.state.controller) and not closed and not _kept(drive)


def _kept(drive: Drive) -> list[str]:
    """Results that an agent still keeps."""
    return [
        f"{key.rollout_id} {key.attempt}"
        for participant in drive.state.participants
        for key, one in getattr(participant, "executions", {}).items()
        if one.status == "completed_unacknowledged"
    ]


def _wait_in_vain(drive: Drive) -> None:
    """Deadlines come, for participants first."""
    for place in drive.world.setting.places:
        if place.kind != MODEL:
            drive.do(a.TimePasses(place))
    drive.settle()
    try:
        drive.do(a.Give(DeadlinePassed()))
    except NotEnabled:
        return
    drive.settle()


def _check(drive: Drive) -> None:
    """Nothing is left: no group, no obligation, no kept result, no closed door."""
    controller = drive.state.controller
    assert groups(controller) == (), f"{groups(controller)} never come to an end"
    assert owed(controller) == (), f"{owed(controller)} are owed for ever"
    assert _kept(drive) == [], f"{_kept(drive)} are kept for ever"
    assert gate_is_open(controller), "admission stays closed for ever"


def _check_a_snapshot(drive: Drive) -> None:
    """A snapshot can be published, and whoever starts from it can publish the next one."""
    for _ in range(2):
        before = drive.state.disk
        for _ in range(ARMED):
            if drive.state.disk is before:
                drive.snapshot()
        assert drive.state.disk is not before, "no snapshot can be published any more"
        assert gate_is_open(drive.state.controller), "admission stays closed after a snapshot"
        drive.do(a.Crash(True, drive.world.setting.places))
        drive.do(a.Start())
        drive.finish_all()
        _check(drive)
