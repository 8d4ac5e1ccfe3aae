"""Plays one case on a fresh resources server: in a loop of its own, in a folder of its own."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import attrs

from fencepost.faults import FencepostFault, ParticipantFault
from fencepost.judges import Refusal
from fencepost.mismatch import Inconclusive
from fencepost.resources.drawing import DEADLINE, Scene, draw
from fencepost.resources.driver import Driver
from fencepost.resources.oracle import VERSIONS, Oracle
from fencepost.resources.participant import CAPABILITIES, ResourcesParticipant
from fencepost.resources.showing import READS, line_of
from fencepost.trace.lines import Fault, Header, Line, Report
from fencepost.watch import Watch
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.state import Outcome
from fencepost_reference.runtime.virtual_time import VirtualLoop

Factory = Callable[[], Any]
WORLD_ACTIONS = 60
"""How long a world goes on before it is brought to rest."""

_REST_SHARE = 0.35


@attrs.frozen
class Played:
    """What came of a case."""

    header: Header
    lines: tuple[Line, ...]
    script: tuple[Line, ...]
    actions: int
    refusal: Refusal | None
    oracle: Oracle
    rested: bool = False
    inconclusive: str | None = None


def make_participant(factory: Factory) -> ResourcesParticipant:
    """A new server, or a `ParticipantFault` when the factory makes none that can be used."""
    try:
        made = factory()
    except FencepostFault:
        raise
    except Exception as error:
        raise ParticipantFault(f"the factory raised {type(error).__name__}: {error}") from error
    if not isinstance(made, ResourcesParticipant):
        wanted = "it makes a fencepost.resources.participant.ResourcesParticipant"
        raise ParticipantFault(f"the factory returned a {type(made).__name__}", wanted)
    unheard_of = sorted(str(each) for each in made.capabilities if each not in CAPABILITIES)
    if unheard_of:
        known = ", ".join(sorted(CAPABILITIES))
        raise ParticipantFault(f"no capability is called {', '.join(unheard_of)}", known)
    if made.version not in VERSIONS:
        raise ParticipantFault(f"unknown version {made.version!r}", f"known: {', '.join(VERSIONS)}")
    if not made.modes:
        raise ParticipantFault("it names no mode in which it can be started")
    return made


def plain_settings(changes: Mapping[str, object]) -> dict[str, object]:
    """The settings of a case that is told, and not drawn."""
    return {
        "server_name": "resources-a",
        "mode": "export_restore",
        "contract": "serialized_per_session",
        "restore_expected": False,
        "receipt_capacity": 1024,
        "reads": list(READS),
        "rests": "reports",
        **changes,
    }


def header_of(participant: ResourcesParticipant, scenario: str, random: Random) -> Header:
    """The header of a case, with the settings that it is started with."""
    mode, contract = random.choice(participant.modes)
    drawn = {
        "mode": mode,
        "contract": contract,
        "restore_expected": random.random() < 0.1 and "restore" in participant.capabilities,
        "receipt_capacity": random.choice((3, 1024, 1024)),
    }
    settings = plain_settings(drawn)
    about = "a case that the generator has drawn"
    names = (participant.name, participant.version)
    return Header("receipts", "resources", *names, scenario, about, settings, ())


def play(
    factory: Factory,
    header: Header | None,
    doing: Callable[[Driver], Awaitable[bool]],
    watch: Watch,
    scenario: str = "replay",
    told: Mapping[str, object] | None = None,
) -> Played:
    """Play a case; `doing` drives it, and says whether it came to its end."""
    watch.doing("the factory")
    participant = make_participant(factory)
    own = header or header_of(participant, scenario, Random(scenario))  # noqa: S311 - no secret
    if told is not None:
        own = attrs.evolve(own, settings=plain_settings(told))
    loop_factory = VirtualLoop if participant.virtual else asyncio.new_event_loop
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        asyncio.Runner(loop_factory=loop_factory) as runner,
    ):
        runner.get_loop().set_exception_handler(lambda _loop, _context: None)
        played = runner.run(_driven(participant, own, Path(folder).resolve(), doing, watch))
        watch.doing("the end of the event loop")
    watch.doing("the harness")
    return played


async def _driven(
    participant: ResourcesParticipant,
    header: Header,
    root: Path,
    doing: Callable[[Driver], Awaitable[bool]],
    watch: Watch,
) -> Played:
    driver = Driver(participant, header, root, watch)
    rested, inconclusive = False, None
    try:
        await driver.start()
        rested = await doing(driver)
        driver.check()
    except Inconclusive as why:
        inconclusive = str(why)
    finally:
        await driver.close()
    return Played(
        header,
        tuple(driver.lines),
        tuple(driver.script),
        driver.actions,
        driver.refusal,
        driver.oracle,
        rested,
        inconclusive,
    )


async def perform_all(driver: Driver, script: Iterable[Line]) -> None:
    """Let the actions of a script happen; a report among them stands for a point of rest."""
    rested = False
    for action in script:
        if driver.over:
            return
        rested = isinstance(action, Report)
        await (driver.rest() if rested else driver.perform(action))
    if not rested:
        await driver.rest()


def play_script(factory: Factory, header: Header, script: Iterable[Line], watch: Watch) -> Played:
    """Play a script on a fresh server."""

    async def doing(driver: Driver) -> bool:
        await perform_all(driver, script)
        return not driver.over

    return play(factory, header, doing, watch)


async def wander(driver: Driver, random: Random, most: int = WORLD_ACTIONS) -> bool:
    """A world of random actions, brought to rest at its end; whether it came there."""
    scene = Scene(capabilities=driver.participant.capabilities)
    while driver.actions < most and not driver.over:
        action = draw(scene, driver.state, random)
        if action is not None:
            await driver.perform(line_of(action))
        if action is None or random.random() < _REST_SHARE:
            await driver.rest()
    return await wind_down(driver, scene)


async def wind_down(driver: Driver, scene: Scene) -> bool:
    """Let everything end: handlers, what is held, the open checkpoint; then a prepare succeeds.

    Whether it did. Stuck sessions are retired on the way, as a controller may.
    """
    for _ in range(_ROUNDS):
        await driver.rest()
        if driver.over:
            return False
        action = _next_to_end(driver, scene)
        if action is None:
            return driver.state.fence.phase == "prepared"
        await driver.perform(action)
    return False


_ROUNDS = 80


def _next_to_end(driver: Driver, scene: Scene) -> Line | None:
    """What a patient controller does next, until a prepare has succeeded."""
    state, able = driver.state, driver.participant.capabilities
    running = sorted(name for name, one in state.requests.items() if one.stage == "running")
    if running:
        return line_of(a.Handled(running[0], Outcome(200, "done")))
    if state.holds:
        return line_of(shared.Release(min(state.holds)))
    if state.fence.phase == "prepared" or not {"prepare", "resume", "retire"} <= able:
        return None
    active = state.fence.active or scene.checkpoint()
    while active in state.history.finished:
        active = scene.checkpoint()
    stuck = [k for k, one in sorted(state.sessions.items()) if one.status in _STUCK]
    if state.restore_awaited or (state.untracked and state.settings.mode == "export_restore"):
        return Fault(0, "replace", "empty", {}) if _may_replace(driver) else None
    if state.fence.phase not in ("idle", "preparing"):
        return line_of(shared.Call(scene.call(), "resume", shared.Request(active, DEADLINE)))
    if stuck:
        request = shared.Request(active, DEADLINE, key=stuck[0])
        return line_of(shared.Call(scene.call(), "retire", request))
    return line_of(shared.Call(scene.call(), "prepare", shared.Request(active, DEADLINE)))


_STUCK = frozenset({"uncertain", "evicted", "retiring"})


def _may_replace(driver: Driver) -> bool:
    waits_for_a_restore = bool(driver.header.settings.get("restore_expected"))
    return "replace" in driver.participant.capabilities and not waits_for_a_restore
