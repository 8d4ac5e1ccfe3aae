"""What is known about a resources server when a control call arrives."""

import attrs

from fencepost_reference.receipts.actions import Request
from fencepost_reference.receipts.resources.state import Fence, State
from fencepost_reference.receipts.state import Recorded
from fencepost_spec.operation import Operation
from fencepost_spec.receipts.resources.operations import ResourcesControlFacts
from fencepost_spec.receipts.resources.server import ResourcesSpec


def was_served(state: State) -> bool:
    """Whether this process holds what a restore would overwrite."""
    return state.served or bool(state.sessions)


def control_facts(
    spec: ResourcesSpec, state: State, operation: Operation, request: Request
) -> ResourcesControlFacts:
    """What the checks of a ladder may ask."""
    front = ResourcesControlFacts(
        authorised=request.authorised,
        well_formed=request.well_formed,
        served=was_served(state),
        restore_awaited=state.restore_awaited,
    )
    if not operation.fenced:
        return front
    fence, name, wanted = state.fence, operation.name, request.checkpoint_id
    mine = fence.active == wanted
    recorded = recorded_of(fence, name) if mine else None
    running = _under_way(fence, name) if mine else None
    finished = state.history.finished.get(wanted or "")
    return attrs.evolve(
        front,
        finished=finished is not None,
        finished_by_this=finished is not None and finished[0] == name,
        recorded=recorded is not None,
        recorded_elsewhere=recorded is not None and recorded.directory != request.directory,
        under_way=running is not None,
        under_way_elsewhere=running is not None and running != request.directory,
        other_active=fence.active is not None and fence.active != wanted,
        phase_allows=_phase_allows(spec, fence, operation),
    )


def recorded_of(fence: Fence, op: str) -> Recorded | None:
    """The answer of an operation of the open checkpoint that is kept, if any."""
    return next((kept for kept in fence.recorded if kept.op == op), None)


def _under_way(fence: Fence, name: str) -> str | None:
    """The directory for which the operation runs; empty for a prepare, None when it does not."""
    if name == "prepare":
        return "" if fence.waiting else None
    storing = fence.storing
    return storing.directory if storing is not None and storing.op == name else None


def _phase_allows(spec: ResourcesSpec, fence: Fence, operation: Operation) -> bool:
    if operation.event is not None:
        return bool(spec.fence.candidates(fence.phase, operation.event))
    return operation.phases is None or fence.phase in operation.phases
