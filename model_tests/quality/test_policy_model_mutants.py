"""Policy models that are wrong on purpose: everything is deleted once, and cores are told apart."""

from fencepost.policy_model.mutants.equivalence import STATES_MAX, difference, reachable
from fencepost.policy_model.mutants.mechanical import LADDERS, LISTS, TABLES, generated
from fencepost.policy_model.mutants.named import NAMED
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_spec.receipts.policy_model.spec import MODEL


def test_everything_in_the_specification_has_a_mutant() -> None:
    """Each row, guard, check, entry and phase is deleted once; names are unique."""
    wanted = sum(1 + len(row.guards) for part in TABLES for row in getattr(MODEL, part).rows)
    wanted += sum(len(op.ladder) for op in MODEL.operations.values())
    wanted += sum(len(getattr(MODEL, part)) for part in (*LADDERS, *LISTS))
    phased = sum(op.phases is not None for op in MODEL.operations.values())
    wanted += phased * len(MODEL.fence.states)

    assert len(generated()) == wanted


def test_the_small_world_tells_cores_apart() -> None:
    """The intact core differs nowhere, and a core that never answers does at once."""
    never = next(mutant for mutant in NAMED if mutant.name == "never answers")

    assert len(reachable()) >= STATES_MAX
    assert difference(ModelCore()) is None
    assert difference(never.make()) is not None
