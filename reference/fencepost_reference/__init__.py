"""The reference implementation: pure cores that the specification drives, and their runtime."""
