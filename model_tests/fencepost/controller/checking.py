"""`check_controller`: has a controller drive our participants, and judges the calls that it makes.

Each case is a fresh controller in a deployment of its own: first every story, then what is drawn.
The first failure that is not known is played again, shorter and shorter.
"""

from collections.abc import Sequence
from functools import partial
from random import Random

from fencepost.check_result import CheckResult
from fencepost.checked import UNTRIED, Asked, Checked, Progress
from fencepost.controller.all_stories import STORIES
from fencepost.controller.drawing import Drawer
from fencepost.controller.driver import Driver
from fencepost.controller.evidence import why_not
from fencepost.controller.held import make_controller
from fencepost.controller.playing import Judging, play, play_script
from fencepost.controller.scene import Scene, scenes
from fencepost.controller.telling import action_text
from fencepost.controller.winding import wind_down
from fencepost.driven import Played, perform_all
from fencepost.explaining import Options, explain
from fencepost.judges import judge_of
from fencepost.making import Factory
from fencepost.trace.lines import Line
from fencepost.verdict import Verdict
from fencepost.watch import Watch
from fencepost.xfail import KnownFailure

WORLD_ACTIONS = 40
"""How long a drawn case goes on before it is brought to rest."""

REST_EVERY = 2
"""One action in so many is followed by a point of rest."""


def check_controller(
    adapter: Factory | None = None,
    seed: int = 0,
    budget: int | None = None,
    profile: str = "quick",
    xfail: Sequence[KnownFailure] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
    options: Options | None = None,
) -> CheckResult:
    """Check a controller. Whatever the adapter does, there is a result."""
    asked = Asked(adapter, seed, budget, profile, xfail, progress, watch, options)
    return _Check(asked, _bundled()).conclude()


def _bundled() -> Factory:
    from fencepost.controller.core_adapter import make

    return make


class _Check(Checked):
    """One run of `check_controller`, and what it has found out so far."""

    kind = "controller"

    def __init__(self, asked: Asked, bundled: Factory) -> None:
        super().__init__(asked, bundled)
        self.judging: Judging = judge_of
        self._scenes: tuple[Scene, ...] = ()
        self._drawer = Drawer()
        self._not_rested = 0

    def meet(self) -> None:
        """Make a controller, and read what it is called and can do."""
        made = make_controller(self.factory)
        self.name = f"{made.name} {made.version}"
        self.able = frozenset(made.capabilities)
        self._scenes = tuple(scenes(self.able))

    def why_not(self, rule_id: str) -> str:
        """Why a rule was not exercised, in few words."""
        return why_not(rule_id, self.able) or UNTRIED

    def texts(self, lines: Sequence[Line]) -> list[str]:
        """The actions among some lines, in words."""
        return [text for line in lines if (text := action_text(line)) is not None]

    def note(self, played: Played) -> None:
        """Note what a case used, and whether it came to its end."""
        super().note(played)
        self._not_rested += not played.complete

    def is_spent(self, number: int, played: Played) -> bool:
        """Never: what is drawn differs from case to case."""
        del number, played
        return False

    def unrested(self) -> tuple[tuple[str, int], ...]:
        """How many cases did not come to their end."""
        return (("what ends it", self._not_rested),) if self._not_rested else ()

    def shorter(self, played: Played) -> tuple[Verdict, Played]:
        """The verdict on a failure, told by the shortest run that shows it."""
        playing = partial(play_script, judging=self.judging)
        return explain(self.factory, played, self.watch, self.name, playing)

    def play(self, number: int) -> Played:
        """One case: a story, or what is drawn."""
        told = [one for one in STORIES if one.scene in self._scenes]
        story = told[number] if number < len(told) else None
        random = Random(f"{self.options.seed}:{number}")  # noqa: S311  # chooses actions
        scene = story.scene if story is not None else random.choice(self._scenes)

        async def doing(driver: Driver) -> bool:
            self.driver = driver
            driver.actions_max = self.limits.actions - self.actions
            if story is not None:
                await perform_all(driver, story.script)
            else:
                await self._wander(driver, random)
            return await wind_down(driver)

        scenario = f"seed {self.options.seed}, case {number}"
        return play(self.factory, None, doing, self.watch, scenario, scene, self.judging)

    async def _wander(self, driver: Driver, random: Random) -> None:
        """A case of random actions, with points of rest between."""
        most = min(WORLD_ACTIONS, driver.actions_max)
        tries = 0
        while driver.actions < most and tries < most * 2 and not driver.record.over:
            tries += 1
            candidate = self._drawer.draw(driver, random)
            before = set(driver.record.oracle.rules) | self.used
            if not await driver.perform(candidate.line):
                continue
            if random.randrange(REST_EVERY) == 0:
                await driver.rest()
            new = set(driver.record.oracle.rules) - before
            self.used |= new
            self._drawer.learn(candidate.shape, len(new))
