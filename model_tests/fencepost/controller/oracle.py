"""Reads a controller's trace line by line and says whether a controller that obeys could make it.

Everything that a controller does is visible, so one value holds what is known; where a reply was
lost it says that nobody knows. What the participants do is not judged here.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from fencepost.controller import reading, wording
from fencepost.controller.breaking import DAMAGE
from fencepost.controller.doing import worked
from fencepost.controller.legal import legal_texts
from fencepost.controller.report_shape import misfit
from fencepost.controller.reporting import rested
from fencepost.faults import TraceFault, wrong_line
from fencepost.feeding import Feeding
from fencepost.judges import Refusal
from fencepost.mismatch import Mismatch
from fencepost.trace import Call, Fault, Header, Line, Lost, Reply, Report, Work
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.controller.watch import seen as s
from fencepost_reference.receipts.controller.watch.core import Refused, Watcher
from fencepost_reference.receipts.controller.watch.state import Watch
from fencepost_spec.rule import Rule

VERSION = "fencepost-1"
_NOWHERE = Place("controller", "controller")


@attrs.frozen
class Seen:
    """One thing that a line shows, and what is wrong with the body of a call, if anything is."""

    value: Any
    malformed: str | None = None


class Oracle(Feeding):
    """Judges one trace. Feed it lines; it keeps what is known."""

    def __init__(self, header: Header, core: Watcher | None = None) -> None:
        if header.hidden:
            raise TraceFault(1, "nothing can be hidden in the trace of a controller", "show it")
        if header.version != VERSION:
            reason = f"no controller of version {header.version!r} is known"
            raise TraceFault(1, reason, f"known is {VERSION}")
        self.watcher = core or Watcher()
        self.watch: Watch = self.watcher.initial(reading.settings_of(header))
        self.rules: dict[str, int] = {}
        self.notes: list[tuple[int, Rule, str]] = []
        self._malformed: str | None = None

    def feed(self, line: Line) -> Refusal | None:
        """Take one line in; a refusal ends the judgement."""
        before = self.watch
        for seen in self.seen_in(line):
            step = self.watcher.step(self.watch, seen.value, malformed=seen.malformed)
            if isinstance(step, Refused):
                self._malformed = None if seen.malformed is None else wording.line_text(line)
                came = f"{wording.line_text(line)}: {step.came}"
                found = Mismatch(step.rule.says, came, step.rule, stall=step.stall)
                return Refusal(line, found, before)
            self.watch = step.state
            self.notes += [(line.seq, each.rule, each.came) for each in step.outputs]
            for rule in step.rules:
                self.rules[rule.id] = self.rules.get(rule.id, 0) + 1
        return None

    def seen_in(self, line: Line) -> Iterator[Seen]:
        """What a line shows, in order."""
        if isinstance(line, Call):
            yield self._called(line)
        elif isinstance(line, Reply):
            yield from self._replied(line)
        elif isinstance(line, Lost):
            yield Seen(a.Lost(line.id))
        elif isinstance(line, Work):
            for each in worked(line):
                yield Seen(each)
        elif isinstance(line, Fault) and line.name == "replace":
            yield from self._replaced(line)
        elif isinstance(line, Fault) and line.name == DAMAGE:
            number = line.detail.get("snapshot")
            if type(number) is not int:
                raise wrong_line(line.seq, "a snapshot that is damaged has a number", "name it")
            yield Seen(s.Damaged(number))
        elif isinstance(line, Report) and reading.place_of(line) is None:
            yield from self._reported(line)

    def _called(self, line: Call) -> Seen:
        place = reading.place_of(line)
        if place is None:
            raise wrong_line(line.seq, "a call has a place", 'write "at"')
        request = reading.request_of(place.kind, line.op, line.request)
        wrong = request if isinstance(request, str) else None
        read = a.Request() if isinstance(request, str) else request
        if line.auth is not None:
            wrong = wrong or f"its token is {line.auth}"
        return Seen(a.Sent(line.id, place, line.op, read), wrong)

    def _replied(self, line: Reply) -> Iterator[Seen]:
        call = self.watch.calls.get(line.id)
        if call is None:
            return  # A process that is gone has asked it.
        answer = reading.answer_of(call.op, call.place, call.request, line)
        yield Seen(a.Answered(line.id, answer))
        if call.op in ("prepare", "status") and call.place.kind == "agent":
            for key, receipt in reading.receipts_in(line.body):
                yield Seen(s.Told(call.place, key, receipt))

    def _reported(self, line: Report) -> Iterator[Seen]:
        wrong = misfit(line.body)
        if wrong is not None:
            raise wrong_line(line.seq, f"the report has {wrong.shown}", wrong.hint)
        if not line.moving:
            yield Seen(rested(line.body))

    def _replaced(self, line: Fault) -> Iterator[Seen]:
        place = reading.place_of(line)
        if place is None and line.detail.get("participants") == "replaced":
            for each in self.watch.settings.places:
                yield Seen(s.Replaced(each))
        yield Seen(s.Replaced(place))

    # Words.

    def state_text(self, before: Watch) -> str:
        """What was known before a refusal, in one line."""
        return wording.state_text(before)

    def legal_texts(self, before: Watch) -> tuple[str, ...]:
        """What could have been done instead."""
        found = legal_texts(self.watcher, before)
        wrong = self._malformed
        return tuple(
            f"{text}, with a body that it takes" if text == wrong else text for text in found
        )

    def step_texts(self, lines: Sequence[Line]) -> list[str]:
        """What was done in some lines, each in few words; the last line always has a text."""
        return wording.step_texts(lines)

    def line_text(self, line: Line) -> str:
        """Any line, in one line of text."""
        return wording.line_text(line)
