"""The watcher: one value for what is known, and a step that judges what is seen next.

`Watcher().step(watch, seen)` is a `Step` with the rules that were asked for, or a `Refused` that
names the rule which the controller broke. Pure: nothing is guessed, because everything is visible.
"""

from collections.abc import Callable
from inspect import getmembers, isfunction
from typing import Any

import attrs
from immutables import Map

from fencepost_reference.model import Step
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.watch import (
    asking_of_checkpoints,
    asking_of_restores,
    asking_of_results,
    asking_of_sessions,
    asking_of_snapshots,
    asking_of_starts,
    asking_of_work,
    reports,
    resting,
)
from fencepost_reference.receipts.controller.watch import seen as s
from fencepost_reference.receipts.controller.watch.applying import applied
from fencepost_reference.receipts.controller.watch.obeying import obeyed
from fencepost_reference.receipts.controller.watch.state import Settings, Watch
from fencepost_spec.receipts.controller.call_facts import QUESTIONS
from fencepost_spec.receipts.controller.calls import Deed
from fencepost_spec.receipts.controller.referee import REFEREE, RefereeSpec
from fencepost_spec.rule import Level, Rule

ANSWERS: dict[str, Callable[..., str | bool]] = {
    name: function
    for module in (
        asking_of_work,
        asking_of_results,
        asking_of_checkpoints,
        asking_of_restores,
        asking_of_snapshots,
        asking_of_sessions,
        asking_of_starts,
    )
    for name, function in getmembers(module, isfunction)
    if name in QUESTIONS
}
"""How each question is answered; that none is missing is a law."""


@attrs.frozen
class Remark:
    """A rule of level should that was not obeyed; it decides nothing."""

    rule: Rule
    came: str


@attrs.frozen
class Refused:
    """A controller that obeys does not do this: the rule, what came, and whether it is a stall."""

    rule: Rule
    came: str
    stall: bool = False


class Watcher:
    """A specification of a referee, made runnable. Holds no state of its own."""

    def __init__(self, spec: RefereeSpec = REFEREE) -> None:
        self.spec = spec

    def initial(self, settings: Settings) -> Watch:
        """What is known before anything was seen."""
        return Watch(settings)

    def step(self, watch: Watch, seen: Any, *, malformed: str | None = None) -> Step | Refused:
        """Judge one thing that is seen, and learn from it. The outputs are remarks.

        `malformed` says what is wrong with the body of a call that could not be read.
        """
        if isinstance(seen, a.Start):
            # In a world all participants start with their controller.
            watch = attrs.evolve(watch, used=Map())
            seen = s.Started(None if seen.snapshot is None else seen.snapshot.number)
        if isinstance(seen, s.Rested):
            return self._rested(watch, seen)
        deed = self.deed_of(seen)
        remarks: list[Remark] = []
        used: list[Rule] = []
        for rung in () if deed is None else deed.ladder:
            came = self._answer(rung.asks.name, watch, seen, deed, malformed)
            if isinstance(came, str):
                if rung.rule.level is Level.MUST:
                    return Refused(rung.rule, came)
                remarks.append(Remark(rung.rule, came))
            if came:
                used.append(rung.rule)
        if deed is not None:
            used.append(deed.effect)
        used += obeyed(self.spec, watch, seen)
        after = applied(watch, seen)
        return Step(after, tuple(remarks), tuple(used))

    def deed_of(self, seen: Any) -> Deed | None:
        """The ladder that a thing has to climb, or None where the controller did not do it."""
        deeds = self.spec.deeds
        if isinstance(seen, a.Sent):
            found = deeds.get(seen.op)
            return deeds["status"] if found is None or not found.at else found
        names: dict[Any, str] = {
            a.Training: "train",
            a.Storing: "store",
            a.SnapshotEnded: "snapshot_ended",
            s.Started: "start",
            s.StartRefused: "start_refused",
        }
        name = names.get(seen.__class__)
        return None if name is None else deeds[name]

    def _answer(
        self, name: str, watch: Watch, seen: Any, deed: Deed | None, malformed: str | None
    ) -> str | bool:
        if name == "is_malformed":
            wrong = f"the body of {seen.op} is not one that it takes: {malformed}"
            return malformed is None or wrong
        if name == "has_no_place":
            known = deed is not None and deed.name == seen.op
            kinds = deed.at if known and deed is not None else ()
            return asking_of_checkpoints.has_no_place(watch, seen, kinds)
        return ANSWERS[name](watch, seen)

    def _rested(self, watch: Watch, seen: s.Rested) -> Step | Refused:
        used = list(obeyed(self.spec, watch, seen))
        if watch.lost_end:
            return Step(watch, (), tuple(used))  # The run has stopped: nothing is asked any more.
        for name, rule in self.spec.at_report:
            came = reports.QUESTIONS[name](watch, seen)
            if isinstance(came, str):
                return Refused(rule, came)
            if came:
                used.append(rule)
        watch = resting.after(watch, seen)
        for name, rule in self.spec.at_rest:
            came = resting.QUESTIONS[name](watch, seen)
            if isinstance(came, str):
                return Refused(rule, came, stall=True)
            if came:
                used.append(rule)
        return Step(watch, (), tuple(used))
