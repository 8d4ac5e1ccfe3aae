"""Time as a trace must tell it when the participant's clock is a real one.

In virtual time nothing falls due before the harness lets time pass. A real clock runs on its own,
so an answer may come for a deadline that no line has told of; then that time is told before it.
"""

import time

from fencepost.trace.lines import Call
from fencepost_spec.vocabulary import microseconds

_WAITING = frozenset({"prepare", "retire"})


class Clock:
    """How much time has been told since each call that waits for a deadline."""

    def __init__(self, *, virtual: bool) -> None:
        self._virtual = virtual
        self._told = 0
        self._started: dict[str, tuple[float, int, int]] = {}

    def called(self, call: Call) -> None:
        """A call reaches the participant now."""
        deadline = (call.request or {}).get("deadline_in")
        if self._virtual or call.op not in _WAITING:
            return
        if isinstance(deadline, bool) or not isinstance(deadline, int | float):
            return
        self._started[call.id] = (time.monotonic(), self._told, max(0, microseconds(deadline)))

    def passed(self, time_us: int) -> None:
        """So much time is told of."""
        self._told += time_us

    def untold(self, call: Call) -> int:
        """How much time has to be told before the answer of a call, should it be late."""
        if call.id not in self._started:
            return 0
        since, told, deadline = self._started.pop(call.id)
        late = microseconds(time.monotonic() - since) >= deadline
        return max(0, deadline - (self._told - told)) if late else 0
