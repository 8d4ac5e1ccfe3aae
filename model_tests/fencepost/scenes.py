"""Short scenes of an agent, whose states can be changed by hand: for promises that must break."""

from collections.abc import Callable
from typing import Any

import attrs
from immutables import Map

from fencepost.agent.reading import result_of
from fencepost.showing import boundary_of, wrong_receipt
from fencepost.walking import Walk
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.ghost import Moment
from fencepost_reference.receipts.state import Execution, State
from fencepost_spec.receipts.properties import BY_ID
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

R1, R2, R1_NEXT = Key("r1", 0), Key("r2", 0), Key("r1", 1)
RESULT = result_of({"id": "x2"})
WHY: Rule = BY_ID["R-INV-2"].rule


class Scene(Walk):
    """A walk that plays short scenes."""

    def run(self, key: Key) -> None:
        """A run arrives, and its handler begins."""
        self.take(a.Run(self.world.call, key))
        self.settle()

    def boundary(self, key: Key, index: int = 0) -> None:
        """A handler records a boundary."""
        record = boundary_of(key, index, f"m{index}", index)
        self.take(a.Work("boundary", key, self.world.line, boundary=record))
        self.settle()

    def finish(self, key: Key) -> None:
        """A handler ends with a result."""
        self.take(a.Work("finish", key, self.world.line, outcome="completed", result=RESULT))

    def call(self, op: str, checkpoint: str, **more: Any) -> None:
        """A control call arrives, and everything happens that happens by itself."""
        self.take(a.Call(self.world.call, op, a.Request(checkpoint, **more)))
        self.settle()

    def prepared(self) -> "Scene":
        """A run that stands at a boundary in a prepared checkpoint."""
        self.run(R1)
        self.take(a.Call("p", "prepare", a.Request("c1", deadline=5)))
        self.boundary(R1)
        return self

    def written(self) -> "Scene":
        """The same, written down."""
        self.prepared().call("commit", "c1", directory="d1")
        return self

    def restored(self) -> "Scene":
        """The same, restored in a process that has just started."""
        self.written().take(a.Replace())
        self.call("restore", "x1", directory="d1")
        return self

    def publishing(self) -> "Scene":
        """A prepared checkpoint one step before its manifest is visible."""
        self.prepared().take(a.Call("w", "commit", a.Request("c1", directory="d1")))
        self.take(a.Store())
        return self

    def moment(self, action: Any, change: Callable[[State], State] = lambda state: state) -> Moment:
        """The step of an action, with something changed afterwards that should not be."""
        step = self.core.step(self.state, action)
        return Moment(self.state, action, Step(change(step.state), step.outputs), self.ghost)

    def doctored(self, change: Callable[[State], State]) -> "Scene":
        """The scene in which something has been changed that should not be."""
        self.state = change(self.state)
        return self


def changed(key: Key, **changes: Any) -> Callable[[State], State]:
    """A change of the execution of a key."""

    def change(state: State) -> State:
        known = state.executions.get(key, Execution("running", None, begun=True))
        changed = attrs.evolve(known, **changes)
        return attrs.evolve(state, executions=state.executions.set(key, changed))

    return change


def fence_changed(**changes: Any) -> Callable[[State], State]:
    """A change of the fence."""
    return lambda state: attrs.evolve(state, fence=attrs.evolve(state.fence, **changes))


def history_changed(**changes: Any) -> Callable[[State], State]:
    """A change of what is remembered."""
    return lambda state: attrs.evolve(state, history=attrs.evolve(state.history, **changes))


def runs() -> Scene:
    scene = Scene()
    scene.run(R1)
    return scene


def finished() -> Scene:
    scene = runs()
    scene.finish(R1)
    return scene


def acknowledging(changed: str | None = None) -> Moment:
    scene = finished()
    receipt = scene.state.executions[R1].receipt
    assert receipt is not None
    given = receipt if changed is None else wrong_receipt(receipt, changed)
    action = a.Call("k", "acknowledge", a.Request(receipts=((R1, given),)))

    def release(state: State) -> State:
        released = attrs.evolve(state, executions=Map())
        return history_changed(acknowledged=Map({R1: receipt}))(released)

    return scene.moment(action, release)
