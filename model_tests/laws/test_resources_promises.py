"""Every `always` of a resources server can fail: some server with one fault breaks it."""

from random import Random

import attrs
import pytest
from immutables import Map

from fencepost.resources.drawing import Scene, draw
from fencepost.resources.mutants.part import MUTANTS
from fencepost_reference.model import Step
from fencepost_reference.receipts.actions import Store
from fencepost_reference.receipts.resources.ghost import Ghost, Moment, remembered
from fencepost_reference.receipts.resources.promises import PROMISES, broken
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import Fence, Settings, State

SETTINGS = (
    Settings(),
    Settings(contract="transactional_parallel"),
    Settings(restore_expected=True, capacity=2),
)
STEPS = 120

# fmt: off
BREAKS = {
    "R-RIN-1":  ("under_lock without R-RRQ-4 key_is_below_watermark", 29),
    "R-RIN-2":  ("refuses without source", 5),
    "R-RIN-3":  ("session without superseded in bound to retired", 14),
    "R-RIN-4":  ("under_lock without R-RRQ-5 admission_is_closed", 0),
    "R-RIN-5":  ("starts are not counted", 1),
    "R-RIN-6":  ("refused request changes", 0),
    "R-RIN-7":  ("session without start_published in unbound to bound", 1),
    "R-RIN-8":  ("failure raises the revision", 40),
    "R-RIN-9":  ("contracts without serialized_per_session", 5),
    "R-RIN-10": ("prepare without R-OPS-8 another_id_is_active", 4),
    "R-RIN-12": ("resume during prepare", 0),
    "R-RIN-13": ("commit writes again", 0),
    "R-RIN-14": ("session without snapshot_installed in unbound to restored", 5),
    "R-RIN-15": ("restore without R-ROP-2 something_was_served", 1),
    "R-RIN-16": ("snapshot without revision", 2),
    "R-RIN-17": ("resume during prepare", 0),
    "R-RIN-18": ("snapshot of a retired session", 9),
    "R-RIN-19": ("never compares agents", 2),
}
# fmt: on
"""Which mutant breaks which promise, and from which seed on walks are tried."""


def broken_on_a_walk(core: ResourcesCore, seed: int) -> set[str]:
    """Return the promises that the first bad step of a walk breaks."""
    random, scene, ghost = Random(seed), Scene(), Ghost()
    state = core.initial(SETTINGS[seed % len(SETTINGS)])
    for _ in range(STEPS):
        own = core.own(state)
        drawn = not own or random.random() >= 0.6
        action = draw(scene, state, random) if drawn else random.choice(own).action
        if action is None:
            continue
        step = core.step(state, action)
        wrong = broken(state, action, step, ghost)
        if wrong:
            return {prop.id for prop in wrong}
        ghost = remembered(ghost, state, action, step)
        state = step.state
    return set()


@pytest.mark.parametrize("promise", BREAKS)
def test_a_promise_can_be_broken(promise: str) -> None:
    """A walk of a server with one fault breaks it; the same walk of the intact one breaks none."""
    name, first = BREAKS[promise]
    for seed in range(first, first + 40):
        assert broken_on_a_walk(ResourcesCore(), seed) == set()
        if promise in broken_on_a_walk(MUTANTS[name].make(), seed):
            return
    pytest.fail(f"{name} does not break {promise}")


def test_a_second_success_of_an_id_breaks_its_promise() -> None:
    """No single fault makes an operation succeed twice, so the step is made up here."""
    before = State(fence=Fence("committing", "c1"), accepting=False)
    after = attrs.evolve(before, fence=Fence("committed_paused", "c1"))
    fresh = Moment(before, Store(), Step(after), Ghost())
    known = Ghost(succeeded=Map({("c1", "commit"): True}))
    again = Moment(before, Store(), Step(after), known)

    assert PROMISES["R-RIN-11"](fresh)
    assert not PROMISES["R-RIN-11"](again)


def test_every_promise_is_tried() -> None:
    """No question is left that nothing was shown to break."""
    assert {*BREAKS, "R-RIN-11"} == set(PROMISES)
