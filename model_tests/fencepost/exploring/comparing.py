"""What an exploration found, in the form in which two of them can be compared, and pinned."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fencepost.exploring.breadth import Breadth
from fencepost.exploring.findings import Findings
from fencepost.exploring.progress import Answer
from fencepost.exploring.renaming import words_of
from fencepost.exploring.small_world import Parts, SmallWorld, Taken


def sizes(found: Findings) -> tuple[int, int, int]:
    """Distinct states, as many as they are when names are told apart, and transitions."""
    return found.states, found.whole, found.transitions


def answers(found: Findings) -> dict[str, Answer]:
    """What became of each promise of progress."""
    return {one.asked.property.id: one.asked.answer for one in found.eventually}


def open_promises(found: Findings) -> set[str]:
    """The promises of progress that only a bound keeps from being broken."""
    return {name for name, answer in answers(found).items() if answer is Answer.CUT}


def verdicts(found: Findings) -> tuple[object, ...]:
    """Everything that an exchange of names may not change."""
    broken = tuple(one.property.id for one in found.always if one.broken is not None)
    shortest = tuple(one.broken.actions for one in found.always if one.broken is not None)
    witnesses = tuple((one.property.id, one.actions) for one in found.sometimes)
    owed = [(one.asked.owed, one.asked.cut) for one in found.eventually]
    cut = {bound: bool(times) for bound, times in found.cut.items()}
    unused = {rule.id for rule in found.unused}
    return broken, shortest, answers(found), owed, witnesses, bool(found.deadlocks), cut, unused


def first_broken(world: SmallWorld) -> tuple[str, int] | None:
    """The `always` that is broken with the fewest actions, and how many they are."""
    broken = Breadth(world, until_broken=True).walk().broken
    least = min(broken.values(), key=lambda one: one.actions, default=None)
    return None if least is None else (least.property.id, least.actions)


def for_ever(found: Findings) -> dict[str, tuple[int, int]]:
    """The promises of progress that are broken, with how long their way and round are."""
    return {
        one.asked.property.id: (len(one.lasso.way), len(one.lasso.round))
        for one in found.eventually
        if one.lasso is not None
    }


def effects(taken: Taken) -> tuple[object, ...]:
    """What a transition shows, whatever it leads to."""
    rules = tuple(rule.id for rule in taken.rules)
    broken = tuple(one.id for one in taken.broken)
    return taken.deed.own, rules, broken, taken.target is None


def missed(
    world: SmallWorld,
    parts: Parts,
    left: Parts,
    state: Callable[[Parts], Parts | None],
    text: Callable[[str], str],
    lost: Iterable[str],
    new: Iterable[str],
) -> list[str]:
    """What differs between a state and the one in which a name is forgotten: nothing should.

    `state` and `text` say what forgetting makes of a state and of the name of a deed. Deeds that
    say a `lost` word before, or a `new` one after, are somebody else's.
    """
    before = _deeds(world, parts, frozenset(lost))
    after = _deeds(world, left, frozenset(new))
    before = {text(name): taken for name, taken in before.items()}
    before = {name: one for name, one in before.items() if words_of(name).isdisjoint(new)}
    found = sorted(set(before) ^ set(after))
    for name in sorted(set(before) & set(after)):
        one, then = before[name], after[name]
        if effects(one) != effects(then):
            found.append(f"{name} by other rules")
        elif one.target is not None and state(one.target) != then.target:
            found.append(f"{name} leads elsewhere")
    return found


def _deeds(world: SmallWorld, parts: Parts, but: frozenset[str]) -> Mapping[str, Taken]:
    """What may be done without saying certain words, and without forgetting."""
    return {
        taken.deed.name: taken
        for taken in world.after(parts)
        if words_of(taken.deed.name).isdisjoint(but) and not taken.deed.name.endswith("forgotten")
    }


def used_nowhere(explored: Iterable[Findings]) -> set[str]:
    """The rules that no trace of any of these scopes exercises."""
    unused: Any = None
    for found in explored:
        ids = {rule.id for rule in found.unused}
        unused = ids if unused is None else unused & ids
    return unused or set()
