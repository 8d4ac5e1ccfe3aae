"""Walks the tiny scopes that the table names for a mutant: what it shows there, and how soon.

Two things are looked for. Where a mutant does otherwise than the intended core at all: that is the
shortest trace by which anybody could see it. And which promise it breaks first: what must never
happen before what must come about and does not.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import attrs

from fencepost.exploring.beside import (
    Beside,
    Heard,
    Otherwise,
    Side,
    first_otherwise,
    intended_side,
    side_beside,
)
from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.firsts.nowhere import NOWHERE
from fencepost.exploring.firsts.seen import DIFFERS, FOR_EVER, NEVER, First, Seen
from fencepost.exploring.firsts.table import BREAKS, OTHERWISE
from fencepost.exploring.rendering import names_of
from fencepost.exploring.scopes import PARTS, SCOPES, Named
from fencepost.exploring.small_world import Deed
from fencepost.exploring.uncollected import uncollected
from fencepost.faults import UsageFault


def mutants_of(part: str) -> tuple[str, ...]:
    """Every named mutant of a part that a core can be."""
    from fencepost.kill_matrix.part import MECHANICAL
    from fencepost.kill_matrix.parts import PARTS as KINDS
    from fencepost.kill_matrix.parts import part_named

    named = [name for name, make in PARTS[part].mutants().items() if make is not None]
    if part not in KINDS:
        return tuple(named)
    listed = part_named(part).mutants
    return tuple(name for name in named if listed[name][0] != MECHANICAL)


def tiny_scopes(part: str) -> tuple[Named, ...]:
    """The tiny scopes of a part."""
    return tuple(one for one in SCOPES.values() if one.part.name == part and one.size == "tiny")


def firsts(parts: Iterable[str]) -> Iterator[First]:
    """What shows each mutant of some parts first, one by one."""
    for part in parts:
        for mutant in mutants_of(part):
            yield first(part, mutant)


def first(part: str, mutant: str) -> First:
    """What shows a mutant where the table says that it is shown first."""
    differs, broken = OTHERWISE[part].get(mutant), BREAKS[part].get(mutant)
    found = First(
        part,
        mutant,
        None if differs is None else _timed(otherwise, part, mutant, differs),
        None if broken is None else _timed(breaks, part, mutant, broken),
        NOWHERE[part].get(mutant, ""),
    )
    both = ((differs, found.otherwise), (broken, found.breaks))
    missed = tuple(scope for scope, seen in both if scope is not None and seen is None)
    return attrs.evolve(found, missed=missed)


def _timed(
    look: Callable[[str, str, str], Seen | None], part: str, mutant: str, scope: str
) -> Seen | None:
    """What is seen in a scope, and how long that took."""
    with uncollected():
        begun = time.process_time()
        seen = look(part, mutant, scope)
        seconds = time.process_time() - begun
    return None if seen is None else attrs.evolve(seen, seconds=seconds)


def breaks(part: str, mutant: str, scope: str) -> Seen | None:
    """The promise that a mutant breaks first in a scope, if it breaks any."""
    found = explore(SCOPES[scope].world(PARTS[part].core_of(mutant)), until_broken=True)
    shown = sorted(_shown(found, scope), key=lambda one: one.rank)
    return shown[0] if shown else None


def _shown(found: Findings, scope: str) -> Iterator[Seen]:
    for one in found.always:
        if one.broken is not None:
            deeds = tuple(names_of(one.broken.deeds))
            promise = one.property.id
            yield Seen(scope, NEVER, one.broken.actions, deeds, promise, states=found.states)
    for progressed in found.eventually:
        lasso = progressed.lasso
        if lasso is not None:
            yield Seen(
                scope,
                FOR_EVER,
                _actions(lasso.way),
                tuple(names_of(lasso.way)),
                progressed.asked.property.id,
                _actions(lasso.round),
                tuple(names_of(lasso.round)),
                found.states,
            )


def _actions(deeds: tuple[Deed, ...]) -> int:
    return sum(not deed.own for deed in deeds)


def otherwise(part: str, mutant: str, scope: str) -> Seen | None:
    """What a mutant does otherwise first in a scope, if it does anything so."""
    ours = _intended(part, scope)
    found = first_otherwise(ours, _theirs(ours, part, mutant, scope))
    return None if found is None else _differing(scope, found)


def soonest(part: str, mutant: str) -> Seen | None:
    """Where a mutant does otherwise first: all tiny scopes are walked side by side."""
    walks: dict[str, Beside] = {}
    for one in tiny_scopes(part):
        ours = _kept(part, one.name)
        walks[one.name] = Beside(ours, _theirs(ours, part, mutant, one.name))
    while walks:
        found = {name: walk.go() for name, walk in walks.items()}
        known = [_differing(name, one) for name, one in found.items() if one is not None]
        if known:
            return min(known, key=lambda one: (one.actions, one.states))
        walks = {name: walk for name, walk in walks.items() if not walk.done}
    return None


def _differing(scope: str, found: Otherwise) -> Seen:
    return Seen(scope, DIFFERS, found.actions, found.deeds, states=found.states)


def _intended(part: str, scope: str, *, keep: bool = False) -> Side:
    make = PARTS[part].intended
    if make is None:
        raise UsageFault(f"mutants of the {part} are not compared", "they are no single core")
    core = Heard(make())
    return intended_side(SCOPES[scope].world(core), core, keep=keep)


@cache
def _kept(part: str, scope: str) -> Side:
    """The intended side of a scope, for one mutant after another."""
    return _intended(part, scope, keep=True)


def _theirs(ours: Side, part: str, mutant: str, scope: str) -> Side:
    core = Heard(PARTS[part].core_of(mutant))
    return side_beside(ours, SCOPES[scope].world(core), core)
