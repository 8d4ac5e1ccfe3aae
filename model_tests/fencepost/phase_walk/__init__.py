"""Every operation called in every situation of a phase table, and what the core made of it."""
