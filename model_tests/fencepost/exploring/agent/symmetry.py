"""What may be exchanged in a world around an agent: rollouts, checkpoints, the ids of two callers.

A checkpoint takes its directory with it, a rollout its keys and capture keys, and every call id
changes with the names that it holds. Numbers that stand for somebody (the events of a handler) are
changed by hooks.
"""

from itertools import permutations, product
from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.agent.scope import AgentScope, directory_of, text_of
from fencepost.exploring.renaming import Hook, composed, renamed
from fencepost.exploring.small_world import Names
from fencepost_reference.receipts.state import Directory, Held, Reply, Storing
from fencepost_spec.vocabulary import Key, capture_key_for


def exchanges(scope: AgentScope) -> tuple[dict[str, str], ...]:
    """Every exchange of names of a scope; the first changes nothing."""
    rollouts = permutations(scope.rollout_names)
    found: list[dict[str, str]] = []
    for changed in rollouts:
        of_rollouts = _rollouts(scope, dict(zip(scope.rollout_names, changed, strict=True)))
        for ids in permutations(scope.checkpoint_names):
            of_ids = _checkpoints(dict(zip(scope.checkpoint_names, ids, strict=True)))
            words = of_rollouts | of_ids
            found += [_with_calls(scope, words, swapped) for swapped in _swaps(scope)]
    return tuple(found)


def _rollouts(scope: AgentScope, changed: dict[str, str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for old, new in changed.items():
        if old == new:
            continue
        names[old] = new
        # One attempt more than may run: a restored record may wait under it.
        for attempt in range(scope.attempts + 1):
            names[text_of(Key(old, attempt))] = text_of(Key(new, attempt))
            names[capture_key_for(old, attempt)] = capture_key_for(new, attempt)
    for key in scope.keys:
        if key.rollout_id in names:
            new_key = Key(names[key.rollout_id], key.attempt)
            names[f"#{scope.keys.index(key) + 1}"] = f"#{scope.keys.index(new_key) + 1}"
    return names


def _checkpoints(changed: dict[str, str]) -> dict[str, str]:
    names = {old: new for old, new in changed.items() if old != new}
    return names | {directory_of(old): directory_of(new) for old, new in names.items()}


def call_ids(scope: AgentScope) -> dict[str, tuple[str, ...]]:
    """Every call id of a scope that holds names, with its words."""
    keys = [text_of(key) for key in scope.keys]
    calls: list[tuple[str, ...]] = [("run", key) for key in keys]
    for op in ("prepare", "status", "commit", "resume"):
        calls += [(op, checkpoint) for checkpoint in scope.checkpoint_names]
    for checkpoint, directory in product(scope.checkpoint_names, scope.directory_names):
        calls.append(("restore", checkpoint, directory))
    for op in ("retire", "discard-restored-continuation"):
        calls += [(op, *both) for both in product(scope.checkpoint_names, keys)]
    for key in keys:
        calls += [("acknowledge", key), ("completion-receipt", key)]
        calls += [("acknowledge", key, "wrongly", wrong) for wrong in scope.wrong_receipts]
    found = {":".join(words): words for words in calls}
    again = [words for words in calls if words[0] in scope.repeated]
    return found | {":".join((*words, "again")): (*words, "again") for words in again}


def _swaps(scope: AgentScope) -> list[frozenset[str]]:
    """Sets of calls, by their first ids, whose two callers are exchanged."""
    twice = [name for name, words in call_ids(scope).items() if words[-1] == "again"]
    firsts = [name.removesuffix(":again") for name in twice]
    chosen = product((False, True), repeat=len(firsts))
    return [
        frozenset(name for name, swaps in zip(firsts, choice, strict=True) if swaps)
        for choice in chosen
    ]


def _with_calls(scope: AgentScope, words: Names, swapped: frozenset[str]) -> dict[str, str]:
    """An exchange of words, with what it does to call ids; then some callers are exchanged."""
    ids = call_ids(scope)
    by_words: dict[str, str] = {}
    swaps: dict[str, str] = {}
    for name, parts in ids.items():
        new = ":".join(words.get(part, part) for part in parts)
        if new != name:
            by_words[name] = new
        if name in swapped:
            swaps |= {name: f"{name}:again", f"{name}:again": name}
    return composed(dict(words) | by_words, swaps)


def renamed_part(value: Any, names: Names) -> Any:
    """A part of a state of this world with names exchanged."""
    made = renamed(value, names, _HOOKS)
    return _numbered(made, names) if isinstance(value, Map) else made


def _numbered(held: Any, names: Names) -> Any:
    """A map whose numbers, if it has any for its keys, stand for somebody."""
    numbers = [key for key in held if isinstance(key, int)]
    return Map({_token(key, names): held[key] for key in numbers}) if numbers else held


def _token(token: int, names: Names) -> int:
    return int(names.get(f"#{token}", f"#{token}")[1:])


def _held(held: Held, names: Names) -> Held:
    return attrs.evolve(held, token=_token(held.token, names))


def _in_order(value: Directory | Storing, _names: Names) -> Directory | Storing:
    """Records stand in the order of their keys."""
    ordered = tuple(sorted(value.records, key=lambda record: record[0]))
    return attrs.evolve(value, records=ordered)


def _receipts_in_order(reply: Reply, _names: Names) -> Reply:
    body: Any = reply.body
    if isinstance(body, tuple) and body[:1] == ("receipts",):
        return attrs.evolve(reply, body=("receipts", _sorted(reply.body[1])))
    return reply


def _sorted(receipts: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(receipts))


_HOOKS: dict[type, Hook] = {
    Held: _held,
    Directory: _in_order,
    Storing: _in_order,
    Reply: _receipts_in_order,
}
