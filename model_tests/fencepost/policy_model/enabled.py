"""What may happen next to a policy model: everything the world may do, and each step of its own.

A pure function of the state and the little that the world remembers. Actions come in groups, so
that a walk can say how often it wants each; a number stands for one action.
"""

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from fencepost.policy_model.files import document_of, index_of
from fencepost.policy_model.paths import FREE_PATHS, GATED_PATHS, ROUTES, UNGATED
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.state import Checkpoint, Index, Root, Row, State
from fencepost_spec.vocabulary import Key

TICKETS_MAX = 4
CALLS_MAX = 5
DIRECTORIES = ("d1", "d2", "d3")
INDEXES = ("agent/one.jsonl", "agent/two.jsonl")
ROLLOUTS = ("r1", "r2")
DEADLINE_US = 5_000_000
NO_INDEX = f"{'0' * 64} 1 1"
REASONS = ("aborted", "timeout", "cancelled", "worker_lost", "Aborted by its caller")
"""Why calls fail, in the words of a ledger; which it is makes no difference."""


@attrs.frozen
class Look:
    """Somebody looks at a directory; nothing happens."""

    path: str


@attrs.frozen
class World:
    """How many names the world has made so far."""

    calls: int = 0
    tickets: int = 0
    checkpoints: int = 0
    rows: int = 0

    @property
    def call(self) -> str:
        """An id that no call has had."""
        return f"q{self.calls + 1}"

    @property
    def ticket(self) -> str:
        """A name that no call of the data plane has had."""
        return f"t{self.tickets + 1}"

    @property
    def checkpoint(self) -> str:
        """An id that no checkpoint has had."""
        return f"c{self.checkpoints + 1}"

    def after(self, action: Any) -> "World":
        """What the world remembers after an action."""
        match action:
            case a.Call():
                new = action.request.checkpoint_id == self.checkpoint
                return attrs.evolve(self, calls=self.calls + 1, checkpoints=self.checkpoints + new)
            case a.Admit():
                return attrs.evolve(self, tickets=self.tickets + 1)
            case a.Record():
                return attrs.evolve(self, rows=self.rows + 1)
            case _:
                return self


Group = Callable[[ModelCore, State, World], list[Any]]
"""The actions of one group that are enabled now."""


def own_steps(core: ModelCore, state: State, _world: World) -> list[Any]:
    """What the participant may do by itself."""
    return [own.action for own in core.own(state)]


def admissions(_core: ModelCore, state: State, world: World) -> list[Any]:
    """Calls that reach the gate."""
    if len(state.tickets) >= TICKETS_MAX:
        return []
    marks = state.history.mark
    keys = [Key(name, marks.get(name, -1) + 1) for name in ROLLOUTS]
    wrong = [Key("r1", attempt) for attempt in range(3)]
    routes = (*ROUTES, GATED_PATHS[world.tickets % len(GATED_PATHS)])
    route = routes[world.tickets % len(routes)]
    free = (UNGATED, *FREE_PATHS)[world.tickets % (1 + len(FREE_PATHS))]
    found = [a.Admit(world.ticket, key, route) for key in [*keys * 2, *wrong, None]]
    found.append(a.Admit(world.ticket, None, free))
    return [*found, a.Admit(world.ticket, None, route, agrees=False)]


def calls_in_flight(_core: ModelCore, state: State, world: World) -> list[Any]:
    """What calls that were let in do."""
    found: list[Any] = []
    for name in sorted(state.tickets):
        found += [a.Release(name)] * 2
        if state.tickets[name].key is not None and state.has_ledger:
            found += [a.Record(name, row) for row in _rows(world)]
    return found


def _rows(world: World) -> list[Row]:
    """A row of a new call, most often; one that repeats a call, one that failed."""
    new, reason = f"m{world.rows + 1}", REASONS[world.rows % len(REASONS)]
    rows = [Row(new), Row(new, storage_key=f"s{world.rows // 2}"), Row(new, reason)]
    return [*rows, Row(f"m{max(1, world.rows)}")]


def control_calls(_core: ModelCore, state: State, world: World) -> list[Any]:
    """What a controller may ask, right or wrong, new or repeated."""
    if len(state.calls) >= CALLS_MAX:
        return []
    fence = state.fence
    finished = sorted(state.history.finished)[-1:]
    own = fence.active or world.checkpoint
    found: list[a.Call] = []
    # An id that lies on disk may be used again by the next process.
    written = [here.id for here in state.disk.values() if here.id not in state.history.finished]
    earlier = sorted(name for name in written if name is not None)[-1:]
    again = earlier * 2 if fence.active is None else []
    for checkpoint in (own, own, own, own, world.checkpoint, *again, *finished):
        found += _asked(state, world, checkpoint)
    one = found[0]
    found.append(attrs.evolve(one, request=attrs.evolve(one.request, authorised=False)))
    found.append(attrs.evolve(one, request=attrs.evolve(one.request, well_formed=False)))
    return list(found)


def _asked(state: State, world: World, checkpoint: str) -> list[a.Call]:
    base = a.Request(checkpoint, DEADLINE_US)
    waiting = attrs.evolve(base, waits=True)
    soon = attrs.evolve(waiting, timeout=1_000_000)
    key = Key(ROLLOUTS[world.calls % 2], state.history.mark.get("r1", -1) + 1)
    directory = _directory(state, world, checkpoint)
    indexes = _references(state, world)
    commit = attrs.evolve(base, directory=directory, indexes=indexes)
    restore = attrs.evolve(base, directory=directory)
    asked = (
        ("pause", base),
        ("pause", base),
        ("resume", base),
        ("status", base),
        ("status", waiting),
        ("status", soon),
        ("abort_inflight", attrs.evolve(base, key=key)),
        ("commit", commit),
        ("commit", commit),
        ("restore", restore),
        ("restore", restore),
    )
    found = [a.Call(world.call, op, request) for op, request in asked]
    return [*found, a.Call(world.call, "capabilities", a.Request())]


def _directory(state: State, world: World, checkpoint: str) -> str:
    """Most often the directory that the id committed, else any."""
    same = [path for path, here in sorted(state.disk.items()) if here.id == checkpoint]
    if same and world.calls % 4:
        return same[0]
    return DIRECTORIES[world.calls % len(DIRECTORIES)]


def _references(state: State, world: World) -> tuple[tuple[str, str], ...]:
    """References to the indexes that lie on disk; sometimes one that is wrong."""
    good = [(path, index.digest) for path, index in sorted(state.indexes.items())]
    if world.calls % 9 == 8:
        return ((INDEXES[0], NO_INDEX),)
    return tuple(good[: 1 + world.calls % 2])


def faults(_core: ModelCore, state: State, world: World) -> list[Any]:
    """What the world breaks, and what others put on disk."""
    found: list[Any] = [a.SetIndex(path, _index(state, world, path)) for path in INDEXES] * 3
    found += [a.SetIndex(path, None) for path in state.indexes if world.calls % 5 == 4]
    for op in ("commit", "restore"):
        found.append(a.FreeStorage(op) if op in state.holds else a.HoldStorage(op))
    if len(state.failing) < 1:
        steps = ("records", "manifest", "after_manifest", "read", "copy")
        found += [a.FailStorage(step) for step in steps]
    found += [a.DamageLineage(name) for name in sorted(state.lineages)[: world.calls % 2]]
    return found + _directories(state)


def _directories(state: State) -> list[Any]:
    """Directories that are damaged, copied, claimed by another server, or removed."""
    found: list[Any] = []
    for path, here in sorted(state.disk.items()):
        if here.kind != "committed" or here.damaged:
            found.append(a.SetDirectory(path, None))
            continue
        spoiled = (attrs.evolve(here, damaged=True), Checkpoint("garbled"), Checkpoint("newer"))
        found += [a.SetDirectory(path, one) for one in spoiled]
        found += [a.SetDirectory(other, here) for other in DIRECTORIES if other != path]
        found.append(a.SetDirectory("d3", attrs.evolve(here, server="another")))
    return found


def _index(state: State, world: World, path: str) -> Index:
    """An index of roots that fit, or of ones that do not."""
    wrong = world.calls % 6
    roots: list[Root] = []
    for name, lineage in sorted(state.lineages.items()):
        good = [row.call_id for row in lineage.rows if row.failure is None]
        if good:
            roots.append(Root(_claim(state, name), name, good[-1]))
    roots = roots[:1] if path == INDEXES[0] else roots[1:2]
    if wrong == 3 and roots:
        roots = roots * 2
    elif wrong == 4:
        roots = [*roots, Root(Key("r1", 0), "nowhere", "m0")]
    elif wrong == 5 and roots:
        roots = [*roots, attrs.evolve(roots[0], call_id="m0")]
    return index_of(path, [document_of(root) for root in roots])


def _claim(state: State, capture_key: str) -> Key:
    """The attempt whose work rests on a lineage: its own, or the one after a restored source."""
    name, _, attempt = capture_key.partition("-a")
    key = Key(name, int(attempt or 0))
    mark = state.history.mark.get(name, -1)
    return key if key.attempt > mark else Key(name, mark + 1)


def lives(_core: ModelCore, _state: State, _world: World) -> list[Any]:
    """A process ends and another begins."""
    return [a.Replace(), a.Replace(ledger_kept=False), a.Replace(disk_kept=False)]


def time(_core: ModelCore, state: State, world: World) -> list[Any]:
    """Time passes, callers go away, somebody looks."""
    looks = [Look(path) for path in DIRECTORIES if path in state.disk]
    gone = [a.Gone(call) for call in sorted(state.calls)[: world.calls % 2]]
    # What is due happens before more time passes.
    due = any(one.waits and one.left == 0 for one in state.calls.values())
    ticks = [] if due else [a.Tick(1_000_000), a.Tick(5_000_000)]
    return [*ticks, *looks, *gone]


# How often each group is wanted, in turns of a cycle.
_CYCLE: Sequence[Group] = (
    own_steps,
    admissions,
    own_steps,
    calls_in_flight,
    control_calls,
    own_steps,
    calls_in_flight,
    control_calls,
    own_steps,
    faults,
    control_calls,
    own_steps,
    admissions,
    own_steps,
    time,
    control_calls,
    own_steps,
)
TURNS = len(_CYCLE) * 3
"""The last turn of three cycles ends a process."""


def chosen(core: ModelCore, state: State, world: World, number: int, *, own: bool = True) -> Any:
    """The enabled action that a number stands for; numbers are far more than there are actions.

    Without `own` only the world acts.
    """
    turn, place = number % TURNS, number // TURNS
    first = turn % len(_CYCLE)
    groups = [lives] if turn == TURNS - 1 else [*_CYCLE[first:], *_CYCLE[:first]]
    for group in groups:
        if group is own_steps and not own:
            continue
        actions = group(core, state, world)
        if actions:
            return actions[place % len(actions)]
    raise AssertionError("time can pass, or a status can read")
