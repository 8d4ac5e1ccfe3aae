"""Names in a world around a server: how they may be exchanged, and when they are given back.

Checkpoint ids, rollouts and attempts are used up: a finished id is refused for ever. So a name is
given back when nothing but a table of what is over mentions it. From then on nobody says it in its
old sense, so what the tables hold of it can never be read again, and is dropped. Nothing happens
when a name is given back, so every promise may take it that this is done in the end.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import permutations
from typing import Any, TypeGuard, TypeVar, cast

import attrs
from immutables import Map

from fencepost.exploring.core_world import deed
from fencepost.exploring.renaming import Hook, words_of
from fencepost.exploring.servers.scope import (
    ServerScope,
    words_of_checkpoint,
    words_of_rollout,
)
from fencepost.exploring.small_world import Deed, Parts
from fencepost_spec.vocabulary import Key


def exchanges(scope: ServerScope, *in_turn: str) -> tuple[dict[str, str], ...]:
    """Every exchange of rollouts and checkpoints of a scope; the first changes nothing.

    Where an operation is called that takes rollouts one by one in the order of their names
    (`in_turn`), these are told apart: it may stand between the first and the second only.
    """
    found: list[dict[str, str]] = []
    apart = any(op in scope.ops for op in in_turn)
    orders = [scope.rollout_names] if apart else permutations(scope.rollout_names)
    for rollouts in orders:
        of_rollouts: dict[str, str] = {}
        for old, new in zip(scope.rollout_names, rollouts, strict=True):
            words = words_of_rollout(scope, old), words_of_rollout(scope, new)
            of_rollouts |= dict(zip(*words, strict=True))
        for ids in permutations(scope.checkpoint_names):
            names = dict(of_rollouts)
            for old, new in zip(scope.checkpoint_names, ids, strict=True):
                words = words_of_checkpoint(old), words_of_checkpoint(new)
                names |= dict(zip(*words, strict=True))
            found.append({old: new for old, new in names.items() if old != new})
    return tuple(found)


def in_order(*fields: str) -> Hook:
    """Some fields of a value hold what stands in the order of its keys."""

    def sorted_fields(value: Any, _names: Mapping[str, str]) -> Any:
        return attrs.evolve(value, **{name: ordered(getattr(value, name)) for name in fields})

    return sorted_fields


def _is_tuple(value: Any) -> TypeGuard[tuple[Any, ...]]:
    return isinstance(value, tuple)


def ordered(value: Any) -> Any:
    """A tuple whose members are keys, or begin with one, in their order; others as they are."""
    if not _is_tuple(value):
        return value
    members = tuple(map(ordered, value))
    keyed = bool(members) and all(_key_of(one) is not None for one in members)
    return tuple(sorted(members, key=lambda one: _key_of(one) or ("", 0))) if keyed else members


def _key_of(member: Any) -> tuple[str, int] | None:
    """The key that a member of a list stands for."""
    first = member
    if _is_tuple(member) and member:
        first = member[0]
    first = getattr(first, "key", first)
    return (first.rollout_id, first.attempt) if isinstance(first, Key) else None


V = TypeVar("V")
Left = Callable[[Parts, str], Parts]
"""The state without what its tables of finished things hold of a name."""


class Forgetting:
    """The names that may be given back in the states of a scope."""

    def __init__(self, scope: ServerScope, without_checkpoint: Left, without_rollout: Left) -> None:
        self._scope = scope
        self._without_checkpoint = without_checkpoint
        self._without_rollout = without_rollout
        # By identity, together with the part itself, so that it stays what it is.
        self._words: dict[int, tuple[Any, frozenset[str]]] = {}

    def ways(self, parts: Parts) -> Iterator[tuple[Deed, Parts]]:
        """Every way to give back one name."""
        for checkpoint in self._scope.checkpoint_names if self._scope.pool else ():
            words = words_of_checkpoint(checkpoint)
            yield from self._way(parts, self._without_checkpoint(parts, checkpoint), words)
        for rollout in self._scope.rollout_names if self._scope.pool else ():
            words = words_of_rollout(self._scope, rollout)
            yield from self._way(parts, self._without_rollout(parts, rollout), words)

    def _way(
        self, parts: Parts, left: Parts, words: tuple[str, ...]
    ) -> Iterator[tuple[Deed, Parts]]:
        changed = any(new is not old for old, new in zip(parts, left, strict=True))
        if changed and self._mentions(parts, left).isdisjoint(words):
            yield deed(f"{words[0]} is forgotten", fair=f"forget {words[0]}"), left

    def _mentions(self, parts: Parts, left: Parts) -> frozenset[str]:
        """Every word of a state in which something was dropped from some parts."""
        found: set[str] = set()
        for old, new in zip(parts, left, strict=True):
            found |= self._words_of(old) if new is old else words_of(new)
        return frozenset(found)

    def _words_of(self, part: Any) -> frozenset[str]:
        known = self._words.get(id(part))
        if known is None:
            known = self._words[id(part)] = (part, words_of(part))
        return known[1]


def less(table: "Map[Any, Any]", gone: Callable[[Any], bool]) -> "Map[Any, Any]":
    """The table without some keys; the very same one when it has none of them."""
    for key in [key for key in table if gone(key)]:
        table = table.delete(key)
    return table


def of_rollout(rollout: str) -> Callable[[Any], bool]:
    """Whether a key, or something that begins with one, belongs to a rollout."""

    def belongs(one: Any) -> bool:
        first: Any = cast("Any", one[0]) if isinstance(one, tuple) else one
        return isinstance(first, Key) and first.rollout_id == rollout

    return belongs


def changed_tables(value: V, tables: Iterable[str], gone: Callable[[Any], bool]) -> V:
    """A value with some of its tables made smaller; the very same one when nothing is in them."""
    changes = {name: less(getattr(value, name), gone) for name in tables}
    same = all(new is getattr(value, name) for name, new in changes.items())
    made: Any = value
    return value if same else attrs.evolve(made, **changes)
