"""What is told of a failure: the shortest run that shows it, and how to see it again."""

import re
import shlex
import time
from collections.abc import Callable, Sequence

import attrs

from fencepost.blame import frames_of
from fencepost.driven import Played, perform_all
from fencepost.driver import Driver
from fencepost.faults import FencepostFault
from fencepost.following import Following
from fencepost.judging import DEFAULT_RULE, refused
from fencepost.making import Factory
from fencepost.playing import play
from fencepost.shrinking import SECONDS_MAX, shrunk
from fencepost.trace.lines import Header, Line
from fencepost.verdict import Verdict
from fencepost.watch import Watch

FILE = "failing.ndjson"
LAST_ACTIONS = 8
"""So many actions before a fault are told."""


def rule_broken(played: Played) -> str | None:
    """The id of the rule by which a case was refused, or None."""
    if played.refusal is None:
        return None
    return (played.refusal.mismatch.rule or DEFAULT_RULE).id


Playing = Callable[[Factory, Header, Sequence[Line], Watch], Played]
"""How a script is played on a fresh participant."""


class _Tries:
    """Plays a script and shorter ones on fresh participants, each about the same things."""

    def __init__(self, factory: Factory, header: Header, watch: Watch) -> None:
        self._factory = factory
        self._header = header
        self._watch = watch
        self._following: Following | None = None
        self.driver: Driver | None = None

    def play(self, script: Sequence[Line]) -> Played:
        """Play a script; what it names is noted in the first one, which is the whole one."""
        first = self._following is None
        following = self._following = self._following or Following()

        async def doing(driver: Driver) -> bool:
            self.driver = driver
            take = following.noted if first else following.adapted
            await perform_all(driver, take(driver, script))
            return True

        self._watch.doing("a shorter run")
        return play(self._factory, self._header, doing, self._watch)


def explain(
    factory: Factory,
    played: Played,
    watch: Watch,
    name: str,
    playing: Playing | None = None,
) -> tuple[Verdict, Played]:
    """The verdict on a refused case, and the shortest run of those tried that shows it too."""
    wanted, best = rule_broken(played), played
    tries = _Tries(factory, played.header, watch)

    def still_shows(script: Sequence[Line]) -> bool:
        nonlocal best
        watch.doing("a shorter run")
        try:
            again = (
                tries.play(script)
                if playing is None
                else playing(factory, played.header, script, watch)
            )
        except FencepostFault:
            return False
        if rule_broken(again) != wanted:
            return False
        best = again
        return True

    if still_shows(played.script):
        shrunk(best.script, still_shows)
    assert best.refusal is not None  # What replaces it was refused too.
    return refused(best.header, best.lines, best.refusal, best.oracle, name), best


def shortest_to(
    factory: Factory, driver: Driver, fault: FencepostFault, watch: Watch
) -> tuple[Line, ...]:
    """The lines of the shortest run of those tried in which the same fault is raised."""
    wanted, best = _sign_of(fault), lines_until(driver)
    tries = _Tries(factory, driver.header, watch)

    def still_shows(script: Sequence[Line]) -> bool:
        nonlocal best
        try:
            tries.play(script)
        except FencepostFault as again:
            if _sign_of(again) != wanted or tries.driver is None:
                return False
            best = lines_until(tries.driver)
            return True
        return False

    script, began = list(driver.script), time.monotonic()
    # A fault that takes its time is not waited for again and again.
    if still_shows(script) and time.monotonic() - began < SECONDS_MAX / 4:
        shrunk(script, still_shows)
    return best


def lines_until(driver: Driver) -> tuple[Line, ...]:
    """What was written down until it went wrong, and what had just been begun."""
    return (*driver.record.lines, *driver.record.unanswered)


def _sign_of(fault: FencepostFault) -> tuple[str, ...]:
    """What a fault has in common with itself in another run: its place, else its words."""
    frames = frames_of(fault)
    if frames:
        return type(fault.__cause__).__name__, frames[-1]
    return type(fault).__name__, re.sub(r"\d+", "#", fault.reason)


@attrs.frozen
class Options:
    """What a check was asked for, as far as it decides which run fails."""

    adapter: str | None = None
    seed: int = 0
    profile: str = "quick"
    budget: int | None = None
    xfail: str | None = None
    save: str | None = None
    kind: str = "agent"

    def replay(self) -> str:
        """What to type to play the failing run again: when it was not saved, save it first."""
        which = [] if self.adapter is None else ["--adapter", self.adapter]
        replay = shlex.join(["fencepost", "replay", self.save or FILE, *which])
        if self.save is not None:
            return replay
        words = ["fencepost", "check", self.kind, *which, "--seed", str(self.seed)]
        words += [] if self.profile == "quick" else ["--profile", self.profile]
        words += [] if self.budget is None else ["--budget", str(self.budget)]
        words += [] if self.xfail is None else ["--xfail", self.xfail]
        return f"{shlex.join([*words, '--save', FILE])}; {replay}"


def name_of(factory: Factory | None) -> str | None:
    """How a factory is named on the command line; None for one that has no such name."""
    if factory is None:
        return None
    name = f"{factory.__module__}:{getattr(factory, '__qualname__', '')}"
    return None if "<" in name else name
