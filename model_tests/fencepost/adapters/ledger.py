"""The bundled ledger as a participant: the library class, called by the names of its operations."""

from typing import Any

from fencepost.ledger.participant import LedgerParticipant, Refused
from fencepost_reference.receipts.ledger import LedgerRefused, RecoveryLedger
from fencepost_reference.receipts.ledger.actions import Answer, Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.saving import report_of


class LibraryLedger(LedgerParticipant):
    """The ledger of the reference. Given another core it is a mutant."""

    name = "fencepost-ledger"

    def __init__(self, core: LedgerCore | None = None) -> None:
        self._core = core
        self._ledger = RecoveryLedger(core)

    def start(self) -> None:
        """Begin with an empty ledger."""
        self._ledger = RecoveryLedger(self._core)

    def call(self, op: str, request: Any, *, cut: bool) -> Any:
        """Do one operation, in a cut that is live or not."""
        try:
            return self._ledger.call(op, request, cut=cut)
        except LedgerRefused as refused:
            raise Refused(str(refused)) from None

    def report(self) -> dict[str, Any]:
        """What the ledger holds."""
        return self._ledger.report()


class CoreLedger(LedgerParticipant):
    """A ledger made of a core alone, which keeps whatever state a step leads to.

    The library keeps its state when it refuses; a mutant that does not must be able to show it.
    """

    name = "fencepost-core"

    def __init__(self, core: LedgerCore | None = None) -> None:
        self._core = core or LedgerCore()
        self._state = self._core.initial()
        self.operations = frozenset(self._core.spec.operations)

    def start(self) -> None:
        """Begin with an empty ledger."""
        self._state = self._core.initial()

    def call(self, op: str, request: Any, *, cut: bool) -> Any:
        """Do one step of the core."""
        step = self._core.step(self._state, Call(op, request, cut))
        self._state = step.state
        answer: Answer = step.outputs[0]
        if not answer.ok:
            raise Refused(answer.detail)
        return answer.body

    def report(self) -> dict[str, Any]:
        """What the state holds."""
        return report_of(self._state)


def make() -> LedgerParticipant:
    """A new bundled ledger."""
    return LibraryLedger()
