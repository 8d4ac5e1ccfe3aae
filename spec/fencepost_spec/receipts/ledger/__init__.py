"""The recovery ledger of a training controller: what is owed, and to whom, across restarts."""
