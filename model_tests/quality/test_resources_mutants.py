"""Resources servers that are wrong on purpose; the intact one is never refused."""

import pytest

from fencepost.resources.mutants.argued import DIFFERING, SURVIVORS
from fencepost.resources.mutants.examining import cases, examine, play_case
from fencepost.resources.mutants.lockstep import compare
from fencepost.resources.mutants.mechanical import LISTS, generated
from fencepost.resources.mutants.named import NAMED
from fencepost.resources.mutants.part import MUTANTS
from fencepost.resources.mutants.scripts import told
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import Settings
from fencepost_spec.receipts.resources.server import RESOURCES


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

    assert len(generated()) == wanted


@pytest.mark.parametrize("case", [one for one in cases() if one.startswith("told")])
def test_no_told_case_refuses_the_intact_server(case: str) -> None:
    """Silent on what is right: every script, played on the reference."""
    played = play_case(ResourcesCore(), case)

    assert played.rule is None


@pytest.mark.slow
def test_no_drawn_case_refuses_the_intact_server() -> None:
    """Silent on what is right: many worlds, in every mode and with steps in any order."""
    for case in [f"world {number}" for number in range(90)]:
        played = play_case(ResourcesCore(), case)
        assert played.rule is None, (case, played.rule)


@pytest.mark.slow
def test_every_named_bug_is_refused_within_the_told_cases() -> None:
    """What somebody has thought of is found by a script, not by luck."""
    assert len(told()) >= 30
    for mutant in NAMED:
        assert examine("named", mutant).scope.startswith("told"), mutant.name


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*SURVIVORS} - DIFFERING))
def test_an_argued_mutant_does_nothing_otherwise_near_the_start(name: str) -> None:
    """Walked beside the intact server, it takes the same steps to the same states."""
    for settings in (Settings(), Settings(mode="stateless", contract="stateless")):
        assert compare(MUTANTS[name].make(), settings, places_max=250).differs is None


def test_a_mutant_that_does_otherwise_is_seen_in_lockstep() -> None:
    """The comparison is not empty."""
    assert compare(MUTANTS["resume during prepare"].make(), Settings()).differs is not None


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted({*SURVIVORS} - DIFFERING))
def test_an_argued_mutant_does_nothing_otherwise_further_on(name: str) -> None:
    """The same through thousands of states, in every mode."""
    for mode in ("export_restore", "restart_only"):
        assert compare(MUTANTS[name].make(), Settings(mode=mode)).differs is None
