"""Draws what happens next to a ledger: something that is enabled, odd, or wrong on purpose.

Of a few candidates the one is taken that uses a rule which nothing has used yet.
"""

from collections.abc import Callable, Container
from copy import deepcopy
from random import Random
from typing import Any

import attrs

from fencepost.ledger import samples
from fencepost.ledger.relations import RELATIONS
from fencepost.ledger.spoiling import EXTRA, anything_at, changed, held, places
from fencepost.ledger.varying import varied_results, varied_rows
from fencepost.mismatch import is_object
from fencepost_reference.receipts.ledger.actions import Call, Replace
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.saving import saved_ledger
from fencepost_reference.receipts.ledger.state import Group, State
from fencepost_spec.vocabulary import Key

NAMES = ("g", "h", "k")
AGENTS = ("agent", "agent", "agent", "other")
CANDIDATES = 4
WRONG, DEAD_CUT, GONE = 0.18, 0.03, 0.04
"""How often a request is spoiled, a cut has ended, a process is replaced."""


@attrs.frozen
class Finished:
    """A participant has finished an execution, and its receipt is in the caller's hands."""

    key: Key


Action = Call | Replace | Finished


class Drawer:
    """Draws actions for one case. `operations` are those that the ledger has."""

    def __init__(
        self, random: Random, operations: Container[str], used: Container[str] = ()
    ) -> None:
        self._random = random
        self._operations = operations
        self._used = used
        self._core = LedgerCore()
        self._saved: list[Any] = []

    def draw(self, state: State) -> Call | Replace:
        """What happens next to a ledger that holds this."""
        self._keep(state)
        drawn: list[Call | Replace] = []
        while len(drawn) < CANDIDATES:
            action = self._one(state)
            if isinstance(action, Replace) or action.op in self._operations:
                drawn.append(action)
        for action in drawn:
            if self._is_new(state, action):
                return action
        return drawn[0]

    def _is_new(self, state: State, action: Call | Replace) -> bool:
        return any(rule.id not in self._used for rule in self._core.step(state, action).rules)

    def _keep(self, state: State) -> None:
        """Remember what this ledger would save, for a later process to read."""
        safe = all(one.bound and one.status in _SAFE for one in state.groups.values())
        if state.groups and safe:
            self._saved = [*self._saved[-3:], saved_ledger(state)]

    def _one(self, state: State) -> Call | Replace:
        pick = self._random.random()
        if self._saved and pick < GONE:
            return Replace()
        if self._saved and state.is_empty and pick < 0.6:
            return self._load()
        asked = self._asked(state)
        if self._random.random() < WRONG:
            asked = Call(asked.op, self._spoiled(asked.request))
        dead = self._random.random() < DEAD_CUT
        return Call(asked.op, asked.request, not dead)

    def _load(self) -> Call:
        document = deepcopy(self._random.choice(self._saved))
        if self._random.random() < 0.5:
            document = self._spoiled(document)
        if self._random.random() < 0.5:
            return Call("load_state_dict", {"state": document})
        beside = {"batch_shortfall": {5: 1}, "sampler_stamps_target_steps": True}
        document = document | beside if is_object(document) else document
        return Call("load", {"state": document})

    def _spoiled(self, document: Any) -> Any:
        """A request or a saved state with one thing wrong."""
        spots = [path for path in places(document) if path]
        if not spots:
            return {EXTRA: 1}
        if "groups" in document and self._random.random() < 0.4:
            return self._unrelated(document)
        path = self._random.choice(spots)
        how = self._random.randrange(3)
        if how == 0 and is_object(held(document, path[:-1])):
            copy = deepcopy(document)
            del held(copy, path[:-1])[path[-1]]
            return copy
        if how == 1 and is_object(held(document, path)):
            return changed(document, (*path, EXTRA), 1)
        return changed(document, path, self._random.choice(anything_at(path)))

    def _unrelated(self, document: Any) -> Any:
        copy = deepcopy(document)
        _, spoil = self._random.choice(RELATIONS)
        try:
            spoil(copy)
        except (LookupError, TypeError, AttributeError):
            return document | {"schema_version": 2}  # It has not what was to be spoiled.
        return copy

    # What is asked.

    def _asked(self, state: State) -> Call:
        """An operation with a request that has the right shape."""
        if not state.groups:
            return self.reserve(state)
        group = self._random.choice(state.ordered())
        makers = (*_USUAL, *_USUAL, *_ODD)
        return self._random.choice(makers)(self, state, group)

    def reserve(self, state: State) -> Call:
        admissions = [None, "one", *(group.admission_id for group in state.groups.values())]
        request = samples.reserve(
            self._random.choice(NAMES),
            self._random.choice(("sibling", "prompt_group")),
            self._random.randint(1, 3),
            admission_id=self._random.choice(admissions),
            target_step=self._random.choice((5, 5, 6, 0, None)),
            task_source=self._random.choice(("source", "source", "another", None)),
            admitted=self._random.random() < 0.7,
        )
        return Call("reserve_group", request)

    def result(self, group: Group, index: int) -> dict[str, Any]:
        """What a sibling hands over; sometimes of another execution, or less than usual."""
        key = group.key(index) if index < len(group.siblings) else Key(group.rollout_id(index), 0)
        right = samples.result(key, self._random.choice(AGENTS))
        other = Key(key.rollout_id, key.attempt + 1)
        neighbour = Key(group.rollout_id(index + 1), key.attempt)
        turn = self._random.randrange(14)
        if turn == 6:
            return self._random.choice(list(varied_results(right)))
        odd: dict[int, dict[str, Any]] = {
            0: {"gate_rollout_id": other.capture_key},
            1: {"receipt": right["receipt"] | {"rollout_id": other.capture_key}},
            2: {"completion_receipt": samples.completion(other)},
            3: {"completion_receipt": samples.completion(neighbour)},
            4: {"receipt": None},
            5: {"completion_receipt": None},
            7: {"reward": 0.1, "mask_sample": True},
        }
        return right | odd.get(turn, {})

    def index(self, group: Group) -> int:
        """A sibling, or rarely none of the group's."""
        return self._random.randrange(len(group.siblings) + (self._random.random() < 0.1))

    def some(self, group: Group) -> list[int] | None:
        """Some siblings, or all."""
        every = list(range(len(group.siblings)))
        picked = [one for one in every if self._random.random() < 0.5]
        return self._random.choice((None, picked or [self.index(group)]))

    def rows(self, state: State) -> list[Any]:
        """Rows that are owed, and now and then another, or one twice."""
        rows = [row.model_dump() for row in state.rows() if self._random.random() < 0.7]
        turn = self._random.randrange(5)
        if rows and turn == 0:
            rows.append(deepcopy(rows[0]))
        if rows and turn == 1:
            rows[0] = self._random.choice(list(varied_rows(rows[0])))
        if turn == 2:
            rows.append(samples.row(Key("gone_g0", 0)))
        return rows

    def cohort(self, group: Group) -> dict[str, Any]:
        """Results of a whole cohort, or rarely of too few or too many."""
        count = len(group.siblings) + self._random.choice((0, 0, 0, 0, 0, -1, 1))
        plain = self._random.random() < 0.6
        return {
            str(index): (
                samples.result(group.key(index))
                if plain and index < len(group.siblings)
                else self.result(group, index)
            )
            for index in range(count)
        }

    def step(self) -> int | None:
        """A target step."""
        return self._random.choice((5, 6, None))

    def prompt(self, group: Group) -> dict[str, Any]:
        """The prompt of a group, or rarely another."""
        odd = self._random.randrange(8)
        index = int(group.prompt_id) + (odd == 0)
        return samples.payload(index, "u" if odd == 1 else group.task_name)


_SAFE = ("generating", "ready_to_finalize")
Maker = Callable[[Drawer, State, Group], Call]


def _of_group(op: str) -> Maker:
    return lambda _drawer, _state, group: Call(op, {"group_id": group.group_id})


def _of_sibling(op: str) -> Maker:
    return lambda drawer, _state, group: Call(
        op, {"group_id": group.group_id, "generation_index": drawer.index(group)}
    )


def _seal(drawer: Drawer, _state: State, group: Group) -> Call:
    if group.whole_cohorts and drawer.step():
        return Call(
            "mark_group_sealed", {"group_id": group.group_id, "results": drawer.cohort(group)}
        )
    index = drawer.index(group)
    named = {"group_id": group.group_id, "generation_index": index}
    return Call("mark_sibling_sealed", named | drawer.result(group, index))


def _partial(drawer: Drawer, _state: State, group: Group) -> Call:
    index = drawer.index(group)
    named = {"group_id": group.group_id, "generation_index": index}
    return Call(
        "record_partial_group_acknowledgement", named | {"result": drawer.result(group, index)}
    )


def _dispatch(drawer: Drawer, _state: State, group: Group) -> Call:
    asked = {"group_id": group.group_id, "generation_indices": drawer.some(group)}
    return Call("mark_group_dispatched", asked)


def _admit(drawer: Drawer, _state: State, group: Group) -> Call:
    asked = {"group_id": group.group_id, "target_step": drawer.step(), "start_weight_version": 4}
    return Call("mark_group_admitted", asked)


def _bind(drawer: Drawer, _state: State, group: Group) -> Call:
    asked = {"group_id": group.group_id, "prompt_payload": drawer.prompt(group)}
    return Call("bind_runtime_prompt", asked)


def _restart(drawer: Drawer, _state: State, group: Group) -> Call:
    key = group.key(0)
    source = {"rollout_id": key.rollout_id, "attempt_index": key.attempt}
    waits = group.current[0].status != "sealed" and drawer.step()
    return Call("prepare_for_restart", {"restored_sources": [source] if waits else []})


_USUAL: tuple[Maker, ...] = (
    *([_dispatch] * 2),
    _admit,
    *([_seal] * 3),
    _partial,
    _of_sibling("record_sealed_sibling_acknowledgement"),
    _of_group("record_sealed_group_acknowledgements"),
    lambda drawer, state, _group: Call(
        "mark_completed_executions_acknowledged", {"acknowledgements": drawer.rows(state)}
    ),
    _of_group("abandon_unsealed"),
    _of_group("prepare_incomplete_retry"),
    _of_group("mark_finalization_started"),
    _bind,
    lambda drawer, state, _group: drawer.reserve(state),
    lambda _drawer, _state, _group: Call("state_dict", {}),
)
_ODD: tuple[Maker, ...] = (
    _of_group("mark_finalization_unknown"),
    _of_group("discard_group"),
    _of_group("finalization_inputs"),
    lambda _drawer, _state, group: Call(
        "discard_canonical_groups", {"group_ids": [group.group_id, "nobody"]}
    ),
    lambda _drawer, _state, _group: Call("discard_group", {"group_id": "nobody"}),
    lambda _drawer, _state, _group: Call("assert_checkpoint_safe", {}),
    lambda _drawer, _state, _group: Call("discard_pending_acknowledgements", {}),
    lambda _drawer, state, _group: Call("load_state_dict", {"state": saved_ledger(state)}),
    lambda _drawer, _state, _group: Call(
        "build_rollout_recovery_state",
        {"batch_shortfall": {5: 1}, "sampler_stamps_target_steps": True},
    ),
    _restart,
)
