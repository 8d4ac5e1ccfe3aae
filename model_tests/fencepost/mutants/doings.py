"""What the world does to a participant, as values that know their line and their action.

The action of the core is read from the line, as the oracle reads it.
"""

import functools
import json
from typing import Any

import attrs

from fencepost.agent import reading
from fencepost.trace import lines
from fencepost_reference.receipts import actions as a
from fencepost_spec.vocabulary import Key


@attrs.frozen
class Called:
    """A request was sent."""

    id: str
    op: str
    request: str
    auth: str | None = None

    def line(self) -> lines.Call:
        """A call line."""
        return lines.Call(0, self.op, self.id, json.loads(self.request), self.auth)


@attrs.frozen
class Worked:
    """An event of the work happened. `outcome` is None for ok, "waits", or a code."""

    event: str
    key: Key | None
    detail: str
    token: int
    outcome: str | None = None

    def line(self) -> lines.Work:
        """A work line, numbered by its token."""
        outcome: str | dict[str, Any] = self.outcome or "ok"
        if outcome not in ("ok", "waits"):
            outcome = {"code": outcome}
        detail = json.loads(self.detail)
        if self.key is None:
            return lines.Work(self.token, self.event, None, None, detail, outcome, anonymous=True)
        name, attempt = self.key.rollout_id, self.key.attempt
        return lines.Work(self.token, self.event, name, attempt, detail, outcome)


@attrs.frozen
class Faulted:
    """The harness broke something."""

    name: str
    detail: str = "{}"
    disk: str | None = None

    def line(self) -> lines.Fault:
        """A fault line."""
        return lines.Fault(0, self.name, self.disk, json.loads(self.detail))


@attrs.frozen
class Ticked:
    """Time passed."""

    microseconds: int

    def line(self) -> lines.Tick:
        """A tick line."""
        return lines.Tick(0, self.microseconds)


@functools.cache
def call_action(called: Called) -> Any:
    """The action that a call line stands for."""
    line = called.line()
    return reading.run_action(line) if called.op == "run" else reading.call_action(line)


@functools.cache
def work_action(worked: Worked, call: str | None) -> a.Work:
    """The action that a work line stands for."""
    return reading.work_action(worked.line(), call)
