"""Each `sometimes` of a resources server as marks that follow one another, for every key."""

from collections.abc import Callable

from fencepost.exploring.resources.scope import ResourcesScope
from fencepost.exploring.servers.scope import text_of
from fencepost.exploring.small_world import Sometimes
from fencepost_spec.receipts.resources.properties import BY_ID

Told = Callable[[str, str], tuple[str, ...]]
"""A story, told of a key and of its next attempt."""

_CRASH = frozenset({"crash"})
_NOT = frozenset[str]()

_STORIES: dict[str, tuple[Told, frozenset[str]]] = {
    "R-RSO-1": (lambda k, n: (f"written {k}", f"restored {k}", f"changed {n}"), _NOT),
    "R-RSO-2": (lambda k, n: (f"restored {k}", f"replayed {n}"), _CRASH),
    "R-RSO-3": (lambda k, _n: (f"uncertain {k}", f"dropped {k}", "prepared"), _CRASH),
    "R-RSO-4": (lambda _k, _n: ("missed", "prepared"), _CRASH),
    "R-RSO-5": (lambda _k, _n: ("refused under its lock",), _NOT),
    "R-RSO-6": (lambda k, n: (f"restored {k}", f"written unused {n}"), _CRASH),
    "R-RSO-7": (lambda k, n: ("crash expecting", f"restored {k}", f"begins {n}"), _NOT),
    "R-RSO-8": (lambda _k, _n: ("prepared unwritten",), _NOT),
    "R-RSO-9": (lambda _k, _n: ("foreign",), _NOT),
    "R-RSO-10": (lambda k, n: (f"restored {k}", f"afresh {n}"), _CRASH),
    "R-RSO-11": (lambda k, n: (f"written {k}", f"refused {n}", "restore refused"), _NOT),
}


def stories(scope: ResourcesScope) -> tuple[Sometimes, ...]:
    """What a scope has to be able to show, each told of every key."""
    found: list[Sometimes] = []
    for name in scope.shows:
        told, without = _STORIES[name]
        ways = {told(text_of(key), text_of(key.next())): None for key in scope.keys}
        if name == "R-RSO-10":
            ways |= {(f"superseded {text_of(key)}",): None for key in scope.keys}
        found.append(Sometimes(BY_ID[name], tuple(ways), without))
    return tuple(found)
