"""Every `always` of the specification can be asked of a step, is kept by the core, and can fail."""

from collections.abc import Callable

import attrs
import pytest
from immutables import Map

from fencepost.scenes import (
    R1,
    R1_NEXT,
    R2,
    RESULT,
    WHY,
    Scene,
    acknowledging,
    changed,
    fence_changed,
    finished,
    history_changed,
    runs,
)
from fencepost.showing import boundary_of, wrong_receipt
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.ghost import Moment
from fencepost_reference.receipts.promises import PROMISES, broken
from fencepost_reference.receipts.state import Directory, Reply, State
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.properties import PROPERTIES


def _began_twice() -> Moment:
    scene = runs()
    again = scene.doctored(changed(R1, begun=False))
    return again.moment(a.Begin(R1))


def _ran_again() -> Moment:
    scene = Scene().doctored(history_changed(refused=Map({R1: WHY})))
    return scene.moment(a.Run("q", R1), changed(R1, begun=False))


def _over_and_back() -> Moment:
    scene = runs()
    scene.take(a.Work("finish", R1, scene.world.line, outcome="failed"))
    forgotten = scene.doctored(history_changed(refused=Map()))
    return forgotten.moment(a.Run("q", R1))


def _source_lives() -> Moment:
    return Scene().restored().moment(a.Tick(1), changed(R1))


def _below() -> Moment:
    scene = Scene()
    scene.run(R1_NEXT)
    scene.take(a.Work("finish", R1_NEXT, scene.world.line, outcome="failed"))
    return scene.moment(a.Run("q", R1), changed(R1, begun=False))


def _let_in() -> Moment:
    return Scene().prepared().moment(a.Run("q", R2), changed(R2, begun=False))


def _published_while_running() -> Moment:
    return Scene().publishing().doctored(changed(R2)).moment(a.Store())


def _moved_while_counted() -> Moment:
    return Scene().prepared().moment(a.Tick(1), changed(R1, status="running"))


def _let_go_while_counted() -> Moment:
    scene = Scene().prepared()
    held = scene.state.executions[R1].held
    assert held is not None
    moment = scene.moment(a.Tick(1), changed(R1, held=None))
    returned = (a.Returned(held.token, None),)
    return attrs.evolve(moment, step=attrs.evolve(moment.step, outputs=returned))


def _finished_and_resumable() -> Moment:
    record = boundary_of(R1, 0, "m0", 0)
    return finished().moment(
        a.Tick(1), lambda state: attrs.evolve(state, pending=Map({R1: record}))
    )


def _another_result() -> Moment:
    scene = finished()
    receipt = scene.state.executions[R1].receipt
    assert receipt is not None
    return scene.moment(a.Tick(1), changed(R1, receipt=wrong_receipt(receipt, "result_digest")))


def _another_answer() -> Moment:
    scene = finished()
    other = Reply(200, body=("result", "e" * 64))

    def answer(state: State) -> State:
        call = attrs.evolve(state.calls["q"], reply=other)
        return attrs.evolve(state, calls=state.calls.set("q", call))

    return scene.moment(a.Run("q", R1), answer)


def _boundary_falls() -> Moment:
    scene = runs()
    scene.boundary(R1, 3)
    below = boundary_of(R1, 2, "m2", 2)
    return scene.moment(a.Work("boundary", R1, 9, boundary=below), changed(R1, boundary=below))


def _undeclared() -> Moment:
    scene = Scene().publishing()
    storing = scene.state.fence.storing
    assert storing is not None
    made_up = ((R1, boundary_of(R1, 7, "m7", 7)),)
    return scene.doctored(fence_changed(storing=attrs.evolve(storing, records=made_up))).moment(
        a.Store()
    )


def _active_again() -> Moment:
    scene = Scene()
    scene.call("resume", "c1")
    return scene.moment(a.Tick(1), fence_changed(active="c1", phase="prepared"))


def _prepared_twice() -> Moment:
    scene = Scene().prepared()
    again = scene.doctored(fence_changed(phase="preparing", waiting=True))
    return again.moment(a.Conclude())


def _no_id() -> Moment:
    return Scene().prepared().moment(a.Tick(1), fence_changed(active=None))


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
    return Moment(changed(R2)(kept.before), kept.action, kept.step, kept.ghost)


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
        return fence_changed(storing=attrs.evolve(storing, records=()))(state)

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
    return runs().moment(a.Tick(1), changed(R1_NEXT))


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
        ("R-INV-10", lambda field=field: acknowledging(field))
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
    kept = acknowledging()
    assert not broken(kept.before, kept.action, kept.step, kept.ghost)


def test_scenes_keep_their_promises_until_they_are_changed_by_hand() -> None:
    """What the scenes are made of breaks nothing: a walk asks after every step of theirs."""
    for scene in (Scene().restored(), Scene().publishing(), finished()):
        scene.settle()
        assert scene.at_rest
