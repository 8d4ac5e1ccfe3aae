"""Each `sometimes` of a policy model as marks that follow one another, for every key and id."""

from collections.abc import Callable

from fencepost.exploring.policy_model.scope import ModelScope
from fencepost.exploring.servers.scope import text_of
from fencepost.exploring.small_world import Sometimes
from fencepost_spec.receipts.policy_model.properties import BY_ID
from fencepost_spec.vocabulary import Key

Told = Callable[[Key, str], tuple[str, ...]]
"""A story, told of a key and of a checkpoint."""

_CRASH = frozenset({"crash"})


def _k(key: Key) -> str:
    return text_of(key)


_STORIES: dict[str, tuple[Told, frozenset[str]]] = {
    "R-PMS-1": (lambda k, _c: ("drained", "written", f"let in {_k(k)}"), _CRASH),
    "R-PMS-2": (lambda k, _c: (f"restored {_k(k)}", f"let in {_k(k.next())}"), _CRASH),
    "R-PMS-3": (lambda k, _c: (f"ended cancelled {_k(k)}", "drained"), _CRASH),
    "R-PMS-4": (lambda _k, c: (f"failed {c}", f"succeeded {c}"), _CRASH),
    "R-PMS-5": (lambda _k, c: (f"failed {c}", f"given up {c}"), _CRASH),
    "R-PMS-6": (
        lambda k, _c: (f"restored {k.capture_key}", f"written {k.capture_key}"),
        _CRASH | {"let in"},
    ),
}


def stories(scope: ModelScope) -> tuple[Sometimes, ...]:
    """What a scope has to be able to show, each told of every key and checkpoint."""
    found: list[Sometimes] = []
    for name in scope.shows:
        told, without = _STORIES[name]
        ways = {told(key, c): None for key in scope.keys for c in scope.checkpoint_names}
        found.append(Sometimes(BY_ID[name], tuple(ways), without))
    return tuple(found)
