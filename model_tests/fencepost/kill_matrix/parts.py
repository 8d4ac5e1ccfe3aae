"""The kinds of participants that have mutants. A new kind is one line here and one `Part`."""

from collections.abc import Mapping
from importlib import import_module

from fencepost.kill_matrix.part import Part
from fencepost.naming import unknown

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
        raise unknown("part", name, PARTS, "`fencepost mutants --help`")
    part: Part = import_module(PARTS[name]).PART
    return part


def owners(mutant: str) -> tuple[str, ...]:
    """The parts that have a mutant of exactly that name."""
    return tuple(part.name for part in all_parts() if mutant in part.mutants)


def page_of(part: str) -> str:
    """Where the mutants of a part are listed."""
    return f"docs/reference/{part_named(part).page}"


def all_parts() -> tuple[Part, ...]:
    """Every part, in order."""
    return tuple(map(part_named, PARTS))
