"""What is said when a name was typed that nothing has: the names like it, and who lists them all.

Imports the standard library and the faults.
"""

from collections.abc import Iterable
from difflib import get_close_matches

from fencepost.faults import UsageFault

FEW = 10
"""So many names are all told."""

_NEAR = 3


def nearest(wanted: str, known: Iterable[str]) -> tuple[str, ...]:
    """The names that hold what was typed or look like it, a few at most, the nearest first.

    >>> nearest("tiny", ["agent-tiny", "agent-small"]), nearest("agent tinny", ["agent-tiny"])
    (('agent-tiny',), ('agent-tiny',))
    """
    by_lower = {name.lower(): name for name in known}
    typed = wanted.strip().lower()
    alike = get_close_matches(typed, by_lower, _NEAR)
    within = [name for name in by_lower if typed and typed in name]
    found = dict.fromkeys([*alike, *within])
    return tuple(by_lower[name] for name in list(found)[:_NEAR])


def unknown(what: str, wanted: str, known: Iterable[str], lists: str) -> UsageFault:
    """The fault of a name that nothing of a kind has; `lists` says what lists them all.

    >>> str(unknown("scope", "nonsense", map(str, range(80)), "`fencepost explore --list`"))
    "no scope is called 'nonsense' (`fencepost explore --list` lists them all)"
    """
    names = tuple(known)
    near = nearest(wanted, names)
    if len(names) <= FEW:
        hint = f"there are: {', '.join(names)}"
    else:
        every = f"{lists} lists them all"
        hint = f"did you mean {' or '.join(map(repr, near))}? {every}" if near else every
    return UsageFault(f"no {what} is called {wanted!r}", hint)
