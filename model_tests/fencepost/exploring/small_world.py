"""What the explorer asks of a small world, and the values in which it answers.

A small world is a model with everything around it, cut down until all of it can be walked: who
calls, what fails, how often. Nothing here knows a protocol. Imports attrs and the specification's
own words.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Protocol, runtime_checkable

import attrs

from fencepost_spec.operation import Property
from fencepost_spec.rule import Rule

Parts = tuple[Any, ...]
"""A state of a world as the hashable values that it consists of, always in the same places."""


@attrs.frozen(cache_hash=True)
class Deed:
    """What a transition is called and what it counts as, in words parted by single spaces.

    `own` says that the participant does it by itself; it costs no action. `fair` names the class
    of actions it belongs to: an assumption of fairness says that a class which stays possible is
    taken in the end. `marks` are what it shows to those who look for a `sometimes`.
    """

    name: str
    own: bool = False
    fair: str | None = None
    marks: tuple[str, ...] = ()


@attrs.frozen
class Taken:
    """One transition: what was done, where it leads, the rules it used, the promises it broke.

    Without a target it is cut off: the world would do it, and the bounds of the scope leave it out.
    The marks of its deed then name the bounds.
    """

    deed: Deed
    target: Parts | None
    rules: tuple[Rule, ...] = ()
    broken: tuple[Property, ...] = ()


@attrs.frozen
class Branch:
    """A part of what may be done next, and a function of a state.

    Two with equal keys are one function. What it returns hangs on the state alone.
    """

    key: Hashable
    follow: "Callable[[Parts], Iterable[Taken | Branch]]"


class Fair(Enum):
    """How a class of actions is assumed to be taken in the end."""

    NOT = "not"
    WEAK = "weak"  # When it stays possible from some point on.
    STRONG = "strong"  # When it is possible again and again.
    NEVER = "never"  # Not for ever: from some point on it is not taken any more.


@attrs.frozen
class Eventually:
    """A promise that what is pending is over in the end, for each subject that it may be about.

    `pending` gives the subjects for which something is owed in a state. `ends` says of a class of
    actions whether one of it, wherever it leads, ends what is owed to a subject in a state: then it
    does so where it is cut off, too. `assumes` says of a class
    of actions whether it is taken in the end, or is not taken any more.
    """

    property: Property
    pending: Callable[[Parts], frozenset[str]]
    assumes: Callable[[str], Fair]
    ends: Callable[[str, str, Parts], bool] | None = None


@attrs.frozen
class Sometimes:
    """A good thing that must be possible: marks that follow one another in some trace.

    Each story is one way to tell it. `without` are marks that may not come between the first and
    the last of a story.
    """

    property: Property
    stories: tuple[tuple[str, ...], ...]
    without: frozenset[str] = frozenset()


Names = Mapping[str, str]
"""What each name is called instead; whoever is not named keeps its name."""


class SmallWorld(Protocol):
    """A world that is small enough to be walked whole."""

    @property
    def name(self) -> str:
        """The name of the scope."""
        ...

    @property
    def says(self) -> str:
        """What is in it, in one line."""
        ...

    @property
    def permutations(self) -> tuple[Names, ...]:
        """How names may be exchanged without changing what can happen; the first changes none.

        They form a group: whoever applies two of them has applied one of them.
        """
        ...

    @property
    def eventually(self) -> tuple[Eventually, ...]:
        """What must come about."""
        ...

    @property
    def sometimes(self) -> tuple[Sometimes, ...]:
        """What must be possible here."""
        ...

    @property
    def always(self) -> tuple[Property, ...]:
        """What every transition is asked."""
        ...

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that a transition may use."""
        ...

    def start(self) -> Parts:
        """The state in which everything begins."""
        ...

    def after(self, parts: Parts) -> Iterator[Taken]:
        """Every transition from a state, those that the scope cuts off too, in a stable order."""
        ...

    def renamed(self, value: Any, names: Names) -> Any:
        """A part, or a text, in which names are exchanged."""
        ...

    def show(self, parts: Parts) -> str:
        """A state, in one line."""
        ...


@runtime_checkable
class Branching(Protocol):
    """A world that says in parts what may be done next.

    A branch may be given a state that records (`recording.py`): it takes the parts by `assembled`,
    and none of them by its class. Every place of a state holds values of one class.
    """

    def branches(self, parts: Parts, /) -> "Iterable[Taken | Branch]":
        """Transitions, and branches that lead to more of them, in a stable order."""
        ...


@runtime_checkable
class Baring(Protocol):
    """A world that can leave out of a transition what nobody needs who only compares.

    While it is `bare` nothing is asked of a step: no promise is broken, and no mark is one that a
    `sometimes` looks for. A world of branches then marks a deed with the answers of its steps.
    """

    bare: bool


def followed(items: "Iterable[Taken | Branch]", parts: Parts) -> Iterator[Taken]:
    """The transitions of branches, each followed where it stands."""
    for item in items:
        if isinstance(item, Taken):
            yield item
        else:
            yield from followed(item.follow(parts), parts)
