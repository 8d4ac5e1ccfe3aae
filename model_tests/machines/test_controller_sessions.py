"""Rollouts keep something at resources servers, and snapshots that hold it may be damaged.

Goal: what is told of sessions and of damage really happens around a controller, and the reference
does the right thing about it, over a folder as well. Method: the stories, each played once.
"""

from collections.abc import Callable
from functools import cache

import pytest

from fencepost.catalog import must_rules
from fencepost.controller import core_adapter, files_adapter
from fencepost.controller.all_stories import STORIES
from fencepost.controller.mutants.examining import Case, play_case
from fencepost.controller.participant import Controller
from fencepost.controller.stories_of_damage import DAMAGE
from fencepost.controller.stories_of_sessions import SESSIONS
from fencepost.controller.tools import SERVED
from fencepost.trace.lines import Work

NAMES = [story.name for story in (*SESSIONS, *DAMAGE)]
TOLD = {
    "the newest snapshot is cut short, and an older one fits": [None, 1],
    "the newest snapshot has no manifest, and an older one fits": [None, 1],
    "the older snapshot is damaged, and nobody needs it": [None, 2],
    "the only snapshot is changed": [None, "refused"],
    "the only snapshot has a manifest that is cut short": [None, "refused"],
    "every snapshot that is kept is damaged": [None, "refused"],
    "the newest snapshot is damaged, and the others are of another step": [None, "refused"],
    "snapshots are pruned, and the newest is damaged": [None, 2],
}
"""From which snapshot each process starts: from none, from that of a number, or not at all."""


@cache
def played(name: str, make: Callable[[], Controller] = core_adapter.make) -> Case:
    """Return a story, played once."""
    return play_case(make, name)


def works(name: str, make: Callable[[], Controller], *events: str) -> list[Work]:
    """Return the lines of work of some kinds in a story."""
    lines = played(name, make).played.lines
    return [line for line in lines if isinstance(line, Work) and line.event in events]


def served(name: str) -> list[tuple[int | None, str, object]]:
    """Return which requests of which attempts resources servers have met, and how they ended."""
    found = works(name, core_adapter.make, SERVED)
    return [(line.attempt, line.detail["path"], line.outcome) for line in found]


def starts(name: str, make: Callable[[], Controller]) -> list[object]:
    """Return from which snapshots processes started."""
    found = works(name, make, "start", "start_refused")
    return [line.detail.get("snapshot", "refused") for line in found]


@pytest.mark.parametrize("name", NAMES)
def test_a_controller_over_a_folder_comes_through_it_as_well(name: str) -> None:
    """Real files, spoilt on the disk: nothing is refused, and all comes to rest."""
    case = played(name, files_adapter.make)

    assert case.rule is None
    assert case.played.complete


@pytest.mark.parametrize("make", [core_adapter.make, files_adapter.make])
@pytest.mark.parametrize("name", TOLD)
def test_a_process_starts_from_what_is_whole_or_says_why_not(
    name: str, make: Callable[[], Controller]
) -> None:
    """The newest that is whole and of the trainer's step, else a refusal, and never half of one."""
    assert starts(name, make) == TOLD[name]


def test_every_story_of_damage_says_where_it_starts() -> None:
    """No story of damage is left out above."""
    assert set(TOLD) == {story.name for story in DAMAGE}


def test_a_session_goes_on_under_the_next_attempt() -> None:
    """It was saved at revision 1, and the replacement goes on from there."""
    assert served("a session is saved, and goes on after a restart") == [
        (0, "/seed_session", "ok"),
        (1, "/tool", "ok"),
        (1, "/verify", "ok"),
    ]


def test_a_lost_session_is_noticed_by_its_rollout() -> None:
    """The server is a new one: the next call of the tool is refused, and the run fails."""
    name = "a server is replaced while it is used"
    refused = (0, "/tool", {"code": "resources_session_unbound"})

    assert served(name)[:3] == [(0, "/seed_session", "ok"), refused, (1, "/seed_session", "ok")]


ONLY_DRAWN = {"R-CEV-2"}
"""No story leaves an attempt unknown at rest; drawn cases do."""


@pytest.mark.slow
def test_every_rule_that_a_controller_must_obey_is_exercised_by_some_story() -> None:
    """Nothing else is left to luck: drawn cases come on top."""
    used = {rule for story in STORIES for rule in played(story.name).played.oracle.rules}

    assert {rule.id for rule in must_rules("controller")} - used == ONLY_DRAWN
