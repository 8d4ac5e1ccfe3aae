"""The pure cores of the receipts protocol."""
