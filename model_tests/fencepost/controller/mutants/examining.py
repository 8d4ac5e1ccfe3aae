"""Examines mutants of a controller: which rule refuses each, where, in how many actions.

Stories are told first, then cases are drawn, as a check does; what is found is played shorter.
"""

import time
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import attrs

from fencepost.controller.all_stories import STORIES
from fencepost.controller.checking import REST_EVERY
from fencepost.controller.drawing import Drawer
from fencepost.controller.driver import Driver
from fencepost.controller.mutants.argued import EQUIVALENT
from fencepost.controller.mutants.mutant import Mutant
from fencepost.controller.mutants.thought_of import THOUGHT_OF
from fencepost.controller.playing import play, play_script
from fencepost.controller.scene import Scene, scenes
from fencepost.controller.winding import wind_down
from fencepost.driven import Played, perform_all
from fencepost.explaining import rule_broken
from fencepost.faults import FencepostFault, ParticipantFault
from fencepost.judging import DEFAULT_RULE
from fencepost.kill_matrix.row import Row, refused, row_of, unrefused
from fencepost.making import Factory
from fencepost.shrinking import shrunk
from fencepost.trace.lines import Line
from fencepost.watch import Watch
from fencepost_spec.rule import Rule

ACTIONS_MAX = 12
DRAWN = 12
DRAWN_ACTIONS = 30
SHRINK_SECONDS = 3.0


@attrs.frozen
class Case:
    """A story or a drawn case, by its name, and what came of it."""

    name: str
    played: Played

    @property
    def rule(self) -> Rule | None:
        """The rule that refused it, if any."""
        refusal = self.played.refusal
        return None if refusal is None else refusal.mismatch.rule or DEFAULT_RULE


@cache
def _scenes() -> tuple[Scene, ...]:
    from fencepost.controller.participant import CAPABILITIES

    return tuple(scenes(CAPABILITIES))


def cases() -> tuple[str, ...]:
    """The names of all cases, in the order in which they are played."""
    return tuple(one.name for one in STORIES) + tuple(f"drawn {number}" for number in range(DRAWN))


def play_case(factory: Factory, name: str) -> Case:
    """Play one case."""
    story = next((one for one in STORIES if one.name == name), None)
    random = Random(name)  # noqa: S311  # chooses actions, no secret
    scene = story.scene if story is not None else random.choice(_scenes())

    async def doing(driver: Driver) -> bool:
        if story is not None:
            await perform_all(driver, story.script)
        else:
            await _wander(driver, random)
        return await wind_down(driver)

    return Case(name, play(factory, None, doing, Watch(), name, scene))


async def _wander(driver: Driver, random: Random) -> None:
    drawer = Drawer()
    for _ in range(DRAWN_ACTIONS):
        if driver.record.over:
            return
        candidate = drawer.draw(driver, random)
        if await driver.perform(candidate.line) and random.randrange(REST_EVERY) == 0:
            await driver.rest()


def cases_of(mutant: Mutant, first: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of all cases, in the order in which they are played on a mutant."""
    own = (THOUGHT_OF[mutant.name],) if mutant.name in THOUGHT_OF else ()
    return tuple(dict.fromkeys((*own, *first, *cases())))


def _refusals(mutant: Mutant, first: Sequence[str]) -> Iterator[Case]:
    for name in cases_of(mutant, first):
        try:
            case = play_case(mutant.make, name)
        except ParticipantFault:
            if not first:
                raise
            continue  # It never comes to rest there, which is no refusal.
        if case.rule is not None:
            yield case


def examine(group: str, mutant: Mutant, first: Sequence[str] = ()) -> Row:
    """What becomes of one mutant. Where some cases are to be `first`, it may not rest in others."""
    start = time.process_time()
    found = next(_refusals(mutant, first), None)
    if found is None:
        row = row_of(group, mutant, seconds=time.process_time() - start)
        # No walk in lockstep shows that it never does otherwise: without an argument it survives.
        return unrefused(row, "what it decides", EQUIVALENT)
    best = _shortest(mutant, found)
    played = best.played
    assert played.refusal is not None  # It is what was looked for.
    return refused(
        row_of(group, mutant, seconds=time.process_time() - start),
        best.rule,
        played.actions,
        ACTIONS_MAX,
        scope=best.name,
        sequence=tuple(played.oracle.step_texts(played.lines)),
        expected=played.refusal.mismatch.expected,
        came=played.refusal.mismatch.came,
    )


def _shortest(mutant: Mutant, found: Case) -> Case:
    wanted, best = rule_broken(found.played), found

    def still_shows(script: Sequence[Line]) -> bool:
        nonlocal best
        try:
            played = play_script(mutant.make, found.played.header, script, Watch())
        except FencepostFault:
            return False
        if rule_broken(played) != wanted:
            return False
        best = attrs.evolve(found, played=played)
        return True

    if still_shows(found.played.script):
        shrunk(best.played.script, still_shows, SHRINK_SECONDS, time.process_time)
    return best
