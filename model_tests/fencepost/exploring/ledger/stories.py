"""Each `sometimes` of a ledger as marks that follow one another, for every sibling of a scope."""

from collections.abc import Callable

from fencepost.exploring.ledger.scope import LedgerScope, rollout_of, text_of
from fencepost.exploring.small_world import Sometimes
from fencepost_spec.receipts.ledger.properties import BY_ID
from fencepost_spec.vocabulary import Key

Told = Callable[[str, str], tuple[str, ...]]
"""A story, told of a group and of the first execution of one of its siblings."""

_STORIES: dict[str, Told] = {
    "R-LSO-1": lambda p, k: (f"sealed {k}", "crash", "restarted", f"inputs {p}"),
    "R-LSO-2": lambda p, k: (f"owed early {k}", f"released {k}", f"given up {p}", f"sealed {p}"),
    "R-LSO-3": lambda _p, k: (f"owed {k}", f"released {k}", f"owed {k}", f"released {k}"),
    "R-LSO-4": lambda p, _k: (f"finalized {p}",),
    "R-LSO-5": lambda p, _k: ("saved", "read", f"bound {p}", "saved as it was"),
}


def stories(scope: LedgerScope) -> tuple[Sometimes, ...]:
    """What a scope has to be able to show, each told of every group and sibling.

    The group stays the same one all along: it is not let go, and no attempt of it is forgotten.
    """
    found: list[Sometimes] = []
    without = {f"{word} {group}" for word in ("gone", "forgot") for group in scope.group_names}
    for name in scope.shows:
        ways = {
            _STORIES[name](group, text_of(Key(rollout_of(group, index), 0))): None
            for group in scope.group_names
            for index in range(scope.siblings)
        }
        found.append(Sometimes(BY_ID[name], tuple(ways), frozenset(without)))
    return tuple(found)
