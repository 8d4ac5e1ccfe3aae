"""Faults that the harness puts in, what lies on disk, and what is outstanding, in words."""

import attrs

from fencepost.agent import reading
from fencepost.trace import lines
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import Directory, State


class Inconclusive(Exception):
    """The trace leaves more possibilities than the budget allows, or does not show enough."""


def look_text(directory: Directory) -> str:
    """What lies in a directory, in words."""
    if directory.kind != "committed":
        return directory.kind
    names = ", ".join(f"{k.capture_key}@{b.index}" for k, b in directory.records)
    return f"committed by {directory.source}: {names or 'no records'}"


def same_look(known: Directory, seen: Directory) -> bool:
    """Whether a look shows what is known to lie there."""
    names = [(key, boundary.index) for key, boundary in known.records]
    shown = [(key, boundary.index) for key, boundary in seen.records]
    return known.kind == seen.kind and known.source == seen.source and names == shown


def fault_states(core: AgentCore, state: State, line: lines.Fault) -> list[State]:
    """The states after a fault of the harness."""
    detail = line.detail
    name = str(detail.get("to") or detail.get("path") or detail.get("dir") or "")
    target = str(detail.get("of", "commit"))
    if line.name == "replace":
        return [core.step(state, a.Replace(line.disk != "empty")).state]
    if line.name == "hold":
        return [core.step(state, a.Hold(target)).state]
    if line.name == "release":
        return [core.step(state, a.Release(target)).state]
    if line.name == "copy":
        return [core.step(state, a.SetDirectory(name, Directory("unknown"))).state]
    if line.name == "remove" and name in state.disk:
        return [core.step(state, a.SetDirectory(name, None)).state]
    if line.name == "remove" and "/" not in name:
        return [state]
    if line.name in ("damage", "remove"):
        return [_damaged(state, name or str(detail.get("checkpoint_dir", "")))]
    if line.name == "fail":
        step = reading.FAILS.get(str(detail.get("step")))
        steps = (step,) if step else ("records", "manifest", "after_manifest")
        return [core.step(state, a.FailStorage(one)).state for one in steps]
    raise Inconclusive(f"line {line.seq}: the fault {line.name!r} is not known for an agent")


def _damaged(state: State, name: str) -> State:
    """The state in which the named directory, or the only one, cannot be read any more."""
    first = name.split("/", 1)[0]
    names = [first] if first in state.disk else list(state.disk)
    disk = state.disk
    for one in names:
        disk = disk.set(one, Directory("damaged"))
    return attrs.evolve(state, disk=disk)
