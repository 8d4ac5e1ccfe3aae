"""What may be exchanged in a world around a ledger: groups, the siblings of each, and agents.

A group takes its siblings with it, a sibling its executions and all that they left behind. Siblings
stand in the order of their numbers, so an exchange moves them. Words that stand for an execution
also hold when its number changes, which is how attempts that are over are given back.
"""

import re
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any, TypeGuard

import attrs
from immutables import Map

from fencepost.exploring.ledger.scope import (
    LedgerScope,
    key_of,
    rollout_of,
    text_of,
    words_of_key,
)
from fencepost.exploring.renaming import renamed
from fencepost.exploring.small_world import Names
from fencepost_reference.receipts.ledger.state import Attempt, Group, Sealed, Sibling, State
from fencepost_spec.receipts.ledger.values import CompletedExecution
from fencepost_spec.receipts.requests import Receipt
from fencepost_spec.vocabulary import Key

_QUOTED = re.compile(r'"([^"\\]*)"')


def exchanges(scope: LedgerScope) -> tuple[dict[str, str], ...]:
    """Every exchange of names of a scope; the first changes nothing."""
    orders = tuple(permutations(range(scope.siblings)))
    found: list[dict[str, str]] = []
    for groups in _kept_kinds(scope):
        for chosen in product(orders, repeat=len(scope.groups)):
            for agents in permutations(scope.agent_names):
                names = dict(zip(scope.agent_names, agents, strict=True))
                for old, new, order in zip(scope.group_names, groups, chosen, strict=True):
                    names |= _of_group(scope, old, new, order)
                found.append({old: new for old, new in names.items() if old != new})
    return tuple(found)


def _kept_kinds(scope: LedgerScope) -> Iterator[tuple[str, ...]]:
    """The orders of the groups in which each takes the place of one of its kind."""
    for groups in permutations(scope.group_names):
        if tuple(map(scope.granularity, groups)) == scope.groups:
            yield groups


def _of_group(scope: LedgerScope, old: str, new: str, order: tuple[int, ...]) -> dict[str, str]:
    names = {old: new}
    for index, place in enumerate(order):
        before, after = rollout_of(old, index), rollout_of(new, place)
        names[before] = after
        # One attempt more than are told apart: what a core gets wrong may name the next one.
        for attempt in range(scope.attempts + 1):
            words = zip(
                words_of_key(Key(before, attempt)), words_of_key(Key(after, attempt)), strict=True
            )
            names |= dict(words)
    return names


def _is_map(value: Any) -> TypeGuard[Map[Any, Any]]:
    return isinstance(value, Map)


def renamed_part(value: Any, names: Names) -> Any:
    """A part of a state of this world with names exchanged."""
    if isinstance(value, State):
        groups, owed = renamed_part(value.groups, names), renamed_part(value.owed, names)
        return attrs.evolve(value, groups=groups, owed=owed)
    if _is_map(value):
        return Map({_name(key, names): _held(one, names) for key, one in value.items()})
    return renamed(value, names, {})


def _name(name: Any, names: Names) -> Any:
    return renamed_key(name, names) if isinstance(name, Key) else names.get(name, name)


def renamed_key(key: Key, names: Names) -> Key:
    """A key with names exchanged."""
    text = text_of(key)
    new = names.get(text)
    return key if new is None else key_of(new)


def _held(value: Any, names: Names) -> Any:
    if isinstance(value, Group):
        return _group(value, names)
    if isinstance(value, CompletedExecution):
        agent = names.get(value.agent_name, value.agent_name)
        receipt = _receipt(value.receipt, names)
        return value.model_copy(update={"receipt": receipt, "agent_name": agent})
    return renamed(value, names, {})


def _group(group: Group, names: Names) -> Group:
    name = names.get(group.group_id, group.group_id)
    siblings: list[Sibling] = list(group.siblings)
    for index, sibling in enumerate(group.siblings):
        rollout = names.get(group.rollout_id(index), group.rollout_id(index))
        place = int(rollout.removeprefix(f"{name}_g"))
        siblings[place] = tuple(_attempt(attempt, names) for attempt in sibling)
    return attrs.evolve(
        group,
        group_id=name,
        admission_id=names.get(group.admission_id, group.admission_id),
        agent=None if group.agent is None else names.get(group.agent, group.agent),
        siblings=tuple(siblings),
    )


def _attempt(attempt: Attempt, names: Names) -> Attempt:
    result = attempt.result
    return attempt if result is None else attrs.evolve(attempt, result=_sealed(result, names))


def _sealed(result: Sealed, names: Names) -> Sealed:
    receipt = result.receipt
    if receipt is not None:
        receipt = _QUOTED.sub(lambda found: f'"{names.get(found[1], found[1])}"', receipt)
    completion = result.completion
    return attrs.evolve(
        result,
        receipt=receipt,
        completion=None if completion is None else _receipt(completion, names),
        staging_keys=tuple(names.get(one, one) for one in result.staging_keys),
    )


def _receipt(receipt: Receipt, names: Names) -> Receipt:
    key, capture = renamed_key(receipt.key, names), receipt.manifest_capture_key
    identity = receipt.result_identity
    changes = {
        "rollout_id": key.rollout_id,
        "attempt_index": key.attempt,
        "result_identity": names.get(identity, identity),
        "manifest_capture_key": None if capture is None else names.get(capture, capture),
    }
    return receipt.model_copy(update=changes)
