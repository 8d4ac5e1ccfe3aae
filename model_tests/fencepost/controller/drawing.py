"""The next action of a case: one of those that can happen, drawn by weight.

Shapes of action that have led to rules nobody had exercised are preferred, and those that have not
been tried. Not decided here: how a case ends (`winding`).
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import attrs

from fencepost.controller import telling
from fencepost.controller.damage import HOWS, PARTS
from fencepost.controller.deployment import STORE_STEPS
from fencepost.controller.driver import Driver
from fencepost.controller.network import ON_THE_WAY
from fencepost.controller.participant import GRANULARITIES
from fencepost.controller.work import OUTCOMES
from fencepost.trace.lines import At, Line
from fencepost_reference.receipts.controller.said import AGENT, MODEL

GROUPS_MAX = 3
SUBMITTED_MAX = 8
FRESH = 3.0
"""How much more an untried shape weighs."""

STEPS = ("records", "manifest", "after_manifest", "read")
OPERATIONS = {
    AGENT: (
        "run",
        "prepare",
        "commit",
        "restore",
        "resume",
        "retire",
        "completion-receipt",
        "acknowledge-completed",
        "discard-restored-continuation",
    ),
    MODEL: ("pause", "status", "commit", "restore", "resume"),
}
OTHERWISE = ("prepare", "commit", "restore", "resume", "retire")


@attrs.frozen
class Candidate:
    """An action that could happen: its line, the shape it has, and how much it weighs."""

    shape: str
    weight: float
    line: Line


class Drawer:
    """Draws actions, and learns over all cases which shapes lead to rules not yet exercised."""

    def __init__(self) -> None:
        self._tried = Counter[str]()
        self._gained = Counter[str]()

    def draw(self, driver: Driver, random: Random) -> Candidate:
        """One of the actions that can happen now."""
        candidates = list(enabled(driver, random))
        weights = [self._weight(one) for one in candidates]
        return random.choices(candidates, weights)[0]

    def _weight(self, candidate: Candidate) -> float:
        tried = self._tried[candidate.shape]
        gain = self._gained[candidate.shape] / tried if tried else FRESH
        return candidate.weight * (1 + gain)

    def learn(self, shape: str, new_rules: int) -> None:
        """An action of that shape has happened, and that many rules were exercised first."""
        self._tried[shape] += 1
        self._gained[shape] += new_rules


def enabled(driver: Driver, random: Random) -> Iterator[Candidate]:
    """What can happen now; a detail that means little is drawn with it."""
    yield from _told(driver, random)
    yield from _worked(driver, random)
    yield from _on_the_way(driver)
    yield from _broken(driver, random)
    for seconds, weight in ((0.1, 3.0), (1.0, 2.0), (11.0, 1.0)):
        yield Candidate(f"tick {seconds}", weight, telling.seconds(seconds))


def _told(driver: Driver, random: Random) -> Iterator[Candidate]:
    able = driver.controller.capabilities
    trained, groups = driver.ground.trained, driver.groups
    live = [one for one in groups.values() if one.group_id not in trained]
    if len(live) < GROUPS_MAX and driver.submitted < SUBMITTED_MAX:
        for granularity in sorted(able.intersection(GRANULARITIES)):
            reserved = "admit" in able and random.random() < 0.3
            line = telling.submit(
                f"g{driver.submitted + 1}",
                random.choice((1, 2, 2, 3)),
                granularity,
                random.choice(driver.ground.scene.agents),
                driver.train_step + 1 if random.random() < 0.5 else None,
                admitted=not reserved,
            )
            yield Candidate(f"submit {granularity} {reserved}", 8.0 / (1 + len(live)), line)
    for group in live:
        if not group.admitted:
            step = driver.train_step + 1
            line = telling.told("admit", group_id=group.group_id, target_step=step)
            yield Candidate("admit", 3.0, line)
        if "stale" in able:
            yield Candidate("stale", 0.3, telling.told("stale", group_id=group.group_id))
    if "snapshot_due" in able and not driver.ground.saving:
        yield Candidate("snapshot_due", 4.0, telling.told("snapshot_due"))
    if "trainer_stepped" in able:
        yield Candidate("trainer_stepped", 0.7, telling.told("trainer_stepped"))
    if "deadline" in able and driver.checkpoint() is not None:
        yield Candidate("deadline", 1.0, telling.told("deadline"))


def _worked(driver: Driver, random: Random) -> Iterator[Candidate]:
    ground = driver.ground
    uses = [one.instance for one in ground.scene.resources]
    for agent in ground.agents:
        at = agent.standing.instance
        for key in agent.running:
            named = (key.rollout_id, key.attempt, at)
            used: dict[str, Any] = {"uses": uses} if uses and random.random() < 0.5 else {}
            if any(owner == key for model in ground.models for owner in model.tickets.values()):
                line = telling.work("model_answer", *named, **used)
                yield Candidate("model_answer", 4.0, line)
                continue
            for outcome, weight in zip(OUTCOMES, (4.0, 1.5), strict=True):
                line = telling.finish(key.rollout_id, key.attempt, outcome, at)
                yield Candidate(f"finish {outcome}", weight, line)
            # Where a checkpoint waits, work that reaches a boundary lets it go on.
            weight = 2.0 if driver.checkpoint() is None else 6.0
            yield Candidate("turn", weight, telling.work("turn", *named, **used))
            yield Candidate("boundary", 0.5, telling.work("boundary", *named, **used))
            if ground.models:
                yield Candidate("model_call", 1.0, telling.work("model_call", *named))


def _on_the_way(driver: Driver) -> Iterator[Candidate]:
    network = driver.ground.network
    for part in driver.ground.parts:
        at = part.standing.at
        for call in network.openings(at):
            if call.held:
                yield Candidate(f"let_go {call.op}", 4.0, telling.let_go(call.op, at))
        if len(network.fates) < 2:
            for op in OPERATIONS.get(part.standing.kind, OTHERWISE):
                for name in ON_THE_WAY:
                    shape = f"{name} {part.standing.kind} {op}"
                    yield Candidate(shape, 0.1, telling.fault(name, op, at))


def _broken(driver: Driver, random: Random) -> Iterator[Candidate]:
    ground, able = driver.ground, driver.controller.capabilities
    for part in ground.parts:
        at: At = part.standing.at
        yield Candidate(f"replace {at.kind}", 0.3, telling.replaced(at))
        step = random.choice(STEPS)
        yield Candidate(f"fail {at.kind} {step}", 0.2, telling.fail(step, at))
    if "snapshot_due" in able:
        for step in STORE_STEPS:
            yield Candidate(f"fail {step}", 0.2, telling.fail(step))
    if driver.chooses and ground.snapshots:
        what, how, back = random.choice(PARTS), random.choice(HOWS), random.randrange(2)
        yield Candidate(f"damage {what} {how} {back}", 0.3, telling.damage(what, how, back))
    yield Candidate("finalizer dropped", 0.3, telling.finalizer("dropped"))
    if driver.may_restart:
        yield Candidate("replace all", 0.6, telling.restarted())
