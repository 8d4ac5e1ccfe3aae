"""What a watcher knows when a process starts: what the snapshot says, and nothing of the last."""

import json
from functools import lru_cache
from typing import Any, cast

import attrs
from immutables import Map

from fencepost_reference.receipts.controller.said import Committed, Continuation, Place
from fencepost_reference.receipts.controller.watch.state import Attempt, Group, Watch
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.reading import from_json
from fencepost_reference.receipts.ledger.state import Group as Saved
from fencepost_reference.receipts.ledger.state import State
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import Key

_CORE = LedgerCore()


@lru_cache(maxsize=256)
def ledger_of(text: str) -> State | str:
    """The ledger that a saved text holds, or why it cannot be read."""
    try:
        document: Any = json.loads(text)
    except ValueError:
        return "it is no JSON"
    if not isinstance(document, dict):
        return "it is no object"
    step = _CORE.step(_CORE.initial(), Call("load", {"state": from_json(document)}))
    answer = step.outputs[0]
    if not answer.ok:
        return f"{answer.detail or answer.rule.says} ({answer.rule.id})"
    loaded: Any = answer.body if isinstance(answer.body, State) else step.state
    return cast("State", loaded)


def started(watch: Watch, number: int | None) -> Watch:
    """What is known when a process starts from the snapshot of that number, or from none."""
    snapshot = next((one for one in reversed(watch.published) if one.number == number), None)
    fresh = attrs.evolve(
        Watch(watch.settings),
        used=watch.used,
        anchors=watch.anchors[-1:],
        published=watch.published,
        newest_in=watch.newest_in,
        damaged=watch.damaged,
        agents=watch.agents,
    )
    if snapshot is None:
        return fresh
    places = tuple(place for place, _ in snapshot.participants)
    continuations = tuple(
        (place, one)
        for place, wrote in snapshot.participants
        if isinstance(wrote, Committed)
        for one in wrote.continuations
    )
    ledger = ledger_of(snapshot.ledger)
    fresh = attrs.evolve(
        fresh,
        started=snapshot,
        anchors=(snapshot.train_step,),  # The trainer goes back to where it was.
        to_restore=frozenset(places),
        continuations=continuations,
        trained=frozenset(snapshot.trained),
    )
    if isinstance(ledger, str):
        return fresh
    return _with_groups(fresh, ledger, [one for _, one in continuations])


def _with_groups(watch: Watch, ledger: State, continuations: list[Continuation]) -> Watch:
    groups: Map[str, Group] = Map()
    attempts: Map[Key, Attempt] = Map()
    sources = {one.key for one in continuations}
    for saved in ledger.ordered():
        agent = saved.agent or watch.agents.get(saved.group_id) or ""
        current: list[int] = []
        for index, sibling in enumerate(saved.siblings):
            key, last = saved.key(index), sibling[-1]
            if last.status == "sealed" and last.result is not None:
                done = last.result.completion
                receipt = None if done is None else receipt_of(done)
                digest = None if done is None else done.result_digest
                attempts = attempts.set(
                    key,
                    Attempt(Place("agent", agent), digest=digest, receipt=receipt, released=True),
                )
                current.append(key.attempt)
            else:
                stays = last.status == "reserved" and key not in sources
                current.append(key.attempt if stays else key.attempt + 1)
        groups = groups.set(saved.group_id, _group(saved, agent, tuple(current)))
    return attrs.evolve(watch, groups=groups, attempts=attempts)


def _group(saved: Saved, agent: str, current: tuple[int, ...]) -> Group:
    admitted = saved.phase == "admitted"
    return Group(
        saved.group_id, len(saved.siblings), saved.granularity, agent, saved.target_step, admitted,
        current=current, early=admitted, late=not admitted,
    )  # fmt: skip


def receipt_of(completion: Any) -> Receipt:
    """The five values of a receipt, from its model."""
    return Receipt(
        completion.execution_generation, completion.result_identity, completion.result_digest,
        completion.manifest_capture_key, completion.terminal_model_call_id,
    )  # fmt: skip
