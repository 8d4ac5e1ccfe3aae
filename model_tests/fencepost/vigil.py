"""How long a process may be silent before it is given up: seconds in which its parent had time.

A parent that is stopped, or waits for a processor itself, counts no more than its own short steps,
so a machine under load is not taken for a participant that hangs.
"""

import os
import time
from typing import Final

from fencepost.faults import ParticipantFault, UsageFault
from fencepost.pulse import Pulse

PATIENCE_SECONDS: Final = 60.0
VARIABLE: Final = "FENCEPOST_PATIENCE"
_MOST_SECONDS: Final = 0.5
"""More than this between two looks is time in which the parent did not run."""


def patience() -> float:
    """The seconds of patience, which the environment may set."""
    text = os.environ.get(VARIABLE)
    if not text:
        return PATIENCE_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise UsageFault(f"{VARIABLE} is {text!r}", "a number of seconds is wanted")
    return seconds


class Vigil:
    """Looks at the pulse of a process again and again."""

    def __init__(self, pulse: Pulse, seconds: float) -> None:
        self._pulse = pulse
        self._seconds = seconds
        self._looked = time.monotonic()
        self._seen = (-1, -1)
        self._silent = self._lasting = 0.0

    @property
    def last_step(self) -> str:
        """What was done last, as the end of a sentence; nothing where nobody knows."""
        return f"; its last step was {doing}" if (doing := self._pulse.doing) else ""

    def look(self) -> None:
        """Raise a `ParticipantFault` when there was no sign of life, or a step lasts, for long."""
        now, seen = time.monotonic(), (self._pulse.beats, self._pulse.steps)
        passed = min(now - self._looked, _MOST_SECONDS)
        self._looked = now
        beating, same = seen[0] != self._seen[0], seen[1] == self._seen[1]
        self._seen = seen
        self._silent = 0.0 if beating else self._silent + passed
        self._lasting = self._lasting + passed if same and seen[1] % 2 else 0.0
        hint = f"{VARIABLE} sets another limit"
        if self._lasting > self._seconds:
            what = f"{self._pulse.doing} has not ended within {self._seconds:g} s"
            raise ParticipantFault(what, hint)
        if self._silent > self._seconds:
            what = f"its process gave no sign of life for {self._seconds:g} s"
            raise ParticipantFault(f"{what}{self.last_step}", hint)
