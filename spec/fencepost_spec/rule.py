"""A rule is one sentence that must hold, with an id that never changes and the source that says it.

Decided here: what makes an id, a sentence and a source well formed, and how two rules that
claim one id are found.  Not decided here: what a rule hangs on; transitions, checks and
properties each carry one.  May import: attrs and pure modules of the standard library.
"""

import re
from collections.abc import Iterable
from enum import Enum
from typing import cast

import attrs

_ID = re.compile(r"[A-Z]-[A-Z]+-[0-9]+")
_NEXT_SENTENCE = re.compile(r"[.!?]\s+[A-Z]")


class Level(Enum):
    """How much a rule demands."""

    MUST = "must"  # Breaking it is a refused verdict.
    SHOULD = "should"  # Breaking it is reported, and decides nothing.
    INFO = "info"  # It says how things are and cannot be broken.


def _check_text(owner: object, attribute: "attrs.Attribute[str]", value: object) -> None:
    """One line of text that says something, or refuse."""
    where = f"{type(owner).__name__}.{attribute.name}"
    if not isinstance(value, str):
        raise TypeError(f"{where} is text, not {value!r}")
    if not value.strip():
        raise ValueError(f"{where} is empty")
    if value != value.strip() or len(value.splitlines()) != 1:
        raise ValueError(f"{where} is one line without spaces around it, not {value!r}")


def _check_id(owner: object, attribute: "attrs.Attribute[str]", value: str) -> None:
    _check_text(owner, attribute, value)
    if _ID.fullmatch(value) is None:
        raise ValueError(f"a rule id looks like R-EXE-5, not {value!r}")


def _check_sentence(owner: object, attribute: "attrs.Attribute[str]", value: str) -> None:
    _check_text(owner, attribute, value)
    if _NEXT_SENTENCE.search(value):
        raise ValueError(f"a rule says one sentence, not several: {value!r}")


def _check_facts(_owner: object, _attribute: object, value: object) -> None:
    # A lone string is a sequence of strings too, which is why the container is asked first.
    if not isinstance(value, tuple):
        raise TypeError(f"facts is a tuple of fact numbers, not {value!r}")
    for fact in cast("tuple[object, ...]", value):
        if not isinstance(fact, str) or not fact.strip():
            raise ValueError(f"a fact number is text that says something, not {fact!r}")


@attrs.frozen(cache_hash=True)
class Source:
    """Where a rule comes from: what a reader looks up, and what they find there.

    >>> Source("Gym #2942", "agents park at boundaries").id
    'Gym #2942'
    """

    id: str = attrs.field(validator=_check_text)
    title: str = attrs.field(validator=_check_text)


@attrs.frozen(cache_hash=True)
class Rule:
    """One sentence that holds, under an id that is never used again.

    >>> Rule("R-EXE-1", "work runs until it is asked to park", Source("x", "y")).level.value
    'must'
    """

    # Invariant: one capital, a name in capitals, a number: R-EXE-5.
    id: str = attrs.field(validator=_check_id)
    # Invariant: one sentence on one line; a full stop at its end is optional.
    says: str = attrs.field(validator=_check_sentence)
    source: Source = attrs.field(validator=attrs.validators.instance_of(Source))
    # The numbers of the facts the rule states, as the source counts them.
    facts: tuple[str, ...] = attrs.field(default=(), validator=_check_facts)
    level: Level = attrs.field(default=Level.MUST, validator=attrs.validators.instance_of(Level))


def duplicates(rules: Iterable[Rule]) -> tuple[str, ...]:
    """The ids that two different rules claim, in the order in which the second claim is met."""
    first: dict[str, Rule] = {}
    claimed_twice: dict[str, None] = {}
    for rule in rules:
        if first.setdefault(rule.id, rule) != rule:
            claimed_twice[rule.id] = None
    return tuple(claimed_twice)
