"""The one place where the state of the core changes, and where what it shows is carried out.

Everything that happens goes through `Engine.apply`: one action at a time, on the event loop only,
so that no locks are needed. The engine decides nothing. After each action it asks the core what the
participant may do by itself, and does it. What is left to it is when: it ends a prepare early only
when nothing runs any more, and it lets a retire wait for its handler until its deadline.
"""

import asyncio
from contextlib import suppress
from typing import Any, Protocol

from fencepost_reference.model import NotEnabled, Own
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import counts_of
from fencepost_reference.receipts.state import Held, Reply, State
from fencepost_reference.runtime.bells import Bells, Outcome
from fencepost_reference.runtime.errors import Lost
from fencepost_spec.vocabulary import Key, microseconds, seconds_of

# A timer further away than this is set again when it fires.
TIMER_SECONDS_MAX = 3600.0


class Surroundings(Protocol):
    """What carries out the outputs of the core: handlers, storage and the rendering of answers."""

    def start(self, name: Key | str, call: str | None) -> None:
        """Start the handler of an admitted run, unless it has been; it asks to begin."""
        ...

    def cancel(self, key: Key) -> None:
        """Cancel the handler of a key."""
        ...

    def ended(self, key: Key) -> None:
        """The participant has done with a key: nothing of it is needed any more."""
        ...

    def store(self) -> None:
        """Make sure that the running commit or restore goes on."""
        ...

    def answer(self, call: str, reply: Reply) -> Any:
        """What the caller of a call is given."""
        ...

    def changed(self) -> None:
        """Nothing more happens by itself at this moment."""
        ...


class Engine:
    """A core, its state, the callers that wait for answers, and the events that are held."""

    def __init__(self, core: AgentCore, instance: str | None, *, park_in_place: bool) -> None:
        self.core = core
        self.state: State = core.initial(instance)
        self.alive = True
        self.turns = 0
        """How many actions there have been; it stands still at rest."""
        self._park_in_place = park_in_place
        self._around: Surroundings | None = None
        self._callers: dict[str, asyncio.Future[Any]] = {}
        self.bells = Bells()
        self._token = 0
        self._following: asyncio.Handle | None = None
        self._began: a.Began | None = None
        self._clock_us: int | None = None
        self._timer: asyncio.TimerHandle | None = None

    def surround(self, around: Surroundings) -> None:
        """Say who carries out what the core shows."""
        self._around = around

    # What happens.

    def apply(self, action: Any) -> None:
        """Let one action happen; what follows from it by itself follows in this turn of the loop.

        Raises NotEnabled when the core does not know the action here; then nothing has happened.
        """
        if not self.alive:
            raise Lost
        self._pass_time()
        self._take(action)
        if self._following is None:
            self._following = asyncio.get_running_loop().call_soon(self._follow)

    def enabled(self, action: Any) -> bool:
        """Whether the core would take an action now."""
        try:
            self.core.step(self.state, action)
        except NotEnabled:
            return False
        return True

    def apply_if_enabled(self, action: Any) -> None:
        """Let an action happen, if it can happen now."""
        if self.enabled(action):
            self.apply(action)

    def _pass_time(self) -> None:
        """Tell the core how much time has passed since it was told last."""
        now = microseconds(asyncio.get_running_loop().time())
        before, self._clock_us = self._clock_us, now
        if before is not None and now > before:
            self.state = self.core.step(self.state, a.Tick(now - before)).state

    def call(self, action: a.Call | a.Run) -> "asyncio.Future[Any]":
        """A request arrives; its answer will be the result of the future."""
        caller: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._callers[action.id] = caller
        self.apply(action)
        return caller

    def gone(self, call: str) -> None:
        """The caller does not wait any more."""
        self._callers.pop(call, None)
        if self.alive and call in self.state.calls:
            self.apply(a.Gone(call))

    def new_token(self) -> int:
        """A name for an event of the work."""
        self._token += 1
        return self._token

    def handler_begins(self, name: Key | str) -> a.Began | None:
        """The handler of a run starts, with this; None when the run has ended meanwhile."""
        self._began = None
        self.apply_if_enabled(a.BeginUntracked(name) if isinstance(name, str) else a.Begin(name))
        return self._began

    def is_retiring(self, key: Key) -> bool:
        """Whether a key was retired and its handler has not stopped."""
        execution = self.state.executions.get(key)
        return execution is not None and execution.status == "retiring"

    # Events of the work that wait. An event that may be let go is let go by its own task, at the
    # moment it really moves: what overtakes the task on its way there finds it still held.

    def begin(self, event: a.Work) -> None:
        """An event happens that somebody waits for; `outcome` tells how it was answered."""
        self.bells.open(event.token)
        self.apply(event)

    def outcome(self, event: a.Work, *, cancelled: bool = False) -> Outcome | None:
        """How an event was answered; one that may be let go is let go by this.

        One that was cancelled is answered as such, unless it is held all the same.
        """
        held = None if event.key is None else self._held(event.key)
        if event.key is not None and held is not None and held.token == event.token:
            self.apply_if_enabled(a.LetGo(event.key, cancelled))
        return self.bells.take(event.token)

    def _held(self, key: Key) -> Held | None:
        execution = self.state.executions.get(key)
        return None if execution is None else execution.held

    def stop(self) -> None:
        """The process dies: no caller is answered, and nothing ever happens again."""
        self.alive = False
        for handle in (self._timer, self._following):
            if handle is not None:
                handle.cancel()
        for caller in self._callers.values():
            if not caller.done():
                caller.set_exception(Lost())
        self._callers.clear()
        self.bells.cancel()

    # What follows from it.

    def _take(self, action: Any) -> None:
        """One step of the core, and what it shows."""
        before = self.state
        step = self.core.step(before, action)
        self.state = step.state
        self.turns += 1
        for output in step.outputs:
            self._show(output)
        if len(self.state.executions) < len(before.executions):
            for key in before.executions:
                if key not in self.state.executions:
                    self._surroundings.ended(key)

    def _show(self, output: Any) -> None:
        match output:
            case a.Answered(call, reply):
                caller = self._callers.pop(call, None)
                answer = self._surroundings.answer(call, reply)
                if caller is not None and not caller.done():
                    caller.set_result(answer)
            case a.Returned(token, code):
                self.bells.answered(token, code)
            case a.Began():
                self._began = output
            case a.CancelHandler(key):
                self._surroundings.cancel(key)
            case _:
                raise TypeError(f"the runtime cannot show {output!r}")

    @property
    def _surroundings(self) -> Surroundings:
        assert self._around is not None  # Set before anything can happen.
        return self._around

    def _follow(self) -> None:
        """Do what the participant may do by itself, until there is nothing left to do."""
        self._following = None
        progress = True
        while progress:
            progress = False
            for own in self.core.own(self.state):
                if self._is_due(own):
                    # An earlier one of the same round may have made this one impossible.
                    with suppress(NotEnabled):
                        self._take(own.action)
                        progress = True
        self._surroundings.changed()
        self._set_timer()

    def _is_due(self, own: Own) -> bool:
        """Whether this runtime does it now. It is a choice of when, never of whether."""
        match own.action:
            case a.Conclude():
                return own.must or not self._anything_moves()
            case a.AnswerRetire():
                return own.must
            case a.ParkInPlace(key):
                # A wake that a new prepare overtakes is void; what has not waited goes on.
                held = self._held(key)
                return self._park_in_place and held is not None and self.bells.is_waking(held.token)
            case a.LetGo(key, cancelled):
                held = self._held(key)
                if held is not None and not cancelled:
                    self.bells.ring(held.token)
                return False
            case a.Begin(key):
                if key in self.state.executions:
                    self._surroundings.start(key, self.state.executions[key].call)
                return False
            case a.BeginUntracked(call):
                self._surroundings.start(call, call)
                return False
            case a.NeverBegin() | a.NeverBeginUntracked():
                return False  # Its task will say so.
            case a.Store():
                self._surroundings.store()
                return False
            case _:
                return True

    def _anything_moves(self) -> bool:
        counts = counts_of(self.state)
        return bool(counts.running or counts.retiring or counts.untracked)

    # Time.

    def _set_timer(self) -> None:
        """Come back when the next deadline falls due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        left = [
            waiting.deadline
            for waiting in self.state.calls.values()
            if waiting.op == "retire" and waiting.reply is None and waiting.deadline is not None
        ]
        if self.state.fence.waiting and self.state.fence.deadline is not None:
            left.append(self.state.fence.deadline)
        if left and self.alive:
            seconds = min(seconds_of(max(1, min(left))), TIMER_SECONDS_MAX)
            self._timer = asyncio.get_running_loop().call_later(seconds, self._due)

    def _due(self) -> None:
        self._timer = None
        if self.alive:
            self.apply(a.Tick(0))
