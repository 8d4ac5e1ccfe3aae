"""The training controller of the receipts protocol: it dispatches, acknowledges, and publishes."""
