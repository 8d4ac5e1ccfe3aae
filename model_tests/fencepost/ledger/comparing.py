"""What a ledger showed against what it had to show: the first difference, and whom it is about."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from fencepost.mismatch import as_object, is_object
from fencepost.trace.lines import is_list
from fencepost_spec.vocabulary import Key
from fencepost_spec.wording import counted

_GROUP_FIELDS = (
    "admission_id",
    "status",
    "phase",
    "granularity",
    "target_step",
    "agent",
    "prompt_bound",
)
_ATTEMPT_FIELDS: Mapping[str, Any] = {
    "attempt_index": None,
    "status": None,
    "reward": None,
    "mask": None,
    "keys": [],
    "has_receipt": False,
    "has_completion": False,
}


@attrs.frozen
class Difference:
    """One difference, in words; `subject` is a group's id, an execution, or None.

    `owed` says that it is about what is owed: "lost" what should be there, "extra" what should not.
    """

    subject: object
    expected: str
    came: str
    owed: str | None = None


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are equal, a truth value never being a number.

    >>> same([1, {"a": 1.0}], [1.0, {"a": 1}]), same(True, 1)
    (True, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if is_list(one) and is_list(other):
        return len(one) == len(other) and all(map(same, one, other))
    if is_object(one) and is_object(other):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    return bool(one == other)


def report_difference(expected: Mapping[str, Any], came: Any) -> Difference | None:
    """The first difference of a report, groups first."""
    return next(_report_differences(expected, as_object(came)), None)


def _report_differences(
    expected: Mapping[str, Any], came: Mapping[str, Any]
) -> Iterator[Difference]:
    listed = [as_object(one) for one in _list(came.get("groups"))]
    theirs: dict[Any, Any] = {one.get("group_id"): one for one in listed}
    ours: dict[Any, Any] = {one["group_id"]: one for one in expected["groups"]}
    for group_id in ours.keys() - theirs.keys():
        yield Difference(group_id, f"group {group_id} is held", "it is not there")
    for group_id in theirs.keys() - ours.keys():
        yield Difference(group_id, f"no group {group_id}", "it is there")
    if len(theirs) != len(listed):
        yield Difference(None, "each group once", "a group is listed twice")
    for group_id, group in ours.items():
        if group_id in theirs:
            yield from _group_differences(group_id, group, theirs[group_id])
    yield from _owed_differences(expected["pending_acks"], _list(came.get("pending_acks")))
    keys = sorted(map(str, _list(came.get("expected_staging_keys"))))
    if keys != expected["expected_staging_keys"]:
        yield Difference(None, f"staged rows {expected['expected_staging_keys']}", f"{keys}")


def _group_differences(
    group_id: str, ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> Iterator[Difference]:
    siblings = _list(theirs.get("siblings"))
    if len(siblings) != len(ours["siblings"]):
        said = f"{group_id} has {counted(len(ours['siblings']), 'sibling')}"
        yield Difference(group_id, said, f"{len(siblings)}")
        return
    for index, sibling in enumerate(ours["siblings"]):
        name = f"{group_id}_g{index}"
        shown = _list(siblings[index])
        for number, attempt in enumerate(sibling[: len(shown)]):
            yield from _attempt_differences(Key(name, number), attempt, as_object(shown[number]))
        if len(shown) != len(sibling):
            said = f"{name} has {counted(len(sibling), 'attempt')}"
            # Whether there is a next attempt was decided about the one before it.
            subject = Key(name, min(len(shown), len(sibling)) - 1)
            yield Difference(subject, said, f"{len(shown)}")
    for field in _GROUP_FIELDS:
        if not same(ours[field], theirs.get(field)):
            said = f"{field} of {group_id} is {ours[field]}"
            yield Difference(group_id, said, f"{theirs.get(field)}")


def _attempt_differences(
    key: Key, ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> Iterator[Difference]:
    for field, absent in _ATTEMPT_FIELDS.items():
        one, other = ours.get(field, absent), theirs.get(field, absent)
        if not same(one, other):
            said = f"{field} of {key.rollout_id} attempt {key.attempt} is {one}"
            yield Difference(key, said, f"{other}")


def _owed_differences(ours: list[Any], theirs: list[Any]) -> Iterator[Difference]:
    shown = sorted(theirs, key=str)
    expected = sorted(ours, key=str)
    if same(expected, shown):
        return
    for row in (*(r for r in expected if r not in shown), *(r for r in shown if r not in expected)):
        said, how = ("owed", "lost") if row in expected else ("not owed", "extra")
        yield Difference(_execution(row), f"{row} is {said}", "the opposite", how)
    yield Difference(None, f"owed: {expected}", f"{shown}", "extra")


def _execution(row: Any) -> Key | None:
    """The execution that a row of what is owed names, or None."""
    match row:
        case [_, str(rollout_id), int(attempt)]:
            return Key(rollout_id, attempt)
        case _:
            return None


def state_difference(expected: Mapping[str, Any], came: Any) -> Difference | None:
    """The first difference of a saved state; groups in any order, obligations in theirs."""
    if not is_object(came):
        return Difference(None, "a saved state", f"{came!r}")
    theirs, ours = dict(came), dict(expected)
    shown = {as_object(one).get("group_id"): one for one in _list(theirs.pop("groups", None))}
    for group in ours.pop("groups"):
        group_id = group["group_id"]
        other = shown.pop(group_id, None)
        if not same(group, other):
            return Difference(group_id, f"group {group_id} as it is held", _apart(group, other))
    if shown:
        return Difference(None, "no other group", ", ".join(map(str, shown)))
    return None if same(ours, theirs) else Difference(None, f"{ours}", f"{theirs}")


def _apart(ours: Mapping[str, Any], theirs: Any) -> str:
    """Where two mappings differ, by the names of their members."""
    if not is_object(theirs):
        return "it is not there"
    names = sorted({*ours, *theirs}, key=str)
    return "another " + ", ".join(
        str(name)
        for name in names
        if name not in ours or name not in theirs or not same(ours[name], theirs[name])
    )


def _list(value: Any) -> list[Any]:
    return value if is_list(value) else []
