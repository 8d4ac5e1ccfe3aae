"""What may happen next to an agent: everything the world may do, and every step of its own.

A pure function of the state of the core and the little that the world remembers. Actions come in
groups, so that a walk can say how often it wants each; a number stands for one action. Nothing
here is random. Control calls are in `enabled_calls.py`.
"""

from collections.abc import Callable, Iterable
from math import gcd
from operator import itemgetter
from typing import Any

import attrs

from fencepost import enabled_calls
from fencepost.agent import reading
from fencepost.enabled_calls import CALLS_MAX, World
from fencepost.showing import RESULTS, boundary_of, look_line
from fencepost_reference.model import NotEnabled, Own
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import COUNTED, FROZEN, LIVE, Directory, Execution, State
from fencepost_spec.vocabulary import Key, result_identity

Group = Callable[[AgentCore, State, World], list[Any]]
"""The actions of one group that are enabled now, the plainest first."""

EXECUTIONS_MAX = 4
DISKS_MAX = 6
_STORAGE_STEPS = ("records", "manifest", "after_manifest", "read", "prepare")


@attrs.frozen
class Look:
    """Somebody looks at a directory; nothing happens."""

    path: str


@attrs.frozen
class Ask:
    """The participant reports how it stands while it moves; nothing happens."""


def own_steps(core: AgentCore, state: State, _world: World) -> list[Any]:
    """What the participant may do by itself, and answers that are dropped instead."""
    dropped = [
        a.Leave(call, dropped=True)
        for call, waiting in sorted(state.calls.items(), key=itemgetter(0))
        if waiting.op == "run" and waiting.reply is not None and waiting.reply.loose
    ]
    return [own.action for own in in_order(core.own(state))] + dropped


def in_order(steps: Iterable[Own]) -> list[Own]:
    """Steps in an order that is the same in every process; maps are ordered by hashes."""
    return sorted(steps, key=lambda own: (type(own.action).__name__, str(own.subject)))


def work_events(_core: AgentCore, state: State, world: World) -> list[Any]:
    """Events of handlers that have begun."""
    found: list[Any] = []
    for key, execution in sorted(state.executions.items(), key=itemgetter(0)):
        if not execution.begun or execution.status not in LIVE:
            continue
        if not execution.handler:
            found.append(a.Work("finish", key, world.line, outcome="failed"))
        elif execution.held is None:
            found += _free_events(key, execution, world.line)
        else:
            found += _held_events(key, execution, world.line)
    for call, begun in sorted(state.untracked.items()):
        if begun:
            found += work_ends(None, world.line, call)
            found.append(a.Work("boundary", None, world.line, call=call))
    return found


def _free_events(key: Key, execution: Execution, token: int) -> list[Any]:
    """What a handler may do that waits for nothing."""
    record, wait = execution.record, execution.wait
    index = -1 if record is None else record.index
    new = boundary_of(key, index + 1, f"m{index + 1}", index + 1)
    bare = boundary_of(key, index + 2, None, index + 2)
    found = [
        *[a.Work("boundary", key, token, boundary=new)] * 3,
        a.Work("boundary", key, token, boundary=bare),
        *[a.Work("park", key, token)] * 2,
        a.Work("boundary", key, token, boundary=new, identity_matches=False),
    ]
    if execution.boundary is not None:
        again = boundary_of(key, index, "another", index)
        found.append(a.Work("boundary", key, token, boundary=execution.boundary))
        found.append(a.Work("boundary", key, token, boundary=again))
    if wait is None:
        kinds = ("model", "external")
        found += [a.Work("wait_begin", key, token, wait=kind) for kind in kinds] * 2
    else:
        # A wait lasts, so that a checkpoint meets it, and ends once it has.
        frozen = execution.status in FROZEN
        found += [a.Work("wait_end", key, token, wait=wait)] * (4 if frozen else token % 2)
        if not execution.refusal:
            found += [a.Work("refusal", key, token)] * (4 if frozen else token % 2)
    over = execution.status == "retiring"
    return (
        found + work_ends(key, token) * 3
        if over
        else found + work_ends(key, token)[: 3 * (token % 2)]
    )


def _held_events(key: Key, execution: Execution, token: int) -> list[Any]:
    """What may happen to a handler while an event of it waits: somebody else speaks."""
    found: list[Any] = [a.Work("finish", key, token, outcome="failed")] * (token % 4 == 0)
    if execution.status in COUNTED or execution.status == "retiring":
        found.append(a.Work("park", key, token))
        found += [a.Work("finish", key, token, outcome="cancelled")] * 2
    return found if token % 3 else []


def work_ends(key: Key | None, token: int, call: str | None = None) -> list[Any]:
    """How a handler may end."""
    digest = tuple(RESULTS)[token % len(RESULTS)]
    result = digest, result_identity(RESULTS[digest])
    return [
        *[a.Work("finish", key, token, outcome="completed", result=result, call=call)] * 2,
        a.Work("finish", key, token, outcome="failed", call=call),
        a.Work("finish", key, token, outcome="cancelled", call=call),
    ]


def late_events(_core: AgentCore, state: State, world: World) -> list[Any]:
    """Events of handlers whose keys are over: nobody told them, or they did not listen."""
    found: list[Any] = []
    for key in world.begun:
        execution = state.executions.get(key)
        if execution is not None and execution.status in LIVE:
            continue
        record = boundary_of(key, 9, "m9", 9)
        found.append(a.Work("boundary", key, world.line, boundary=record))
        found.append(a.Work("park", key, world.line))
        found.append(a.Work("wait_begin", key, world.line, wait="model"))
        # A handler that has ended with a result does not end again; others may say it failed.
        ends = [a.Work("finish", key, world.line, outcome="failed")]
        found += work_ends(key, world.line) if execution is None else ends
    return found


def runs(_core: AgentCore, state: State, world: World) -> list[Any]:
    """Runs of clients: of the next attempt, a restored one, the same, an older, a far one."""
    if len(state.calls) >= CALLS_MAX:
        return []
    found: list[Any] = [a.Run(world.call, key) for key in sorted(state.pending)] * 3
    live = sum(e.status in LIVE for e in state.executions.values())
    if state.accepting and live < EXECUTIONS_MAX:
        found += [a.Run(world.call, _attempt(state, rollout, 1)) for rollout in world.rollouts] * 2
    rollout = world.rollouts[world.line % len(world.rollouts)]
    found += [a.Run(world.call, _attempt(state, rollout, step)) for step in (1, 0, -1, 2)]
    if len(state.untracked) < 2:
        found.append(a.Run(world.call, None))
    found.append(a.Run(world.call, None, well_formed=False))
    return found


def _attempt(state: State, rollout: str, step: int) -> Key:
    """An attempt of a rollout, so many above the highest that it has had."""
    return Key(rollout, max(0, state.history.watermark.get(rollout, -1) + step))


def callers_that_go(_core: AgentCore, state: State, _world: World) -> list[Any]:
    """Callers that will not see their answer."""
    return [a.Gone(call) for call in sorted(state.calls)]


def faults(_core: AgentCore, state: State, world: World) -> list[Any]:
    """What breaks: the process, storage steps, directories."""
    # Nobody touches a directory that is being written or read.
    busy = None if state.fence.storing is None else state.fence.storing.directory
    written = [
        path
        for path, here in sorted(state.disk.items(), key=itemgetter(0))
        if here.kind == "committed" and path != busy
    ]
    found: list[Any] = [a.Replace()] * (1 + 3 * bool(written))
    for op in ("commit", "restore"):
        found += [a.Release(op)] * 4 if op in state.holds else [a.Hold(op)] * (world.line % 5 == 0)
    if not state.failing:
        found.append(a.FailStorage(_STORAGE_STEPS[world.line % len(_STORAGE_STEPS)]))
    for path in written[-1:]:
        gone = None if world.line % 2 else Directory("damaged")
        found.append(a.SetDirectory(path, gone))
    if "copied" not in state.disk:
        found.append(a.SetDirectory("copied", copied(world, state.instance)))
    if len(state.disk) > DISKS_MAX:
        found.append(a.Replace(disk_kept=False))
    return found


def copied(world: World, instance: str | None) -> Directory:
    """A directory that an earlier process of this agent committed, as a look tells it."""
    key = Key(world.rollouts[0], world.checkpoints % 3)
    records = ((key, boundary_of(key, 1, "m1", 1)),)
    content = Directory("committed", "c-earlier", instance, records)
    return reading.directory_of(look_line(0, "", content).look)


def time_passes(_core: AgentCore, state: State, _world: World) -> list[Any]:
    """Time that passes while somebody waits; what has fallen due happens before more of it."""
    fence = state.fence
    due = fence.waiting and fence.deadline == 0
    retires = any(one.op == "retire" and one.reply is None for one in state.calls.values())
    return [a.Tick(5_000_000), a.Tick(1_000_000)] if (fence.waiting or retires) and not due else []


def looks(_core: AgentCore, state: State, _world: World) -> list[Any]:
    """What somebody may look at without anything happening."""
    known = sorted(path for path, here in state.disk.items() if here.kind != "unknown")
    return [Ask(), *map(Look, known)]


GROUPS: dict[str, tuple[Group, int]] = {
    "own": (own_steps, 12),
    "work": (work_events, 9),
    "run": (runs, 3),
    "control": (enabled_calls.sensible_calls, 3),
    "release": (enabled_calls.releases, 1),
    "odd": (enabled_calls.odd_calls, 1),
    "time": (time_passes, 1),
    "look": (looks, 1),
    "late": (late_events, 1),
    "gone": (callers_that_go, 1),
    "fault": (faults, 1),
}
"""The groups, and how often a walk looks into each."""

_TURNS: tuple[Group, ...] = tuple(g for g, weight in GROUPS.values() for _ in range(weight))

TURNS = len(_TURNS)
"""How many turns there are: a number stands for a turn and, beyond, for a place in its group."""

_STRIDE = next(step for step in range(TURNS // 3, TURNS) if gcd(step, TURNS) == 1)
"""How far to go on from a group that has nothing, so that no neighbour gets all the turns."""


def enabled(core: AgentCore, state: State, world: World) -> tuple[Any, ...]:
    """Every action that is enabled now."""
    return tuple(one for group, _ in GROUPS.values() for one in group(core, state, world))


def chosen(core: AgentCore, state: State, world: World, number: int) -> Any:
    """The enabled action that a number stands for: a group by its weight, then one of it."""
    turn, place = number % TURNS, number // TURNS
    for further in range(TURNS):
        found = _TURNS[(turn + further * _STRIDE) % TURNS](core, state, world)
        if found:
            return found[place % len(found)]
    raise NotEnabled(number, "nothing may happen")
