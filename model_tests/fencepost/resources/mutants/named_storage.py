"""The numbered bugs of commits and restores, each as one small fault of a storage step."""

import attrs

from fencepost_reference.model import Step
from fencepost_reference.receipts.actions import Store
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources.changes import with_session
from fencepost_reference.receipts.resources.server import Transition
from fencepost_reference.receipts.resources.state import Directory, Session, State
from fencepost_spec.receipts.resources.server import ResourcesSpec


def commit_writes_again(r: Transition, s: ResourcesSpec, state: State, act: Store) -> Step:
    """A commit does not look at what lies in its directory."""
    storing = state.fence.storing
    if storing is not None and storing.op == "commit" and storing.stage == "started":
        here = state.disk.get(storing.directory)
        agents = None if here is None else here.agents
        disk = state.disk.set(storing.directory, Directory("partial", agents=agents))
        state = change(state, disk=disk)
    return r(s, state, act)


def refused_restore_closes(r: Transition, s: ResourcesSpec, state: State, act: Store) -> Step:
    """A restore that was refused leaves admission closed at rest."""
    step = r(s, state, act)
    refused = state.fence.phase == "restoring" and step.state.fence.phase == "idle"
    return attrs.evolve(step, state=change(step.state, accepting=False)) if refused else step


def installs_before_the_hook(r: Transition, s: ResourcesSpec, state: State, act: Store) -> Step:
    """The sessions are installed before the environment has taken them."""
    step = r(s, state, act)
    storing = state.fence.storing
    refused = state.fence.phase == "restoring" and step.state.fence.phase == "idle"
    if storing is None or not refused or "install" not in state.failing or storing.refusal:
        return step
    left = step.state
    for key, snapshot in storing.records:
        session = Session("restored", snapshot.revision, snapshot.receipts)
        left = with_session(left, key.next(), session)
    return attrs.evolve(step, state=left)


def never_compares_agents(r: Transition, s: ResourcesSpec, state: State, act: Store) -> Step:
    """A restore does not look at the records of the agents."""
    storing = state.fence.storing
    if storing is None or storing.op != "restore":
        return r(s, state, act)
    here = state.disk.get(storing.directory)
    if here is None:
        return r(s, state, act)
    blind = state.disk.set(storing.directory, attrs.evolve(here, agents=None))
    step = r(s, change(state, disk=blind), act)
    return attrs.evolve(step, state=change(step.state, disk=state.disk))


def finds_no_agents(r: Transition, s: ResourcesSpec, state: State, act: Store) -> Step:
    """A restore that looks where no agent record can be finds none, and all sessions differ."""
    storing = state.fence.storing
    if storing is None or storing.op != "restore":
        return r(s, state, act)
    here = state.disk.get(storing.directory)
    if here is None or here.agents is None:
        return r(s, state, act)
    blind = state.disk.set(storing.directory, attrs.evolve(here, agents=()))
    step = r(s, change(state, disk=blind), act)
    return attrs.evolve(step, state=change(step.state, disk=state.disk))
