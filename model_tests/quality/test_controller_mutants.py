"""Controllers that are wrong on purpose are refused for what they do wrong; the intact never is.

What is pinned of each stands in `controller_mutants.lock.json`, written by the kill matrices.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from fencepost import catalog
from fencepost.controller.all_stories import STORIES
from fencepost.controller.core_adapter import CoreController, make
from fencepost.controller.mutants.argued import EQUIVALENT
from fencepost.controller.mutants.charts import ARGUED
from fencepost.controller.mutants.examining import ACTIONS_MAX, cases, cases_of, play_case
from fencepost.controller.mutants.mechanical import REMARKS
from fencepost.controller.mutants.named import NAMED
from fencepost.controller.mutants.part import PART
from fencepost.controller.mutants.thought_of import SHOWN_BY, THOUGHT_OF
from fencepost_spec.receipts.controller.policy import FAULTS
from fencepost_spec.rule import Level

LOCK = Path(__file__).with_name("controller_mutants.lock.json")
STORY_NAMES = tuple(story.name for story in STORIES)
KILLED = [mutant for mutant in NAMED if mutant.name not in EQUIVALENT]


def read_lock() -> dict[str, dict[str, Any]]:
    """Return what is pinned of each mutant."""
    locked: dict[str, dict[str, Any]] = json.loads(LOCK.read_text(encoding="utf-8"))
    return locked


@pytest.mark.parametrize("story", STORY_NAMES)
def test_no_story_refuses_the_intact_controller(story: str) -> None:
    """Silent on what is right: every story, and everything comes to rest at its end."""
    case = play_case(make, story)

    assert case.rule is None
    assert case.played.complete or story == "nobody knows what became of a group"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4])
def test_no_case_refuses_the_intact_controller_in_another_order(seed: int) -> None:
    """Silent whatever order the core takes its own steps in, also in drawn cases."""
    for name in cases():
        assert play_case(lambda: CoreController(seed=seed), name).rule is None, name


def test_what_was_thought_of_is_a_story_and_is_told_first() -> None:
    """Each name is that of a mutant, and stands with one story, which is there to be told."""
    assert set(THOUGHT_OF) <= set(PART.mutants)
    assert set(SHOWN_BY) <= set(STORY_NAMES)
    assert len(THOUGHT_OF) == sum(map(len, SHOWN_BY.values()))
    for mutant in NAMED:
        assert mutant.name not in THOUGHT_OF or cases_of(mutant)[0] == THOUGHT_OF[mutant.name]


def test_every_faulty_decision_and_nothing_else_is_listed() -> None:
    """Each fault of the core's policy is a mutant, and those that nothing refuses are argued."""
    lock = read_lock()
    left = {name for name, entry in lock.items() if "rule" not in entry}

    assert {fault.name for fault in FAULTS} <= {mutant.name for mutant in NAMED}
    assert left == {*EQUIVALENT, *REMARKS, *ARGUED}
    assert all(mutant.says and mutant.cites for mutant in NAMED)


@pytest.mark.parametrize("mutant", KILLED, ids=lambda mutant: mutant.name)
def test_a_faulty_controller_is_refused_by_its_pinned_rule(mutant: Any) -> None:
    """Some story shows the fault: the oracle refuses it by the pinned rule, of level must."""
    pinned = read_lock()[mutant.name]
    found = next(case for name in cases_of(mutant) if (case := play_case(mutant.make, name)).rule)

    assert found.rule is not None
    assert found.rule.id == pinned["rule"]
    assert catalog.rule(pinned["rule"]).level is Level.MUST
    assert pinned["actions"] <= ACTIONS_MAX
    assert found.name in STORY_NAMES, (
        "what somebody has thought of is found by a story, not by luck"
    )
