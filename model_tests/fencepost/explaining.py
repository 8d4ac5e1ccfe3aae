"""What is told of a failure: the shortest run that shows it, and how to see it again."""

import shlex
from collections.abc import Sequence

import attrs

from fencepost.faults import FencepostFault
from fencepost.judging import DEFAULT_RULE, refused
from fencepost.playing import Factory, Played, play_script
from fencepost.shrinking import shrunk
from fencepost.trace.lines import Line
from fencepost.verdict import Verdict
from fencepost.watch import Watch

FILE = "failing.ndjson"


def rule_broken(played: Played) -> str | None:
    """The id of the rule by which a case was refused, or None."""
    if played.refusal is None:
        return None
    return (played.refusal.mismatch.rule or DEFAULT_RULE).id


def explain(factory: Factory, played: Played, watch: Watch, name: str) -> tuple[Verdict, Played]:
    """The verdict on a refused case, and the shortest run of those tried that shows it too."""
    wanted, best = rule_broken(played), played

    def still_shows(script: Sequence[Line]) -> bool:
        nonlocal best
        watch.doing("a shorter run")
        try:
            again = play_script(factory, played.header, script, watch)
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


@attrs.frozen
class Options:
    """What a check was asked for, as far as it decides which run fails."""

    adapter: str | None = None
    seed: int = 0
    profile: str = "quick"
    budget: int | None = None
    xfail: str | None = None
    save: str | None = None

    def replay(self) -> str:
        """What to type to play the failing run again: when it was not saved, save it first."""
        which = [] if self.adapter is None else ["--adapter", self.adapter]
        replay = shlex.join(["fencepost", "replay", self.save or FILE, *which])
        if self.save is not None:
            return replay
        words = ["fencepost", "check", "agent", *which, "--seed", str(self.seed)]
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
