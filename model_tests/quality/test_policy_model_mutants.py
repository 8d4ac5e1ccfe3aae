"""Every fault of a policy model is found by a rule, or is shown to be none; pinned."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.policy_model.mutants.equivalence import STATES_MAX, difference, reachable
from fencepost.policy_model.mutants.matrix import Row, all_mutants, matrix
from fencepost.policy_model.mutants.mechanical import LADDERS, LISTS, TABLES, generated
from fencepost.policy_model.mutants.named import NAMED
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_spec.receipts.policy_model.spec import MODEL, model_rules
from fencepost_spec.rule import Level

LOCK = Path(__file__).with_name("policy_model_mutants.lock.json")

EQUIVALENT = {
    "fence without prepare_called in preparing to preparing": "a repeated pause is replayed",
    "fence without prepare_missed in preparing to preparing": "a pause has no deadline",
    "fence without restore_refused in restoring to idle": "a model fails closed instead",
    "admission with close_called in accepting to paused whatever nothing_is_in_flight": (
        "the row before it takes every case in which a call is in flight"
    ),
    "resume without R-OPS-4": "resume alone finishes an id, and its answer is replayed",
    "commit without R-MOP-3": "a prepared model has no call in flight, and lets none in",
}
"""Faults that are none, each with the reason; the walk of a small world agrees."""

FAR = 0.1
"""At most this share of the mutants is found by a rule that only follows from what they offend."""


def read_lock() -> dict[str, Any]:
    """Return what each mutant came to, as it lies beside this file."""
    locked: dict[str, Any] = json.loads(LOCK.read_text(encoding="utf-8")) if LOCK.exists() else {}
    return locked


@cache
def rows() -> tuple[Row, ...]:
    """Return the whole matrix, made once."""
    hints = {name: entry["story"] for name, entry in read_lock().items() if "story" in entry}
    return tuple(matrix(hints=None if os.environ.get("REWRITE") else hints))


@pytest.mark.slow
def test_the_matrix_is_what_the_lock_holds() -> None:
    """Each mutant is refused by the pinned rule in the pinned story, or is pinned equivalent."""
    now = {row.name: row.pinned for row in rows()}
    if os.environ.get("REWRITE"):
        LOCK.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return

    assert now == read_lock()


@pytest.mark.slow
def test_whatever_no_story_finds_is_no_fault() -> None:
    """A survivor takes every step of a small world as the intact core does, and it is said why."""
    survivors = {row.name: row.differs for row in rows() if row.rule is None}

    assert survivors == dict.fromkeys(EQUIVALENT)


@pytest.mark.slow
def test_most_faults_are_found_by_the_rule_that_they_offend() -> None:
    """The verdict names what is wrong, and not only what follows from it."""
    found = [row for row in rows() if row.story is not None]
    far = [row.name for row in found if not row.nearest]

    assert all(row.rule is not None for row in found)
    assert len(far) <= FAR * len(found), far


@pytest.mark.slow
def test_every_rule_that_finds_a_fault_is_a_must_of_the_model() -> None:
    """No fault is found by a check that was made for it."""
    musts = {rule.id for rule in model_rules() if rule.level is Level.MUST}

    assert {row.rule for row in rows() if row.rule} <= musts


def test_everything_in_the_specification_has_a_mutant() -> None:
    """Each row, guard, check, entry and phase is deleted once; names are unique."""
    wanted = sum(1 + len(row.guards) for part in TABLES for row in getattr(MODEL, part).rows)
    wanted += sum(len(op.ladder) for op in MODEL.operations.values())
    wanted += sum(len(getattr(MODEL, part)) for part in (*LADDERS, *LISTS))
    phased = sum(op.phases is not None for op in MODEL.operations.values())
    wanted += phased * len(MODEL.fence.states)
    names = [mutant.name for mutant in all_mutants()]

    assert len(generated()) == wanted
    assert len(names) == len(set(names)) == wanted + len(NAMED)


def test_the_small_world_tells_cores_apart() -> None:
    """The intact core differs nowhere, and a core that never answers does at once."""
    never = next(mutant for mutant in NAMED if mutant.name == "never answers")

    assert len(reachable()) >= STATES_MAX
    assert difference(ModelCore()) is None
    assert difference(never.make()) is not None
