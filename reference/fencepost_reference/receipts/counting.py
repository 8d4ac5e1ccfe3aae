"""How many keys stand where, what blocks a checkpoint, and what a commit writes."""

from fencepost_reference.receipts.state import FROZEN, MOVING, Boundary, State, View
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.policy import Counts
from fencepost_spec.vocabulary import Key


def counts_of(state: State) -> Counts:
    """The counters of a status; frozen work counts as parked with a boundary."""
    running = with_boundary = without_boundary = completed = retiring = 0
    for execution in state.executions.values():
        status = execution.status
        if status in MOVING:
            running += 1
        elif status == "parked_with_boundary" or status in FROZEN:
            with_boundary += 1
        elif status == "completed_unacknowledged":
            completed += 1
        elif status == "parked_without_boundary":
            without_boundary += 1
        elif status == "retiring":
            retiring += 1
    return Counts(
        running, with_boundary, without_boundary, completed, retiring, len(state.untracked)
    )


def is_ready(spec: AgentSpec, counts: Counts) -> bool:
    """Whether nothing is in the way of a checkpoint."""
    return not any(blocker.count(counts) for blocker in spec.blockers)


def view_of(spec: AgentSpec, state: State) -> View:
    """What a status shows now."""
    return View(
        state.executions,
        state.accepting,
        len(state.history.acknowledged),
        len(state.untracked),
        is_ready(spec, counts_of(state)),
    )


def exported(spec: AgentSpec, state: State) -> tuple[tuple[Key, Boundary], ...]:
    """The records that a commit writes now, sorted by key."""
    sources = {export.name for export in spec.exports}
    records: list[tuple[Key, Boundary]] = []
    for key, execution in state.executions.items():
        if execution.status != "parked_with_boundary" and execution.status not in FROZEN:
            continue
        if execution.boundary is not None:
            if "own_boundary" in sources:
                records.append((key, execution.boundary))
        elif execution.continuation is not None and "continuation" in sources:
            records.append((key, execution.continuation))
    if "pending" in sources:
        records.extend(state.pending.items())
    return tuple(sorted(records, key=lambda record: record[0]))
