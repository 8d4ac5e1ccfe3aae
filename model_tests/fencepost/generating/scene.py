"""What a proposal is made from: the state of the model, the handlers, the names that are free."""

from collections.abc import Container, Iterable, Iterator
from random import Random
from typing import Any

import attrs

from fencepost.handlers import Worker
from fencepost.trace.lines import Call, JsonObject, Line
from fencepost_reference.receipts.state import LIVE, State
from fencepost_spec.vocabulary import Key

ROLLOUTS = ("r1", "r2", "7-3")
"""Small worlds: three rollouts; the last one is named by its indices."""

NEW_RULE_FACTOR = 8.0
LONG = 5.0
"""Seconds of a deadline that nothing reaches by accident."""


@attrs.frozen
class Proposal:
    """An action with its weight. One that is `alone` happens at rest, with nothing beside it."""

    weight: float
    line: Line
    alone: bool = False


@attrs.define(eq=False)
class Names:
    """Names that were given: calls, checkpoints and directories are counted up."""

    calls: int = 0
    checkpoints: list[str] = attrs.Factory(list[str])
    directories: list[str] = attrs.Factory(list[str])
    results: int = 0

    def fresh_call(self) -> str:
        """A call id that nobody has used."""
        self.calls += 1
        return f"q{self.calls}"

    @property
    def fresh_checkpoint(self) -> str:
        """A checkpoint id that nobody has used."""
        return f"c{len(self.checkpoints) + 1}"

    @property
    def fresh_directory(self) -> str:
        """A directory that nobody has used."""
        return f"d{len(self.directories) + 1}"

    def used(self, line: Line) -> None:
        """Take note of the names in a call."""
        if isinstance(line, Call) and line.request is not None:
            for member, known in (
                ("checkpoint_id", self.checkpoints),
                ("checkpoint_dir", self.directories),
            ):
                name = line.request.get(member)
                if isinstance(name, str) and name not in known:
                    known.append(name)


@attrs.frozen(eq=False)
class Scene:
    """Everything that a proposal may look at."""

    state: State
    workers: tuple[Worker, ...]
    open_calls: tuple[Call, ...]
    names: Names
    random: Random
    capabilities: frozenset[str]
    used: Container[str] = ()
    soon: float = 1.0

    def rather(self, *rule_ids: str) -> float:
        """How much more something is wanted that would use one of these rules first."""
        return NEW_RULE_FACTOR if any(each not in self.used for each in rule_ids) else 1.0

    def can(self, *capabilities: str) -> bool:
        """Whether the participant has all of these capabilities."""
        return self.capabilities.issuperset(capabilities)

    def some(self, items: Iterable[Any]) -> list[Any]:
        """One of the items in a list, or an empty list when there is none."""
        listed = sorted(items)  # In an order of their own, or the seed would not repeat a run.
        return [self.random.choice(listed)] if listed else []

    @property
    def live(self) -> list[Key]:
        """Keys whose work goes on."""
        return sorted(k for k, e in self.state.executions.items() if e.status in LIVE)

    @property
    def completed(self) -> list[Key]:
        """Keys whose result is retained."""
        return sorted(
            key
            for key, execution in self.state.executions.items()
            if execution.status == "completed_unacknowledged"
        )

    @property
    def ended(self) -> list[Key]:
        """Keys that never run again."""
        history = self.state.history
        return sorted({*history.refused, *history.acknowledged})

    @property
    def committed(self) -> list[str]:
        """Directories that hold a checkpoint."""
        return sorted(name for name, d in self.state.disk.items() if d.kind == "committed")

    def next_attempt(self, rollout_id: str) -> int:
        """The first attempt of a rollout that nobody has heard of."""
        known = [key.attempt for key in self.keys() if key.rollout_id == rollout_id]
        return max([*known, self.state.history.watermark.get(rollout_id, -1)], default=-1) + 1

    def keys(self) -> Iterator[Key]:
        """Every key that the model knows."""
        state = self.state
        yield from state.executions
        yield from state.pending
        yield from state.history.refused
        yield from state.history.acknowledged

    def call(self, op: str, request: JsonObject, auth: str | None = None) -> Call:
        """A call with an id of its own."""
        return Call(0, op, "", request, auth)


def control(checkpoint_id: str, deadline_in: float = LONG, **members: Any) -> JsonObject:
    """The request of a fenced operation."""
    return {"checkpoint_id": checkpoint_id, "deadline_in": deadline_in, **members}


def keyed(key: Key) -> JsonObject:
    """The members that name a key."""
    return {"rollout_id": key.rollout_id, "attempt_index": key.attempt}
