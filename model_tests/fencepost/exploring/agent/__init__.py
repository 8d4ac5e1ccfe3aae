"""The agent of the receipts protocol as small worlds: a core and all around it."""
