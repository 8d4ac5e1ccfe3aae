"""Plays one case on a fresh resources server: in a loop of its own, in a folder of its own."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import attrs

from fencepost.driven import Played, driven, performing, run_boxed
from fencepost.faults import ParticipantFault
from fencepost.making import Factory, claims_of, made_by, name_claimed, set_claimed
from fencepost.resources.drawing import DEADLINE, Scene, draw
from fencepost.resources.driver import Driver
from fencepost.resources.oracle import VERSIONS
from fencepost.resources.participant import CAPABILITIES, ResourcesParticipant
from fencepost.resources.showing import READS, line_of
from fencepost.trace.lines import Fault, Header, Line
from fencepost.watch import Watch
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.state import Outcome
from fencepost_reference.runtime.virtual_time import VirtualLoop
from fencepost_spec.receipts.resources.modes import CONTRACTS, MODES
from fencepost_spec.wording import kind_of

WORLD_ACTIONS = 60
"""How long a world goes on before it is brought to rest."""

_REST_SHARE = 0.35


def make_participant(factory: Factory) -> ResourcesParticipant:
    """A new server, or a `ParticipantFault` when the factory makes none that can be used."""
    made: ResourcesParticipant = made_by(factory, ResourcesParticipant)
    names = ("name", "version", "capabilities", "modes", "virtual")
    name, version, claimed, modes, _ = claims_of(made, *names)
    name_claimed(name)
    set_claimed(claimed, CAPABILITIES)
    if version not in VERSIONS:
        raise ParticipantFault(f"unknown version {version!r}", f"known: {', '.join(VERSIONS)}")
    if not modes:
        raise ParticipantFault("it names no mode in which it can be started")
    _require_modes(modes)
    return made


def _require_modes(modes: Any) -> None:
    """Each is a checkpoint mode that there is, with a contract that there is."""
    known = tuple(one.name for one in MODES), tuple(one.name for one in CONTRACTS)
    hint = f"wanted: pairs of a mode ({', '.join(known[0])}) and a contract ({', '.join(known[1])})"
    if not _is_row(modes):
        raise ParticipantFault(f"its modes are {kind_of(modes)}", hint)
    for each in modes:
        pair = _is_row(each) and len(each) == len(known)
        if not pair or any(one not in names for one, names in zip(each, known, strict=True)):
            raise ParticipantFault(f"no mode of a server: {each!r}", hint)


def _is_row(value: Any) -> bool:
    return isinstance(value, tuple | list)


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
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = Driver(participant, own, Path(folder).resolve(), watch)
        played = run_boxed(loop_factory, driven(driver, doing), watch)
    watch.doing("the harness")
    return played


def play_script(factory: Factory, header: Header, script: Iterable[Line], watch: Watch) -> Played:
    """Play a script on a fresh server."""
    return play(factory, header, performing(script), watch)


async def wander(driver: Driver, random: Random, most: int = WORLD_ACTIONS) -> bool:
    """A world of random actions, brought to rest at its end; whether it came there."""
    scene = Scene(capabilities=driver.participant.capabilities)
    while driver.actions < most and not driver.record.over:
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
        if driver.record.over:
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
