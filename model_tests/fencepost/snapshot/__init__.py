"""Snapshots to try things on: a whole one, and everything that can be wrong with it."""
