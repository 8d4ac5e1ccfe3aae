"""What a factory made, and what that claims of itself, whatever either may do.

May import: faults.
"""

from collections.abc import Callable, Collection
from typing import Any

from fencepost.faults import ParticipantFault, deed
from fencepost_spec.wording import kind_of, with_article

Factory = Callable[[], Any]


def made_by(factory: Factory, contract: type[Any]) -> Any:
    """What a factory makes, or a `ParticipantFault` when it makes none of those."""
    try:
        made: Any = factory()
    except ParticipantFault:
        raise
    except BaseException as error:
        raise ParticipantFault(f"the factory {deed(error)}") from error
    if not isinstance(made, contract):
        wanted = f"it makes {with_article(f'{contract.__module__}.{contract.__name__}')}"
        raise ParticipantFault(f"the factory returned {kind_of(made)}", wanted)
    return made


def claims_of(made: Any, *names: str) -> tuple[Any, ...]:
    """What somebody's participant claims, each thing read once."""
    try:
        return tuple(getattr(made, name) for name in names)
    except ParticipantFault:
        raise
    except BaseException as error:
        raise ParticipantFault(f"reading what it claims {deed(error)}") from error


def name_claimed(name: Any) -> str:
    """The name that a participant claims."""
    if not isinstance(name, str) or not name:
        raise ParticipantFault(f"its name is {name!r}", "a name is wanted")
    return name


def set_claimed(
    claimed: Any, known: Collection[str], words: tuple[str, str] = ("capability", "capabilities")
) -> frozenset[str]:
    """The capabilities that a participant claims, each of which there is; `words` name them.

    >>> sorted(set_claimed({"time"}, ("time", "look")))
    ['time']
    """
    if not issubclass(type(claimed), set | frozenset):
        raise ParticipantFault(f"its {words[1]} are {kind_of(claimed)}, not a set")
    named: frozenset[Any] = frozenset(claimed)
    unheard_of = sorted(str(each) for each in named if each not in known)
    if unheard_of:
        text = f"no {words[0]} is called {', '.join(unheard_of)}"
        raise ParticipantFault(text, ", ".join(sorted(known)))
    return named
