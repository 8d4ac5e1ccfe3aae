"""A whole world under random actions: every promise after every step, a referee, and a good end.

Hypothesis draws numbers, and each stands for one of the things that may happen: work of both
granularities on two agents, or with a policy model and a resources server; failures, crashes, lost,
late and repeated calls, storage that fails, damaged snapshots, groups that go stale. Then the
faults stop, and each sibling of each group has contributed one row; nothing is owed; a snapshot can
be published, and whoever starts from it can publish the next one.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from fencepost.exploring.world.controllers import cores_of, spec_named
from fencepost.exploring.world.driving import Broken, Drive, Endless
from fencepost.exploring.world.walking import SETTINGS, Walk
from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.actions import Began
from fencepost_reference.receipts.controller.actions import Sent, Submit
from fencepost_reference.world import World
from fencepost_reference.worlds import storing
from fencepost_reference.worlds.actions import Crash, Damage, Give, LoseAnswer, Start
from fencepost_reference.worlds.state import State
from fencepost_spec.vocabulary import Key

pytestmark = pytest.mark.slow

PLACES = 512
TURNS = 4
STEPS = 50


class WorldMachine(RuleBasedStateMachine):
    """One world and its referee."""

    def __init__(self) -> None:
        super().__init__()
        self.walk = Walk(SETTINGS[0])
        self.sound = True

    @initialize(setting=st.sampled_from(SETTINGS))
    def lives(self, setting: object) -> None:
        """Two agents, or one with everything around it."""
        self.walk = Walk(next(one for one in SETTINGS if one is setting))

    @rule(turn=st.integers(0, TURNS - 1), place=st.integers(0, PLACES - 1))
    def act(self, turn: int, place: int) -> None:
        """Anything that is possible happens; in one of four turns it comes from outside."""
        self.sound = False
        self.walk.go(turn, place)
        if self.walk.done:
            note(f"{len(self.walk.done)}. {self.walk.done[-1]}")
        self.sound = True

    @rule(steps=st.integers(1, STEPS))
    def go_on(self, steps: int) -> None:
        """Nothing comes from outside for a while, so that a checkpoint can come to its end."""
        self.sound = False
        self.walk.go_on(steps)
        self.sound = True

    def teardown(self) -> None:
        """The faults stop, and the run winds down."""
        if self.sound:
            self.walk.wind_down()


TestWorldMachine = pytest.mark.machine(WorldMachine.TestCase)
TestWorldMachine.settings = settings()


WORDS = {
    *("prepare", "pause", "commit", "restore", "resume", "retire", "acknowledge-completed"),
    *("crash of a1", "crash of policy", "crash of tools", "crash of the controller"),
    *("crash of all", "the controller starts", "restarts from a snapshot"),
    *("request lost", "answer lost", "late", "repeated", "is damaged", "goes stale"),
    *("fails: sibling", "fails: prompt_group", "a snapshot is due", "the trainer steps"),
    *("disk fails", "storage fails", "finalizer drops", "continues"),
}
"""What has to be drawn, and what has to come of it."""


def words_of(walk: Walk) -> set[str]:
    """Return the set in which every word will be that the steps of a walk show."""
    found: set[str] = set()

    def watch(action: object, step: Step) -> None:
        found.update(one.op for one in step.outputs if isinstance(one, Sent))
        if isinstance(action, Start) and step.state.controller.round is not None:
            found.add("restarts from a snapshot")
        for one in step.outputs:
            if isinstance(one, Began) and one.continuation is not None:
                found.add("continues")

    walk.drive.watchers.append(watch)
    return found


def told(name: str) -> str:
    """Return the word for a deed, as it stands among the words."""
    for word in ("goes stale", "is damaged", "disk fails", "finalizer drops"):
        if word in name:
            return word
    if name.endswith(" fails"):
        whole = name[:2] in ("g2", "g4")
        return "fails: prompt_group" if whole else "fails: sibling"
    if "will fail at" in name:
        return "storage fails"
    return name.partition(":")[0]


def wander(walk: Walk, draw: Random) -> None:
    """Take eighty steps that are drawn, and now and then some that are owed."""
    for _ in range(80):
        walk.go(draw.randrange(TURNS), draw.randrange(PLACES))
        if draw.random() < 0.1:
            walk.go_on(draw.randrange(STEPS))


def test_every_word_is_drawn_and_comes_about() -> None:
    """No fault stands in the list of a walk that never happens in one."""
    missing = set(WORDS)
    for seed in range(1, 200):
        draw = Random(seed)
        walk = Walk(SETTINGS[seed % len(SETTINGS)])
        found = words_of(walk)
        wander(walk, draw)
        missing -= found | {told(name) for name in walk.done}
        if not missing:
            return
    pytest.fail(f"no walk shows {sorted(missing)}")


def test_a_kept_result_whose_agent_has_gone_is_made_again() -> None:
    """The same attempt begins once more, since nobody told the controller; it is trained once."""
    setting = SETTINGS[0]
    drive = Drive(World(setting, cores_of(setting)))
    drive.give(Submit("g1", 1, "sibling", "a1"))
    drive.settle()
    key = Key("g1_g0", 0)
    drive.works(key, "finish")
    drive.do(LoseAnswer("run g1_g0 0"))
    while drive.state.controller.works[key].status != "kept":
        drive.do(drive.owed())
    drive.do(Crash(False, setting.places[:1]))
    drive.finish_all()

    assert {one for one, _ in drive.state.trained["g1"]} == {key}


def with_two_snapshots() -> Walk:
    """Return a walk in which both groups stand at boundaries, in two snapshots."""
    walk = Walk(SETTINGS[0])
    for group in walk.scope.groups[:2]:
        walk.do(Give(group))
    walk.drive.settle()
    for group in walk.scope.groups[:2]:
        for index in range(group.siblings):
            walk.drive.works(Key(f"{group.group_id}_g{index}", 0), "boundary")
    for _ in range(2):
        walk.drive.snapshot()
    assert [one.snapshot.number for one in walk.state.disk] == [1, 2]
    return walk


@pytest.mark.parametrize("damaged", [(), (2,), (1,), (2, 1)])
def test_a_deployment_falls_back_over_what_is_damaged(damaged: tuple[int, ...]) -> None:
    """It starts from the newest that can be read; where there is none, it refuses plainly."""
    walk = with_two_snapshots()
    for number in damaged:
        walk.do(Damage(number))
    walk.do(Crash(True, walk.scope.setting.places))
    if damaged == (2, 1):
        with pytest.raises(NotEnabled, match="no snapshot can be read"):
            walk.do(Start())
    walk.start()
    restored = set(walk.state.controller.ledger.groups)

    assert restored == (set() if damaged == (2, 1) else {"g1", "g2"})
    walk.wind_down()
    assert set(walk.state.trained) == restored


def test_who_starts_from_a_damaged_snapshot_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deployment that takes the newest, whatever it is, is refused where it starts."""
    walk = with_two_snapshots()
    walk.do(Damage(2))
    walk.do(Crash(True, walk.scope.setting.places))

    def last(state: State) -> Any:
        return state.disk[-1]

    monkeypatch.setattr(storing, "newest", last)
    with pytest.raises(AssertionError, match="it starts from 2, and not from 1"):
        walk.do(Start())


FAULTS = (
    "acknowledges only whole groups",
    "reruns after a lost reply without retiring",
    "does not repeat a release",
    "opens the gate before the release is confirmed",
    "dispatches while frozen",
    "publishes after failed storage",
    "lets a group go and forgets its attempts",
    "commits models first",
    "forgets who lost the reply to a prepare",
    "acknowledges another receipt",
    "takes a new id although the old one is not released",
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_walk_notices_a_controller_that_is_wrong(fault: str) -> None:
    """The machine is no decoration: some walk of a few hundred trips over each of these."""
    spec = spec_named(fault)
    for seed in range(1, 400):
        draw = Random(seed)
        walk = Walk(SETTINGS[0], spec)
        try:
            wander(walk, draw)
            walk.wind_down()
        except (Broken, Endless, AssertionError):
            return
    pytest.fail(f"no walk notices a controller that {fault}")
