"""What lies in directories: after a look, while a commit runs, and after a crash cut one off."""

import attrs

from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import exported
from fencepost_reference.receipts.state import Boundary, Directory, State
from fencepost_spec.vocabulary import Key

LOOKED = "look:"


def crashed(state: State) -> State:
    """The state just before a crash; whether a running commit was published is left open."""
    storing = state.fence.storing
    if storing is None or storing.op != "commit" or storing.stage == "published":
        return state
    here = state.disk.get(storing.directory)
    if here is not None and here.kind != "partial":
        return state
    left = Directory("uncertain", storing.source, state.instance, storing.records)
    if "commit" in state.holds:
        left = Directory("partial")
    return attrs.evolve(state, disk=state.disk.set(storing.directory, left))


def without_covered(states: list[State]) -> list[State]:
    """The states without those that another one covers: what it holds open they have decided.

    Where a crash has cut off a commit, its directory may hold nothing, or the whole checkpoint. A
    state in which it holds one of the two explains nothing that the open one does not.
    """
    alike: dict[State, list[State]] = {}
    for state in states:
        alike.setdefault(attrs.evolve(state, disk=State().disk), []).append(state)
    return [
        state
        for state in states
        if not any(
            _covers(other, state)
            for other in alike[attrs.evolve(state, disk=State().disk)]
            if other is not state
        )
    ]


def _covers(open_one: State, state: State) -> bool:
    """Whether the two differ, and only in directories that the first holds open."""
    names = {*open_one.disk, *state.disk}
    return open_one.disk != state.disk and all(
        _may_be(open_one.disk.get(name), state.disk.get(name)) for name in names
    )


def _may_be(here: Directory | None, found: Directory | None) -> bool:
    """Whether a directory may turn out to be what another is."""
    if here == found:
        return True
    if here is None or here.kind != "uncertain":
        return False
    if found is None or found.kind == "partial":
        return True
    return found == attrs.evolve(here, kind="committed")


def certain(core: AgentCore, state: State, directory: str | None, op: str = "") -> list[State]:
    """The states in which it is known what an operation meets in a directory."""
    here = state.disk.get(directory or "")
    if directory is None or here is None:
        return [state]
    if here.kind == "uncertain":
        known = (Directory("partial"), attrs.evolve(here, kind="committed"))
        return [lies(state, directory, one) for one in known]
    looked_at = any(only_looked_at(boundary) for _, boundary in here.records)
    if op == "commit" and here.kind == "committed" and looked_at:
        # A look does not show whole records: they may be the very ones that are written now.
        written = exported(core.spec, state)
        if [_name(record) for record in written] == [_name(record) for record in here.records]:
            same = attrs.evolve(here, instance=state.instance, records=written)
            return [state, lies(state, directory, same)]
    return [state]


def lies(state: State, directory: str, content: Directory) -> State:
    """The state in which something else lies in a directory."""
    return attrs.evolve(state, disk=state.disk.set(directory, content))


def _name(record: tuple[Key, Boundary]) -> tuple[Key, int, str | None]:
    return record[0], record[1].index, record[1].call_id


def only_looked_at(boundary: Boundary) -> bool:
    """Whether a look has shown the record, so that not all of it is known."""
    return boundary.digest.startswith(LOOKED)


def without_record(state: State, key: Key) -> State | None:
    """The state in which a commit that runs leaves out a key that has ended meanwhile."""
    storing = state.fence.storing
    if storing is None or storing.op != "commit" or storing.stage == "published":
        return None
    if key in state.executions or all(key != one for one, _ in storing.records):
        return None
    left = tuple(record for record in storing.records if record[0] != key)
    fence = attrs.evolve(state.fence, storing=attrs.evolve(storing, records=left))
    return attrs.evolve(state, fence=fence)
