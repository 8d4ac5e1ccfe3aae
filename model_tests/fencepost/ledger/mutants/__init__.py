"""Ledgers that are wrong on purpose, and whether the oracle finds them."""
