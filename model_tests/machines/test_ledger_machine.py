"""A ledger under random operations: every promise after every step, and an oracle that is silent.

Hypothesis draws numbers, and each stands for something that is asked of the ledger as it is now:
what is enabled, what is odd, and what is wrong on purpose.
"""

from random import Random

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from fencepost.adapters.ledger import LibraryLedger
from fencepost.ledger.checking import script_line
from fencepost.ledger.drawing import Action, Drawer
from fencepost.ledger.mutants.worlds import alphabet
from fencepost.ledger.participant import OPERATIONS
from fencepost.ledger.playing import Session, header_of
from fencepost.watch import Watch
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.promises import (
    broken_by_step,
    broken_in_state,
    broken_progress,
    broken_round_trip,
)
from fencepost_reference.receipts.ledger.state import State

pytestmark = pytest.mark.slow

PLACES = 1_000
MAKES = ("reserve_group", "mark_group_dispatched", "mark_sibling_sealed", "mark_group_sealed")


class LedgerMachine(RuleBasedStateMachine):
    """The library, the core beside it, and the oracle that reads what the library does."""

    def __init__(self) -> None:
        super().__init__()
        self.core = LedgerCore()
        ledger = LibraryLedger()
        self.session = Session(ledger, header_of(ledger, "machine", "random"), Watch())
        self.done = 0

    @property
    def state(self) -> State:
        """The ledger that the oracle believes in."""
        return self.session.oracle.state

    def perform(self, action: Action) -> None:
        """Let something happen; the core must have nothing to say against its own step."""
        self.done += 1
        note(f"{self.done}. {action}")
        if isinstance(action, Call):
            step = self.core.step(self.state, action)
            assert list(broken_by_step(self.state, action, step)) == []
        self.session.perform(script_line(action))

    @rule(place=st.integers(0, PLACES - 1))
    def ask(self, place: int) -> None:
        """Anything is asked, right or wrong."""
        calls = list(alphabet(self.state))
        self.perform(calls[place % len(calls)])

    @rule(place=st.integers(0, PLACES - 1))
    def go_on(self, place: int) -> None:
        """Something that is accepted and changes the ledger, where there is such a thing."""
        calls = [
            call
            for call in alphabet(self.state)
            if call.op in MAKES and self.core.step(self.state, call).state != self.state
        ]
        if calls:
            self.perform(calls[place % len(calls)])

    @rule(seed=st.integers(0, PLACES - 1))
    def draw(self, seed: int) -> None:
        """What the generator of a check would do here."""
        self.perform(Drawer(Random(seed), OPERATIONS).draw(self.state))

    @invariant()
    def nothing_is_refused(self) -> None:
        """The library conforms."""
        refusal = self.session.refusal
        assert refusal is None, (refusal.line, refusal.mismatch) if refusal else None

    @invariant()
    def every_promise_holds(self) -> None:
        """What must hold of a ledger holds, and all that must be possible is."""
        assert list(broken_in_state(self.state)) == []
        assert list(broken_round_trip(self.core, self.state)) == []
        assert list(broken_progress(self.core, self.state)) == []


TestLedgerMachine = pytest.mark.machine(LedgerMachine.TestCase)
# Each step asks every promise, which takes its time: half as many lives as elsewhere.
TestLedgerMachine.settings = settings(max_examples=settings().max_examples // 2)
