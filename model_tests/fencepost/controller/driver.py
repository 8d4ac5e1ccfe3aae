"""Drives a controller and the participants around it, and writes down all that it shows.

An action is a line that the harness decides: what the controller is told, a step of the work of a
rollout, a fault, time. What follows from it is written down as it happens. Not decided here: which
action comes next.
"""

import asyncio
import sys
from pathlib import Path
from typing import TypeVar

from fencepost.controller.breaking import broken, groups_in
from fencepost.controller.choosing import chosen
from fencepost.controller.deployment import Ground, Process
from fencepost.controller.giving import telling_of
from fencepost.controller.participant import GIVEN, Controller, Group, SnapshotRefused
from fencepost.controller.recording import Recording
from fencepost.controller.report_shape import told_by
from fencepost.controller.scene import CONTROLLER, Scene
from fencepost.controller.work import Working
from fencepost.driven import REST
from fencepost.faults import ParticipantFault
from fencepost.judges import Judge
from fencepost.trace.lines import (
    Call,
    Fault,
    Header,
    JsonObject,
    Line,
    Report,
    Tick,
    Work,
)
from fencepost.watch import Call as Calling
from fencepost.watch import Watch, limited
from fencepost_spec.vocabulary import microseconds, seconds_of

T = TypeVar("T")
SPINS = 6
ROUNDS_MAX = 300
STEP_MIN = 0.001
"""Seconds that pass at least where somebody waits for a time that has come."""


class Driver:
    """One controller, the deployment around it, and what has happened so far.

    `script` are the actions that happened, with the points of rest between them.
    """

    def __init__(
        self,
        controller: Controller,
        header: Header,
        scene: Scene,
        root: Path,
        judge: Judge,
        watch: Watch,
    ) -> None:
        self.controller = controller
        self.header = header
        self.record = Recording(judge)
        self.ground = Ground(scene, root, self.record)
        self.script: list[Line] = []
        self.actions = 0
        self.actions_max = sys.maxsize
        self.groups: dict[str, Group] = {}
        self.submitted = self.train_step = 0
        self._working = Working(self.ground)
        self._watch = watch
        self._process: Process | None = None
        self._time = 0.0

    # The life of a process.

    async def start(self) -> None:
        """Start all participants, and the first process of the controller."""
        for part in self.ground.parts:
            await part.start()
        self._time = asyncio.get_running_loop().time()
        await self._start(None)

    async def _start(self, snapshot: JsonObject | None, number: int | None = None) -> None:
        if snapshot is not None:
            number = snapshot["number"]
        self._process = process = Process(self.ground)

        async def start() -> None:
            self.ground.told("start", {"snapshot": number, "train_step": self.train_step})
            if not self.record.over:  # Else it was wrong to start from that.
                await self.controller.start(process, snapshot)

        await self._limited("start", start())
        self.record.check()

    async def close(self) -> None:
        """End everything; nothing is written down any more."""
        self.record.closed = True
        await self._end_controller()
        self.ground.network.gone(None, "cancelled")
        for part in self.ground.parts:
            await part.crash()
        await asyncio.sleep(0)

    async def _end_controller(self) -> None:
        if self._process is not None:
            self._process.alive = False
        await self._limited("crash", self.controller.crash)

    # Actions.

    async def perform(self, action: Line) -> bool:
        """Let one action happen; False when it cannot happen now, and then nothing has."""
        await self._turn()
        self.script.append(action)  # Before it happens: it may be what goes wrong.
        done = self.actions < self.actions_max and await self._perform(action)
        self.script[-1:] = [action] if done else []
        self.actions += done
        self.record.check()
        return done

    async def _perform(self, action: Line) -> bool:
        if self.record.over:
            return False
        match action:
            case Work() if action.at == CONTROLLER:
                return await self._tell(action)
            case Work():
                return await self._working.perform(action)
            case Fault(name="replace"):
                return await self._replace(action)
            case Fault(name="damage") if not self.chooses:
                return False
            case Fault():
                return await broken(self.ground, action)
            case Tick():
                await self._pass(seconds_of(action.microseconds))
                return True
            case _:
                return False

    async def _tell(self, action: Work) -> bool:
        """Tell the controller something; what it cannot be told now is not."""
        event, detail = action.event, action.detail
        if event in GIVEN and event not in self.controller.capabilities:
            return False
        telling = telling_of(self, event, detail)
        if telling is None:
            return False
        detail, told = telling

        async def tell() -> None:
            # The line stands where the controller hears of it.
            self.ground.told(event, detail)
            await told

        await self._limited(event, tell())
        return True

    def checkpoint(self) -> str | None:
        """The checkpoint whose preparation may be waited for, or None."""
        for line in reversed(self.record.lines):
            if isinstance(line, Call) and line.op in ("prepare", "pause", "commit", "resume"):
                waits = line.op in ("prepare", "pause")
                return str((line.request or {}).get("checkpoint_id")) if waits else None
        return None

    async def _replace(self, action: Fault) -> bool:
        """A process goes and comes again: a participant, the controller, or all of them."""
        if action.at != CONTROLLER:
            return await self._replace_part(action)
        if not self.may_restart:
            return False
        # What went into the work so far is known to nobody but a snapshot.
        await self._end_controller()
        if action.detail.get("participants") == "replaced":
            for part in self.ground.parts:
                follows = {"with": "controller"}
                line = Fault(0, "replace", "kept", follows, part.standing.at)
                await self._replace_part(line)
        self.record.emit(action)
        self.ground.network.gone(None, "cancelled")
        await asyncio.sleep(0)
        latest = self.ground.latest
        if latest is None or not self.chooses:
            self._remember(latest)
            await self._start(latest)
        else:
            await self._start_chosen(latest["train_step"])
        return True

    @property
    def chooses(self) -> bool:
        """Whether the controller looks for the snapshot itself from which it goes on."""
        return "choose" in self.controller.capabilities

    async def _start_chosen(self, train_step: int) -> None:
        """The controller chooses a snapshot and goes on from it, or refuses, and nothing runs."""
        choice = await chosen(self.controller, self.ground, train_step, self._limited)
        if isinstance(choice, SnapshotRefused):
            self.ground.told("start_refused", {"reason": str(choice)})
            self.record.stop()
            return
        snapshot = None if choice is None else self.ground.snapshots.get(choice)
        self._remember(snapshot)
        self.train_step = train_step
        await self._start(snapshot, choice)

    @property
    def may_restart(self) -> bool:
        """Whether a new process of the controller may follow, from the newest snapshot if any.

        The trainer goes back to the step of that snapshot; without one there must be none to lose.
        """
        able = self.controller.capabilities
        if self.ground.latest is None:
            return "replace" in able and self.train_step == 0
        return able >= {"replace", "restore"}

    def _remember(self, snapshot: JsonObject | None) -> None:
        """What a new process of the controller has never heard of cannot be meant any more."""
        kept: set[str] = set() if snapshot is None else groups_in(snapshot)
        self.groups = {name: one for name, one in self.groups.items() if name in kept}
        self.ground.saving = False
        self.ground.trained &= kept
        self.train_step = 0 if snapshot is None else snapshot["train_step"]

    async def _replace_part(self, action: Fault) -> bool:
        part = self.ground.part(action.at)
        if part is None:
            return False
        self.record.emit(action)
        await part.crash()
        arrive = action.detail.get("replies") == "arrive"
        self.ground.network.gone(part, "disconnected", arrive=arrive)
        await part.start()
        return True

    # Time and rest.

    async def _pass(self, seconds: float) -> None:
        """Let time pass; whoever waits for a time on the way goes on then."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until and not self.record.over:
            due = self.ground.next_due
            step = until if due is None else min(until, max(due, loop.time()))
            await asyncio.sleep(max(step - loop.time(), STEP_MIN))
            await self._catch_up()
            self.ground.wake()
            await self.settle()

    async def _catch_up(self) -> None:
        """Tell everybody of the time that has passed."""
        now = asyncio.get_running_loop().time()
        passed, self._time = now - self._time, now
        if passed <= 0:
            return
        self.record.emit(Tick(0, microseconds(passed)))
        for part in self.ground.parts:
            await part.advance(passed)

    async def rest(self) -> None:
        """Wait until nothing moves, and have the controller tell how it stands."""
        await self.settle()
        if self.record.over:
            return
        self.script.append(REST)
        body = told_by(await self._limited("report", self.controller.report))
        moving = bool(self.ground.sleepers)
        self.record.emit(Report(0, body, moving=moving, at=CONTROLLER))
        self.record.check()

    async def settle(self) -> None:
        """Wait until nothing moves before time passes: nobody acts, and no line follows."""
        for _ in range(ROUNDS_MAX):
            before = self.ground.activity()
            await self._turn()
            await self._limited("settle", self.controller.settle)
            for part in self.ground.parts:
                await part.settle()
            await asyncio.sleep(0)
            self.record.check()
            if self.record.over:
                return
            if self.ground.activity() == before and not self.ground.busy:
                return
        raise ParticipantFault("it never comes to rest", "settle() returned, and things moved")

    @staticmethod
    async def _turn() -> None:
        """Let what was started before happen first."""
        for _ in range(SPINS):
            await asyncio.sleep(0)

    async def _limited(self, what: str, call: Calling[T]) -> T:
        came = await limited(self._watch, what, call)
        await self._catch_up()
        return came
