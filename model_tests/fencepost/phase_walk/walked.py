"""What a core answers in a situation, told as a cell of a phase table.

A situation is reached by a short list of actions. The operation is called there twice: once so
that it can succeed, and once so that it cannot, where somebody has said how.
May import: the specification, attrs.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

import attrs

from fencepost_spec.operation import REPLAY, SHARE, Check, Operation
from fencepost_spec.phase_table import ACTS, Cell, PhaseTable, Situation

ASKED = "asked"
"""The id of the call that is put."""

Actions = tuple[Any, ...]


@attrs.frozen
class Spoilt:
    """What must happen before a call, and what after it, so that it does not succeed."""

    before: Actions = ()
    after: Actions = ()


@attrs.frozen
class Part:
    """A kind of participant, with the ways into its situations.

    `clears` says what happens after a call so that it can succeed; most need nothing. `waiting`
    tells whether a prepare waits, which is a thing that a call can change beside the phase.
    """

    name: str
    core: Any
    table: PhaseTable
    operations: Mapping[str, Operation]
    reach: Mapping[str, Any]
    call: Callable[[Operation, str], Any]
    waiting: Callable[[Any], bool]
    clears: Mapping[tuple[str, str], Actions] = attrs.Factory(dict[tuple[str, str], Actions])
    spoils: Mapping[tuple[str, str], Spoilt] = attrs.Factory(dict[tuple[str, str], Spoilt])

    def walked(self, situation: Situation, name: str) -> Cell:
        """The cell of an operation in a situation, as the core answers."""
        start, operation = self.reach[situation.name], self.operations[name]
        step = self.core.step(start, self.call(operation, situation.id))
        found = next((each for each in operation.ladder if each.rule == step.rules[0]), None)
        if found is not None and (operation.fenced or found.answer in (REPLAY, SHARE)):
            return Cell(self._spoken(found, start, step.state))
        where = (situation.name, name)
        through = self._phases(start, step.state, self.clears.get(where, ()))
        return Cell(ACTS, through, self._failed(where, through, situation))

    def _spoken(self, check: Check, before: Any, after: Any) -> str:
        """What a check said; the reply must say the same, and nothing of the fence may move."""
        reply = after.calls[ASKED].reply
        said = None if reply is None else reply.code
        if check.answer not in (REPLAY, SHARE) and said != check.answer:
            raise AssertionError(f"{check.rule.id} should say {check.answer}, and {said} was said")
        if (reply is None) != (check.answer == SHARE):
            raise AssertionError(f"{check.rule.id} gives {check.answer}: {reply}")
        if after.fence.phase != before.fence.phase or after.fence.active != before.fence.active:
            raise AssertionError(f"{check.rule.id} answered, and the fence has moved")
        return check.answer

    def _phases(self, before: Any, after: Any, actions: Actions) -> tuple[str, ...]:
        """The phases that a call leads through, none when it leaves the fence alone."""
        seen = [before.fence.phase, *self._seen(after, actions)]
        moved = [late for early, late in pairwise(seen) if late != early]
        starts_again = self.waiting(after) and not self.waiting(before)
        if starts_again and after.fence.phase == before.fence.phase:
            moved.insert(0, after.fence.phase)
        return tuple(moved)

    def _failed(
        self, where: tuple[str, str], through: tuple[str, ...], situation: Situation
    ) -> str | None:
        """The phase in which the call ends when it cannot succeed, if that is another one."""
        spoilt = self.spoils.get(where)
        if spoilt is None:
            return None
        before = reached(self.core, spoilt.before, self.reach[situation.name])
        call = self.call(self.operations[where[1]], situation.id)
        ended = self._seen(self.core.step(before, call).state, spoilt.after)[-1]
        return None if through and ended == through[-1] else ended

    def _seen(self, state: Any, actions: Actions) -> list[str]:
        """The phases from a state on, while the world does something and the rest happens."""
        phases = [state.fence.phase]
        for action in actions:
            state = self.core.step(state, action).state
            phases.append(state.fence.phase)
        while due := [own for own in self.core.own(state) if own.must and own.hidden]:
            state = self.core.step(state, due[0].action).state
            phases.append(state.fence.phase)
        return phases


def reached(core: Any, actions: Iterable[Any], start: Any = None) -> Any:
    """The state after actions, in a process that has just started."""
    state = core.initial() if start is None else start
    for action in actions:
        state = core.step(state, action).state
    return state


def settled(core: Any, state: Any) -> Any:
    """The state after everything that has to come by itself, answers that leave included."""
    while due := [own for own in core.own(state) if own.must]:
        state = core.step(state, due[0].action).state
    return state
