"""Judging and checking a resources server of the receipts protocol."""
