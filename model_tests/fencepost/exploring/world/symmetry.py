"""How the siblings of a group may be exchanged in a world without changing what can happen.

All siblings of a group are handed over together, run in the same agent, and their places in it are
only names. An exchange renames them in every part of a state: keys, capture keys, names of calls,
numbers of events, and the saved ledgers, where the place in a list is the name.
"""

import json
import re
from itertools import permutations, product
from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.renaming import Hook, renamed
from fencepost.exploring.small_world import Names
from fencepost.exploring.world.doings import text_of
from fencepost.exploring.world.scope import WorldScope
from fencepost_reference.receipts.controller import said
from fencepost_reference.receipts.controller.actions import Request, Snapshot
from fencepost_reference.receipts.controller.state import Round
from fencepost_reference.receipts.ledger.state import Group, Sealed
from fencepost_reference.receipts.state import Directory, Held, Reply, Storing
from fencepost_reference.worlds.handling import key_of, token_of
from fencepost_spec.receipts.ledger.values import CompletedExecution
from fencepost_spec.receipts.requests import Receipt
from fencepost_spec.vocabulary import Key, canonical_json, capture_key_for

ATTEMPTS = 12
"""More attempts than a rollout of any small scope has."""

_QUOTED = re.compile(r'"([^"]*)"')


def exchanges(scope: WorldScope) -> tuple[dict[str, str], ...]:
    """Every exchange of siblings within their groups; the first changes nothing.

    A referee keeps lists of its own, so where one watches nobody is exchanged.
    """
    if scope.watched:
        return ({},)
    orders = [list(permutations(range(group.siblings))) for group in scope.groups]
    found: list[dict[str, str]] = []
    for chosen in product(*orders):
        names: dict[str, str] = {}
        for group, order in zip(scope.groups, chosen, strict=True):
            for old, new in enumerate(order):
                if old != new:
                    names |= _renames(f"{group.group_id}_g{old}", f"{group.group_id}_g{new}")
        found.append(names)
    return tuple(found)


def _renames(old: str, new: str) -> dict[str, str]:
    names = {old: new}
    for attempt in range(ATTEMPTS):
        names[text_of(Key(old, attempt))] = text_of(Key(new, attempt))
        names[capture_key_for(old, attempt)] = capture_key_for(new, attempt)
    return names


def renamed_part(value: Any, names: Names) -> Any:
    """A part of a state, or a text, with siblings exchanged."""
    made = renamed(value, names, _HOOKS)
    return _numbered(made, names) if isinstance(made, Map) else made


def _numbered(held: Any, names: Names) -> Any:
    """A map whose numbers, if it has any for its keys, stand for rollouts."""
    numbers = [key for key in held if isinstance(key, int)]
    return Map({_token(key, names): held[key] for key in numbers}) if numbers else held


def _token(token: int, names: Names) -> int:
    key = key_of(token)
    return token_of(Key(names.get(key.rollout_id, key.rollout_id), key.attempt))


def _held(held: Held, names: Names) -> Held:
    return attrs.evolve(held, token=_token(held.token, names))


def _in_text(text: str, names: Names) -> str:
    """JSON in which texts that are names are exchanged."""
    return _QUOTED.sub(lambda found: f'"{names.get(found[1], found[1])}"', text)


def _sealed(sealed: Sealed, names: Names) -> Sealed:
    receipt = sealed.receipt
    return attrs.evolve(sealed, receipt=None if receipt is None else _in_text(receipt, names))


def _receipt(receipt: Receipt, names: Names) -> Receipt:
    changes = {
        name: names.get(getattr(receipt, name), getattr(receipt, name))
        for name in ("rollout_id", "manifest_capture_key")
    }
    return receipt.model_copy(update=changes)


def _completed(row: CompletedExecution, names: Names) -> CompletedExecution:
    return row.model_copy(update={"receipt": _receipt(row.receipt, names)})


def _places(group_id: str, siblings: int, names: Names) -> list[int]:
    """For each place in a group, the place from which its sibling comes."""
    rollouts = [f"{group_id}_g{index}" for index in range(siblings)]
    goes = [rollouts.index(names.get(one, one)) for one in rollouts]
    return [goes.index(place) for place in range(siblings)]


def _group(group: Group, names: Names) -> Group:
    come = _places(group.group_id, len(group.siblings), names)
    return attrs.evolve(group, siblings=tuple(group.siblings[place] for place in come))


def _snapshot(snapshot: Snapshot, names: Names) -> Snapshot:
    saved = json.loads(_in_text(snapshot.ledger, names))
    for group in saved["groups"]:
        siblings = group["siblings"]
        come = _places(group["group_id"], len(siblings), names)
        group["siblings"] = [
            siblings[old] | {"generation_index": new} for new, old in enumerate(come)
        ]
    return attrs.evolve(snapshot, ledger=canonical_json(saved))


def _sorted_by_key(*fields: str) -> Hook:
    """The hook of a type some fields of which stand in the order of their keys."""

    def in_order(value: Any, _names: Names) -> Any:
        changes = {name: tuple(sorted(getattr(value, name), key=_key)) for name in fields}
        return attrs.evolve(value, **changes)

    return in_order


def _key(entry: Any) -> Any:
    if isinstance(entry, Key):
        return entry
    return getattr(entry, "key", None) or next(one for one in entry if isinstance(one, Key))


def _reply(reply: Reply, _names: Names) -> Reply:
    body: Any = reply.body
    if isinstance(body, tuple) and body[:1] == ("receipts",):
        return attrs.evolve(reply, body=("receipts", tuple(sorted(reply.body[1], key=_key))))
    return reply


_HOOKS: dict[type, Hook] = {
    Held: _held,
    Sealed: _sealed,
    Receipt: _receipt,
    CompletedExecution: _completed,
    Group: _group,
    Snapshot: _snapshot,
    Reply: _reply,
    Directory: _sorted_by_key("records"),
    Storing: _sorted_by_key("records"),
    Request: _sorted_by_key("receipts"),
    Round: _sorted_by_key("discards"),
    said.Committed: _sorted_by_key("continuations"),
    said.Readiness: _sorted_by_key("unacknowledged"),
    said.Released: _sorted_by_key("receipts"),
}
