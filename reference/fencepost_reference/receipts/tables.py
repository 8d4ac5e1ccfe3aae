"""What a step has touched of a table. What it has not, nobody who compares has to read.

>>> before = Map({"a": "x", "b": "y"})
>>> sorted(touched(before, before.set("b", "z").set("c", "w")))
['b', 'c']
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from immutables import Map

K = TypeVar("K")


def touched(before: "Map[K, Any]", after: "Map[K, Any]") -> Iterable[K]:
    """The keys under which two tables do not hold the very same; it may name some others too.

    A table of another class, such as one that writes down what is asked of it, answers itself.
    """
    if before is after:
        return ()
    one: Any = after
    if type(one) is not Map:
        own: Iterable[K] = one.touched(before)
        return own
    found = [key for key, value in after.items() if before.get(key) is not value]
    return [*found, *(key for key in before if key not in after)]
