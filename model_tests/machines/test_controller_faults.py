"""What a faulty controller does wrong: one short play each, which the intended one passes."""

import pytest

from fencepost.controller.mutants.argued import EQUIVALENT
from fencepost.controller.mutants.thought_of import THOUGHT_OF
from fencepost.controlling.duties import (
    BOOK,
    G0,
    SHOP_FORGETS,
    Scene,
    acknowledges_early,
    acknowledges_siblings_early,
    adopts,
    commits_agents_first,
    discards_orphans,
    flushes,
    frees_a_prepare,
    keeps_its_id,
    keeps_reserved,
    keeps_the_gate,
    launches_admitted_first,
    lets_go_in_full,
    notices_a_step,
    notices_failed_storage,
    opens_after_release,
    owes_until_confirmed,
    publishes_with_nothing_owed,
    records_in_one_cut,
    repeats_a_release,
    retires_before_it_runs_again,
    rolls_back_who_lost_the_reply,
    sends_the_receipt_that_came,
    starts_over,
)
from fencepost.controlling.play import FLEET, Play
from fencepost_reference.receipts.controller.core import ControllerCore
from fencepost_reference.receipts.controller.said import Answer
from fencepost_spec.receipts.controller.policy import FAULTS
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec, faulty

# fmt: off
SCENES: dict[str, Scene] = {
    "acknowledges only whole groups":                         acknowledges_early,
    "acknowledges only at the end of a group":                acknowledges_siblings_early,
    "seals first and records later":                          records_in_one_cut,
    "reruns after a lost reply without retiring":             retires_before_it_runs_again,
    "reruns what it could adopt":                             adopts,
    "ignores what holds up a prepare":                        frees_a_prepare,
    "lets a group go and forgets its attempts":               lets_go_in_full,
    "acknowledges another receipt":                           sends_the_receipt_that_came,
    "removes an obligation without an answer":                owes_until_confirmed,
    "dispatches while frozen":                                keeps_the_gate,
    "does not flush before prepare":                          flushes,
    "publishes with a full outbox":                           publishes_with_nothing_owed,
    "publishes although the step has changed":                notices_a_step,
    "publishes after failed storage":                         notices_failed_storage,
    "forgets who lost the reply to a prepare":                rolls_back_who_lost_the_reply,
    "does not repeat a release":                              repeats_a_release,
    "opens the gate before the release is confirmed":         opens_after_release,
    "takes a new id although the old one is not released":    keeps_its_id,
    "ignores orphan continuations":                           discards_orphans,
    "keeps continuations that cannot go on":                  starts_over,
    "burns reserved attempts":                                keeps_reserved,
    "relaunches reserved groups first":                       launches_admitted_first,
    "commits models first":                                   commits_agents_first,
}
# fmt: on


def test_every_fault_has_a_play() -> None:
    """No fault is listed that nothing shows: a scene here, or a story; or it is argued."""
    faults = {fault.name for fault in FAULTS}

    assert set(SCENES) <= faults <= {*SCENES, *THOUGHT_OF, *EQUIVALENT}


def staged(name: str, spec: ControllerSpec) -> bool:
    """Return whether a scene goes as it should."""
    fleet = SHOP_FORGETS if name == "keeps continuations that cannot go on" else FLEET
    try:
        return SCENES[name](Play(core=ControllerCore(spec, fleet, BOOK)))
    except (AssertionError, KeyError, ValueError):
        return False


@pytest.mark.parametrize("name", SCENES)
def test_the_intended_controller_passes_where_a_faulty_one_does_not(name: str) -> None:
    """The intended decision and no other makes the play go as it should."""
    assert staged(name, CONTROLLER)
    assert not staged(name, faulty(name))


def test_a_closed_door_is_no_failure() -> None:
    """An attempt that met a closed agent is sent again under its number."""
    here = Play(core=ControllerCore(CONTROLLER, FLEET, BOOK))
    here.submit("g1")
    here.settle(lambda here: "run g1_g0 0" in here.going)
    here.going.pop("run g1_g0 0")
    here.coming["run g1_g0 0"] = Answer(409, "agent_admission_closed")
    here.settle()

    assert here.live() == [G0]
    assert here.log == ["run g1_g0 0", "run g1_g0 0"]
