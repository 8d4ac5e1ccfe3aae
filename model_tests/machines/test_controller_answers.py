"""Answers that no participant of ours gives: a controller does nothing by what does not fit."""

import pytest

from fencepost.controlling.deputy import receipt_for
from fencepost.controlling.play import Play
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import (
    Answer,
    Finished,
    Place,
    Readiness,
    Released,
    Retired,
    Said,
)
from fencepost_spec.vocabulary import Key

G0, G1 = Key("g1_g0", 0), Key("g1_g1", 0)
ROWS = ((G0, receipt_for(G0)), (G1, receipt_for(G1)))
ACKNOWLEDGE = "acknowledge a1"
AGENT = Place("agent", "a1")


@pytest.fixture
def owing() -> Play:
    """Return a play in which two results are acknowledged in one call that is not answered yet."""
    here = Play()
    here.submit("g1", 2)
    here.settle()
    here.finish(G0)
    here.settle(lambda here: ACKNOWLEDGE in here.coming)
    here.lose(ACKNOWLEDGE)
    here.finish(G1)
    here.settle(lambda here: ACKNOWLEDGE in here.going and len(here.state.ledger.owed) == 2)
    if len(here.going[ACKNOWLEDGE].request.receipts) < 2:
        here.lose(ACKNOWLEDGE)
        here.settle(lambda here: ACKNOWLEDGE in here.going)
    assert dict(here.going[ACKNOWLEDGE].request.receipts) == dict(ROWS)
    here.arrive(ACKNOWLEDGE)
    return here


@pytest.mark.parametrize(
    "said",
    [
        None,
        Released(()),
        Released(ROWS[:1]),
        Released((ROWS[0], (G1, receipt_for(G0)))),
        Released((*ROWS, (Key("g1_g2", 0), receipt_for(G0)))),
        Finished("f" * 64),
    ],
)
def test_an_answer_that_does_not_cover_exactly_what_was_asked_releases_nothing(
    owing: Play, said: Said
) -> None:
    """K5, K6: less, more or other than was asked is no confirmation, and all is told again."""
    owing.coming[ACKNOWLEDGE] = Answer(200, said=said)
    owing.tell(ACKNOWLEDGE)

    assert set(owing.state.ledger.owed) == {G0, G1}
    owing.settle()
    assert not owing.state.ledger.owed
    assert owing.deputies[AGENT].acknowledged == {G0, G1}


def test_a_confirmation_in_another_order_is_one(owing: Play) -> None:
    """K5: what counts is which rows are covered."""
    owing.coming[ACKNOWLEDGE] = Answer(200, said=Released(ROWS[::-1]))
    owing.tell(ACKNOWLEDGE)

    assert not owing.state.ledger.owed


@pytest.mark.parametrize("said", [None, Retired(False, False), Finished("f" * 64)])
def test_a_retire_that_says_nothing_definite_numbers_no_next_attempt(said: Said) -> None:
    """4.5: neither ended nor kept is no answer; it is asked again until there is one."""
    here = Play()
    here.submit("g1")
    here.settle()
    here.lose("run g1_g0 0")
    for _ in range(2):
        here.settle(lambda here: "retire g1_g0 0" in here.coming)
        here.coming["retire g1_g0 0"] = Answer(200, said=said)
        here.tell("retire g1_g0 0")
        assert here.state.works[G0].status == "lost"
        assert [len(one) for one in here.state.ledger.groups["g1"].siblings] == [1]
    here.settle()
    here.wind_down()


@pytest.mark.parametrize("said", [None, Readiness(False)])
def test_a_prepare_that_is_answered_well_and_not_ready_gives_the_snapshot_up(said: Said) -> None:
    """2.6: 200 without readiness is an error, and whoever was asked is released."""
    here = Play()
    here.submit("g1")
    here.settle()
    here.do(a.SnapshotDue())
    here.settle(lambda here: "prepare agent a1" in here.coming)
    here.coming["prepare agent a1"] = Answer(200, said=said)
    here.tell("prepare agent a1")
    here.settle()

    assert [one.saved for one in here.ended] == [False]
    assert {one.phase for one in here.deputies.values()} == {"idle"}
    assert here.state.gate
