"""Plays a core as a resources server under the eyes of the oracle, at once and without a loop.

The server takes what it owes as soon as it owes it, in an order that is drawn. Not decided here:
what the world does. May import: the oracle, the core, how actions show as lines.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import attrs

from fencepost.judges import Refusal
from fencepost.resources import reading
from fencepost.resources.drawing import Scene, draw
from fencepost.resources.oracle import Oracle
from fencepost.resources.playing import plain_settings
from fencepost.resources.showing import handler_line, line_of, look_of
from fencepost.trace.lines import Call, Disk, Fault, Header, Line, Lost, Reply, Report, Tick, Work
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.control import view_of
from fencepost_reference.receipts.resources.ghost import Ghost, remembered
from fencepost_reference.receipts.resources.promises import broken
from fencepost_reference.receipts.resources.rendering import Known, rendered, status_body
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import State
from fencepost_spec.vocabulary import digest_of

STEPS_MAX = 400


class Player:
    """A core, the oracle that reads what it shows, and what was shown."""

    def __init__(self, core: ResourcesCore, settings: Mapping[str, object], order: Random) -> None:
        told = plain_settings(settings)
        about = "a mutant at play"
        names = ("resources", "fencepost-1", "mutant", about)
        self.header = Header("receipts", "resources", *names, told, ())
        self.core = core
        self.oracle = Oracle(self.header)
        self.state = core.initial(reading.settings_of(told))
        self.lines: list[Line] = []
        self.script: list[Line] = []
        self.refusal: Refusal | None = None
        self._lost: dict[str, None] = {}
        self._ghost = Ghost()
        self._order = order
        self._bodies: dict[str, Any] = {}
        self._asked: dict[str, tuple[str, str | None]] = {}

    @property
    def seen(self) -> State:
        """A state of the intact model that explains what was shown."""
        return self.oracle.frontier.states[0]

    @property
    def lost(self) -> tuple[str, ...]:
        """The promises that the core's own steps have broken."""
        return tuple(self._lost)

    def perform(self, line: Line) -> None:
        """Let an action of the world happen; one that makes no sense is passed over."""
        if self.refusal is not None or not self._can(line):
            return
        self.script.append(line)
        self._emit(line)
        if isinstance(line, Fault) and line.name == "replace":
            for call in sorted(self.state.calls):
                self._emit(Lost(0, call, "disconnected"))
        self._take(self._action_of(line))

    def _can(self, line: Line) -> bool:
        if isinstance(line, Work):
            request = self.state.requests.get(line.detail["request"])
            shown = self.seen.requests.get(line.detail["request"])
            runs = request is not None and request.stage == "running"
            return runs and shown is not None and shown.stage == "running"
        if isinstance(line, Lost):
            return line.id in self.state.calls
        taken = {*self._asked, *self.seen.requests, *self.state.requests}
        return not isinstance(line, Call) or line.id not in taken

    def _action_of(self, line: Line) -> Any:
        match line:
            case Call(op="request"):
                self._asked[line.id] = ("request", None)
                return reading.ask_action(line, self.state.settings, self.core.spec)
            case Call():
                action = reading.control_action(line)
                self._asked[line.id] = (line.op, action.request.checkpoint_id)
                return action
            case Work():
                body = line.detail.get("body")
                self._bodies[digest_of(body)] = body
                return reading.handled_action(line)
            case Lost():
                return shared.Gone(line.id)
            case Tick():
                return shared.Tick(line.microseconds)
            case Fault():
                return reading.fault_action(line, self.state.disk)
            case _:
                raise TypeError(f"not an action: {line!r}")

    def rest(self) -> None:
        """Everything that the server owes happens, and it reports."""
        self.script.append(Report(0, {}))
        for _ in range(STEPS_MAX):
            owed = [own for own in self.core.own(self.state) if own.must]
            if not owed or self.refusal is not None:
                break
            self._take(self._order.choice(owed).action)
        self._emit(Report(0, status_body(view_of(self.core.spec, self.state))))
        for place in sorted(self.seen.disk):
            self._emit(Disk(0, look_of(place, self.state.disk.get(place))))

    def wait(self, steps: int) -> None:
        """The server takes some of what it owes."""
        for _ in range(steps):
            owed = [own for own in self.core.own(self.state) if own.must]
            if owed and self.refusal is None:
                self._take(self._order.choice(owed).action)

    def _take(self, action: Any) -> None:
        before, step = self.state, self.core.step(self.state, action)
        broke = broken(before, action, step, self._ghost)
        self._lost.update(dict.fromkeys(one.id for one in broke))
        self._ghost = remembered(self._ghost, before, action, step)
        self.state = step.state
        for output in step.outputs:
            if isinstance(output, a.Began):
                key = output.key
                named = (None, None) if key is None else (key.rollout_id, key.attempt)
                self._emit(handler_line(output.request, *named))
            elif isinstance(output, shared.Answered):
                op, checkpoint = self._asked[output.call]
                known = Known(self._bodies, checkpoint, ({"loc": ["body"], "type": "wrong"},))
                status, body, headers = rendered(op, output.reply, known)
                self._emit(Reply(0, output.call, status, body, None, headers or None))

    def _emit(self, line: Line) -> None:
        if self.refusal is None:
            numbered = attrs.evolve(line, seq=len(self.lines) + 1)
            self.lines.append(numbered)
            self.refusal = self.oracle.feed(numbered)


def play_script(
    core: ResourcesCore, settings: Mapping[str, object], script: Iterable[Line]
) -> Player:
    """Play a script, a point of rest at its end."""
    player = Player(core, settings, Random(0))  # noqa: S311 - an order of steps, no secret
    for line in script:
        if player.refusal is not None:
            break
        if isinstance(line, Report):
            player.rest()
        else:
            player.perform(line)
    if player.refusal is None:
        player.rest()
    return player


def play_world(
    core: ResourcesCore, settings: Mapping[str, object], seed: int, actions: int
) -> Player:
    """Play a world that is drawn."""
    random = Random(seed)  # noqa: S311 - it chooses actions, no secret
    player, scene = Player(core, settings, random), Scene()
    for _ in range(actions):
        if player.refusal is not None:
            return player
        action = draw(scene, player.seen, random)
        if action is not None:
            player.perform(line_of(action))
        if action is None or random.random() < 0.5:
            player.rest()
        else:
            player.wait(random.choice((0, 1, 3)))
    if player.refusal is None:
        player.rest()
    return player


def actions_in(script: Sequence[Line]) -> int:
    """How many actions of the world a script has."""
    return sum(not isinstance(line, Report) for line in script)
