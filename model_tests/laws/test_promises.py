"""Every `always` of the specification can be asked of a step, is kept by the core, and can fail."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from immutables import Map

from fencepost.agent.reading import result_of
from fencepost.showing import boundary_of, wrong_receipt
from fencepost.walking import Walk
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.ghost import Moment
from fencepost_reference.receipts.promises import PROMISES, broken
from fencepost_reference.receipts.state import Directory, Execution, Reply, State
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.properties import BY_ID, PROPERTIES
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


def _with(key: Key, **changes: Any) -> Callable[[State], State]:
    """A change of the execution of a key."""

    def change(state: State) -> State:
        known = state.executions.get(key, Execution("running", None, begun=True))
        changed = attrs.evolve(known, **changes)
        return attrs.evolve(state, executions=state.executions.set(key, changed))

    return change


def _fence(**changes: Any) -> Callable[[State], State]:
    """A change of the fence."""
    return lambda state: attrs.evolve(state, fence=attrs.evolve(state.fence, **changes))


def _history(**changes: Any) -> Callable[[State], State]:
    """A change of what is remembered."""
    return lambda state: attrs.evolve(state, history=attrs.evolve(state.history, **changes))


def _runs() -> Scene:
    scene = Scene()
    scene.run(R1)
    return scene


def _finished() -> Scene:
    scene = _runs()
    scene.finish(R1)
    return scene


def _acknowledging(changed: str | None = None) -> Moment:
    scene = _finished()
    receipt = scene.state.executions[R1].receipt
    assert receipt is not None
    given = receipt if changed is None else wrong_receipt(receipt, changed)
    action = a.Call("k", "acknowledge", a.Request(receipts=((R1, given),)))

    def release(state: State) -> State:
        released = attrs.evolve(state, executions=Map())
        return _history(acknowledged=Map({R1: receipt}))(released)

    return scene.moment(action, release)


def _began_twice() -> Moment:
    scene = _runs()
    again = scene.doctored(_with(R1, begun=False))
    return again.moment(a.Begin(R1))


def _ran_again() -> Moment:
    scene = Scene().doctored(_history(refused=Map({R1: WHY})))
    return scene.moment(a.Run("q", R1), _with(R1, begun=False))


def _over_and_back() -> Moment:
    scene = _runs()
    scene.take(a.Work("finish", R1, scene.world.line, outcome="failed"))
    forgotten = scene.doctored(_history(refused=Map()))
    return forgotten.moment(a.Run("q", R1))


def _source_lives() -> Moment:
    return Scene().restored().moment(a.Tick(1), _with(R1))


def _below() -> Moment:
    scene = Scene()
    scene.run(R1_NEXT)
    scene.take(a.Work("finish", R1_NEXT, scene.world.line, outcome="failed"))
    return scene.moment(a.Run("q", R1), _with(R1, begun=False))


def _let_in() -> Moment:
    return Scene().prepared().moment(a.Run("q", R2), _with(R2, begun=False))


def _published_while_running() -> Moment:
    return Scene().publishing().doctored(_with(R2)).moment(a.Store())


def _moved_while_counted() -> Moment:
    return Scene().prepared().moment(a.Tick(1), _with(R1, status="running"))


def _let_go_while_counted() -> Moment:
    scene = Scene().prepared()
    held = scene.state.executions[R1].held
    assert held is not None
    moment = scene.moment(a.Tick(1), _with(R1, held=None))
    returned = (a.Returned(held.token, None),)
    return attrs.evolve(moment, step=attrs.evolve(moment.step, outputs=returned))


def _finished_and_resumable() -> Moment:
    record = boundary_of(R1, 0, "m0", 0)
    return _finished().moment(
        a.Tick(1), lambda state: attrs.evolve(state, pending=Map({R1: record}))
    )


def _another_result() -> Moment:
    scene = _finished()
    receipt = scene.state.executions[R1].receipt
    assert receipt is not None
    return scene.moment(a.Tick(1), _with(R1, receipt=wrong_receipt(receipt, "result_digest")))


def _another_answer() -> Moment:
    scene = _finished()
    other = Reply(200, body=("result", "e" * 64))

    def answer(state: State) -> State:
        call = attrs.evolve(state.calls["q"], reply=other)
        return attrs.evolve(state, calls=state.calls.set("q", call))

    return scene.moment(a.Run("q", R1), answer)


def _boundary_falls() -> Moment:
    scene = _runs()
    scene.boundary(R1, 3)
    below = boundary_of(R1, 2, "m2", 2)
    return scene.moment(a.Work("boundary", R1, 9, boundary=below), _with(R1, boundary=below))


def _undeclared() -> Moment:
    scene = Scene().publishing()
    storing = scene.state.fence.storing
    assert storing is not None
    made_up = ((R1, boundary_of(R1, 7, "m7", 7)),)
    return scene.doctored(_fence(storing=attrs.evolve(storing, records=made_up))).moment(a.Store())


def _active_again() -> Moment:
    scene = Scene()
    scene.call("resume", "c1")
    return scene.moment(a.Tick(1), _fence(active="c1", phase="prepared"))


def _prepared_twice() -> Moment:
    scene = Scene().prepared()
    again = scene.doctored(_fence(phase="preparing", waiting=True))
    return again.moment(a.Conclude())


def _no_id() -> Moment:
    return Scene().prepared().moment(a.Tick(1), _fence(active=None))


def _rewritten() -> Moment:
    other = Map({"d1": Directory("committed", "c2")})
    scene = Scene().written()
    return scene.moment(a.Tick(1), lambda state: attrs.evolve(state, disk=other))


def _half_restored() -> Moment:
    scene = Scene().written()
    scene.take(a.Replace())
    scene.take(a.Call("x", "restore", a.Request("x1", directory="d1")))
    scene.take(a.Store())
    return scene.moment(a.Store(), lambda state: attrs.evolve(state, pending=Map()))


def _restored_over_work() -> Moment:
    scene = Scene().written()
    scene.take(a.Replace())
    scene.take(a.Call("x", "restore", a.Request("x1", directory="d1")))
    scene.take(a.Store())
    kept = scene.moment(a.Store())
    return attrs.evolve(kept, before=_with(R2)(kept.before))


def _record_is_lost() -> Moment:
    scene = Scene().restored()
    return scene.moment(a.Tick(1), lambda state: attrs.evolve(state, pending=Map()))


def _record_is_not_written() -> Moment:
    scene = Scene().restored()
    scene.call("resume", "x1")
    scene.call("prepare", "c2", deadline=5)

    def forget(state: State) -> State:
        storing = state.fence.storing
        assert storing is not None
        return _fence(storing=attrs.evolve(storing, records=()))(state)

    return scene.moment(a.Call("w", "commit", a.Request("c2", directory="d2")), forget)


def _open() -> Moment:
    return Scene().prepared().moment(a.Tick(1), lambda state: attrs.evolve(state, accepting=True))


def _result_of_a_retired_run() -> Moment:
    scene = Scene()
    scene.run(R1)
    scene.take(a.Call("t", "retire", a.Request("c1", key=R1, deadline=5)))
    moment = scene.moment(a.Work("finish", R1, 9, outcome="completed", result=RESULT))
    late = (a.Answered("q1", Reply(200, body=("result", RESULT[0]))),)
    return attrs.evolve(moment, step=attrs.evolve(moment.step, outputs=late))


def _two_attempts() -> Moment:
    return _runs().moment(a.Tick(1), _with(R1_NEXT))


BREAKS: tuple[tuple[str, Callable[[], Moment]], ...] = (
    ("R-INV-1", _began_twice),
    ("R-INV-2", _ran_again),
    ("R-INV-2", _over_and_back),
    ("R-INV-3", _source_lives),
    ("R-INV-4", _below),
    ("R-INV-5", _let_in),
    ("R-INV-6", _published_while_running),
    ("R-INV-7", _moved_while_counted),
    ("R-INV-7", _let_go_while_counted),
    ("R-INV-8", _finished_and_resumable),
    ("R-INV-9", _another_result),
    ("R-INV-9", _another_answer),
    *(
        ("R-INV-10", lambda field=field: _acknowledging(field))
        for field in (
            "execution_generation",
            "result_identity",
            "result_digest",
            "manifest_capture_key",
            "terminal_model_call_id",
        )
    ),
    ("R-INV-12", _boundary_falls),
    ("R-INV-13", _undeclared),
    ("R-INV-15", _active_again),
    ("R-INV-16", _prepared_twice),
    ("R-INV-17", _no_id),
    ("R-INV-18", _rewritten),
    ("R-INV-19", _half_restored),
    ("R-INV-20", _restored_over_work),
    ("R-INV-21", _record_is_lost),
    ("R-INV-21", _record_is_not_written),
    ("R-INV-22", _open),
    ("R-INV-28", _result_of_a_retired_run),
    ("R-INV-29", _two_attempts),
)


def test_every_always_is_a_promise_named_after_its_phrase() -> None:
    """There is one question for each `always`, and its name is the phrase."""
    wanted = {one.id: one.name for one in PROPERTIES if one.kind is Kind.ALWAYS}
    named = {name: promise.__name__ for name, promise in PROMISES.items()}
    words = {one: phrase.replace(",", "").replace(" ", "_") for one, phrase in wanted.items()}
    assert named == words


def test_every_promise_has_a_moment_that_breaks_it() -> None:
    """No promise is without a moment made by hand in which it is broken."""
    assert {name for name, _ in BREAKS} == set(PROMISES)


@pytest.mark.parametrize(("name", "made"), BREAKS)
def test_a_promise_can_be_broken(name: str, made: Callable[[], Moment]) -> None:
    """Each promise is broken by a moment in which something happens that it rules out."""
    moment = made()
    lost = broken(moment.before, moment.action, moment.step, moment.ghost)
    assert name in {one.id for one in lost}


def test_the_exact_receipt_breaks_nothing() -> None:
    """The moment in which a result leaves by its exact receipt keeps every promise."""
    kept = _acknowledging()
    assert not broken(kept.before, kept.action, kept.step, kept.ghost)


def test_scenes_keep_their_promises_until_they_are_changed_by_hand() -> None:
    """What the scenes are made of breaks nothing: a walk asks after every step of theirs."""
    for scene in (Scene().restored(), Scene().publishing(), _finished()):
        scene.settle()
        assert scene.at_rest
