"""Keeps the actions of a run about the same things when other actions have been left out.

An action names things that earlier actions have made: the checkpoint that is open, a directory, a
restored record, the receipt of a result. In a shorter run these may have other names and values.
What each action named when the whole run was played is noted, and in a shorter one it names the
same thing as it is there. What it named wrongly on purpose stays wrong.
"""

from collections.abc import Container, Iterator, Sequence
from typing import Any

import attrs

from fencepost.driver import Driver
from fencepost.exercise import released_by
from fencepost.trace.lines import Call, JsonObject, Line, Work, is_list, is_object
from fencepost_reference.receipts.state import State
from fencepost_spec.vocabulary import Key, identity_of_run

ACTIVE, DIRECTORY, PENDING, LIVE = "active", "directory", "pending", "live"


class Following:
    """What the calls of a run named when it was played first, by the ids of the calls."""

    def __init__(self) -> None:
        self._named: dict[str, frozenset[str]] = {}

    def noted(self, driver: Driver, script: Sequence[Line]) -> Iterator[Line]:
        """The actions as they are; what they name is noted when each is about to happen."""
        for line in script:
            if isinstance(line, Call) and line.request is not None:
                self._named[line.id] = frozenset(_named(driver.record.state, line, line.request))
            yield line

    def adapted(self, driver: Driver, script: Sequence[Line]) -> Iterator[Line]:
        """The actions, each about the things that it named, as they are when it happens."""
        for line in script:
            state = driver.record.state
            if isinstance(line, Call) and line.request is not None:
                request = _about(state, line, line.request, self._named.get(line.id, frozenset()))
                yield attrs.evolve(line, request=request)
            elif isinstance(line, Work):
                yield _of_whoever_works(driver, line)
            else:
                yield line


def _named(state: State, line: Call, request: JsonObject) -> Iterator[str]:
    """What a call names at this moment."""
    if request.get("checkpoint_id") == state.fence.active is not None:
        yield ACTIVE
    if line.op == "restore" and request.get("checkpoint_dir") in _committed(state):
        yield DIRECTORY
    key = _key_in(line, request)
    if key is not None:
        yield from (PENDING,) if key in state.pending else ()
        yield from (LIVE,) if key in state.executions else ()
    for number, given in enumerate(_receipts_in(line, request)):
        receipt = _receipt(state, given)
        yield from (f"{number} {name}" for name, value in receipt if given.get(name) == value)


def _about(state: State, line: Call, request: JsonObject, named: frozenset[str]) -> JsonObject:
    """The request about the same things, as they are now."""
    if ACTIVE in named and state.fence.active is not None:
        request = request | {"checkpoint_id": state.fence.active}
    directories = _committed(state)
    if DIRECTORY in named and directories and request["checkpoint_dir"] not in directories:
        request = request | {"checkpoint_dir": directories[-1]}
    key = _key_in(line, request)
    if key is not None:
        known: Container[Key] = ()
        if PENDING in named:
            known = state.pending
        elif LIVE in named:
            known = state.executions
        now = _key_now(key, known)
        if now != key:
            name = "_ng_attempt_index" if line.op == "run" else "attempt_index"
            request = request | {name: now.attempt}
    if line.op == "acknowledge":
        return request | _receipt_now(state, request, named, 0)
    if line.op == "acknowledge-completed" and named:
        each = enumerate(_receipts_in(line, request))
        return request | {
            "executions": [given | _receipt_now(state, given, named, n) for n, given in each]
        }
    return request


def _committed(state: State) -> list[str]:
    return sorted(
        (name for name, here in state.disk.items() if here.kind == "committed"),
        key=lambda name: (len(name), name),
    )


def _key_in(line: Call, request: JsonObject) -> Key | None:
    """The one key that a call names."""
    try:
        if line.op == "run":
            return identity_of_run(request)
        return Key.of(request["rollout_id"], request["attempt_index"])
    except (KeyError, TypeError, ValueError):
        return None


def _key_now(key: Key, known: Any) -> Key:
    """The key itself if it is known, else another attempt of its rollout that is."""
    if key in known:
        return key
    others = [other for other in known if other.rollout_id == key.rollout_id]
    return max(others, default=key)


def _receipts_in(line: Call, request: JsonObject) -> list[JsonObject]:
    if line.op == "acknowledge":
        return [request]
    given = request.get("executions") if line.op == "acknowledge-completed" else None
    return list(filter(is_object, given)) if is_list(given) else []


def _receipt(state: State, given: JsonObject) -> list[tuple[str, Any]]:
    """The fields of the receipt that is right for the key that one names."""
    try:
        receipt = released_by(state, Key.of(given["rollout_id"], given["attempt_index"]))
    except (KeyError, TypeError, ValueError):
        return []
    return [] if receipt is None else list(attrs.asdict(receipt).items())


def _receipt_now(state: State, given: JsonObject, named: frozenset[str], number: int) -> JsonObject:
    return {name: value for name, value in _receipt(state, given) if f"{number} {name}" in named}


def _of_whoever_works(driver: Driver, line: Work) -> Work:
    """The event, of another attempt of the rollout when the one that it names does not work."""
    if line.rollout_id is None or driver.worker(line.rollout_id, line.attempt) is not None:
        return line
    others = [w.attempt for w in driver.workers if w.alive and w.rollout_id == line.rollout_id]
    return attrs.evolve(line, attempt=others[-1]) if others else line
