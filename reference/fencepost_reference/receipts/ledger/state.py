"""What a ledger holds: groups with their siblings' attempts, and the acknowledgements owed.

Everything is frozen and can be hashed. A gate receipt is held as its canonical JSON text, because
it is free-form; what is asked of it, its staged rows, stands beside it.
"""

import json
from typing import Any

import attrs
from immutables import Map

from fencepost_spec.receipts.ledger.values import CompletedExecution
from fencepost_spec.receipts.requests import Receipt
from fencepost_spec.vocabulary import Key


@attrs.frozen
class Sealed:
    """The result of a sealed attempt."""

    receipt: str | None
    completion: Receipt | None
    reward: float | None
    mask: bool | None
    staging_keys: tuple[str, ...]

    @property
    def receipt_json(self) -> Any:
        """The gate receipt as it was given, or None."""
        return None if self.receipt is None else json.loads(self.receipt)


@attrs.frozen
class Attempt:
    """One attempt; its index is its place."""

    status: str
    result: Sealed | None = None


Sibling = tuple[Attempt, ...]
"""The attempts of one sibling. Invariant: never empty, and the last one is current."""


@attrs.frozen
class Group:
    """One prompt group. `number` counts reservations, for a stable order."""

    number: int
    group_id: str
    admission_id: str
    prompt_id: str
    task_name: str
    task_source: str | None
    granularity: str
    target_step: int | None
    start_weight_version: int
    status: str
    phase: str
    agent: str | None
    bound: bool
    siblings: tuple[Sibling, ...]

    @property
    def whole_cohorts(self) -> bool:
        """Whether the group recovers as a whole."""
        return self.granularity == "prompt_group"

    @property
    def current(self) -> tuple[Attempt, ...]:
        """The current attempt of each sibling."""
        return tuple(sibling[-1] for sibling in self.siblings)

    @property
    def all_sealed(self) -> bool:
        """Whether every current attempt is sealed."""
        return all(attempt.status == "sealed" for attempt in self.current)

    def rollout_id(self, index: int) -> str:
        """The logical rollout id of a sibling."""
        return f"{self.group_id}_g{index}"

    def key(self, index: int) -> Key:
        """The execution that the current attempt of a sibling is."""
        return Key(self.rollout_id(index), len(self.siblings[index]) - 1)

    def executions(self) -> tuple[Key, ...]:
        """The executions that the current attempts are."""
        return tuple(self.key(index) for index in range(len(self.siblings)))

    def with_attempt(self, index: int, attempt: Attempt) -> "Group":
        """The group with the current attempt of one sibling replaced."""
        changed = (*self.siblings[index][:-1], attempt)
        siblings = (*self.siblings[:index], changed, *self.siblings[index + 1 :])
        return attrs.evolve(self, siblings=siblings)


@attrs.frozen
class State:
    """A whole ledger."""

    groups: Map[str, Group] = Map()  # noqa: RUF009 - an empty map never changes
    owed: Map[Key, CompletedExecution] = Map()  # noqa: RUF009 - an empty map never changes
    reserved: int = 0

    def ordered(self) -> tuple[Group, ...]:
        """The groups in the order of their reservation."""
        return tuple(sorted(self.groups.values(), key=lambda group: group.number))

    def rows(self) -> tuple[CompletedExecution, ...]:
        """What is owed, by agent, rollout and attempt."""
        return tuple(sorted(self.owed.values(), key=row_order))

    def with_group(self, group: Group) -> "State":
        """The ledger with one group put in or replaced."""
        return attrs.evolve(self, groups=self.groups.set(group.group_id, group))

    def without_group(self, group_id: str) -> "State":
        """The ledger without one group."""
        return attrs.evolve(self, groups=self.groups.delete(group_id))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is held and nothing is owed."""
        return not self.groups and not self.owed


def row_order(row: CompletedExecution) -> tuple[str, str, int]:
    """The order in which obligations are saved."""
    return (row.agent_name, row.receipt.rollout_id, row.receipt.attempt_index)
