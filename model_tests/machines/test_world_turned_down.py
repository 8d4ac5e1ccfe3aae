"""A snapshot that falls due while a checkpoint is open is turned down, and nothing else happens.

Goal: the end of the one that was turned down is taken for the end of the open one by nobody, at any
point of the open one. Method: a second one falls due at each point between two effects.
"""

import pytest

from fencepost.controller.all_cases import judged
from fencepost.controller.tale_bodies import result_of
from fencepost.controller.tales import Tale
from fencepost.exploring.world.controllers import cores_of
from fencepost.exploring.world.driving import Drive
from fencepost.exploring.world.walking import SETTINGS
from fencepost_reference.model import Step
from fencepost_reference.receipts.controller.actions import SnapshotDue, SnapshotEnded, Submit
from fencepost_reference.world import World
from fencepost_reference.worlds.ghost import Ghost
from fencepost_reference.worlds.refereeing import watch_of
from fencepost_reference.worlds.setting import Setting
from fencepost_spec.vocabulary import Key

pytestmark = pytest.mark.slow

BUSY = SnapshotEnded(False, "busy")
SAVED = SnapshotEnded(True)


def at_work(setting: Setting) -> Drive:
    """Return a watched world in which three rollouts stand at boundaries."""
    watch = watch_of(setting.places)
    drive = Drive(World(setting, cores_of(setting)), ghost=Ghost(watch=watch))
    drive.give(Submit("g1", 2, "sibling", "a1"))
    drive.give(Submit("g2", 1, "sibling", setting.agents[-1]))
    drive.settle()
    for name in ("g1_g0", "g1_g1", "g2_g0"):
        drive.works(Key(name, 0), "boundary")
    drive.settle()
    return drive


def ends_of(drive: Drive) -> list[SnapshotEnded]:
    """Return the list in which every end will be that is told from now on."""
    found: list[SnapshotEnded] = []

    def watch(_action: object, step: Step) -> None:
        found.extend(one for one in step.outputs if isinstance(one, SnapshotEnded))

    drive.watchers.append(watch)
    return found


@pytest.mark.parametrize("setting", SETTINGS, ids=["two agents", "all kinds"])
def test_one_that_is_turned_down_changes_nothing_at_any_point(setting: Setting) -> None:
    """The open one is published as if nothing had been, and every promise is kept."""
    drive = at_work(setting)
    plain = drive.copy()
    plain.snapshot()
    drive.give(SnapshotDue())
    points = 0
    while drive.state.controller.round is not None:
        other = drive.copy()
        ends = ends_of(other)
        other.give(SnapshotDue())
        assert other.state == drive.state
        other.park_all()
        assert ends == [BUSY, SAVED]
        assert other.state == plain.state
        points += 1
        drive.do(drive.next_of_checkpoint())
    assert points > 40


def test_one_that_is_turned_down_while_the_deployment_starts_changes_nothing() -> None:
    """Participants restore, and nobody takes the end for that of a snapshot."""
    drive = at_work(SETTINGS[0])
    drive.snapshot()
    drive.crash_all()
    while drive.state.controller.round is not None:
        before = drive.state
        ends = ends_of(drive)
        drive.give(SnapshotDue())
        assert ends == [BUSY]
        assert drive.state == before
        drive.do(drive.owed())


# The referee.


def test_what_comes_to_be_owed_between_two_that_fall_due_holds_nothing_up() -> None:
    """A prepare has to wait only for what was owed when the first of them fell due."""
    tale = Tale()
    tale.submit("g")
    call = tale.run()
    tale.work("snapshot_due")
    tale.reply(call, result_of(Key("g_g0", 0)))
    tale.fetch("g_g0")
    tale.work("snapshot_due")
    tale.work("snapshot_ended", saved=False, reason="busy")
    tale.prepare("c1")
    assert judged(tale) is None


def test_of_one_that_was_published_nobody_says_that_it_was_not() -> None:
    """Two fell due, so one may be turned down; the other one is told as saved."""
    tale = Tale()
    for _ in range(2):
        tale.work("snapshot_due")
    tale.held()
    tale.written()
    tale.published()
    tale.work("snapshot_ended", saved=False, reason="busy")
    assert judged(tale) is None
    tale.resume()
    tale.work("snapshot_ended", saved=False, reason="busy")
    refused = judged(tale)
    assert refused is not None
    assert refused[0] == "R-CTL-135"
