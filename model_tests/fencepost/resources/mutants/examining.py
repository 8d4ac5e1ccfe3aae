"""Examines mutants of a resources server: which rule refuses each, where, in how many actions.

Told scripts are played first, then drawn worlds, in every mode; what is found is played shorter.
"""

from collections.abc import Mapping, Sequence

import attrs

from fencepost.judging import DEFAULT_RULE
from fencepost.resources.mutants.argued import SURVIVORS
from fencepost.resources.mutants.mechanical import generated
from fencepost.resources.mutants.mutant import Mutant
from fencepost.resources.mutants.named import NAMED
from fencepost.resources.mutants.playing import Player, actions_in, play_script, play_world
from fencepost.resources.mutants.scripts import told
from fencepost.resources.wording import step_texts
from fencepost.shrinking import shrunk
from fencepost.trace.lines import Line
from fencepost_reference.receipts.resources.server import ResourcesCore

SETTINGS: tuple[dict[str, object], ...] = (
    {},
    {"contract": "transactional_parallel"},
    {"mode": "restart_only"},
    {"mode": "stateless", "contract": "stateless"},
    {"receipt_capacity": 3},
    {"restore_expected": True},
)
WORLDS = 240
WORLD_ACTIONS = 50
SHRINK_SECONDS = 6.0

MUTANTS: dict[str, Mutant] = {one.name: one for one in (*NAMED, *generated())}
"""Every mutant, by its name."""


@attrs.frozen
class Examined:
    """What became of a mutant. Without a case nothing refused it."""

    name: str
    case: str | None = None
    rule: str | None = None
    actions: int = 0
    sequence: tuple[str, ...] = ()

    @property
    def pinned(self) -> dict[str, object]:
        """What the lock file holds of it."""
        if self.case is None:
            return {"status": "argued" if self.name in SURVIVORS else "survives"}
        return {"rule": self.rule, "actions": self.actions, "case": self.case}


def cases() -> tuple[str, ...]:
    """The names of all cases, in the order in which they are played."""
    scripts = tuple(f"told {number}" for number in range(len(told())))
    return scripts + tuple(f"world {number}" for number in range(WORLDS))


def play_case(core: ResourcesCore, case: str) -> tuple[Player, Mapping[str, object]]:
    """Play one case, and say how its server was started."""
    kind, _, text = case.partition(" ")
    number = int(text)
    if kind == "told":
        settings, script = told()[number]
        return play_script(core, settings, script), settings
    settings = SETTINGS[number % len(SETTINGS)]
    return play_world(core, settings, number, WORLD_ACTIONS), settings


def rule_of(player: Player) -> str | None:
    """The rule that refused what was played, if any."""
    if player.refusal is None:
        return None
    return (player.refusal.mismatch.rule or DEFAULT_RULE).id


def examine(mutant: Mutant) -> Examined:
    """Play a mutant until the oracle refuses it, then look for the shortest way to that."""
    for case in cases():
        player, settings = play_case(mutant.make(), case)
        if player.refusal is not None:
            return _shortest(mutant, case, settings, player)
    return Examined(mutant.name)


def _shortest(
    mutant: Mutant, case: str, settings: Mapping[str, object], player: Player
) -> Examined:
    rule, best = rule_of(player), player

    def still_shows(script: Sequence[Line]) -> bool:
        nonlocal best
        again = play_script(mutant.make(), settings, script)
        if rule_of(again) == rule:
            best = again
        return rule_of(again) == rule

    if still_shows(player.script):
        shrunk(best.script, still_shows, SHRINK_SECONDS)
    sequence = tuple(step_texts(best.lines))
    return Examined(mutant.name, case, rule, actions_in(best.script), sequence)
