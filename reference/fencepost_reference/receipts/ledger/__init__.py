"""The recovery ledger made runnable: a pure core, and a library class over it."""

from fencepost_reference.receipts.ledger.cut import LedgerRefused, MutationCut
from fencepost_reference.receipts.ledger.library import RecoveryLedger
from fencepost_reference.receipts.ledger.reading import from_json

__all__ = ["LedgerRefused", "MutationCut", "RecoveryLedger", "from_json"]
