"""Each `sometimes` of a world as marks that follow one another."""

from fencepost.exploring.small_world import Sometimes
from fencepost.exploring.world.doings import text_of
from fencepost.exploring.world.scope import WorldScope
from fencepost_spec.receipts.world import BY_ID
from fencepost_spec.vocabulary import Key

_ATTEMPTS = 3


def stories(scope: WorldScope) -> tuple[Sometimes, ...]:
    """What a scope has to be able to show, told of every key and group."""
    keys = [
        Key(f"{group.group_id}_g{index}", attempt)
        for group in scope.groups
        for index in range(group.siblings)
        for attempt in range(_ATTEMPTS)
    ]
    told: dict[str, tuple[tuple[str, ...], ...]] = {
        "R-WSO-1": tuple(
            ("lost answer of run", f"adopts {text_of(key)}", f"trained {key.rollout_id[:-3]}")
            for key in keys
        ),
        "R-WSO-2": tuple(
            ("published half-done", "restored", f"trained {group.group_id}")
            for group in scope.groups
        ),
        "R-WSO-3": tuple(
            ("lost answer of resume", f"releases {place.instance}")
            for place in scope.setting.places
        ),
        "R-WSO-4": (("snapshot saved", "disk failed", "snapshot failed", "restored"),),
        "R-WSO-5": tuple((f"continues {text_of(key)}",) for key in keys),
    }
    return tuple(Sometimes(BY_ID[name], told[name]) for name in scope.shows)
