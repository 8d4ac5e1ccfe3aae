"""What happens around the work: time, faults of the harness, looks at the disk."""

from typing import TYPE_CHECKING

from fencepost.agent import reading
from fencepost.agent.directories import certain
from fencepost.agent.faulting import fault_states, look_text, same_look
from fencepost.mismatch import Mismatch
from fencepost.trace import lines
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.state import Directory, State
from fencepost_spec.receipts.properties import BY_ID

if TYPE_CHECKING:
    from fencepost.agent.frontier import Frontier


def explain_tick(front: "Frontier", state: State, line: lines.Tick) -> list[State | Mismatch]:
    """Time passes; what was due before has to have happened."""
    fence = state.fence
    if line.microseconds and fence.waiting and fence.deadline == 0:
        rule = BY_ID["R-LIV-2"].rule
        came = f"prepare {fence.active} still waits after its deadline"
        return [Mismatch("an answer by the deadline", came, rule, 5, stall=True)]
    return [front.step(state, a.Tick(line.microseconds)).state]


def explain_fault(front: "Frontier", state: State, line: lines.Fault) -> list[State | Mismatch]:
    """The harness breaks something."""
    if line.name == "replace" and line.disk == "empty":
        front.digests.clear()
        front.begins_empty = True
    elif line.name in ("damage", "remove", "copy"):
        front.digests.clear()  # Whoever changes a directory may have changed what was committed.
    return list(fault_states(front.core, state, line))


def explain_disk(front: "Frontier", state: State, line: lines.Disk) -> list[State | Mismatch]:
    """What lies on disk, looked at now."""
    path = str(line.look.get("path", ""))
    return [_looked(front, start, path, line) for start in certain(front.core, state, path)]


def _looked(front: "Frontier", state: State, path: str, line: lines.Disk) -> State | Mismatch:
    seen, known = reading.directory_of(line.look), state.disk.get(path)
    if known is None or known.kind in ("unknown", "other"):
        # A directory that no commit has named may have lain there before the recording began.
        told_of = front.begins_empty or path in front.directories
        if known is None and seen.kind == "committed" and told_of:
            rule = BY_ID["R-INV-18"].rule
            return Mismatch(f"no checkpoint in {path}", "a manifest", rule, 4)
        return _holds(front, state, path, seen)
    if known.kind == "damaged" and seen.kind == "partial":
        return _holds(front, state, path, seen)
    if known.kind == "damaged" or same_look(known, seen, line.look):
        return state
    rule = BY_ID["R-INV-18"].rule
    return Mismatch(look_text(known), look_text(seen), rule, 4)


def _holds(front: "Frontier", state: State, path: str, seen: Directory) -> State:
    after: State = front.step(state, a.SetDirectory(path, seen)).state
    return after
