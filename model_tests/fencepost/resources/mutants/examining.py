"""Examines mutants of a resources server: which rule refuses each, where, in how many actions.

Told scripts are played first, then drawn worlds, in every mode; what is found is played shorter.
One that nothing refuses is walked beside the intact server.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from fencepost.judging import DEFAULT_RULE
from fencepost.kill_matrix.row import Row, refused, row_of, states, unrefused
from fencepost.resources.mutants.argued import DIFFERING, SURVIVORS
from fencepost.resources.mutants.lockstep import compare
from fencepost.resources.mutants.mutant import Mutant
from fencepost.resources.mutants.playing import Player, actions_in, play_script, play_world
from fencepost.resources.mutants.scripts import told
from fencepost.resources.wording import step_texts
from fencepost.shrinking import shrunk
from fencepost.trace.lines import Line
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import Settings
from fencepost_spec.rule import Rule

SETTINGS: tuple[dict[str, object], ...] = (
    {},
    {"contract": "transactional_parallel"},
    {"mode": "restart_only"},
    {"mode": "stateless", "contract": "stateless"},
    {"receipt_capacity": 3},
    {"restore_expected": True},
)
WORLDS = 60
WORLD_ACTIONS = 50
ACTIONS_MAX = 12
SHRINK_SECONDS = 30.0

WALKED: Mapping[str, Settings] = {
    "one session that is exported": Settings(),
    "one stateless session": Settings(mode="stateless", contract="stateless"),
}
"""The small worlds in which a mutant that nothing refuses is compared."""

PLACES_MAX = 250
ENOUGH = 4
"""So many worlds that show a fault are enough to look for a short way in."""


@attrs.frozen
class Case:
    """A case, how its server was started, and what came of it."""

    name: str
    settings: Mapping[str, object]
    player: Player

    @property
    def rule(self) -> Rule | None:
        """The rule that refused what was played, if any."""
        refusal = self.player.refusal
        return None if refusal is None else refusal.mismatch.rule or DEFAULT_RULE

    @property
    def length(self) -> int:
        """How many actions it has."""
        return actions_in(self.player.script)


def cases() -> tuple[str, ...]:
    """The names of all cases, in the order in which they are played."""
    scripts = tuple(f"told {number}" for number in range(len(told())))
    return scripts + tuple(f"world {number}" for number in range(WORLDS))


def play_case(core: ResourcesCore, case: str) -> Case:
    """Play one case."""
    kind, _, text = case.partition(" ")
    number = int(text)
    if kind == "told":
        settings, script = told()[number]
        return Case(case, settings, play_script(core, settings, script))
    settings = SETTINGS[number % len(SETTINGS)]
    return Case(case, settings, play_world(core, settings, number, WORLD_ACTIONS))


def examine(group: str, mutant: Mutant) -> Row:
    """What becomes of one mutant."""
    start = time.process_time()
    best = best_case(mutant)
    if best is None:
        compared = [compare(mutant.make(), one, PLACES_MAX) for one in WALKED.values()]
        row = row_of(group, mutant, seconds=time.process_time() - start)
        differs = next((one.differs for one in compared if one.differs is not None), None)
        if mutant.name in DIFFERING:
            differs = differs or "a place that is not walked here"
        places = sum(one.places for one in compared)
        return unrefused(row, differs, SURVIVORS, places=places, scopes=tuple(WALKED))
    player = best.player
    assert player.refusal is not None  # It is what was looked for.
    return refused(
        row_of(group, mutant, seconds=time.process_time() - start),
        best.rule,
        best.length,
        ACTIONS_MAX,
        scope=best.name,
        sequence=tuple(step_texts(player.lines)),
        expected=player.refusal.mismatch.expected,
        came=player.refusal.mismatch.came,
        promises=player.lost,
    )


def best_case(mutant: Mutant) -> Case | None:
    """The shortest refusal by a rule that states the fault; else, or if that is long, by any."""
    found = list(_refusals(mutant))
    found.sort(key=lambda case: (not states(case.rule, mutant.cites), case.length))
    best: Case | None = None
    for case in found[:1] + sorted(found[1:], key=lambda case: case.length):
        short = _shortest(mutant, case)
        best = short if best is None or short.length < best.length else best
        if best.length <= ACTIONS_MAX:
            break
    return best


def _refusals(mutant: Mutant) -> Iterator[Case]:
    """Every told case that shows the fault; where none does, a few worlds."""
    shown = 0
    for name in cases():
        if name.startswith("world") and shown >= ENOUGH:
            return
        case = play_case(mutant.make(), name)
        if case.rule is not None:
            shown = shown + 1 if name.startswith("world") else ENOUGH
            yield case


def _shortest(mutant: Mutant, found: Case) -> Case:
    best = found

    def still_shows(script: Sequence[Line]) -> bool:
        nonlocal best
        player = play_script(mutant.make(), found.settings, script)
        again: Any = attrs.evolve(found, player=player)
        if again.rule == found.rule:
            best = again
        return bool(again.rule == found.rule)

    if still_shows(found.player.script):
        shrunk(best.player.script, still_shows, SHRINK_SECONDS, time.process_time)
    return best
