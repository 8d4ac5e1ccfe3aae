"""A controller's report into what a watcher asks of it; what it does not say is not asked."""

from typing import Any

from fencepost.controller.reading import receipts_in
from fencepost.mismatch import as_object
from fencepost.trace.lines import JsonObject, is_list
from fencepost_reference.receipts.controller.watch.seen import Rested
from fencepost_spec.vocabulary import Key


def rested(body: JsonObject) -> Rested:
    """What a report says.

    `gate` is "open" or "closed"; `outbox` has the rows that are owed; `running` and the attempts of
    `groups` name executions, or a group has `siblings` with a list of attempts each.
    """
    gate: Any = body.get("gate")
    active: Any = body.get("active_checkpoint_id")
    outbox: Any = body.get("outbox")
    running: Any = body.get("running")
    groups: Any = body.get("groups")
    return Rested(
        {"open": True, "closed": False}.get(gate if isinstance(gate, str) else ""),
        active if active is None or isinstance(active, str) else repr(active),
        "active_checkpoint_id" in body,
        frozenset(key for key, _ in receipts_in(outbox)) if is_list(outbox) else None,
        frozenset(map(_key, running)) if is_list(running) else None,
        tuple(map(_group, groups)) if is_list(groups) else None,
    )


def _key(value: Any) -> Key:
    one = as_object(value)
    attempt = one.get("attempt_index", one.get("attempt"))
    return Key(str(one.get("rollout_id")), attempt if type(attempt) is int else 0)


def _group(value: Any) -> tuple[str, tuple[int, ...] | None]:
    """The id of a group, and how many attempts each sibling has."""
    one = as_object(value)
    group_id, attempts = str(one.get("group_id")), one.get("attempts")
    siblings = one.get("siblings")
    if is_list(siblings):
        listed = [as_object(each).get("attempts") for each in siblings]
        return group_id, tuple(len(each) for each in listed if is_list(each))
    if not is_list(attempts):
        return group_id, None
    if all(is_list(each) for each in attempts):
        return group_id, tuple(len(each) for each in attempts)
    if all(type(each) is int for each in attempts):
        return group_id, tuple(attempts)
    return group_id, _counted([_key(each) for each in attempts])


def _counted(keys: list[Key]) -> tuple[int, ...]:
    """How many attempts there are of each sibling, from the attempts themselves."""
    highest: dict[int, int] = {}
    for key in keys:
        index = key.rollout_id.rpartition("_g")[2]
        place = int(index) if index.isdecimal() else 0
        highest[place] = max(highest.get(place, 0), key.attempt + 1)
    return tuple(highest.get(place, 0) for place in range(max(highest, default=-1) + 1))
