"""Which finished executions of a cohort can still be acknowledged, and which were given up first.

An execution counts when it finished as the current attempt of a cohort that was sent out. It can be
acknowledged by itself, or with its cohort once that is sealed. What finished later than it was
given up, or belongs to a group whose siblings are sealed one by one, is nobody's to acknowledge so.
"""

from collections.abc import Sequence

from fencepost_reference.receipts.ledger.state import Group, State
from fencepost_spec.vocabulary import Key

ALONE = "record_partial_group_acknowledgement"
WHOLE = ("mark_group_sealed", "record_sealed_group_acknowledgements")


class Finished:
    """What has finished in one process. A state is one ledger that explains what was seen."""

    def __init__(self, operations: frozenset[str]) -> None:
        self._alone = ALONE in operations
        self._whole = operations.issuperset(WHOLE)
        self._open: dict[Key, int] = {}
        self._given_up: dict[Key, int] = {}

    def forget(self) -> None:
        """Begin anew, as a process does that replaces another."""
        self._open.clear()
        self._given_up.clear()

    def completed(self, states: Sequence[State], key: Key, seq: int) -> None:
        """An execution has finished, at that line."""
        if all(_sent_out(state, key) and key not in state.owed for state in states):
            self._open[key] = seq
        self.changed(states)

    def changed(self, states: Sequence[State]) -> None:
        """See what has become of all that finished."""
        safe = {key for key in self._open if any(self._is_safe(state, key) for state in states)}
        for key in tuple(self._open):
            if key in safe:
                del self._open[key]
            elif not any(_is_current(state, key) for state in states):
                self._given_up[key] = self._open.pop(key)

    def stalled(self) -> tuple[Key, int] | None:
        """The first execution that nothing can ever acknowledge, and the line where it finished."""
        return None if self._alone else next(iter(self._given_up.items()), None)

    def _is_safe(self, state: State, key: Key) -> bool:
        """Whether it is owed, or nothing but a call was missing for that."""
        group = _cohort_of(state, key)
        if key in state.owed:
            return True
        return (
            self._whole
            and group is not None
            and all(
                one in self._open or one in state.owed or attempt.status == "sealed"
                for one, attempt in zip(group.executions(), group.current, strict=True)
            )
        )


def _cohort_of(state: State, key: Key) -> Group | None:
    """The cohort that has it as a current attempt, or None."""
    owners = (group for group in state.groups.values() if group.whole_cohorts)
    return next((group for group in owners if key in group.executions()), None)


def _status(state: State, key: Key) -> str | None:
    group = _cohort_of(state, key)
    if group is None:
        return None
    return group.current[group.executions().index(key)].status


def _sent_out(state: State, key: Key) -> bool:
    return _status(state, key) == "dispatched"


def _is_current(state: State, key: Key) -> bool:
    return _status(state, key) in ("dispatched", "sealed")
