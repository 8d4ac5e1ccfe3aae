"""`check_resources`: drives a resources server through many small worlds and judges what it does.

Each case is a fresh server. The first failure that is not known is played again, shorter and
shorter, until nothing can be left out. How much was tried stands beside the verdict.
"""

from collections.abc import Sequence
from random import Random

from fencepost.check_result import CheckResult
from fencepost.checked import Asked, Checked, Progress
from fencepost.driven import Played, perform_all
from fencepost.explaining import Options, explain
from fencepost.making import Factory
from fencepost.resources.driver import Driver
from fencepost.resources.evidence import MODES, used_with, why_not
from fencepost.resources.playing import make_participant, play, play_script, wander
from fencepost.resources.request_stories import REQUESTS
from fencepost.resources.stories import STORIES, Story
from fencepost.resources.wording import action_texts
from fencepost.trace.lines import Header, Line
from fencepost.verdict import Verdict
from fencepost.watch import Watch
from fencepost.xfail import KnownFailure


def check_resources(
    adapter: Factory | None = None,
    seed: int = 0,
    budget: int | None = None,
    profile: str = "quick",
    xfail: Sequence[KnownFailure] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
    options: Options | None = None,
) -> CheckResult:
    """Check a resources server. Whatever the adapter does, there is a result."""
    asked = Asked(adapter, seed, budget, profile, xfail, progress, watch, options)
    return _Check(asked, _bundled()).conclude()


def _bundled() -> Factory:
    from fencepost.adapters.resources import make

    return make


class _Check(Checked):
    """One run of `check_resources`, and what it has found out so far."""

    kind = "resources"

    def __init__(self, asked: Asked, bundled: Factory) -> None:
        super().__init__(asked, bundled)
        self._modes: frozenset[tuple[str, str]] = frozenset()
        self._stories: list[Story] = []

    def meet(self) -> None:
        """Make a server, and read what it is called and can do."""
        made = make_participant(self.factory)
        self.name = f"{made.name} {made.version}"
        self._modes = frozenset(made.modes)
        self.able = made.capabilities | {word for pair in made.modes for word in pair}
        self._stories = [story for story in (*STORIES, *REQUESTS) if self._tellable(story)]

    def why_not(self, rule_id: str) -> str:
        """Why a rule was not exercised, in few words."""
        return why_not(rule_id, self.able)

    def texts(self, lines: Sequence[Line]) -> Sequence[str]:
        """The actions among some lines, in words."""
        return action_texts(lines)

    def note(self, played: Played) -> None:
        """Note what a case used, also by the way in which it was started."""
        super().note(played)
        self.used |= _of_settings(played.header)

    def everything_used(self) -> set[str]:
        """The rules that were used, and those that are used with them."""
        return used_with(self.used)

    def shorter(self, played: Played) -> tuple[Verdict, Played]:
        """The verdict on a failure, told by the shortest run that shows it."""
        return explain(self.factory, played, self.watch, self.name, play_script)

    def _tellable(self, story: Story) -> bool:
        """Whether the server can do what a story needs, and all of it may still be done."""
        settings = dict(story.settings)
        mode = (settings.get("mode", "export_restore"), "serialized_per_session")
        enough = len(story.script) <= self.limits.actions
        return story.needs <= self.able and mode in self._modes and enough

    def play(self, number: int) -> Played:
        left = self.limits.actions - self.actions

        if number < len(self._stories):
            return self._tell(self._stories[number])

        async def doing(driver: Driver) -> bool:
            self.driver = driver
            scenario = f"{self.options.seed}:{number}"
            random = Random(scenario)  # noqa: S311 - it chooses actions, no secret
            return await wander(driver, random, min(left, _most(random)))

        scenario = f"seed {self.options.seed}, case {number}"
        return play(self.factory, None, doing, self.watch, scenario)

    def _tell(self, story: Story) -> Played:
        """Play a story."""

        async def doing(driver: Driver) -> bool:
            self.driver = driver
            await perform_all(driver, story.script)
            return not driver.record.over

        return play(self.factory, None, doing, self.watch, story.name, dict(story.settings))


def _most(random: Random) -> int:
    """How long a world goes on: mostly short ones, since what is shorter is told better."""
    return random.choice((15, 30, 60, 60))


def _of_settings(header: Header) -> set[str]:
    """The rules that a case uses by the way in which it was started."""
    words = (header.settings["mode"], header.settings["contract"])
    return {rule for word in words for rule in MODES.get(word, "").split()}
