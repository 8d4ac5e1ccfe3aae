"""Mutants that nothing refuses and why that is right; rules that no mutant breaks, and why."""

from collections.abc import Mapping
from typing import Final

EQUIVALENT: Final[Mapping[str, str]] = {
    "ignores what holds up a prepare": (
        "Nothing holds up a prepare that the controller has no memory of: it forgets no attempt "
        "before its agent has let go of it, and participants start with their controller."
    ),
}
"""Why a mutant that no case refuses is right."""

UNBROKEN: Final[Mapping[str, str]] = {}
"""Rules that none of these controllers breaks."""
