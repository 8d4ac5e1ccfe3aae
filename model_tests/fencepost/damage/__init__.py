"""Damaged checkpoint directories: one kind of damage at a time, each with the rule against it."""

from fencepost.damage.kinds import DAMAGES, Damage

__all__ = ["DAMAGES", "Damage"]
