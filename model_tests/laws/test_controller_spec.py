"""A controller as data: charts, decisions and levels; nothing stands there that nothing needs."""

from itertools import product
from typing import Any

import attrs
import pytest

from fencepost import catalog
from fencepost.controlling.play import FLEET, Play
from fencepost.controlling.plays import PLAYS
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts.controller.book import Book
from fencepost_reference.receipts.controller.core import ControllerCore
from fencepost_spec.receipts.controller import guards as g
from fencepost_spec.receipts.controller.policy import DECISIONS, FAULTS, POLICY
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.receipts.controller.target_level import (
    LEVELS,
    Level,
    capability,
    effective_level,
)
from fencepost_spec.table import Row, Table

BOOK = Book()
NAMES = ("fence", "transaction", "publication", "attempt")
ROWS = [(name, row) for name in NAMES for row in getattr(CONTROLLER, name).rows]


def test_every_switch_is_decided_and_has_a_fault() -> None:
    """A decision without a rule, or one that no fault turns, would be a wish."""
    switches = {field.name for field in attrs.fields(type(POLICY))}
    orders = {"prepare_order", "restore_order", "release_order"}
    turned = {
        name
        for fault in FAULTS
        for name in switches
        if getattr(fault.policy, name) != getattr(POLICY, name)
    }

    assert {one.switch for one in DECISIONS} == switches
    # Which order is right is asked of the calls, not of the core.
    assert turned == switches - orders
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def test_what_decides_has_a_rule_of_the_catalog() -> None:
    """Rows and decisions carry rules that the catalog knows as they are."""
    assert all(catalog.rule(rule.id) == rule for rule in CONTROLLER.rules())
    assert set(CONTROLLER.rules()) <= set(catalog.rules_of("controller"))


@pytest.mark.parametrize(("target", "can"), [*product(LEVELS, LEVELS)])
def test_the_level_is_the_coarser_one(target: Level, can: Level) -> None:
    """No environment is recovered at a finer level than it can be, or than is wanted."""
    found = effective_level(target, can)

    assert LEVELS.index(found) == max(LEVELS.index(target), LEVELS.index(can))
    assert effective_level(target, can, group_scored=True) == "prompt_group"
    assert capability("restart_only") == "sibling"


def told(spec: ControllerSpec) -> list[object]:
    """Return everything that is seen in the plays, and how each ends."""
    found: list[object] = []
    for scene in PLAYS:
        here = Play(core=ControllerCore(spec, FLEET, BOOK))
        try:
            scene(here)
        except (AssertionError, KeyError, ValueError, StopIteration, NotEnabled) as error:
            found.append(type(error).__name__)
        found += [tuple(here.log), here.state.gate, here.state.halted, tuple(here.state.works)]
    return found


@pytest.fixture(scope="module")
def intended() -> list[object]:
    """Return what the intended controller shows."""
    return told(CONTROLLER)


def test_the_plays_go_through(intended: list[object]) -> None:
    """The intended controller brings each play to its end."""
    assert not [one for one in intended if isinstance(one, str) and one.endswith("Error")]


UNUSED = {
    "R-CDF-3": "one core never freezes twice; a restarted actor may",
    "R-CDF-5": "one core never opens twice; a repeated release may",
    "R-CTX-10": "an event without a row changes nothing either; the row says why that is so",
    "R-CPB-6": "the intended core waits for the outbox before it commits",
    "R-CAT-21": "only a participant that was replaced answers after a release",
}
"""Rows that the intended core never needs, each with the reason; their tables are asked below."""


@pytest.mark.parametrize(
    ("name", "row"), ROWS, ids=[f"{r.rule.id}-{r.source}-{r.event}" for _, r in ROWS]
)
def test_a_row_that_is_left_out_is_noticed(name: str, row: Row, intended: list[object]) -> None:
    """Every row is load-bearing: without it some play goes otherwise."""
    table: Table = getattr(CONTROLLER, name)
    fewer: dict[str, Any] = {name: table.without(row)}
    without = attrs.evolve(CONTROLLER, **fewer)
    if row.rule.id in UNUSED:
        assert told(without) == intended
        return

    assert told(without) != intended


def test_the_fence_takes_an_id_once() -> None:
    """A used-up id freezes nothing, another one opens nothing, and a repetition changes nothing."""
    fence = CONTROLLER.fence
    fresh, holds, over = (
        g.FenceFacts(fresh=True),
        g.FenceFacts(holds=True),
        g.FenceFacts(retired=True),
    )

    def after(state: str, event: str, facts: g.FenceFacts) -> str | None:
        row = fence.find(state, event, facts)
        return None if row is None else row.target

    assert after("unfrozen", "freeze_called", fresh) == "frozen"
    assert after("unfrozen", "freeze_called", over) is None
    assert after("frozen", "freeze_called", holds) == "frozen"
    assert after("frozen", "freeze_called", fresh) is None
    assert after("frozen", "unfreeze_called", holds) == "unfrozen"
    assert after("frozen", "unfreeze_called", fresh) is None
    assert after("unfrozen", "unfreeze_called", over) == "unfrozen"
    assert after("unfrozen", "unfreeze_called", fresh) is None
    assert after("frozen", "batch_registered", fresh) is None


def test_what_is_owed_is_not_captured_even_if_nobody_flushed() -> None:
    """The capture itself refuses a full outbox."""
    row = CONTROLLER.publication.find(
        "committed", "capture_called", g.RoundFacts(outbox_empty=False)
    )

    assert row is not None
    assert (row.rule.id, row.target) == ("R-CPB-6", "given_up")


def test_a_result_after_its_release_is_asked_about() -> None:
    """Whoever answers a run after its retirement keeps a result that somebody has to release."""
    here = Play(core=ControllerCore(CONTROLLER, FLEET, BOOK))
    here.submit("g1")
    here.settle(lambda here: "run g1_g0 0" in here.going)
    row = CONTROLLER.attempt.find("released", "run_finished", g.AttemptFacts())

    assert row is not None
    assert (row.rule.id, row.target) == ("R-CAT-21", "lost")
