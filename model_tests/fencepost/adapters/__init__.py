"""Participants that come with the oracle: the bundled runtime, and the core alone."""
