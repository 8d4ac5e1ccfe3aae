"""Questions about a part of a state, what a part answers, and the record of what was asked."""

from typing import Any

from fencepost.exploring.exact import exactly, kind_of

Asking = tuple[Any, ...]
"""A question: the place of a part, then how to come from there to what is asked, step by step."""

WHOLE = ("whole", None)
KEYS = ("keys", None)
LENGTH = ("length", None)
ANY = ("any", None)
KIND = ("kind", None)


# How far into a part questions go: to the entries of a map, or to the fields of a field.
DEEP = 2


class _Absent:
    """What stands under a key that a map does not have."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Any = _Absent()


def answer(part: Any, steps: tuple[tuple[str, Any], ...]) -> Any:
    """What a part answers to a question."""
    for how, name in steps:
        if how == "field":
            part = getattr(part, name)
        elif how == "get":
            part = part.get(name, ABSENT)
        elif how == "has":
            part = name in part
        elif how == "is":
            part = exactly(part.get(name[0], ABSENT), name[1])
        elif how == "keys":
            part = frozenset(part)
        elif how == "any":
            part = bool(part)
        elif how == "length":
            part = len(part)
        elif how == "kind":
            part = kind_of(part)
        elif how == "without":
            for key in name:
                part = part.delete(key) if key in part else part
        elif how == "asks":
            part = name(part)
    return part


class Record:
    """The questions that were asked and their answers, in order, each once."""

    __slots__ = ("answers",)

    def __init__(self) -> None:
        self.answers: dict[Asking, Any] = {}

    def note(self, asking: Asking, answer: Any) -> None:
        """A question was asked."""
        self.answers.setdefault(asking, answer)
