"""`check_model`: drives a policy model through many small worlds and judges all that it does.

Each case is a fresh participant: first every story, then what is drawn. The first failure that is
not known is played again, shorter and shorter, until nothing can be left out.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from fencepost.check_result import CheckResult
from fencepost.checked import UNTRIED, Asked, Checked, Progress
from fencepost.driven import Played, perform_all
from fencepost.explaining import Options, explain
from fencepost.making import Factory
from fencepost.policy_model import showing
from fencepost.policy_model.driver import ModelDriver
from fencepost.policy_model.enabled import TURNS, Look, World, chosen
from fencepost.policy_model.evidence import used_of, why_not
from fencepost.policy_model.playing import make_model, play, play_script
from fencepost.policy_model.scripts import needs_of, script_of
from fencepost.policy_model.stories import STORIES
from fencepost.policy_model.wording import action_text
from fencepost.trace.lines import Line
from fencepost.verdict import Verdict
from fencepost.watch import Watch
from fencepost.xfail import KnownFailure
from fencepost_reference.receipts.policy_model.core import ModelCore

WORLD_ACTIONS = 70
REST_EVERY = 6


def check_model(
    adapter: Factory | None = None,
    seed: int = 0,
    budget: int | None = None,
    profile: str = "quick",
    xfail: Sequence[KnownFailure] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
    options: Options | None = None,
) -> CheckResult:
    """Check a policy model. Whatever the adapter does, there is a result."""
    asked = Asked(adapter, seed, budget, profile, xfail, progress, watch, options)
    return _ModelCheck(asked, _bundled()).conclude()


def _bundled() -> Factory:
    from fencepost.policy_model.core_adapter import make

    return make


class _ModelCheck(Checked):
    """One run of `check_model`, and what it has found out so far."""

    kind = "model"

    def meet(self) -> None:
        """Make a model, and read what it is called and can do."""
        made = make_model(self.factory)
        self.name = f"{made.name} {made.version}"
        self.able = frozenset(made.capabilities)

    def why_not(self, rule_id: str) -> str:
        """Why a rule was not exercised, in few words."""
        return why_not(rule_id, self.able) or UNTRIED

    def texts(self, lines: Sequence[Line]) -> list[str]:
        """The actions among some lines, in words."""
        return [text for line in lines if (text := action_text(line)) is not None]

    def note(self, played: Played) -> None:
        """Note what a case used."""
        self.used |= used_of(played.lines, played.oracle.rules)

    def is_spent(self, number: int, played: Played) -> bool:
        """Whether also what is drawn does nothing."""
        return not played.actions and number > len(STORIES)

    def shorter(self, played: Played) -> tuple[Verdict, Played]:
        """The verdict on a failure, told by the shortest run that shows it."""
        return explain(self.factory, played, self.watch, self.name, play_script)

    def play(self, number: int) -> Played:
        """One case: a story, or a world that is drawn."""
        story = STORIES[number] if number < len(STORIES) else None
        random = Random(f"{self.options.seed}:{number}")  # noqa: S311  # chooses actions
        settings = {"role": "policy", "ledger": "file"}
        if story is not None:
            settings = {"role": story.role, "ledger": story.ledger}

        async def doing(driver: ModelDriver) -> bool:
            self.driver = driver
            driver.actions_max = self.limits.actions - self.actions
            if story is not None:
                script = script_of(story.walk().lines)
                await perform_all(driver, filter(self._can, script))
            else:
                await self._wander(driver, random)
            return True

        scenario = f"seed {self.options.seed}, case {number}"
        return play(self.factory, None, doing, self.watch, scenario, settings)

    def _can(self, line: Line) -> bool:
        return needs_of(line) <= self.able

    async def _wander(self, driver: ModelDriver, random: Random) -> None:
        """A world of random actions, with points of rest between, brought to rest in the end."""
        world, core = World(), ModelCore()
        most = min(WORLD_ACTIONS, driver.actions_max)
        tries = 0
        while driver.actions < most and tries < most * 4 and not driver.record.over:
            tries += 1
            state = driver.record.state
            action: Any = chosen(core, state, world, random.randrange(TURNS << 10), own=False)
            if isinstance(action, Look):
                continue
            line = showing.action_line(action, state)
            if line is None or not self._can(line):
                continue
            if await driver.perform(line):
                world = world.after(action)
            if random.randrange(REST_EVERY) == 0:
                await driver.rest()
        if not driver.record.over:
            await driver.rest()
