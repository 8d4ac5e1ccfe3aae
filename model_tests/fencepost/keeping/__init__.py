"""Traces that are kept as files: what each tells, and what it must be judged as."""
