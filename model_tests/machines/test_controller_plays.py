"""Short plays of the intended controller: crashes, finalizers, levels, refusals."""

import attrs
import pytest

from fencepost.controlling.play import FLEET, Play
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.book import Book
from fencepost_reference.receipts.controller.core import ControllerCore
from fencepost_reference.receipts.controller.said import Answer, Committed, Place, Restored
from fencepost_reference.receipts.controller.state import Fleet
from fencepost_spec.receipts.controller.spec import CONTROLLER
from fencepost_spec.receipts.controller.target_level import LEVELS, Level
from fencepost_spec.vocabulary import Key

BOOK = Book()
AGENT = Place("agent", "a1")
G0, G1 = Key("g1_g0", 0), Key("g1_g1", 0)


@pytest.fixture
def here() -> Play:
    """Return a play that has just begun."""
    return staged(FLEET)


def staged(fleet: Fleet) -> Play:
    """Return a play of the intended controller for a fleet."""
    return Play(core=ControllerCore(CONTROLLER, fleet, BOOK))


def test_a_whole_checkpoint_asks_each_kind_in_its_turn(here: Play) -> None:
    """Models close first, agents commit before models, and resources open first."""
    assert here.snapshot()
    assert here.log == [
        *("pause model m1", "prepare agent a1", "prepare agent a2", "prepare resources shop"),
        *("commit agent a1", "commit agent a2", "commit model m1", "commit resources shop"),
        *("store sidecars", "store manifest", "store rename"),
        *("resume resources shop", "resume agent a1", "resume agent a2", "resume model m1"),
        "ended saved",
    ]


def test_a_sealed_sibling_is_reused_and_a_running_one_goes_on_as_the_next(here: Play) -> None:
    """After a crash one row comes from the attempt before it, and one from the attempt after it."""
    here.submit("g1", 2)
    here.settle()
    here.finish(G0)
    here.settle()
    assert here.snapshot()
    here.crash()
    here.settle()

    assert here.live() == [G1.next()]
    here.wind_down()
    assert [key for key, _ in here.trained[0].rows] == [G0, G1.next()]


def test_without_a_snapshot_everything_is_gone(here: Play) -> None:
    """Whoever starts from nothing owns nothing, and may be handed the same group again."""
    here.submit("g1")
    here.settle()
    here.crash()

    assert here.groups() == ()
    here.submit("g1")
    here.wind_down()
    assert [one.group_id for one in here.trained] == ["g1"]


def test_a_trained_group_is_not_taken_again(here: Play) -> None:
    """What the snapshot knows as trained is never trained twice."""
    here.submit("g1")
    here.settle()
    here.finish(G0)
    here.settle()
    here.finalize()
    assert here.snapshot()
    here.crash()
    here.submit("g1")
    here.wind_down()

    assert [one.group_id for one in here.trained] == ["g1"]
    assert here.state.trained == ("g1",)


def test_a_dropped_group_is_owned_no_more(here: Play) -> None:
    """The finalizer may drop a group; it is gone and not trained on."""
    here.submit("g1")
    here.settle()
    here.finish(G0)
    here.settle()
    here.finalize("dropped")

    assert here.groups() == ()
    assert here.state.trained == ()


def test_an_unknown_end_of_a_finalization_ends_the_process(here: Play) -> None:
    """Nobody may guess whether rows were trained on: only a new start goes on."""
    here.submit("g1")
    here.settle()
    here.finish(G0)
    here.settle()
    here.finalize("unknown")
    before = here.state

    assert here.core.own(before) == ()
    with pytest.raises(NotEnabled, match="nobody knows"):
        here.do(a.SnapshotDue())
    assert here.state is before
    here.crash()
    assert here.state.halted == ""


def test_nothing_is_captured_while_a_group_is_finalized(here: Play) -> None:
    """A capture waits for the finalizer, and then saves a ledger without the group."""
    here.submit("g1")
    here.settle()
    here.finish(G0)
    here.settle()
    here.do(a.SnapshotDue())
    here.settle()
    assert here.disk == []
    here.finalize()
    here.settle()

    assert here.disk[0].trained == ("g1",)


def test_a_second_snapshot_waits_for_the_end_of_the_first(here: Play) -> None:
    """While a checkpoint is open, another one that falls due is turned down at once."""
    here.do(a.SnapshotDue())
    before = here.state
    here.do(a.SnapshotDue())

    assert here.ended[-1] == a.SnapshotEnded(False, "busy")
    assert here.state == before


@pytest.mark.parametrize("level", LEVELS[1:])
def test_at_a_coarser_level_nothing_continues(level: Level) -> None:
    """Below the level of turns every continuation is discarded before admission opens."""
    here = staged(attrs.evolve(FLEET, target_level=level))
    here.submit("g1")
    here.settle()
    assert here.snapshot()
    here.crash()
    here.settle(lambda here: here.state.gate)

    assert "discard g1_g0 1" in here.log
    assert here.log.index("discard g1_g0 1") > here.log.index("restore resources shop")
    assert here.deputies[AGENT].restored == set()


def test_what_is_scored_as_a_group_continues_at_no_level() -> None:
    """2.7: at the level of turns too, its continuations are discarded, and the work starts over."""
    scored = attrs.evolve(FLEET.participants[-1], group_scored=True)
    here = staged(attrs.evolve(FLEET, participants=(*FLEET.participants[:-1], scored)))
    here.submit("g1", 2, "prompt_group")
    here.settle()
    assert here.snapshot()
    here.crash()
    here.settle(lambda here: here.state.gate)

    assert {"discard g1_g0 1", "discard g1_g1 1"} <= set(here.log)
    assert here.deputies[AGENT].restored == set()
    here.wind_down()


def test_siblings_of_a_cohort_continue_at_the_level_of_turns(here: Play) -> None:
    """A cohort that was cut runs as a whole again, and each from where it was."""
    here.submit("g1", 2, "prompt_group")
    here.settle()
    assert here.snapshot()
    here.crash()
    here.settle()

    assert here.live() == [G0.next(), G1.next()]
    assert not [one for one in here.log if one.startswith("discard")]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(409, "agent_checkpoint_error"),
        Answer(200, said=Restored("c9", "other")),
    ],
    ids=["refused", "from another checkpoint"],
)
def test_a_restore_that_goes_wrong_ends_the_process(here: Play, answer: Answer) -> None:
    """There is no silent way on without what was saved."""
    here.submit("g1")
    here.settle()
    assert here.snapshot()
    here.crash()
    here.settle(lambda here: "restore agent a1" in here.coming)
    here.coming["restore agent a1"] = answer
    here.tell("restore agent a1")

    assert here.state.halted != ""
    assert not here.state.gate
    here.crash()
    here.wind_down()
    assert [one.group_id for one in here.trained] == ["g1"]


def test_a_lost_restore_is_asked_for_again(here: Play) -> None:
    """A restore answers the same when it is repeated under its id."""
    assert here.snapshot()
    here.crash()
    here.settle(lambda here: "restore agent a1" in here.coming)
    here.lose("restore agent a1")
    here.settle()

    assert here.state.gate
    assert here.log.count("restore agent a1") == 2


def test_a_whole_admission_is_waited_for(here: Play) -> None:
    """A group that is only reserved is not sent."""
    here.submit("g1", admitted=False)
    here.settle()
    assert here.log == []
    here.do(a.Admit("g1", 4))
    here.settle()

    assert here.live() == [G0]


def test_what_is_not_enabled_changes_nothing(here: Play) -> None:
    """An action that cannot happen is refused, and the state is what it was."""
    before = here.state
    for action in (
        a.Answered("nothing", Answer(200)),
        a.Lost("nothing"),
        a.DeadlinePassed(),
        a.Trained("g", "committed"),
        a.Stored(True),
        a.Capture(),
        a.Conclude(),
        a.StoreStep("rename"),
        a.Finalize("g"),
        a.Register((G0,)),
        a.Record(G0),
        a.Call("resume agent a1", AGENT, "resume", a.Request("c1")),
    ):
        with pytest.raises(NotEnabled):
            here.do(action)
        assert here.state is before


def test_a_restored_reserved_group_is_launched_after_the_admitted_ones(here: Play) -> None:
    """It was admitted while the gate was closed; what was admitted before goes first still."""
    here.submit("g1", admitted=False)
    here.submit("g2")
    here.settle(lambda here: Key("g2_g0", 0) in here.live())
    assert here.snapshot()
    here.crash()
    here.settle(lambda here: "restore agent a1" in here.coming)
    here.do(a.Admit("g1", 4))
    here.log.clear()
    here.settle()

    runs = [one for one in here.log if one.startswith("run ")]
    assert runs == ["run g2_g0 1", "run g1_g0 0"]
    assert here.state.late == frozenset()


def test_a_continuation_that_needs_an_unknown_server_ends_the_process(here: Play) -> None:
    """It can neither go on nor be dropped in silence."""
    here.submit("g1")
    here.settle()
    assert here.snapshot()
    snapshot = here.disk[-1]
    parts: list[tuple[Place, object]] = []
    for place, one in snapshot.participants:
        if isinstance(one, Committed) and one.continuations:
            (root,) = one.continuations
            root = attrs.evolve(root, revisions=(("ghost", 1),))
            one = attrs.evolve(one, continuations=(root,))  # noqa: PLW2901 - it replaces the other
        parts.append((place, one))
    here.disk[-1] = attrs.evolve(snapshot, participants=tuple(parts))
    here.crash()
    here.settle()

    assert "nobody knows" in here.state.halted
    assert not [one for one in here.log if one.startswith("restore")]
