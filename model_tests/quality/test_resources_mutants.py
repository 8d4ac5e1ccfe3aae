"""Each resources server with one fault is refused, by a pinned rule; the intact one never is.

`REWRITE=1` with `-m soak` examines every mutant again and writes the lock.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from fencepost import catalog
from fencepost.resources.mutants.argued import SURVIVORS
from fencepost.resources.mutants.examining import MUTANTS, cases, examine, play_case, rule_of
from fencepost.resources.mutants.lockstep import compare
from fencepost.resources.mutants.mechanical import LISTS
from fencepost.resources.mutants.named import NAMED
from fencepost.resources.mutants.scripts import told
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import Settings
from fencepost_spec.receipts.resources.server import RESOURCES
from fencepost_spec.rule import Level

LOCK = Path(__file__).with_name("resources_mutants.lock.json")
ACTIONS_MAX = 14


def read_lock() -> dict[str, dict[str, Any]]:
    """Return what is pinned of each mutant."""
    locked: dict[str, dict[str, Any]] = json.loads(LOCK.read_text(encoding="utf-8"))
    return locked


def test_every_mutant_is_pinned_and_none_survives_without_a_reason() -> None:
    """The lock has each mutant; those that nothing refuses are argued, and no other is."""
    lock = read_lock()
    unrefused = {name for name, entry in lock.items() if "rule" not in entry}

    assert set(lock) == set(MUTANTS)
    assert unrefused == set(SURVIVORS)


def test_everything_in_the_specification_has_its_mutant() -> None:
    """Each row, guard, check, entry and phase is deleted once."""
    tables = (RESOURCES.fence, RESOURCES.session)
    rows = [row for table in tables for row in table.rows]
    operations = RESOURCES.operations.values()
    entries = sum(len(getattr(RESOURCES, part)) for part in LISTS)
    phases = sum(one.phases is not None for one in operations) * len(RESOURCES.fence.states)
    checks = sum(len(one.ladder) for one in operations)
    wanted = len(rows) + sum(len(row.guards) for row in rows) + checks + entries + phases
    wanted += len(RESOURCES.arrival) + len(RESOURCES.under_lock)

    assert len(MUTANTS) == wanted + len(NAMED)


@pytest.mark.parametrize("name", [name for name in MUTANTS if name not in SURVIVORS])
def test_a_mutant_is_refused_by_its_pinned_rule(name: str) -> None:
    """The pinned case is played again: the oracle refuses it by the same rule, of level must."""
    entry = read_lock()[name]
    player, _ = play_case(MUTANTS[name].make(), entry["case"])

    assert rule_of(player) == entry["rule"]
    assert catalog.rule(entry["rule"]).level is Level.MUST
    assert entry["actions"] <= ACTIONS_MAX


@pytest.mark.parametrize("case", [one for one in cases() if one.startswith("told")])
def test_no_told_case_refuses_the_intact_server(case: str) -> None:
    """Silent on what is right: every script, played on the reference."""
    player, _ = play_case(ResourcesCore(), case)

    assert player.refusal is None


@pytest.mark.slow
def test_no_drawn_case_refuses_the_intact_server() -> None:
    """Silent on what is right: many worlds, in every mode and with steps in any order."""
    for case in [one for one in cases() if one.startswith("world")][:90]:
        player, _ = play_case(ResourcesCore(), case)
        assert player.refusal is None, (case, player.refusal)


def test_every_named_bug_is_refused_within_the_told_cases() -> None:
    """What somebody has thought of is found by a script, not by luck."""
    lock = read_lock()

    assert len(told()) >= 30
    for mutant in NAMED:
        assert str(lock[mutant.name]["case"]).startswith("told"), mutant.name


SEEN_TO_DIFFER = frozenset({"blockers without retiring"})
"""Argued mutants that do otherwise where an observer cannot tell."""


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*SURVIVORS} - SEEN_TO_DIFFER))
def test_an_argued_mutant_does_nothing_otherwise_near_the_start(name: str) -> None:
    """Walked beside the intact server, it takes the same steps to the same states."""
    for settings in (Settings(), Settings(mode="stateless", contract="stateless")):
        assert compare(MUTANTS[name].make(), settings, places_max=250).differs is None


def test_a_mutant_that_does_otherwise_is_seen_in_lockstep() -> None:
    """The comparison is not empty."""
    assert compare(MUTANTS["resume during prepare"].make(), Settings()).differs is not None


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted({*SURVIVORS} - SEEN_TO_DIFFER))
def test_an_argued_mutant_does_nothing_otherwise_further_on(name: str) -> None:
    """The same through thousands of states, in every mode."""
    for mode in ("export_restore", "restart_only"):
        assert compare(MUTANTS[name].make(), Settings(mode=mode)).differs is None


@pytest.mark.soak
def test_the_lock_is_what_examining_finds() -> None:
    """Every mutant examined again, the argued ones included, comes to what is pinned."""
    found = {name: examine(mutant).pinned for name, mutant in MUTANTS.items()}
    if os.environ.get("REWRITE"):
        text = json.dumps(found, indent=1, sort_keys=True)
        LOCK.write_text(text + "\n", encoding="utf-8")
        return
    locked = read_lock()
    for name, entry in found.items():
        assert {**entry, "actions": 0} == {**locked[name], "actions": 0}
        # Shortening is bounded by time, so that a slow machine may come to a longer way.
        actions = entry.get("actions", 0)
        assert isinstance(actions, int)
        assert actions <= ACTIONS_MAX
