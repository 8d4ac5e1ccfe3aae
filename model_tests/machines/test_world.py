"""The world as a composition: what becomes of a call that is lost, late, repeated, or cut off.

The controller makes the calls of a script, so that every step is chosen here.
"""

from typing import Any

import pytest

from fencepost.exploring.findings import explore
from fencepost.exploring.world.controllers import cores_of
from fencepost.exploring.world.crash_costs import (
    KEPT,
    RERUN,
    RESUMED,
    REUSED,
    in_any_order,
    points,
    setting,
)
from fencepost.exploring.world.driving import Drive
from fencepost.exploring.world.scope import NETWORK, Left, WorldScope
from fencepost.exploring.world.world import WorldOfControllers
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts.controller.actions import Request, Sent
from fencepost_reference.receipts.controller.said import (
    AGENT,
    MODEL,
    RESOURCES,
    Committed,
    Continuation,
    Finished,
    Place,
    Readiness,
)
from fencepost_reference.world import World
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.scripted import Scripted
from fencepost_reference.worlds.setting import Cores, Setting
from fencepost_spec.vocabulary import Key

AGENT_1, POLICY, TOOLS = Place(AGENT, "a1"), Place(MODEL, "policy"), Place(RESOURCES, "tools")
KEY = Key("g1_g0", 0)
ALL = Setting(models=("policy",), resources=("tools",), model_calls=1, changes=1)


def call(place: Place, op: str, **request: Any) -> Sent:
    """Return a call that is named after what it asks."""
    return Sent(f"{op} {place.instance}", place, op, Request(**request))


RUN = call(AGENT_1, "run", key=KEY)
CHECKPOINT = (
    call(POLICY, "pause", checkpoint_id="c1"),
    call(AGENT_1, "prepare", checkpoint_id="c1"),
    call(TOOLS, "prepare", checkpoint_id="c1"),
    call(AGENT_1, "commit", checkpoint_id="c1", directory="d1"),
    call(POLICY, "commit", checkpoint_id="c1", directory="d1", agents=("a1 c1",)),
    call(TOOLS, "commit", checkpoint_id="c1", directory="d1"),
    call(TOOLS, "resume", checkpoint_id="c1"),
    call(AGENT_1, "resume", checkpoint_id="c1"),
    call(POLICY, "resume", checkpoint_id="c1"),
)


def scripted(*calls: Sent, setting: Setting | None = None) -> Drive:
    """Return a world in which a script is played."""
    return Drive(World(setting or Setting(), Cores(Scripted(calls))))


def answers(drive: Drive) -> dict[str, Any]:
    """Return the dictionary in which every answer will be that the controller gets."""
    found: dict[str, Any] = {}

    def watch(_action: Any, step: Any) -> None:
        found.update({one.call: one.answer for one in step.outputs if isinstance(one, a.Returned)})

    drive.watchers.append(watch)
    return found


def sent(drive: Drive) -> None:
    """The next call of the script is on its way."""
    (own,) = [one for one in drive.world.own(drive.state) if isinstance(one.action, a.Decide)]
    drive.do(own.action)


def test_a_rollout_calls_a_model_and_changes_a_session_and_both_are_committed() -> None:
    """All three kinds of participant commit one rollout at its boundary, and it goes on after."""
    drive = scripted(RUN, *CHECKPOINT, setting=ALL)
    got = answers(drive)
    sent(drive)
    drive.do(a.Arrive(RUN.call))
    drive.do(drive.world.own(drive.state)[1].action)
    drive.works(KEY, "change", "ask", "told", "boundary")
    drive.park_all()

    assert got["prepare a1"].said == Readiness(True)
    assert got["commit a1"].said == Committed(
        "a1 c1", (Continuation(KEY, "g1_g0", "m1", (("tools", 1),)),)
    )
    assert got["commit policy"].said.references[0].key == "g1_g0.m1"
    assert got["commit tools"].ok
    drive.finish_all()
    assert got[RUN.call].said == Finished("f" * 64)


def test_a_request_that_is_lost_is_waited_for_in_vain() -> None:
    """Its participant never hears of it, and the controller is told that nothing came."""
    drive = scripted(call(AGENT_1, "prepare", checkpoint_id="c1"))
    got = answers(drive)
    sent(drive)
    drive.do(a.LoseRequest("prepare a1"))
    drive.settle()

    assert got == {"prepare a1": None}
    assert drive.state.participants[0].fence.active is None


def test_an_answer_that_is_lost_leaves_the_work_done() -> None:
    """The run goes on without its caller, and keeps its result."""
    drive = scripted(RUN)
    got = answers(drive)
    drive.settle()
    drive.do(a.LoseAnswer(RUN.call))
    drive.finish_all()

    assert got == {RUN.call: None}
    assert drive.state.participants[0].executions[KEY].status == "completed_unacknowledged"


def test_a_call_that_is_late_arrives_after_it_was_given_up() -> None:
    """Nobody hears its answer, and what it asked for is done."""
    drive = scripted(call(AGENT_1, "prepare", checkpoint_id="c1"))
    got = answers(drive)
    sent(drive)
    drive.do(a.Delay("prepare a1"))
    drive.settle()

    assert got == {"prepare a1": None}
    assert drive.state.participants[0].fence.active == "c1"
    assert not drive.state.net


def test_a_call_that_is_repeated_is_done_once() -> None:
    """The second run of a key finds the first one live; only the first is answered to anybody."""
    drive = scripted(RUN)
    got = answers(drive)
    sent(drive)
    drive.do(a.Repeat(RUN.call))
    drive.finish_all()

    assert got[RUN.call].said == Finished("f" * 64)
    assert set(drive.ghost.begun) == {KEY}
    assert not drive.state.net


def test_the_crash_of_an_agent_ends_its_calls_and_its_work() -> None:
    """Whoever waits is told that nothing came; what lies on disk stays."""
    drive = scripted(RUN)
    got = answers(drive)
    drive.settle()
    drive.works(KEY, "boundary")
    drive.settle()
    drive.do(a.Crash(False, (AGENT_1,)))
    drive.settle()

    assert got[RUN.call] is None
    assert not drive.state.handlers[0]
    assert not drive.state.participants[0].executions


def test_the_crash_of_the_controller_leaves_what_it_has_sent() -> None:
    """A call on its way arrives all the same; the work that runs goes on."""
    drive = scripted(RUN, call(AGENT_1, "prepare", checkpoint_id="c1"))
    sent(drive)
    drive.do(a.Arrive(RUN.call))
    sent(drive)
    drive.do(a.Crash(True))
    drive.settle()

    assert drive.state.controller is None
    assert drive.state.participants[0].fence.active == "c1"
    assert KEY in drive.state.participants[0].executions


def test_nothing_is_done_that_cannot_be() -> None:
    """A refused step changes nothing."""
    drive = scripted(RUN)
    before = drive.state
    for action in (
        a.Arrive("run a1"),
        a.Return("run a1"),
        a.LoseAnswer("run a1"),
        a.Work(AGENT_1, KEY, "finish"),
        a.Write(True),
        a.Tell(),
        a.Finalize("g1", "committed"),
        a.Damage(1),
        a.Start(),
        a.Crash(False),
    ):
        with pytest.raises(NotEnabled):
            drive.do(action)
        assert drive.state is before


SCRIPTS = {
    "a run and a checkpoint": (RUN, CHECKPOINT[1], CHECKPOINT[3], CHECKPOINT[7]),
    "a run that is retired": (RUN, call(AGENT_1, "retire", checkpoint_id="c1", key=KEY)),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_is_done_at_once_changes_no_verdict(name: str) -> None:
    """With every message and every answer on its own, only the numbers are larger."""
    cores = Cores(Scripted(SCRIPTS[name]))
    scope = WorldScope(name, "", snapshots=False, left=Left(fails=1))
    quick = explore(WorldOfControllers(scope, cores))
    slow_scope = WorldScope(name, "", snapshots=False, left=Left(fails=1), at_once=frozenset[str]())
    slow = explore(WorldOfControllers(slow_scope, cores))

    assert slow.states > quick.states
    assert NETWORK in scope.at_once
    for one, other in zip(quick.eventually, slow.eventually, strict=True):
        assert one.asked.answer is other.asked.answer, one.asked.property.id
    assert list(quick.wrong) == list(slow.wrong)
    assert bool(quick.deadlocks) == bool(slow.deadlocks)


@pytest.mark.parametrize("granularity", ["sibling", "prompt_group"])
def test_what_a_crash_costs_changes_with_the_rename_and_nowhere_else(granularity: str) -> None:
    """Before the rename the first snapshot counts, after it the second, for whoever restarts."""
    played = list(points(cores_of(setting()), granularity))
    renamed = next(n for n, one in enumerate(played) if one.after == "stores rename") + 1
    of_agent, of_controller, of_both = zip(*(one.costs for one in played), strict=True)

    assert of_controller == of_both
    assert {one.snapshot for one in of_controller[:renamed]} == {1}
    assert {one.snapshot for one in of_controller[renamed:]} == {2}
    assert {one.running for one in of_controller} == {RESUMED}
    assert {one.running for one in of_agent} == {RERUN}
    kept = KEPT if granularity == "sibling" else RERUN
    reused = REUSED if granularity == "sibling" else RERUN
    assert {one.finished for one in of_agent} == {kept}
    assert {one.finished for one in of_controller[:renamed]} == {RESUMED}
    assert {one.finished for one in of_controller[renamed:]} == {reused}


@pytest.mark.slow
@pytest.mark.parametrize("granularity", ["sibling", "prompt_group"])
def test_what_a_crash_costs_does_not_depend_on_the_order_of_steps(granularity: str) -> None:
    """Every state of the checkpoint costs what those cost that have the same newest snapshot."""
    told = {point.after: point.costs for point in points(cores_of(setting()), granularity)}
    expected = {f"snapshot {costs[1].snapshot}": costs for costs in told.values()}
    found = list(in_any_order(cores_of(setting()), granularity))

    assert len(found) > 31
    assert set(expected) == {"snapshot 1", "snapshot 2"}
    for point in found:
        assert point.costs == expected[point.after]
