"""Attempts that nothing mentions any more, and the states in which the later ones move down.

Attempts are used up: a retry never takes a number again. A walk over two of them would come to the
second and end there, and no promise of progress could be asked. So the first attempt of a sibling
is given back when it is history wherever it stands, in memory and on disk, and nothing is owed for
it. Nobody says it then: a ledger looks into history only for the number of attempts, and to see
that it has not changed. Attempts are only compared with each other, so a state in which all of one
sibling are lower by one goes on in the same way. Nothing happens when a name is given back, so
every promise may take it that this is done in the end.

The name of a group is free as soon as no ledger and no obligation mentions it, without a step of
its own: a ledger keeps nothing of a group that was let go.
"""

from collections.abc import Iterator

import attrs
from immutables import Map

from fencepost.exploring.core_world import deed
from fencepost.exploring.ledger.around import PARTING, Around, Held, around_of, state_of
from fencepost.exploring.ledger.scope import LedgerScope, rollout_of, text_of, words_of_key
from fencepost.exploring.ledger.symmetry import renamed_part
from fencepost.exploring.small_world import Deed, Names, Parts
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.vocabulary import Key


def forgotten(scope: LedgerScope, parts: Parts) -> Iterator[tuple[Deed, Parts]]:
    """Every way to forget the first attempt of a sibling."""
    ledgers = [state_of(parts), around_of(parts).disk]
    for group_id in scope.group_names:
        held = any(one is not None and group_id in one.groups for one in ledgers)
        for index in range(scope.siblings) if held else ():
            left = without_first(scope, parts, group_id, index)
            if left is not None:
                first = text_of(Key(rollout_of(group_id, index), 0))
                words, marks = f"{first} is forgotten", (f"forgot {group_id}",)
                yield deed(words, fair=f"forget {first}", marks=marks), left


def shift(scope: LedgerScope, rollout: str) -> Names:
    """What each execution of a sibling is called when all are lower by one."""
    names: dict[str, str] = {}
    for attempt in range(1, scope.attempts + 2):
        old, new = words_of_key(Key(rollout, attempt)), words_of_key(Key(rollout, attempt - 1))
        names |= dict(zip(old, new, strict=True))
    return names


def without_first(scope: LedgerScope, parts: Parts, group_id: str, index: int) -> Parts | None:
    """The state without the first attempt of a sibling; None while something mentions it.

    Of a group that is gone, what is still owed is lower by one.
    """
    state, around = state_of(parts), around_of(parts)
    first = Key(rollout_of(group_id, index), 0)
    ledgers = [one for one in (state, around.disk) if one is not None]
    if first in around.finished or any(first in one.owed for one in ledgers):
        return None
    holding = [one.groups[group_id] for one in ledgers if group_id in one.groups]
    if any(len(group.siblings[index]) < 2 for group in holding):
        return None
    names = shift(scope, first.rollout_id)
    state = _lowered(state, group_id, index, names)
    disk = None if around.disk is None else _lowered(around.disk, group_id, index, names)
    finished: Map[Key, object] = renamed_part(around.finished, names)
    left: Around = change(around, disk=disk, finished=finished)
    return PARTING.parts(Held(state.groups, state.owed), left)


def _lowered(state: State, group_id: str, index: int, names: Names) -> State:
    """A ledger without the first attempt of a sibling, its later ones lower by one."""
    group = state.groups.get(group_id)
    if group is not None:
        siblings = list(group.siblings)
        siblings[index] = siblings[index][1:]
        state = state.with_group(attrs.evolve(group, siblings=tuple(siblings)))
    lowered: State = renamed_part(state, names)
    return lowered
