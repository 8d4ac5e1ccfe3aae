"""The recovery ledger as small worlds: a core and the controller that calls it."""
