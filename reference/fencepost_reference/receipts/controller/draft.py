"""A step that is being worked out: the state so far, what becomes visible, and which rules."""

from typing import Any

from immutables import Map

from fencepost_reference.model import Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.book import Book, Entry, status_of
from fencepost_reference.receipts.controller.state import Fleet, Open, Round, State, Work
from fencepost_spec.receipts.controller.guards import AttemptFacts, FenceFacts, RoundFacts
from fencepost_spec.receipts.controller.policy import Policy
from fencepost_spec.receipts.controller.spec import ControllerSpec
from fencepost_spec.rule import Rule
from fencepost_spec.table import Row
from fencepost_spec.vocabulary import Key


class Draft:
    """The step of one action. It lives only while the step is worked out."""

    def __init__(self, spec: ControllerSpec, fleet: Fleet, book: Book, state: State) -> None:
        self.spec, self.fleet, self.book = spec, fleet, book
        self.state = state
        self.outputs: list[Any] = []
        self.rules: list[Rule] = []

    @property
    def policy(self) -> Policy:
        """What is decided beside the charts."""
        return self.spec.policy

    def step(self) -> Step:
        """The step, worked out."""
        return Step(self.state, tuple(self.outputs), tuple(self.rules))

    def change(self, **changes: Any) -> None:
        """Some fields of the state become others."""
        self.state = change(self.state, **changes)

    def ledger(self, op: str, /, **request: Any) -> Entry:
        """An operation of the ledger; a refused one changes nothing."""
        entry = self.book.ask(self.state.ledger, op, request)
        self.rules += entry.rules
        if entry.ok:
            self.change(ledger=entry.state)
        return entry

    # Calls.

    def opened(self, call: str, opened: Open) -> None:
        """A call leaves."""
        self.change(calls=self.state.calls.set(call, opened))

    def closed(self, call: str) -> Open | None:
        """A call is over; None where there is no such call."""
        found = self.state.calls.get(call)
        if found is not None:
            self.change(calls=self.state.calls.delete(call))
        return found

    # Attempts.

    def set_work(self, key: Key, work: Work | None) -> None:
        """An attempt stands otherwise, or is forgotten."""
        works: Map[Key, Work] = self.state.works
        if work is not None:
            self.change(works=works.set(key, work))
        elif key in works:
            self.change(works=works.delete(key))

    def moved(self, key: Key, event: str, **changes: Any) -> bool:
        """An event reaches an attempt; without a row nothing changes."""
        work = self.state.works.get(key)
        row = None if work is None else find_work(self.spec, self.state, key, work, event)
        if work is None or row is None:
            return False
        self.rules.append(row.rule)
        gone = row.target == "forgotten"
        self.set_work(key, None if gone else change(work, status=row.target, **changes))
        return True

    # The checkpoint.

    def set_round(self, **changes: Any) -> None:
        """Some fields of the checkpoint become others."""
        if self.state.round is not None:
            self.change(round=change(self.state.round, **changes))

    def went(self, event: str, **facts: bool) -> bool:
        """An event reaches the transaction; without a row nothing changes."""
        current = self.state.round
        row = None
        if current is not None:
            known = RoundFacts(**facts)
            row = self.spec.transaction.find(current.transaction, event, known)
        if row is None:
            return False
        self.rules.append(row.rule)
        self.set_round(transaction=row.target)
        return True

    def published(self, event: str, **facts: bool) -> str:
        """An event reaches the snapshot: where it stands then, or "" without a row."""
        current = self.state.round
        row = None
        if current is not None:
            known = RoundFacts(**facts)
            row = self.spec.publication.find(current.publication, event, known)
        if row is None:
            return ""
        self.rules.append(row.rule)
        self.set_round(publication=row.target)
        return row.target

    def fenced(self, event: str, number: int) -> bool:
        """An event of an id reaches the fence; without a row nothing changes."""
        current = self.state.round
        holds = current is not None and current.number == number
        facts = FenceFacts(
            fresh=number >= self.state.number,
            holds=holds,
            retired=number < self.state.number and not holds,
        )
        row = self.spec.fence.find(self.state.fence, event, facts)
        if row is None:
            return False
        self.rules.append(row.rule)
        self.change(fence=row.target)
        return True


def wanted(state: State, key: Key) -> bool:
    """Whether the ledger waits for the result of an attempt."""
    return status_of(state.ledger, key) == "dispatched"


def find_work(spec: ControllerSpec, state: State, key: Key, work: Work, event: str) -> Row | None:
    """The row of an attempt's chart for an event."""
    return spec.attempt.find(work.status, event, AttemptFacts(wanted(state, key)))


def round_of(state: State) -> Round:
    """The checkpoint that is open; there has to be one."""
    assert state.round is not None, "no checkpoint is open"
    return state.round
