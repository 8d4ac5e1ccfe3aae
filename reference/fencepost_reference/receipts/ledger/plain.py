"""What a caller hands over, made plain where it is of the right kind, and left as it is where not.

Nothing is judged here: whatever is left is refused with the rest of the request, and by its rule.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from fencepost_spec.receipts.ledger.values import GENERATIONS_MAX
from fencepost_spec.wording import kind_of


def listed(value: object) -> Any:
    """The items of a collection as a list.

    >>> listed((1, 2)), listed("ab"), listed(None)
    ([1, 2], 'ab', None)
    """
    return list(cast("Iterable[object]", value)) if _is_collection(value) else value


def _is_collection(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def mapped(value: object) -> Any:
    """A mapping as a dictionary."""
    return dict(cast("Mapping[object, object]", value)) if isinstance(value, Mapping) else value


def by_index(results: object) -> Any:
    """Results by generation index, the indices as a request has them; no other key is taken.

    >>> by_index({0: "a", "1": "b", True: "c"})
    {'0': 'a', "'1'": 'b', 'a bool': 'c'}
    """
    if not isinstance(results, Mapping):
        return results
    known = cast("Mapping[object, object]", results)
    return {_named(index): result for index, result in known.items()}


def _named(index: object) -> str:
    if type(index) is int and abs(index) <= GENERATIONS_MAX:
        return str(index)
    return repr(index) if type(index) is str else kind_of(index)


def joined(result: object, **place: object) -> dict[Any, Any]:
    """A result with its place in one request, or beside it when it is none or has one already."""
    members = mapped(result)
    if not isinstance(members, dict) or members.keys() & place.keys():
        return {"result": result, **place}
    return {**members, **place}
