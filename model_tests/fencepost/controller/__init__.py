"""Judges and checks a controller of the receipts protocol."""
