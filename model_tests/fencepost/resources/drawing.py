"""Which actions of the world make sense in a state of a resources server, and how one is drawn.

Everything that is drawn is enabled. Not decided here: who plays it. May import: the core's values.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import attrs

from fencepost.resources.showing import OTHERWISE
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.state import Directory, Outcome, State
from fencepost_spec.receipts.resources.routes import MUTATION, READ, START, TERMINAL, UNGATED
from fencepost_spec.vocabulary import Key, digest_of

ROLLOUTS = ("r1", "r2")
SECOND = 1_000_000
DEADLINE = 5 * SECOND
DIRECTORIES = ("d1", "d2")
OPEN_MOST = 5
TRIES = 60
FAILING = ("records", "manifest", "after_manifest", "read", "export", "install", "retire_hook")
_RESTORES_FIRST = 0.5
HELD = ("prepare", "commit", "restore")
_STATUSES = (200, 201, 302, 399, 400, 404, 500, 0)
_STATUS_WEIGHTS = (20, 2, 1, 1, 1, 1, 1, 2)


@attrs.define
class Scene:
    """What was done so far: the names that are taken, and the requests that may come again."""

    calls: int = 0
    checkpoints: int = 0
    asked: list[a.Ask] = attrs.field(factory=list[a.Ask])
    capabilities: frozenset[str] | None = None

    def call(self) -> str:
        """A new call id."""
        self.calls += 1
        return f"q{self.calls}"

    def checkpoint(self) -> str:
        """A new checkpoint id."""
        self.checkpoints += 1
        return f"c{self.checkpoints}"

    def can(self, name: str) -> bool:
        """Whether the participant has a capability."""
        return self.capabilities is None or name in self.capabilities


Draw = Callable[[Scene, State, Random], Any]


def draw(scene: Scene, state: State, random: Random) -> Any:
    """An action of the world that is enabled in the state, or None when none was met."""
    fresh = not state.served and not state.sessions and state.fence.phase == "idle"
    if fresh and scene.can("restore") and random.random() < _RESTORES_FIRST:
        written = sorted(name for name, one in state.disk.items() if one.kind == "committed")
        if written:
            request = shared.Request(scene.checkpoint(), DEADLINE, random.choice(written))
            return shared.Call(scene.call(), "restore", request)
    for _ in range(TRIES):
        weights = [weight for weight, _ in _DRAWS]
        (_, one) = random.choices(_DRAWS, weights)[0]
        action = one(scene, state, random)
        if action is not None:
            return action
    return None


def ask_of(scene: Scene, state: State, random: Random) -> a.Ask | None:
    """A request of a client: mostly one that fits, sometimes one that comes again or is wrong."""
    if len(state.calls) >= OPEN_MOST:
        return None
    name = scene.call()
    if scene.asked and random.random() < 0.2:
        again = random.choice(scene.asked)
        changes: dict[str, Any] = {"id": name}
        if random.random() < 0.3 and again.key is not None:
            changes["key"] = again.key.next()
        if random.random() < 0.3:
            changes["input"] = f"{again.input.partition('+')[0]}+{random.choice(OTHERWISE)}"
        return attrs.evolve(again, **changes)
    made = _new_ask(name, state, random)
    if made.kind != UNGATED:
        scene.asked.append(made)
    return made


def _new_ask(name: str, state: State, random: Random) -> a.Ask:
    if random.random() < 0.06:
        kind = random.choice((MUTATION, READ, UNGATED))
        return a.Ask(name, kind, request_id=f"m-{name}", input=digest_of([name, kind]))
    key = Key(random.choice(ROLLOUTS), random.choice((0, 0, 0, 1, 1, 2)))
    if state.sessions and random.random() < 0.75:
        key = random.choice(sorted(state.sessions))
    session = state.sessions.get(key)
    kinds = (START,) * 6 + (MUTATION,) if session is None else (MUTATION,) * 4 + (READ, TERMINAL)
    kind = START if random.random() < 0.04 else random.choice(kinds)
    made = a.Ask(name, kind, key, request_id=f"m-{name}", input=digest_of([name, kind]))
    if session is not None and kind != START and random.random() < 0.6:
        made = attrs.evolve(made, expected=session.revision)
    odd = random.random()
    if odd < 0.03:
        return attrs.evolve(made, request_id=None)
    if odd < 0.06:
        return attrs.evolve(made, expected=7)
    if odd < 0.08:
        return attrs.evolve(made, headers_hold=False)
    return attrs.evolve(made, identity_holds=False, key=None) if odd < 0.1 else made


def handled_of(_scene: Scene, state: State, random: Random) -> a.Handled | None:
    """A handler that runs ends: mostly well."""
    running = sorted(name for name, one in state.requests.items() if one.stage == "running")
    if not running:
        return None
    name = random.choice(running)
    status = random.choices(_STATUSES, _STATUS_WEIGHTS)[0]
    body = digest_of(f"answer to {name}") if status else ""
    return a.Handled(name, Outcome(status, body))


def control_of(scene: Scene, state: State, random: Random) -> shared.Call | None:
    """A control call that mostly has its place in the phase."""
    if len(state.calls) >= OPEN_MOST:
        return None
    fence = state.fence
    ops = _LIKELY.get(fence.phase, ("status", "resume"))
    op = random.choice(ops) if random.random() < 0.85 else random.choice(_EVERY)
    if not scene.can(op):
        return None
    active = fence.active or scene.checkpoint()
    if random.random() < 0.05 and scene.checkpoints:
        active = f"c{random.randint(1, scene.checkpoints)}"
    deadline = 0 if random.random() < 0.05 else DEADLINE
    key = None
    directory = None
    if op == "retire":
        keys = sorted(state.sessions) or [Key("r1", 0)]
        uncertain = [k for k in keys if state.sessions and state.sessions[k].status == "uncertain"]
        key = random.choice(uncertain or keys)
    if op in ("commit", "restore"):
        directory = random.choice(DIRECTORIES)
    request = shared.Request(active, deadline, directory, key)
    if op == "capabilities":
        request = shared.Request()
    odd = random.random()
    if odd < 0.02 and op != "capabilities" and scene.can("auth"):
        request = attrs.evolve(request, authorised=False)
    elif odd < 0.04 and op != "capabilities" and scene.can("malformed"):
        request = attrs.evolve(request, well_formed=False, key=None)
    return shared.Call(scene.call(), op, request)


_EVERY = ("prepare", "status", "commit", "restore", "resume", "retire", "capabilities")
_LIKELY = {
    "idle": ("prepare", "prepare", "prepare", "restore", "retire", "resume", "capabilities"),
    "preparing": ("prepare", "status", "resume", "retire", "prepare"),
    "prepared": ("commit", "commit", "commit", "status", "resume", "retire", "prepare"),
    "committing": ("commit", "status"),
    "committed_paused": ("resume", "resume", "commit", "prepare", "status"),
    "restoring": ("restore", "status"),
    "restored_paused": ("resume", "resume", "restore", "status"),
}


def tick_of(scene: Scene, state: State, random: Random) -> shared.Tick | None:
    """Time passes where something waits for it."""
    waits = state.fence.deadline is not None or any(
        one.op == "retire" for one in state.calls.values()
    )
    if not waits or not scene.can("time"):
        return None
    return shared.Tick(random.choice((SECOND, DEADLINE)))


def gone_of(scene: Scene, state: State, random: Random) -> shared.Gone | None:
    """A caller goes away."""
    if not state.calls or not scene.can("gone"):
        return None
    return shared.Gone(random.choice(sorted(state.calls)))


def storage_of(scene: Scene, state: State, random: Random) -> Any:
    """Something is held, released, or will fail."""
    if state.holds and scene.can("hold"):
        return shared.Release(min(state.holds))
    if random.random() < 0.5 and scene.can("hold"):
        return shared.Hold(random.choice(HELD))
    if len(state.failing) < 2 and scene.can("fail"):
        return shared.FailStorage(random.choice(FAILING))
    return None


def disk_of(scene: Scene, state: State, random: Random) -> a.SetDirectory | None:
    """A directory is damaged, removed, or gets the records of agents."""
    places = sorted(name for name, one in state.disk.items() if one.kind == "committed")
    if not places or not scene.can("damage"):
        return None
    place = random.choice(places)
    here = state.disk[place]
    named = tuple((key, snapshot.revision) for key, snapshot in here.records)
    if random.random() < 0.3 and named:
        named = ((named[0][0], named[0][1] + 1), *named[1:])
    choices = (
        attrs.evolve(here, agents=named),
        attrs.evolve(here, agents=named),
        Directory("damaged"),
        None,
    )
    return a.SetDirectory(place, random.choice(choices))


def evict_of(scene: Scene, state: State, random: Random) -> a.Evict | None:
    """A session loses its receipts."""
    keys = sorted(key for key, one in state.sessions.items() if one.status in ("bound", "restored"))
    if not keys or not scene.can("evict"):
        return None
    return a.Evict(random.choice(keys))


def replace_of(scene: Scene, state: State, random: Random) -> a.Replace | None:
    """The process is replaced; mostly once a checkpoint lies on disk."""
    written = any(one.kind == "committed" for one in state.disk.values())
    stuck = state.restore_awaited and not written
    if not scene.can("replace") or not (written or stuck or random.random() < 0.2):
        return None
    kept = random.random() < 0.95
    expected = written and kept and random.random() < 0.3
    if expected == state.settings.restore_expected:
        return a.Replace(kept)
    return a.Replace(kept, attrs.evolve(state.settings, restore_expected=expected))


_DRAWS: tuple[tuple[float, Draw], ...] = (
    (10, ask_of),
    (10, handled_of),
    (8, control_of),
    (1, tick_of),
    (0.5, gone_of),
    (0.8, storage_of),
    (0.7, disk_of),
    (0.2, evict_of),
    (1.6, replace_of),
)
