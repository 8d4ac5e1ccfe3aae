"""Writes down what a core does, line by line, as a recording of a participant would show it."""

from typing import Any

from fencepost import showing
from fencepost.trace import lines
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.state import Directory, State, View


class Scribe:
    """Numbers and keeps no lines. `hidden` names what is left out: "wakes", "begins".

    An event of the work is written when it is known whether it waits: it waits when anything else
    becomes visible before it is answered.
    """

    def __init__(self, hidden: frozenset[str] = frozenset()) -> None:
        self._hidden = hidden
        self._written = 0
        self._event: a.Work | None = None
        self._asked: dict[str, str | None] = {}

    @property
    def number(self) -> int:
        """The number of the next line; an event of the work takes it for its token."""
        return self._written + 1 + (self._event is not None)

    def shown(self, before: State, action: Any, step: Step) -> list[lines.Line]:
        """The lines that an action and its outputs make."""
        if isinstance(action, a.Work):
            return self._work(action, step)
        shown = self._done(before, action)
        for output in step.outputs:
            shown += self._output(before, output)
        return shown

    def report(self, view: View, *, moving: bool = False) -> list[lines.Line]:
        """A status report, after what happened before it."""
        return [*self.waiting(), showing.report_line(self._next(), view, moving=moving)]

    def look(self, path: str, directory: Directory) -> list[lines.Line]:
        """A look at a directory, after what happened before it."""
        return [*self.waiting(), showing.look_line(self._next(), path, directory)]

    def waiting(self) -> list[lines.Line]:
        """The event that has not been written yet: it waits."""
        event, self._event = self._event, None
        return [] if event is None else [showing.work_line(self._next(), event, "waits")]

    def _next(self) -> int:
        self._written += 1
        return self._written

    def _work(self, action: a.Work, step: Step) -> list[lines.Line]:
        shown = self.waiting()
        for output in step.outputs:
            if type(output) is a.Returned and output.token == action.token:
                return [
                    *shown,
                    showing.work_line(self._next(), action, showing.outcome_of(output.code)),
                ]
        self._event = action
        return shown

    def _done(self, before: State, action: Any) -> list[lines.Line]:
        """What the world did; what the participant does by itself shows by its outputs."""
        match action:
            case a.Call() | a.Run():
                self._asked[action.id] = None
                if isinstance(action, a.Call):
                    self._asked[action.id] = action.request.checkpoint_id
                return [*self.waiting(), showing.call_line(self._next(), action)]
            case a.Gone(call):
                how = "cancelled" if before.calls[call].op == "run" else "timeout"
                return [*self.waiting(), lines.Lost(self._next(), call, how)]
            case a.Tick(microseconds):
                return [*self.waiting(), lines.Tick(self._next(), microseconds)]
            case a.Replace():
                shown = [*self.waiting(), showing.fault_line(self._next(), action)]
                lost = [lines.Lost(self._next(), call, "disconnected") for call in before.calls]
                return [*shown, *lost]
            case a.SetDirectory(path, content) if content and content.kind == "committed":
                shown = [*self.waiting(), showing.fault_line(self._next(), action)]
                return [*shown, showing.look_line(self._next(), path, content)]
            case a.Hold() | a.Release() | a.FailStorage() | a.SetDirectory():
                return [*self.waiting(), showing.fault_line(self._next(), action)]
            case _:
                return []

    def _output(self, before: State, output: Any) -> list[lines.Line]:
        match output:
            case a.Answered(call, reply):
                op, asked = before.calls[call].op, self._asked.pop(call, None)
                return [*self.waiting(), showing.reply_line(self._next(), call, op, reply, asked)]
            case a.Dropped(call):
                return [*self.waiting(), lines.Lost(self._next(), call, "disconnected")]
            case a.Began():
                if "begins" in self._hidden:
                    return []
                return [*self.waiting(), showing.began_line(self._next(), output)]
            case a.Returned(token, code):
                return self._returned(output, token, code)
            case _:
                return []

    def _returned(self, output: a.Returned, token: int, code: str | None) -> list[lines.Line]:
        event = self._event
        if event is not None and event.token == token:
            self._event = None
            return [showing.work_line(self._next(), event, showing.outcome_of(code))]
        if "wakes" in self._hidden and code is None:
            return []
        return [*self.waiting(), showing.returned_line(self._next(), output)]
