"""The specification of partial-rollout checkpointing, as charts, rules and data."""
