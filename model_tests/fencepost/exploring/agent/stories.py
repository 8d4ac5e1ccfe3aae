"""Each `sometimes` of an agent as marks that follow one another, for every key of a scope."""

from collections.abc import Callable

from fencepost.exploring.agent.scope import AgentScope, text_of
from fencepost.exploring.small_world import Sometimes
from fencepost_spec.receipts.properties import BY_ID
from fencepost_spec.vocabulary import Key

Told = Callable[[str, str, str], tuple[str, ...]]
"""A story, told of a key, its next attempt, and a checkpoint."""

_CRASH = frozenset({"crash"})

_STORIES: dict[str, tuple[Told, frozenset[str]]] = {
    "R-SOM-1": (lambda k, _n, _c: (f"parked {k}", f"written {k}", f"goes on {k}"), _CRASH),
    "R-SOM-2": (lambda k, n, _c: (f"written {k}", "crash", f"continues {n}"), frozenset()),
    "R-SOM-3": (lambda k, _n, _c: (f"lost run {k}", f"given again {k}", f"released {k}"), _CRASH),
    "R-SOM-4": (lambda _k, _n, c: (f"missed {c}", f"prepared {c}"), _CRASH),
    "R-SOM-5": (lambda k, _n, c: (f"parked {k}", f"given up {c}", f"goes on {k}"), _CRASH),
    "R-SOM-6": (lambda k, _n, _c: (f"restored {k}", f"written unclaimed {k}"), _CRASH),
    "R-SOM-7": (lambda k, _n, _c: (f"continues {k}", f"written as continued {k}"), _CRASH),
    "R-SOM-8": (lambda k, _n, _c: (f"waits {k}", f"written frozen {k}"), _CRASH),
    "R-SOM-9": (lambda k, n, _c: (f"retired {k}", f"begins {n}"), _CRASH),
    "R-SOM-10": (
        lambda k, _n, c: (f"parked refused {k}", f"given up {c}", f"goes on {k}", f"waits {k}"),
        _CRASH,
    ),
    "R-SOM-11": (lambda k, _n, _c: (f"discarded {k}", f"begins {k}"), _CRASH),
    "R-SOM-12": (
        lambda k, n, _c: (f"restored {k}", f"continues {k}", f"written {k}", f"restored {n}"),
        frozenset(),
    ),
    "R-SOM-13": (lambda k, _n, _c: ("restore refused", f"begins {k}"), _CRASH),
    "R-SOM-14": (lambda _k, _n, _c: ("released a batch",), frozenset()),
}


def stories(scope: AgentScope) -> tuple[Sometimes, ...]:
    """What a scope has to be able to show, each told of every key and checkpoint."""
    found: list[Sometimes] = []
    for name in scope.shows:
        told, without = _STORIES[name]
        ways = {
            told(text_of(key), text_of(Key(key.rollout_id, key.attempt + 1)), checkpoint): None
            for key in scope.keys
            for checkpoint in scope.checkpoint_names
        }
        found.append(Sometimes(BY_ID[name], tuple(ways), without))
    return tuple(found)
