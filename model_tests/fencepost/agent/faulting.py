"""Faults that the harness puts in, what lies on disk, and what is outstanding, in words."""

from typing import Any

import attrs

from fencepost.agent import reading
from fencepost.agent.directories import certain, only_looked_at
from fencepost.faults import wrong_line
from fencepost.mismatch import Inconclusive
from fencepost.trace import lines
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import Boundary, Directory, State
from fencepost_spec.vocabulary import Key


def look_text(directory: Directory) -> str:
    """What lies in a directory, in words."""
    if directory.kind != "committed":
        return directory.kind
    names = ", ".join(f"{k.capture_key}@{b.index}" for k, b in directory.records)
    return f"committed by {directory.source}: {names or 'no records'}"


def same_look(known: Directory, seen: Directory, look: dict[str, Any]) -> bool:
    """Whether a look shows what is known to lie there; `look` is the same as the line has it."""
    if known.kind != "committed" or seen.kind != "committed":
        return known.kind == seen.kind
    names = [(key, boundary.index, boundary.call_id) for key, boundary in known.records]
    shown = [(key, boundary.index, boundary.call_id) for key, boundary in seen.records]
    same_owner = known.source == seen.source and known.instance == seen.instance
    if not same_owner or names != shown:
        return False
    entries = {Key(one["rollout_id"], one["attempt_index"]): one for one in look["records"]}
    return all(_tells_the_same(boundary, entries[key]) for key, boundary in known.records)


def _tells_the_same(boundary: Boundary, entry: dict[str, Any]) -> bool:
    """Whether what a look tells of a record beside its place is so, as far as it is known."""
    if only_looked_at(boundary):
        return True
    real = {
        "last_committed_model_capture_key": boundary.capture_key,
        "turn_index": boundary.turn_index,
        "boundary_kind": boundary.kind,
        "resource_state_revisions": dict(boundary.revisions),
    }
    return all(entry[name] == value for name, value in real.items() if name in entry)


def fault_states(core: AgentCore, state: State, line: lines.Fault) -> list[State]:
    """The states after a fault of the harness."""
    detail = line.detail
    of = detail.get("of")
    target = str(of or "commit")
    if line.name == "replace":
        return [core.step(state, a.Replace(line.disk != "empty")).state]
    if line.name in ("hold", "release") and target not in ("commit", "restore"):
        known = "commit, restore"
        raise wrong_line(line.seq, f"nothing of an agent is held for {target!r}", known)
    if line.name == "hold":
        return [core.step(state, a.Hold(target)).state]
    if line.name == "release":
        return [core.step(state, a.Release(target)).state]
    if line.name == "copy":
        source = str(detail.get("from"))
        return [_copied(core, one, source, line) for one in certain(core, state, source)]
    if line.name in ("damage", "remove"):
        return _spoiled(core, state, line)
    if line.name == "fail":
        step = detail.get("step")
        try:
            steps = reading.failing_steps(
                None if step is None else str(step), None if of is None else str(of)
            )
        except KeyError:
            known = "records, manifest, after_manifest, read, admission, or none"
            raise wrong_line(line.seq, f"no step is called {step!r}", known) from None
        return [core.step(state, a.FailStorage(one)).state for one in steps]
    raise Inconclusive(f"line {line.seq}: the fault {line.name!r} is not known for an agent")


def _copied(core: AgentCore, state: State, source: str, line: lines.Fault) -> State:
    """The state after a directory was copied; nothing is known of one that no line tells of."""
    content = state.disk.get(source) or Directory("unknown")
    after: State = core.step(state, a.SetDirectory(str(line.detail.get("to")), content)).state
    return after


def _spoiled(core: AgentCore, state: State, line: lines.Fault) -> list[State]:
    """The states after a file, or a whole directory, was damaged or removed.

    A recording may name a file inside the participant's directory and leave open whose.
    """
    detail = line.detail
    named = next((str(detail[name]) for name in _PLACES if detail.get(name)), "")
    place, _, rest = named.partition("/")
    file = str(detail.get("file") or (named if place == FOLDER else rest))
    if place in state.disk:
        places = [place]
    elif place in ("", FOLDER):
        places = list(state.disk)  # One of them, and the recording leaves open which.
    else:
        return [state]  # Nothing is known of that directory, and nothing else is touched.
    spoiled = [
        _spoil(known, one, line.name, file) for one in places for known in certain(core, state, one)
    ]
    return spoiled or [state]


FOLDER = "agent"
"""Where an agent keeps its part of a checkpoint directory."""
_PLACES = ("to", "path", "dir", "directory", "checkpoint_dir")


def _spoil(state: State, place: str, how: str, file: str) -> State:
    """The state in which one directory was spoiled."""
    here = state.disk[place]
    if how == "remove" and not file:
        return attrs.evolve(state, disk=state.disk.delete(place))
    if here.kind == "partial":
        return state
    left = Directory("damaged")
    if how == "remove" and file.rsplit("/", 1)[-1] == "manifest.json":
        left = Directory("partial")
    return attrs.evolve(state, disk=state.disk.set(place, left))
