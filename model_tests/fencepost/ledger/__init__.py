"""The recovery ledger: its oracle, its contract, its driver and its mutants."""
