"""The one place where the state of the core changes, and where what it shows is carried out.

Everything that happens goes through `Engine.apply`: one action at a time, on the event loop only,
so that no locks are needed. The engine decides nothing. After each action it asks the core what the
participant may do by itself, and does it. What is left to it is when: it ends a prepare early only
when nothing runs any more, and it lets a retire wait for its handler until its deadline.
"""

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any, Protocol

from fencepost_reference.model import NotEnabled, Own
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import counts_of
from fencepost_reference.receipts.state import Reply, State
from fencepost_reference.runtime.errors import Lost
from fencepost_spec.receipts.policy import Counts
from fencepost_spec.vocabulary import Key, microseconds, seconds_of

# A timer further away than this is set again when it fires.
TIMER_SECONDS_MAX = 3600.0


class Surroundings(Protocol):
    """What carries out the outputs of the core: handlers, storage and the rendering of answers."""

    def start(self, began: a.Began) -> None:
        """Start the handler of an admitted run."""
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
        self.blockers = Counts()
        """What was counted when the last prepare ended."""
        self._park_in_place = park_in_place
        self._around: Surroundings | None = None
        self._callers: dict[str, asyncio.Future[Any]] = {}
        self._events: dict[int, asyncio.Future[str | None]] = {}
        self._token = 0
        self._inbox: deque[Any] = deque()
        self._busy = False
        self._clock_us: int | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._waking: set[int] = set()

    def surround(self, around: Surroundings) -> None:
        """Say who carries out what the core shows."""
        self._around = around

    # What happens.

    def apply(self, action: Any) -> None:
        """Let one action happen, and everything that follows from it at once.

        Raises NotEnabled when the core does not know the action here; then nothing has happened.
        """
        if not self.alive:
            raise Lost
        self._inbox.append(action)
        if self._busy:
            return  # Somebody further up is at it.
        self._busy = True
        try:
            self.pass_time()
            while self._inbox:
                self._take(self._inbox.popleft())
                self._settle_down()
        finally:
            self._inbox.clear()
            self._busy = False
        self._set_timer()

    def enabled(self, action: Any) -> bool:
        """Whether the core would take an action now."""
        try:
            self.core.step(self.state, action)
        except NotEnabled:
            return False
        return True

    def pass_time(self) -> None:
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

    def expect(self, token: int) -> "asyncio.Future[str | None]":
        """A future for the outcome of an event: None, or the code it is refused with."""
        outcome: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._events[token] = outcome
        return outcome

    def is_retiring(self, key: Key) -> bool:
        """Whether a key was retired and its handler has not stopped."""
        execution = self.state.executions.get(key)
        return execution is not None and execution.status == "retiring"

    def is_open(self, token: int) -> bool:
        """Whether an event has not been answered yet."""
        return token in self._events

    def stop(self) -> None:
        """The process dies: no caller is answered, and nothing ever happens again."""
        self.alive = False
        if self._timer is not None:
            self._timer.cancel()
        for caller in self._callers.values():
            if not caller.done():
                caller.set_exception(Lost())
        self._callers.clear()
        self._events.clear()

    # What follows from it.

    def _take(self, action: Any) -> None:
        """One step of the core, and what it shows."""
        before = self.state
        step = self.core.step(before, action)
        self.state = step.state
        self.turns += 1
        if isinstance(action, a.Conclude):
            self.blockers = counts_of(before)
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
                event = self._events.pop(token, None)
                if event is not None and not event.done():
                    event.set_result(code)
            case a.Began():
                self._surroundings.start(output)
            case a.CancelHandler(key):
                self._surroundings.cancel(key)
            case _:
                raise TypeError(f"the runtime cannot show {output!r}")

    @property
    def _surroundings(self) -> Surroundings:
        assert self._around is not None  # Set before anything can happen.
        return self._around

    def _settle_down(self) -> None:
        """Do what the participant may do by itself, until there is nothing left to do."""
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

    def _is_due(self, own: Own) -> bool:
        """Whether this runtime does it now. It is a choice of when, never of whether."""
        match own.action:
            case a.Conclude():
                return own.must or not self._anything_moves()
            case a.AnswerRetire():
                return own.must
            case a.ParkInPlace():
                return self._park_in_place
            case a.LetGo(key, cancelled):
                return not cancelled and not self._wakes_later(key)
            case a.Store():
                self._surroundings.store()
                return False
            case _:
                return True

    def _anything_moves(self) -> bool:
        counts = counts_of(self.state)
        return bool(counts.running or counts.retiring or counts.untracked)

    def _wakes_later(self, key: Key) -> bool:
        """With parks in place a wake is a task of its own, which a new prepare can overtake."""
        held = self.state.executions[key].held
        if not self._park_in_place or held is None or held.code is not None:
            return False
        if held.token not in self._waking:
            self._waking.add(held.token)
            asyncio.get_running_loop().call_soon(self._wake, key, held.token)
        return True

    def _wake(self, key: Key, token: int) -> None:
        self._waking.discard(token)
        execution = self.state.executions.get(key)
        held = None if execution is None else execution.held
        if self.alive and held is not None and held.token == token and self.enabled(a.LetGo(key)):
            self.apply(a.LetGo(key))

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
