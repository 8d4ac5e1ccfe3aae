"""The recovery ledger made runnable: a pure core, and a library class over it."""

from fencepost_reference.receipts.ledger.library import LedgerRefused, MutationCut, RecoveryLedger

__all__ = ["LedgerRefused", "MutationCut", "RecoveryLedger"]
