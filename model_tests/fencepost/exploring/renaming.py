"""Names exchanged inside any frozen value: what symmetry and the pool of names rest on.

A name is a word: a text is taken apart at its spaces, and each word that has another name gets it.
Numbers, rules and enumerations have no names in them; where a number stands for somebody, whoever
owns the type says so with a hook.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import attrs
from immutables import Map

from fencepost_spec.rule import Rule

Hook = Callable[[Any, Mapping[str, str]], Any]
"""What is left to do with a value of one type when the names in its fields have been exchanged."""

_PLAIN = frozenset({bool, int, float, bytes, Rule, type(None)})
_SEPARATOR = re.compile(r"[ :]")


def _kind(value: object) -> type[Any]:
    return type(value)


def renamed(value: Any, names: Mapping[str, str], hooks: Mapping[type, Hook]) -> Any:
    """The value with names exchanged; the very same one when nothing in it has another name.

    >>> renamed(("prepare c1", 3), {"c1": "c2", "c2": "c1"}, {})
    ('prepare c2', 3)
    """
    kind = _kind(value)
    if kind is str:
        return renamed_text(value, names)
    if kind in _PLAIN or issubclass(kind, Enum):
        return value
    if kind is tuple:
        changed = tuple([renamed(item, names, hooks) for item in value])
        same = all(new is old for new, old in zip(changed, value, strict=True))
        return value if same else changed
    if kind is frozenset:
        return frozenset([renamed(member, names, hooks) for member in value])
    if kind is Map:
        items = value.items()
        return Map({renamed(k, names, hooks): renamed(v, names, hooks) for k, v in items})
    return _fields_renamed(value, kind, names, hooks)


def _fields_renamed(
    value: Any, kind: type[Any], names: Mapping[str, str], hooks: Mapping[type, Hook]
) -> Any:
    if not attrs.has(kind):
        return hooks[kind](value, names)
    changes: dict[str, Any] = {}
    for field in attrs.fields(kind):
        old: Any = getattr(value, field.name)
        new = renamed(old, names, hooks)
        if new is not old:
            changes[field.name] = new
    made = attrs.evolve(value, **changes) if changes else value
    hook = hooks.get(kind)
    return made if hook is None else hook(made, names)


def renamed_text(text: str, names: Mapping[str, str]) -> str:
    """The text with names exchanged, word by word."""
    if " " not in text:
        return names.get(text, text)
    return " ".join(names.get(word, word) for word in text.split(" "))


def words_of(value: Any) -> frozenset[str]:
    """Every word that occurs in a value; a colon parts words too.

    >>> sorted(words_of(("prepare:c1", 3)))
    ['c1', 'prepare']
    """
    found: set[str] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        kind = _kind(one)
        if kind is str:
            found.update(_SEPARATOR.split(one))
        elif kind is tuple or kind is frozenset:
            waiting.extend(one)
        elif kind is Map:
            for pair in one.items():
                waiting.extend(pair)
        elif kind not in _PLAIN and not issubclass(kind, Enum):
            waiting.extend(getattr(one, field.name) for field in attrs.fields(kind))
    return frozenset(found)


def composed(first: Mapping[str, str], then: Mapping[str, str]) -> dict[str, str]:
    """The exchange that does one and then another; names that stay are left out."""
    both: dict[str, str] = {}
    for name in first.keys() | then.keys():
        last = first.get(name, name)
        last = then.get(last, last)
        if last != name:
            both[name] = last
    return both
