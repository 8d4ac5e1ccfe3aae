"""The resources-server participant of the receipts protocol, as data."""
