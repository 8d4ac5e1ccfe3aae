"""The training controller of the receipts protocol: what it is, and what it may do."""
