"""The bundled ledger as a participant: the library class, called by the names of its operations."""

from typing import Any

from fencepost.ledger.participant import LedgerParticipant, Refused
from fencepost_reference.receipts.ledger import LedgerRefused, RecoveryLedger
from fencepost_reference.receipts.ledger.core import LedgerCore


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


def make() -> LedgerParticipant:
    """A new bundled ledger."""
    return LibraryLedger()
