"""Names that nothing mentions any more, and the states in which they are free for somebody new.

Checkpoint ids, rollouts and attempts are used up: a finished id is refused for ever. A walk that
never gives a name back comes to its last one and stops, and every promise of progress would hold
for want of names. So a name is given back when nothing but a table of what is over mentions it:
no call, no handler, no execution, no directory. From then on nobody says it in its old sense, so
what the tables hold of it can never be read again, and is dropped. Of a rollout that goes on, the
attempts that are over are given back, and the others move down.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.agent.around import Around, parts_of, state_of, whole_of
from fencepost.exploring.agent.scope import AgentScope, directory_of, text_of
from fencepost.exploring.agent.shifting import Mentions, Shift
from fencepost.exploring.differing import holds, passed
from fencepost.exploring.exact import kind_of
from fencepost.exploring.renaming import words_of
from fencepost.exploring.small_world import Parts
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.ghost import Ghost
from fencepost_reference.receipts.state import State
from fencepost_spec.vocabulary import Key, capture_key_for


@attrs.frozen
class Forgotten:
    """What is forgotten, in words, and the state in which it is."""

    name: str
    parts: Parts


Forgets = Callable[[Parts], Iterator[Forgotten]]
"""A way to forget one name: it gives the state in which that is done, if it may be."""


class Forgetting:
    """What may be forgotten in the states of a scope."""

    def __init__(self, scope: AgentScope) -> None:
        self._scope = scope
        # By identity, together with the part itself, so that it stays what it is.
        self._words: dict[int, tuple[Any, frozenset[str]]] = {}

    @property
    def ways(self) -> tuple[Forgets, ...]:
        """Every way to forget one name."""
        checkpoints = [partial(self._of_checkpoint, one) for one in self._scope.checkpoint_names]
        return (
            *checkpoints,
            *(partial(self._of_rollout, one) for one in self._scope.rollout_names),
        )

    def _of_checkpoint(self, checkpoint: str, parts: Parts) -> Iterator[Forgotten]:
        if checkpoint in state_of(parts).history.finished:
            left = without_checkpoint(parts, checkpoint)
            if not self._mentions(parts, left, (checkpoint, directory_of(checkpoint))):
                yield Forgotten(f"{checkpoint} is forgotten", left)

    def _of_rollout(self, rollout: str, parts: Parts) -> Iterator[Forgotten]:
        state, around, _ = whole_of(parts)
        if rollout not in state.history.watermark and not _is_over(state, around, rollout):
            return
        left = without_rollout(parts, rollout)
        if not self._mentions(parts, left, _names_of(self._scope, rollout)):
            yield Forgotten(f"{rollout} is forgotten", left)
        elif self._scope.attempts > 1 and not self._scope.model_calls:
            shifted = without_first_attempt(self._scope, parts, rollout)
            if shifted is not None:
                yield Forgotten(f"{rollout}.0 is forgotten", shifted)

    def _mentions(self, parts: Parts, left: Parts, names: Iterable[str]) -> bool:
        """Whether any of these words is in a state in which something was dropped from parts."""
        kept, fresh = Says(frozenset(names), self._words_of), Says(frozenset(names), words_of)
        pairs = zip(parts, left, strict=True)
        return any(holds(new, kept if new is old else fresh) for old, new in pairs)

    def _words_of(self, part: Any) -> frozenset[str]:
        known = self._words.get(id(part))
        if known is None:
            known = self._words[id(part)] = (part, words_of(part))
        return known[1]


@attrs.frozen
class Less:
    """A table without what it holds of a checkpoint id, a rollout, or one attempt."""

    lost: str | Key

    def __call__(self, table: "Map[Any, Any]") -> "Map[Any, Any]":
        """The table; the very same one when it holds nothing of it."""
        for key in [key for key in table if is_of(key, self.lost)]:
            table = table.delete(key)
        return table


def is_of(key: Any, name: str | Key) -> bool:
    """Whether a key of a table, or the first of a pair, is a name or an attempt of a rollout."""
    one: Any = key[0] if kind_of(key) is tuple else key
    return bool(one == name) or (isinstance(one, Key) and one.rollout_id == name)


@attrs.frozen
class Holds:
    """Whether a table has a key that is of a name."""

    name: str

    def __call__(self, table: "Map[Any, Any]") -> bool:
        """Whether it has."""
        return any(is_of(key, self.name) for key in table)


@attrs.frozen
class Says:
    """Whether a value has any of these words in it."""

    names: frozenset[str]
    words: Callable[[Any], frozenset[str]] = attrs.field(eq=False)

    def __call__(self, value: Any) -> bool:
        """Whether it has."""
        return not self.names.isdisjoint(self.words(value))


def _names_of(scope: AgentScope, rollout: str) -> set[str]:
    attempts = range(scope.attempts + 1)
    texts = {text_of(Key(rollout, attempt)) for attempt in attempts}
    return texts | {capture_key_for(rollout, attempt) for attempt in attempts} | {rollout}


def _is_over(state: State, around: Around, rollout: str) -> bool:
    """Whether something that is over is kept of a rollout that never ran in this process."""
    kept = (state.history.refused, state.history.acknowledged, around.done)
    return any(holds(table, Holds(rollout)) for table in kept)


def without_checkpoint(parts: Parts, checkpoint: str) -> Parts:
    """The state without what its tables of finished things hold of a checkpoint id."""
    state, around, ghost = whole_of(parts)
    less = Less(checkpoint)
    finished = passed(state.history.finished, less)
    succeeded = passed(ghost.succeeded, less)
    state = change(state, history=change(state.history, finished=finished))
    return parts_of(state, around, change(ghost, succeeded=succeeded))


def without_rollout(parts: Parts, rollout: str) -> Parts:
    """The state without what its tables of finished things hold of a rollout."""
    less = Less(rollout)
    state, around, ghost = _without_keys(parts, less)
    marks = passed(state.history.watermark, less)
    state = change(state, history=change(state.history, watermark=marks))
    highest = passed(ghost.highest, less)
    return parts_of(state, around, change(ghost, highest=highest))


def without_first_attempt(scope: AgentScope, parts: Parts, rollout: str) -> Parts | None:
    """The state in which attempt 0 of a rollout is dropped and each later one is one lower.

    None while anything but a table of finished things mentions attempt 0.
    """
    first = Key(rollout, 0)
    left = _without_keys(parts, Less(first))
    marks = left[0].history.watermark, left[2].highest
    if any(table.get(rollout, 1) < 1 for table in marks):
        return None
    shift = Shift(rollout, scope.keys.index(first) + 1, scope.attempts)
    parts = parts_of(*left)
    if any(holds(part, Mentions(shift)) for part in parts):
        return None
    return tuple(passed(part, shift) for part in parts)


def _without_keys(parts: Parts, less: Less) -> tuple[State, Around, Ghost]:
    state, around, ghost = whole_of(parts)
    history = change(
        state.history,
        refused=passed(state.history.refused, less),
        acknowledged=passed(state.history.acknowledged, less),
    )
    ghost = change(
        ghost,
        declared=passed(ghost.declared, less),
        stopped=passed(ghost.stopped, less),
        over=passed(ghost.over, less),
    )
    around = change(around, done=passed(around.done, less))
    return change(state, history=history), around, ghost
