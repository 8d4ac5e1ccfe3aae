"""Saved states and requests with one thing wrong: each key missing, too much, of another type.

Which of them are wrong is not decided here; the specification does that. What a gate receipt may
hold freely is left alone.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from fencepost.ledger.relations import Spoiled, related
from fencepost.mismatch import is_object
from fencepost.trace.lines import is_list

Path = tuple[str | int, ...]
FREE = ("capture_poisoned",)
EXTRA = "zz_extra"
_NUMBERS: tuple[Any, ...] = (True, "3", 3.5, 3.0, -1, None)
_TEXTS: tuple[Any, ...] = (5, "", "a b", "zzz", None)
_ANYTHING: tuple[Any, ...] = (None, True, -1, 0, 3.5, "", "zzz", "a b", float("nan"), [], {})
_TRUTHS: tuple[Any, ...] = (1, "true", None)
_FLOATS: tuple[Any, ...] = (True, "1.0", float("nan"), float("inf"), None)


def places(document: Any, start: Path = ()) -> Iterator[Path]:
    """Every place in a document, parents before what they hold."""
    yield start
    if is_object(document):
        for name in document:
            if name not in FREE:
                yield from places(document[name], (*start, name))
    elif is_list(document):
        for number, item in enumerate(document):
            yield from places(item, (*start, number))


def held(document: Any, path: Path) -> Any:
    """What stands at a place."""
    for step in path:
        document = document[step]
    return document


def changed(document: Any, path: Path, value: Any) -> Any:
    """A copy with another value at a place."""
    copy = deepcopy(document)
    if not path:
        return value
    held(copy, path[:-1])[path[-1]] = value
    return copy


def is_left_free(path: Path, value: Any) -> bool:
    """Whether the facts neither allow nor refuse a value at a place: no ledger is told it.

    That is an empty task source, and a restored source that may be one of nobody.
    """
    if path[0] == "restored_sources":
        return path[-1] in ("rollout_id", "attempt_index") and value in (0, "zzz")
    return path[-1] == "task_source" and value == ""


def anything_at(path: Path) -> list[Any]:
    """Values of every kind for a place; most are wrong there."""
    return [value for value in _ANYTHING if not is_left_free(path, value)]


def missing(document: Any) -> Iterator[Spoiled]:
    """The document without each of its keys in turn."""
    for path in places(document):
        if path and is_object(held(document, path[:-1])):
            copy = deepcopy(document)
            del held(copy, path[:-1])[path[-1]]
            yield f"missing {named(path)}", copy


def extra(document: Any) -> Iterator[Spoiled]:
    """The document with a key too many in each mapping, gate receipts apart."""
    for path in places(document):
        mapping = held(document, path)
        if is_object(mapping) and not {"manifest", "staging_key"} & mapping.keys():
            yield f"extra key in {named(path)}", changed(document, (*path, EXTRA), 1)


def mistyped(document: Any) -> Iterator[Spoiled]:
    """The document with another value at each place: of another type, or out of its domain."""
    for path in places(document):
        if path:
            for value in _others(held(document, path)):
                if not is_left_free(path, value):
                    yield f"{named(path)} is {value!r}", changed(document, path, value)


def _others(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return _TRUTHS
    if isinstance(value, int):
        return _NUMBERS
    if isinstance(value, float):
        return _FLOATS
    if isinstance(value, str):
        return _TEXTS
    if value is None:
        return ([], 7, True)
    return (None, "x", 7)


def named(path: Path) -> str:
    """A place in words."""
    return "/".join(map(str, path)) or "the whole"


def spoiled(document: Any) -> Iterator[Spoiled]:
    """Every variation of a saved state that there is."""
    yield from related(document)
    yield from missing(document)
    yield from extra(document)
    yield from mistyped(document)
