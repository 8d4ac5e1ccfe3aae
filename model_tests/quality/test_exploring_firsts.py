"""Where each mutant is seen first: in which tiny scope, after how few actions, by which promise.

Goal: whoever looks for a known fault has it in a moment, and a fault that no tiny scope shows is
known by name, with the reason. Method: the table says where, and every place is walked.
`REWRITE=1` writes what is pinned, and the page.
"""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.exploring.firsts.finding import breaks, first, mutants_of, soonest, tiny_scopes
from fencepost.exploring.firsts.nowhere import NOWHERE
from fencepost.exploring.firsts.seen import First, render_markdown
from fencepost.exploring.firsts.table import BREAKS, OTHERWISE
from fencepost.exploring.scopes import PARTS
from fencepost.faults import UsageFault

LOCK = Path(__file__).parent / "firsts.lock.json"
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "first-seen.md"
QUICK_STATES = 60
"""A walk of so few states is over at once, and asked whenever tests are run."""


@cache
def pinned() -> dict[str, dict[str, dict[str, Any]]]:
    """Return what was found last time, by part and mutant."""
    if not LOCK.exists():
        return {}
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(LOCK.read_text(encoding="utf-8"))
    return found


@cache
def found(part: str) -> tuple[First, ...]:
    """Return what is seen first of each mutant of a part."""
    return tuple(first(part, mutant) for mutant in mutants_of(part))


def quick() -> list[tuple[str, str]]:
    """Return the mutants whose walks are all short."""
    return [
        (part, mutant)
        for part, some in pinned().items()
        for mutant, told in some.items()
        if "why" not in told and all(one["states"] <= QUICK_STATES for one in told.values())
    ]


@pytest.mark.parametrize("part", PARTS)
def test_every_named_mutant_is_in_the_table(part: str) -> None:
    """Each is shown somewhere, or it is said why not; the table names nobody else."""
    names = set(mutants_of(part))
    somewhere = {*OTHERWISE[part], *BREAKS[part]}

    assert somewhere | set(NOWHERE[part]) == names
    assert not somewhere & set(NOWHERE[part])
    assert PARTS[part].intended is None or set(OTHERWISE[part]) == somewhere


@pytest.mark.parametrize("part", PARTS)
def test_the_table_names_tiny_scopes_of_the_part_and_no_others(part: str) -> None:
    """Nobody has to walk a small scope to see a known fault."""
    names = {one.name for one in tiny_scopes(part)}

    assert {*OTHERWISE[part].values(), *BREAKS[part].values()} <= names


@pytest.mark.parametrize("part", PARTS)
def test_what_is_pinned_is_what_the_table_has(part: str) -> None:
    """The lock has each mutant of the part and no other, where the table has it."""
    told = pinned()[part]

    assert list(told) == list(mutants_of(part))
    for how, table in (("otherwise", OTHERWISE[part]), ("breaks", BREAKS[part])):
        assert {name: one[how]["scope"] for name, one in told.items() if how in one} == table
    assert {name: one["why"] for name, one in told.items() if "why" in one} == NOWHERE[part]


def test_a_few_mutants_are_seen_where_the_table_says() -> None:
    """Those whose walks are short: what is seen of each is what was seen last time."""
    assert len(quick()) > 20
    for part, mutant in quick():
        one = first(part, mutant)
        assert one.pinned == pinned()[part][mutant], mutant


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", PARTS)
def test_every_mutant_is_seen_where_the_table_says(part: str) -> None:
    """What is seen first, and after how few actions, changes only on purpose (REWRITE=1)."""
    seen = {one.mutant: one.pinned for one in found(part)}
    if os.environ.get("REWRITE"):
        kept = {**pinned(), part: seen} if LOCK.exists() else {part: seen}
        whole = {name: kept[name] for name in PARTS if name in kept}
        LOCK.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
        pinned.cache_clear()
    missed = {one.mutant: one.missed for one in found(part) if one.missed}

    assert missed == {}
    assert seen == pinned()[part]


def test_the_page_is_not_stale() -> None:
    """The documentation shows what is pinned; REWRITE=1 writes it."""
    listed = [
        First.of(part, name, told) for part, some in pinned().items() for name, told in some.items()
    ]
    if os.environ.get("REWRITE"):
        PAGE.write_text(render_markdown(listed), encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == render_markdown(listed)


def test_mutants_of_a_controller_are_not_compared() -> None:
    """A controller is many things in one world, and only promises tell what it does wrong."""
    with pytest.raises(UsageFault, match="not compared"):
        soonest("world", mutants_of("world")[0])


# That nothing is sooner.

NEAR = [
    (part, mutant)
    for part, some in pinned().items()
    for mutant, told in some.items()
    if "otherwise" in told and told["otherwise"]["actions"] <= 2
]


@pytest.mark.slow
@pytest.mark.parametrize(("part", "mutant"), NEAR)
def test_no_tiny_scope_shows_a_near_difference_sooner(part: str, mutant: str) -> None:
    """All tiny scopes are walked side by side, as far as the two actions that were needed."""
    seen = soonest(part, mutant)

    assert seen is not None
    assert seen.actions == pinned()[part][mutant]["otherwise"]["actions"]


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_no_tiny_scope_of_a_model_shows_a_broken_promise_sooner() -> None:
    """Of each mutant: what must never happen is not seen after fewer actions, nor a lasso."""
    sooner: list[tuple[str, str, str, int]] = []
    for mutant in mutants_of("model"):
        known = First.of("model", mutant, pinned()["model"][mutant]).breaks
        for scope in tiny_scopes("model"):
            seen = breaks("model", mutant, scope.name)
            if seen is not None and (known is None or seen.rank[:2] < known.rank[:2]):
                sooner.append((mutant, scope.name, seen.promise, seen.actions))

    assert sooner == []
