"""Plays that together use every row that a controller's core uses."""

from fencepost.controlling.deputy import receipt_for
from fencepost.controlling.play import Play
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import (
    Answer,
    Committed,
    Continuation,
    Place,
    Receipted,
    StorageReference,
)
from fencepost_spec.vocabulary import Key

G0, G1 = Key("g1_g0", 0), Key("g1_g1", 0)


def _a_group_that_fails_and_is_lost(here: Play) -> None:
    here.submit("g1", 2)
    here.settle()
    here.fail(G0)
    here.finish(G1)
    here.settle()
    here.lose("run g1_g0 1")
    here.settle(lambda here: "retire g1_g0 1" in here.going)
    here.lose("retire g1_g0 1")
    here.settle()
    here.wind_down()


def _a_result_is_adopted(here: Play) -> None:
    here.submit("g1")
    here.settle()
    call = here.running(G0).finish(G0)
    assert call is not None
    here.lose(call)
    here.settle(lambda here: "run g1_g0 0" in here.coming)
    here.lose("run g1_g0 0")
    here.settle(lambda here: "run g1_g0 0" in here.coming)
    here.coming["run g1_g0 0"] = Answer(409, "agent_admission_closed")
    here.settle(lambda here: "receipt g1_g0 0" in here.coming)
    here.lose("receipt g1_g0 0")
    here.settle(lambda here: "acknowledge a1" in here.going)
    here.deputies[Place("agent", "a1")].replace()
    here.wind_down()


def _a_receipt_names_another(here: Play) -> None:
    """Neither of another attempt, nor of another result: the third one is taken."""
    here.submit("g1")
    here.settle()
    here.finish(G0)
    other = receipt_for(G1)
    for wrong in (Receipted(G1, receipt_for(G0)), Receipted(G0.next(), receipt_for(G0)),
                  Receipted(G0, other)):  # fmt: skip
        here.settle(lambda here: "receipt g1_g0 0" in here.coming)
        here.coming["receipt g1_g0 0"] = Answer(200, said=wrong)
        here.tell("receipt g1_g0 0")
        assert here.state.works[G0].status == "lost"
        assert not here.state.ledger.owed
    here.settle()
    assert here.deputies[Place("agent", "a1")].acknowledged == {G0}
    here.wind_down()


def _a_group_is_let_go(here: Play) -> None:
    here.submit("g1", 2, "prompt_group")
    here.settle(lambda here: "run g1_g1 0" in here.going)
    here.arrive("run g1_g0 0")
    here.coming["run g1_g1 0"] = Answer(409, "agent_admission_closed")
    del here.going["run g1_g1 0"]
    here.do(a.SnapshotDue())
    here.tell("run g1_g1 0")
    here.do(a.GoneStale("g1"))
    here.finish(G0)
    here.settle()
    here.wind_down()


def _a_group_is_let_go_while_its_result_is_adopted(here: Play) -> None:
    here.submit("g1")
    here.settle()
    call = here.running(G0).finish(G0)
    assert call is not None
    here.lose(call)
    here.settle(lambda here: "run g1_g0 0" in here.going)
    here.do(a.GoneStale("g1"))
    here.settle(lambda here: "receipt g1_g0 0" in here.log)
    here.wind_down()


def _a_deadline_after_all_are_prepared(here: Play) -> None:
    here.submit("g1")
    here.settle()
    here.do(a.SnapshotDue())
    here.settle(lambda here: "prepare agent a1" in here.going)
    here.finish(G0)
    here.settle(lambda here: "acknowledge a1" in here.coming)
    here.parked["acknowledge a1"] = here.coming.pop("acknowledge a1")
    here.settle()
    here.do(a.DeadlinePassed())
    here.settle()
    here.coming["acknowledge a1"] = here.parked.pop("acknowledge a1")
    here.wind_down()


def _a_restored_group_is_let_go(here: Play) -> None:
    here.submit("g1")
    here.settle()
    assert here.snapshot()
    here.crash()
    here.do(a.GoneStale("g1"))
    here.settle()
    assert here.deputies[Place("agent", "a1")].restored == set()


def _a_restored_group_goes_on(here: Play) -> None:
    here.submit("g1")
    here.settle()
    assert here.snapshot()
    here.crash()
    here.wind_down()


def _a_closed_door(here: Play) -> None:
    here.submit("g1")
    here.settle(lambda here: "run g1_g0 0" in here.going)
    here.coming["run g1_g0 0"] = Answer(409, "agent_admission_closed")
    del here.going["run g1_g0 0"]
    here.wind_down()


def _a_late_result(here: Play) -> None:
    here.submit("g1")
    here.settle(lambda here: "run g1_g0 0" in here.going)
    here.coming["run g1_g0 0"] = Answer(500, "failed")
    del here.going["run g1_g0 0"]
    here.do(a.SnapshotDue())
    here.tell("run g1_g0 0")
    assert here.state.works[G0].status == "released"
    here.settle()
    here.wind_down()


def _snapshots(here: Play) -> None:
    here.submit("g1")
    here.settle()
    assert here.snapshot()
    for step in ("sidecars", "manifest", "rename"):
        here.do(a.SnapshotDue())
        here.settle(lambda here, step=step: here.writing is not None and here.writing.step == step)  # type: ignore[misc]  # a lambda with a default
        here.write(ok=False)
        here.settle()
    here.crash()
    here.settle()
    for call in ("pause model m1", "prepare agent a2", "commit agent a1"):
        here.do(a.SnapshotDue())
        here.settle(lambda here, call=call: call in here.coming)  # type: ignore[misc]  # as above
        here.lose(call)
        here.settle()
    here.do(a.SnapshotDue())
    here.do(a.DeadlinePassed())
    here.settle()
    here.do(a.SnapshotDue())
    here.settle(lambda here: "commit agent a1" in here.going)
    here.do(a.TrainerStepped())
    here.settle()


def _references_do_not_fit(here: Play) -> None:
    model = here.deputies[Place("model", "m1")]
    model.disk["c1"] = Committed("m", references=(StorageReference("other", "call", "row"),))
    assert not here.snapshot()
    agent = here.deputies[Place("agent", "a1")]
    agent.disk["c2"] = Committed("a", (Continuation(G0, "g1_g0", "call"),))
    model.disk["c2"] = Committed("m", references=(StorageReference("g1_g0", "call", "row"),))
    assert here.snapshot()


PLAYS = (
    _a_group_that_fails_and_is_lost,
    _a_result_is_adopted,
    _a_receipt_names_another,
    _a_group_is_let_go,
    _a_group_is_let_go_while_its_result_is_adopted,
    _a_deadline_after_all_are_prepared,
    _a_closed_door,
    _a_restored_group_goes_on,
    _a_restored_group_is_let_go,
    _a_late_result,
    _snapshots,
    _references_do_not_fit,
)
