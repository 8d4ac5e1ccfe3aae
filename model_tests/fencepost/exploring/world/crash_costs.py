"""What a crash costs, for each point between two effects of a checkpoint, and whoever crashes.

A prompt group of two siblings, recovered one by one, has a snapshot in which both stand at a
boundary. One has finished since and is sealed; the other goes on. Then a second checkpoint begins,
and somebody crashes at each point of it. From there everybody does what they owe until the group
is trained, and what happened to each sibling on the way is read off.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from fencepost.exploring.world.driving import Drive
from fencepost.exploring.world.naming import named
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.controller import actions as controller
from fencepost_reference.world import World
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.setting import Cores, Setting
from fencepost_spec.vocabulary import Key

GROUP = "g1"
FINISHED, RUNNING = f"{GROUP}_g0", f"{GROUP}_g1"
WHO = ("agent", "controller", "both")
SERVERS = ("agent", "model", "resources")
"""Who may crash alone beside the controller, where all kinds are there."""

KEPT, REUSED, ADOPTED = "kept", "reused", "adopted"
RESUMED, RERUN = "resumed", "rerun"


@attrs.frozen
class Cost:
    """What became of the sibling that had finished, and of the one that ran.

    `snapshot` is the number of the one that was started from, or None where nobody started.
    """

    finished: str
    running: str
    snapshot: int | None


@attrs.frozen
class Point:
    """A point between two effects: what was done last, and the cost for each who may crash."""

    after: str
    costs: tuple[Cost, ...]


def setting() -> Setting:
    """One agent, and a disk that keeps two snapshots."""
    return Setting(keep=2)


def of_all_kinds() -> Setting:
    """The same with a policy model and a resources server, which each rollout uses twice."""
    return Setting(models=("policy",), resources=("tools",), model_calls=2, changes=2, keep=2)


def before_the_checkpoint(cores: Cores, granularity: str, here: Setting | None = None) -> Drive:
    """One snapshot, then one sibling finished and one running, and a second snapshot is due."""
    drive = Drive(World(here or setting(), cores))
    drive.give(controller.Submit(GROUP, 2, granularity, "a1"))
    drive.settle()
    for name in (FINISHED, RUNNING):
        uses = ("ask", "told") if drive.world.setting.model_calls else ()
        uses = (*uses, "change") if drive.world.setting.changes else uses
        drive.works(Key(name, 0), *uses, "boundary")
    drive.snapshot()
    assert len(drive.state.disk) == 1, "the first snapshot is published"
    drive.works(Key(FINISHED, 0), "finish")
    drive.settle()
    return drive


def in_any_order(cores: Cores, granularity: str = "sibling") -> Iterator[Point]:
    """Every state in which the checkpoint can stand, in whatever order its steps come.

    `Point.after` says which snapshot is the newest one there.
    """
    first = before_the_checkpoint(cores, granularity)
    first.give(controller.SnapshotDue())
    seen, waiting = {first.state}, [first]
    while waiting:
        drive = waiting.pop()
        yield Point(f"snapshot {drive.state.disk[-1].snapshot.number}", _costs(drive, WHO))
        for action in drive.steps_of_checkpoint():
            other = drive.copy()
            other.do(action)
            if other.state not in seen:
                seen.add(other.state)
                waiting.append(other)


def points(
    cores: Cores,
    granularity: str = "sibling",
    here: Setting | None = None,
    who: tuple[str, ...] = WHO,
) -> Iterator[Point]:
    """Every point between two effects, from before the checkpoint to after its end."""
    drive = before_the_checkpoint(cores, granularity, here)
    yield Point("before the checkpoint", _costs(drive, who))
    drive.give(controller.SnapshotDue())
    yield Point("a snapshot is due", _costs(drive, who))
    while True:
        action = drive.next_of_checkpoint()
        if action is None:
            return
        drive.do(action)
        yield Point(_words(action), _costs(drive, who))


def _words(action: Any) -> str:
    if isinstance(action, a.Work):
        return f"{action.key.rollout_id} parks"
    return named(action)


def _costs(drive: Drive, who: tuple[str, ...]) -> tuple[Cost, ...]:
    return tuple(_cost(drive.copy(), one) for one in who)


def _cost(drive: Drive, who: str) -> Cost:
    """Somebody crashes here, and everybody goes on until the group is trained."""
    places = drive.world.setting.places
    alone = tuple(place for place in places if place.kind == who)
    restarts = not alone
    watch = _Watch(restarts=restarts)
    drive.watchers.append(watch)
    drive.do(a.Crash(restarts, places if who == "both" else alone))
    start: int | None = None
    if restarts:
        start = drive.state.disk[-1].snapshot.number
        drive.do(a.Start())
    finish(drive)
    return Cost(watch.told(FINISHED, drive), watch.told(RUNNING, drive), start)


def finish(drive: Drive) -> None:
    """Everybody goes on; deadlines come for who waits in vain; then the group is trained."""
    for _ in range(20):
        drive.finish_all()
        if GROUP in drive.state.trained:
            return
        for place in drive.world.setting.places:
            drive.do(a.TimePasses(place))
            drive.settle()
        drive.give(controller.DeadlinePassed())
        drive.snapshot()
    raise AssertionError("the group is never trained")


class _Watch:
    """What happens to the siblings after a crash."""

    def __init__(self, *, restarts: bool) -> None:
        self._restarts = restarts
        self.began: dict[str, str] = {}
        self.ran: set[Key] = set()

    def __call__(self, _action: Any, step: Step) -> None:
        """Look at one step."""
        for output in step.outputs:
            if isinstance(output, agent.Began) and output.key is not None:
                how = RERUN if output.continuation is None else RESUMED
                self.began[output.key.rollout_id] = how
            if isinstance(output, controller.Sent) and output.op == "run":
                assert output.request.key is not None  # A run has a key.
                self.ran.add(output.request.key)

    def told(self, rollout: str, drive: Drive) -> str:
        """What became of a sibling, in a word."""
        if rollout in self.began:
            return self.began[rollout]
        (key,) = [key for key, _ in drive.state.trained[GROUP] if key.rollout_id == rollout]
        if key in self.ran:
            return ADOPTED
        return REUSED if self._restarts else KEPT
