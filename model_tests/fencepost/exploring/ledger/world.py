"""A ledger and its controller as a small world: one core, one scope."""

from collections.abc import Iterable, Iterator
from typing import Any

from fencepost.exploring.core_world import CoreWorld, Doing, Here
from fencepost.exploring.ledger.around import READ, UP, Around, here_of, kept, numbered, parts_of
from fencepost.exploring.ledger.calls import LOADS, SAVES, Files
from fencepost.exploring.ledger.doings import doings
from fencepost.exploring.ledger.forgetting import forgotten
from fencepost.exploring.ledger.marks import marks_of
from fencepost.exploring.ledger.owing import promises
from fencepost.exploring.ledger.scope import LedgerScope
from fencepost.exploring.ledger.stories import stories
from fencepost.exploring.ledger.symmetry import exchanges, renamed_part
from fencepost.exploring.small_world import Deed, Names, Parts
from fencepost.ledger.wording import state_text
from fencepost_reference.model import Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.promises import (
    broken_by_step,
    broken_in_state,
    broken_round_trip,
)
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.operation import Kind, Property
from fencepost_spec.receipts.ledger.properties import PROPERTIES

_SAVING = frozenset(call.op for call in SAVES.values())
_LOADING = frozenset(LOADS.values())


class LedgerWorld(CoreWorld):
    """A core in a scope."""

    always = tuple(one for one in PROPERTIES if one.kind is Kind.ALWAYS)
    promises_ask = True

    def __init__(self, scope: LedgerScope, core: LedgerCore | None = None) -> None:
        core = core or LedgerCore()
        super().__init__(scope, core)
        self.scope = scope
        self.permutations = exchanges(scope)
        self.eventually = promises()
        self.sometimes = stories(scope)
        self._files = Files(scope, core)
        # What a ledger breaks as it stands, asked once of each.
        self._standing: dict[State, tuple[Property, ...]] = {}

    def beginning(self) -> Here:
        """An empty ledger, and nothing on disk."""
        left = (self.scope.crashes, self.scope.faults)
        return Here(self.core.initial(), Around(left=left), None)

    def parts_of(self, here: Here) -> Parts:
        """A state as the parts that a walk keeps."""
        return parts_of(here)

    def here_of(self, parts: Parts) -> Here:
        """The state that the parts were taken from."""
        return here_of(parts)

    def doings(self, here: Here) -> Iterator[Doing]:
        """Everything that the controller may do now."""
        return doings(self.scope, self._files, here.state, here.around)

    def broken(self, here: Here, action: Any, step: Step) -> Iterable[Property]:
        """Every `always` that a step breaks, or that the ledger breaks as it stands after it."""
        found = dict.fromkeys(one for one, _ in broken_by_step(here.state, action, step))
        if step.state is not here.state:
            found |= dict.fromkeys(self._broken_standing(step.state))
        return tuple(found)

    def _broken_standing(self, state: State) -> tuple[Property, ...]:
        known = self._standing.get(state)
        if known is None:
            found = [one for one, _ in broken_in_state(state)]
            # What stands wrong is read back as little as it should be.
            found = found or [one for one, _ in broken_round_trip(self.core, state)]
            known = self._standing[state] = tuple(found)
        return known

    def marks(self, here: Here, action: Any, step: Step) -> Iterable[str]:
        """What a step shows to those who look for a `sometimes`."""
        return marks_of(here.state, here.around, action, step)

    def after_step(self, here: Here, action: Any, step: Step) -> Here:
        """The ledger, its controller and the file after a step."""
        around: Around = here.around
        state = numbered(step.state)
        if isinstance(action, Call) and step.outputs[0].ok:
            around = _answered(here.state, state, around, action.op)
        return Here(state, kept(state, around), None)

    def forgotten(self, parts: Parts) -> Iterator[tuple[Deed, Parts]]:
        """Every way to give back an attempt that nothing mentions any more."""
        return forgotten(self.scope, parts)

    def renamed(self, value: Any, names: Names) -> Any:
        """A part, or a text, in which names are exchanged."""
        return renamed_part(value, names)

    def show(self, parts: Parts) -> str:
        """A state, in one line."""
        here = self.here_of(parts)
        around: Around = here.around
        shown = state_text(here.state) if here.state.groups or here.state.owed else "empty"
        disk = "" if around.disk is None else f" · on disk {state_text(around.disk)}"
        return f"{around.stage} · {shown}{disk}"


def _answered(before: State, after: State, around: Around, op: str) -> Around:
    """What is around once an operation was accepted."""
    if op in _SAVING:
        return change(around, disk=numbered(before))
    if op in _LOADING:
        return change(around, stage=READ)
    if op == "prepare_for_restart":
        return change(around, stage=UP)
    if op == "mark_completed_executions_acknowledged":
        return _over(around, set(before.owed) - set(after.owed))
    if op == "discard_pending_acknowledgements":
        return _over(around, around.finished.keys())
    return around


def _over(around: Around, keys: Iterable[Any]) -> Around:
    """Nobody waits for the acknowledgement of these executions any more."""
    finished = around.finished
    for key in keys:
        if key in finished and not finished[key].over:
            finished = finished.set(key, type(finished[key])(finished[key].agent, True))
    return change(around, finished=finished)
