"""The control calls that a controller may make now: right ones, repeated ones, and wrong ones."""

from operator import itemgetter
from typing import Any

import attrs

from fencepost.showing import wrong_receipt
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import LIVE, Receipt, State
from fencepost_spec.receipts.policy import RECEIPT_FIELDS
from fencepost_spec.vocabulary import Key

CALLS_MAX = 8
DEADLINE_US = 5_000_000
_KEYED = ("retire", "discard-restored-continuation")
_STORED = ("commit", "restore")


@attrs.frozen
class World:
    """What the world remembers: how many ids it has made, and which handlers have begun.

    `line` is the number of the next line: an event of the work is known by it.
    """

    rollouts: tuple[str, ...] = ("r1", "r2", "r3")
    calls: int = 0
    checkpoints: int = 0
    line: int = 1
    begun: tuple[Key, ...] = ()

    @property
    def call(self) -> str:
        """An id that no call has had."""
        return f"q{self.calls + 1}"

    @property
    def checkpoint(self) -> str:
        """An id that no checkpoint has had."""
        return f"c{self.checkpoints + 1}"

    def at(self, line: int) -> "World":
        """The same, with another line to come."""
        return World(self.rollouts, self.calls, self.checkpoints, line, self.begun)

    def after(self, action: Any, outputs: tuple[Any, ...], line: int) -> "World":
        """What the world remembers after an action."""
        calls, checkpoints, begun = self.calls, self.checkpoints, self.begun
        if isinstance(action, a.Call | a.Run):
            calls += 1
            if isinstance(action, a.Call) and action.request.checkpoint_id == self.checkpoint:
                checkpoints += 1
        elif isinstance(action, a.Replace):
            begun = ()
        for output in outputs:
            if isinstance(output, a.Began) and output.key is not None:
                begun = (*begun[-3:], output.key)
        return World(self.rollouts, calls, checkpoints, line, begun)


def asked(world: World, op: str, checkpoint: str | None, **more: Any) -> a.Call:
    """A control call under a fresh call id, with a deadline where one belongs."""
    if op not in ("status", "capabilities"):
        more.setdefault("deadline", DEADLINE_US)
    return a.Call(world.call, op, a.Request(checkpoint, **more))


def sensible_calls(_core: AgentCore, state: State, world: World) -> list[Any]:
    """What a controller that knows the protocol may call now, repeats included."""
    if len(state.calls) >= CALLS_MAX:
        return []
    active = state.fence.active
    return _opening(state, world) if active is None else _going_on(state, world, active)


def _opening(state: State, world: World) -> list[Any]:
    new = world.checkpoint
    found = [asked(world, "prepare", new)] * 3
    waits = sum(one.wait is not None for one in state.executions.values())
    found += [asked(world, "prepare", new, allow_model_wait=True)] * (2 + 3 * waits)
    found.append(asked(world, "prepare", new, deadline=0))
    empty = not (state.executions or state.pending or state.untracked)
    for path in sorted(state.disk, reverse=True):
        found += [asked(world, "restore", new, directory=path)] * (4 if empty else 1)
    found += [asked(world, "retire", new, key=key) for key in _one_of(state, world)]
    found.append(asked(world, "resume", new))
    found.append(asked(world, "status", new))
    return found


def _going_on(state: State, world: World, active: str) -> list[Any]:
    fence = state.fence
    found: list[Any] = []
    if fence.phase in ("preparing", "prepared"):
        found.append(asked(world, "prepare", active))
        found += [asked(world, "retire", active, key=key) for key in _one_of(state, world)]
    if fence.phase == "prepared" and world.line % 4 == 0:
        found += [asked(world, "retire", active, key=key) for key in keys_known(state)]
    if fence.phase in ("prepared", "committing", "committed_paused"):
        found += [asked(world, "commit", active, directory=f"d-{active}")] * 3
        found.append(asked(world, "commit", active, directory="d-shared"))
    if fence.phase == "restored_paused":
        discard = "discard-restored-continuation"
        found += [asked(world, discard, active, key=key) for key in sorted(state.pending)]
    if fence.phase in ("restoring", "restored_paused") and fence.storing is not None:
        found.append(asked(world, "restore", active, directory=fence.storing.directory))
    found.append(asked(world, "status", active))
    # Resume is what ends it, so it comes last and, in most phases, seldom.
    found += [asked(world, "resume", active)] * (2 if fence.phase.endswith("_paused") else 1)
    return found


def keys_known(state: State) -> list[Key]:
    """The keys that stand somewhere: live, retained, waiting to be claimed."""
    return [*sorted(state.executions), *sorted(state.pending)]


def _one_of(state: State, world: World) -> list[Key]:
    """One key that stands somewhere, each in its turn, and not always."""
    known = keys_known(state)
    place = world.line % (2 * len(known) + 1)
    return known[place : place + 1]


def releases(_core: AgentCore, state: State, world: World) -> list[Any]:
    """Acknowledgements, right and wrong, and questions for receipts."""
    if len(state.calls) >= CALLS_MAX:
        return []
    standing = sorted(state.executions.items(), key=itemgetter(0))
    retained = [(key, one.receipt) for key, one in standing if one.receipt]
    known = sorted(state.history.acknowledged.items(), key=itemgetter(0))[-2:]
    found = [_acknowledged(world, (one,)) for one in retained] * 2
    if retained:
        found.append(_acknowledged(world, tuple(retained), batch=True))
        found.append(_acknowledged(world, (*retained, *known), batch=True))
    for key, receipt in retained[:1]:
        wrongs = [(key, wrong_receipt(receipt, field.name)) for field in RECEIPT_FIELDS]
        found += [_acknowledged(world, (one,)) for one in wrongs]
        found.append(_acknowledged(world, (*retained[1:], wrongs[0]), batch=True))
    found += [_acknowledged(world, (one,)) for one in known]
    found += [_acknowledged(world, ((k, wrong_receipt(r, "result_digest")),)) for k, r in known]
    for key in keys_known(state)[:3]:
        found.append(asked(world, "completion-receipt", None, key=key, deadline=None))
    unknown = Key("r9", 0), Receipt(1, "x9", "e" * 64)
    found.append(_acknowledged(world, (unknown,)))
    return found


def _acknowledged(
    world: World, receipts: tuple[tuple[Key, Receipt], ...], *, batch: bool = False
) -> a.Call:
    op = "acknowledge-completed" if batch else "acknowledge"
    return a.Call(world.call, op, a.Request(receipts=receipts))


def odd_calls(core: AgentCore, state: State, world: World) -> list[Any]:
    """Calls of another id, of a finished one, in a wrong phase, or not well formed."""
    if len(state.calls) >= CALLS_MAX:
        return []
    active, finished = state.fence.active, sorted(state.history.finished)[-2:]
    ids = [*finished, world.checkpoint, *([active] if active else [])]
    key = next(iter(keys_known(state)), Key(world.rollouts[0], 0))
    found: list[Any] = [asked(world, "capabilities", None)]
    for op, operation in core.spec.operations.items():
        more: dict[str, Any] = {"key": key} if op in _KEYED else {}
        if op in _STORED:
            more["directory"] = "d-elsewhere"
        if operation.fenced:
            found += [asked(world, op, one, **more) for one in ids]
        found.append(a.Call(world.call, op, a.Request("c0", well_formed=False)))
        if operation.fenced:
            found.append(asked(world, op, world.checkpoint, authorised=False, **more))
    stopped = sorted(k for k, e in state.executions.items() if e.status in LIVE)
    found += [asked(world, "retire", one, key=k) for one in ids for k in stopped[:1]]
    return found
