"""Everything that can be wrong with a snapshot that is restored by a controller that runs.

What is found in its folder, and what its participants say: the damages of the library, and those
that have to be in the records of agents too.
"""

from collections.abc import Callable
from typing import Any

from fencepost.ledger import samples
from fencepost.snapshot import specimens as s
from fencepost.snapshot.damages import DAMAGES, Damage
from fencepost.snapshot.worlds import World
from fencepost_reference.receipts.snapshot.building import contents_of
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT

CHECKS = {check.rule.id: check for check in SNAPSHOT.checks.all()}
RESTORED = [check.rule.id for check in SNAPSHOT.checks.restored]

# What a running controller cannot be told. It compares no id that participants commit under with
# another; and an answer comes from where it was asked: one for each participant, and from no other.
IMPOSSIBLE = {"R-SNP-31", "R-SNP-101", "R-SNP-102", "R-SNP-103", "R-SNP-104"}
ELSEWHERE = {"R-SNP-1", "R-SNP-100"}
"""Damaged below by itself."""

PARKED = {"R-SNP-63", "R-SNP-71"}
"""Damaged in the records of agents too; an index alone is refused by the rules of an agent."""


def unnumbered(world: World) -> None:
    """The ledger has never numbered what an agent has parked."""
    calls = [one for one in s.ledger_calls() if one.op != "prepare_incomplete_retry"]
    once = [one for at, one in enumerate(calls) if calls.index(one) == at]
    world.files[names.RECOVERY] = s.encode(s.sidecar(samples.lived(once)))
    world.bind()


def _without(document: Any) -> None:
    del document["mutation_version"]


def unknown_server(world: World) -> None:
    """What an agent has parked has used a server that nobody has found."""
    files, commit = s.participants("gone")
    contents = contents_of(s.capture(commit))
    world.files = {**files, **dict(contents.files), names.MANIFEST: contents.manifest}


_SHAPES: dict[str, Callable[[Any], None]] = {
    "R-SNP-5": lambda document: document.update(schema_version=3),
    "R-SNP-6": lambda document: document.update(more=1),
    "R-SNP-7": _without,
    "R-SNP-8": lambda document: document.update(mutation_version="1"),
    "R-SNP-9": lambda document: document.update(mutation_version=-1),
}


def _shaped(change: Callable[[Any], None]) -> Callable[[World], object]:
    return lambda world: world.change(names.MANIFEST, change)


SAID = [one for one in DAMAGES if one.rule in RESTORED and one.rule not in IMPOSSIBLE | ELSEWHERE]
FOUND = [
    *(one for one in DAMAGES if one.rule not in {*RESTORED, *IMPOSSIBLE, *PARKED}),
    *(Damage(rule, "a manifest of another shape", _shaped(one)) for rule, one in _SHAPES.items()),
    Damage("R-SNP-63", "a server that nobody has found", unknown_server),
    Damage("R-SNP-71", "an attempt that was never numbered", unnumbered),
]


def spoilt(damage: Damage) -> World:
    """A world with one damage."""
    world = World.whole()
    damage.spoil(world)
    return world
