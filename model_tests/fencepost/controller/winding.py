"""The end of a case: faults stop, all work ends, and everything must come to rest.

Whether what is left then is too much is for the judge to say, at the report.
"""

from collections.abc import Iterator

from fencepost.controller import telling
from fencepost.controller.driver import Driver
from fencepost.trace.lines import Line

ROUNDS_MAX = 12
LATE_SECONDS = 11.0
PATIENT = 4
"""After so many rounds the deadlines of participants fall due."""


async def wind_down(driver: Driver) -> bool:
    """Bring a case to rest; whether everything that was open has ended."""
    await _do(driver, telling.calm())
    quiet = await _until_quiet(driver)
    if quiet and "snapshot_due" in driver.controller.capabilities:
        await _do(driver, telling.told("snapshot_due"))
        quiet = await _until_quiet(driver)
    if not _ended(driver):
        await driver.rest()
    return driver.record.stopped or (quiet and not driver.record.over)


async def _until_quiet(driver: Driver) -> bool:
    """End what is open, again and again, until nothing is."""
    for number in range(ROUNDS_MAX):
        for line in list(_ends(driver)):
            await _do(driver, line)
        if _ended(driver):
            return False
        await driver.rest()
        if _ended(driver):
            return False
        if _is_quiet(driver):
            return True
        if number and "deadline" in driver.controller.capabilities:
            await _do(driver, telling.told("deadline"))
        if driver.ground.sleepers or number > 1:
            await _do(driver, telling.seconds(LATE_SECONDS if number > PATIENT else 1.0))
    return False


def _ends(driver: Driver) -> Iterator[Line]:
    """What ends something that is open."""
    ground = driver.ground
    for call in list(ground.network.open.values()):
        if call.held:
            yield telling.let_go(call.op, call.part.standing.at)
    for group in list(driver.groups.values()):
        if not group.admitted:
            step = driver.train_step + 1
            yield telling.told("admit", group_id=group.group_id, target_step=step)
    for agent in ground.agents:
        at = agent.standing.instance
        for key in agent.running:
            if any(owner == key for model in ground.models for owner in model.tickets.values()):
                yield telling.work("model_answer", key.rollout_id, key.attempt, at)
            else:
                yield telling.finish(key.rollout_id, key.attempt, "completed", at)


def _is_quiet(driver: Driver) -> bool:
    ground = driver.ground
    works = any(one.alive for agent in ground.agents for one in agent.workers)
    return not (ground.network.open or ground.sleepers or works)


async def _do(driver: Driver, line: Line) -> None:
    if not _ended(driver):
        await driver.perform(line)


def _ended(driver: Driver) -> bool:
    return driver.record.over or driver.actions >= driver.actions_max
