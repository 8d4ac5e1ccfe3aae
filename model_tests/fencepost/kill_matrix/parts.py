"""The kinds of participants that have mutants. A new kind is one line here and one `Part`."""

from collections.abc import Mapping
from importlib import import_module

from fencepost.faults import UsageFault
from fencepost.kill_matrix.part import Part

PARTS: Mapping[str, str] = {
    "agent": "fencepost.mutants.part",
    "ledger": "fencepost.ledger.mutants.part",
    "model": "fencepost.policy_model.mutants.part",
    "resources": "fencepost.resources.mutants.part",
    "controller": "fencepost.controller.mutants.part",
    "snapshot": "fencepost.snapshot.mutants",
    "storage": "fencepost.damage.mutants",
}
"""The module of each kind; its `PART` says the rest, and is only loaded when it is asked for."""


def part_named(name: str) -> Part:
    """The part of that name, or UsageFault."""
    if name not in PARTS:
        raise UsageFault(f"no part is called {name!r}", f"there are: {', '.join(PARTS)}")
    part: Part = import_module(PARTS[name]).PART
    return part


def all_parts() -> tuple[Part, ...]:
    """Every part, in order."""
    return tuple(map(part_named, PARTS))
