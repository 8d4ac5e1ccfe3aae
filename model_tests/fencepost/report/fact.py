"""A numbered fact. Imports attrs only."""

import attrs


@attrs.frozen
class Fact:
    """One numbered fact, and why no rule states it where none does."""

    number: str
    title: str
    without: str = ""
