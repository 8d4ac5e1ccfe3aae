"""Long traces for measurements: executions come and go while a steady number of them is live.

Everything is visible, one line in five is a report, and the same arguments make the same text.
May import: the core, `scribe`, the trace format.
"""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from fencepost.judged_walk import header_of
from fencepost.scribe import Scribe
from fencepost.showing import RESULTS, boundary_of
from fencepost.trace import Line, TraceWriter
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import view_of
from fencepost_reference.receipts.state import State
from fencepost_spec.vocabulary import Key, result_identity

LIVE = 8
REPORT_EVERY = 5
DEADLINE_US = 5_000_000
RESULT = next(iter(RESULTS)), result_identity(next(iter(RESULTS.values())))


class Synthetic:
    """A trace while it is made: a core that does what a script says, and the lines of it."""

    def __init__(self) -> None:
        self.core = AgentCore()
        self.state: State = self.core.initial()
        self.finished = 0
        self.actions: list[Any] = []
        self._scribe = Scribe()
        self._lines: list[Line] = []
        self._reports = 0
        self._numbers = count(1)
        self._running: list[Key] = []

    def lines(self, number: int, life: "Life", reports: bool = True) -> Iterator[Line]:
        """So many lines; each life takes the place of the one that began first."""
        written = 0
        while written < number:
            while len(self._running) < LIVE:
                self._begin()
            life(self, self._running.pop(0))
            if reports:
                self._report()
            for line in self._lines[: number - written]:
                written += 1
                yield line
            self._lines.clear()

    def _take(self, action: Any) -> None:
        self.actions.append(action)
        step = self.core.step(self.state, action)
        self._lines += self._scribe.shown(self.state, action, step)
        self.state = step.state

    def _settled(self, action: Any) -> None:
        """Take an action, and everything that follows from it at once."""
        self._take(action)
        while due := [own.action for own in self.core.own(self.state) if own.must]:
            self._take(due[0])

    def _report(self) -> None:
        while self._reports * REPORT_EVERY < self._scribe.number:
            self._reports += 1
            self._lines += self._scribe.report(view_of(self.core.spec, self.state))

    def _begin(self) -> None:
        key = Key(f"r{next(self._numbers)}", 0)
        self._settled(a.Run(f"run-{key.rollout_id}", key))
        self._running.append(key)

    def work(self, event: str, key: Key, **more: Any) -> None:
        """An event of the work of a key."""
        self._settled(a.Work(event, key, self._scribe.number, **more))

    def acknowledged(self, key: Key) -> None:
        """The result of a key is released, and the key finished."""
        receipt = self.state.executions[key].receipt
        assert receipt is not None  # It has finished.
        request = a.Request(receipts=((key, receipt),))
        self._settled(a.Call(f"acknowledge-{key.rollout_id}", "acknowledge", request))
        self.finished += 1

    def retired(self) -> None:
        """A key that never ran is refused."""
        key = Key(f"r{next(self._numbers)}", 0)
        request = a.Request("c-retire", DEADLINE_US, key=key)
        self._settled(a.Call(f"retire-{key.rollout_id}", "retire", request))
        self.finished += 1


Life = Callable[[Synthetic, Key], None]


def whole_life(made: Synthetic, key: Key) -> None:
    """Two boundaries, a result, an acknowledgement: eight lines a key."""
    for index in range(2):
        made.work("boundary", key, boundary=boundary_of(key, index, f"m{index}", index))
    made.work("finish", key, outcome="completed", result=RESULT)
    made.acknowledged(key)


def many_keys(made: Synthetic, key: Key) -> None:
    """As many finished keys as a long recording has: one whole life to three failed, six retired.

    With its reports this is four lines a key.
    """
    if made.finished % 10 == 0:
        whole_life(made, key)
        return
    made.work("finish", key, outcome="failed")
    made.finished += 1
    for _ in range(2):
        made.retired()


def write(path: Path, number: int, life: Life) -> int:
    """Write a trace of so many lines; how many keys have finished in it."""
    made = Synthetic()
    with TraceWriter(path, header_of()) as writer:
        for line in made.lines(number, life):
            writer.write(line)
    return made.finished
