"""States as tuples of small numbers: each part is kept once, hashed once, and renamed once.

A part that a step has not touched is the very object that was kept, so its number is found by its
identity and nothing is hashed. A state of twenty parts then costs twenty look-ups, whatever is in
them.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fencepost.exploring.small_world import Names, Parts

Packed = tuple[int, ...]
"""A state: the number of each of its parts."""


class Packer:
    """Numbers for the values that stand in each place of a state."""

    def __init__(self, width: int) -> None:
        self._numbers: list[dict[Any, int]] = [{} for _ in range(width)]
        self._kept: list[list[Any]] = [[] for _ in range(width)]
        # By identity: only of objects that are kept, so none of them is ever another one.
        self._by_id: list[dict[int, int]] = [{} for _ in range(width)]

    def pack(self, parts: Parts) -> Packed:
        """The numbers of the parts."""
        found = [known.get(id(part)) for known, part in zip(self._by_id, parts, strict=True)]
        if None in found:
            for place, number in enumerate(found):
                if number is None:
                    found[place] = self.number(place, parts[place])
        return tuple(found)  # type: ignore[arg-type]  # every None was replaced just now

    def number(self, place: int, part: Any) -> int:
        """The number of one part; a value that is met for the first time gets the next one."""
        numbers = self._numbers[place]
        number = numbers.get(part)
        if number is None:
            number = numbers[part] = len(numbers)
            self._kept[place].append(part)
            self._by_id[place][id(part)] = number
        return number

    def parts(self, packed: Packed) -> Parts:
        """The state that the numbers stand for."""
        return tuple([kept[number] for kept, number in zip(self._kept, packed, strict=True)])

    def part(self, place: int, number: int) -> Any:
        """The value that a number of one place stands for."""
        return self._kept[place][number]

    @property
    def kept(self) -> tuple[int, ...]:
        """How many values stand in each place."""
        return tuple(len(kept) for kept in self._kept)


class _Images(dict[int, int]):
    """What the parts of one place become under one exchange of names; worked out when asked."""

    def __init__(self, packer: Packer, place: int, rename: Callable[[Any], Any]) -> None:
        super().__init__()
        self._packer, self._place, self._rename = packer, place, rename

    def __missing__(self, number: int) -> int:
        part = self._rename(self._packer.part(self._place, number))
        image = self[number] = self._packer.number(self._place, part)
        return image


def _swapped(rename: Callable[[Any, Names], Any], names: Names, part: Any) -> Any:
    return rename(part, names)


class Renamer:
    """The exchanges of names of a world, on packed states; the first exchange changes nothing."""

    def __init__(
        self,
        packer: Packer,
        width: int,
        permutations: tuple[Names, ...],
        rename: Callable[[Any, Names], Any],
    ) -> None:
        self.permutations = permutations
        self._images = tuple(
            tuple(
                _Images(packer, place, partial(_swapped, rename, names)) for place in range(width)
            )
            for names in permutations
        )
        self.then, self.back = _products(permutations)

    def image(self, turn: int, packed: Packed) -> Packed:
        """The state under an exchange."""
        if turn == 0:
            return packed
        return tuple([of[n] for of, n in zip(self._images[turn], packed, strict=True)])

    def smallest(self, packed: Packed) -> tuple[Packed, int]:
        """The one state that stands for all that differ in names only, and the way to it."""
        best, how = packed, 0
        for turn in range(1, len(self.permutations)):
            for of, number, least in zip(self._images[turn], packed, best, strict=True):
                image = of[number]
                if image != least:
                    if image < least:
                        best, how = self.image(turn, packed), turn
                    break
        return best, how

    def orbit(self, packed: Packed) -> set[Packed]:
        """All states that differ from one in names only."""
        return {self.image(turn, packed) for turn in range(len(self.permutations))}


def _products(permutations: tuple[Names, ...]) -> tuple[list[list[int]], list[int]]:
    """Which exchange two of them make, and which undoes each; ValueError when that is none."""
    from fencepost.exploring.renaming import composed

    def shape(names: Mapping[str, str]) -> frozenset[tuple[str, str]]:
        return frozenset((old, new) for old, new in names.items() if old != new)

    place = {shape(names): turn for turn, names in enumerate(permutations)}
    if place.get(frozenset()) != 0 or len(place) != len(permutations):
        raise ValueError("the first exchange changes nothing, and no two are the same")
    then: list[list[int]] = []
    for first in permutations:
        row = [place.get(shape(composed(first, second))) for second in permutations]
        if None in row:
            raise ValueError("two exchanges of names together are none of the exchanges")
        then.append([turn for turn in row if turn is not None])
    return then, [row.index(0) for row in then]
