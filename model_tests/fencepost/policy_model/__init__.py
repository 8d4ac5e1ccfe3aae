"""The oracle of a policy model, the contract of one that is checked, and what drives it."""
