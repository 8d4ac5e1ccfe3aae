"""Participants in a world are asked their own promises, at every step of a walk.

Goal: what a participant does wrong among all others is found by its own promise. Method: each kind
is replaced by one that meddles with its state, or never does what it owes.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import attrs
import pytest

from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.progress import Answer
from fencepost.exploring.world.controllers import cores_of
from fencepost.exploring.world.owing import NEVER_OWED
from fencepost.exploring.world.scope import NETWORK, STORAGE, Left
from fencepost.exploring.world.scopes import WORLD_SCOPES
from fencepost.exploring.world.world import WorldOfControllers
from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.actions import Store
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model.actions import Store as ModelStore
from fencepost_reference.receipts.policy_model.promises import PROMISES as MODELS
from fencepost_reference.receipts.promises import PROMISES as AGENTS
from fencepost_reference.receipts.resources.promises import PROMISES as RESOURCES
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.policy_model.properties import BY_ID as OF_MODELS
from fencepost_spec.receipts.properties import BY_ID as OF_AGENTS
from fencepost_spec.receipts.resources.properties import BY_ID as OF_RESOURCES

pytestmark = pytest.mark.slow

BY_NAME = {scope.name: scope for scope in WORLD_SCOPES}
SERVERS = BY_NAME["world-tiny-strict-servers"]
SHORT = attrs.evolve(SERVERS, left=Left(groups=1, snapshots=1))
"""The same without a crash."""


class Wrong:
    """A core whose states are meddled with, and which never takes some steps that it owes."""

    def __init__(
        self,
        right: Any,
        meddles: Callable[[Any], Any] = lambda state: state,
        never: tuple[type, ...] = (),
    ) -> None:
        self._right, self._meddles, self._never = right, meddles, never

    def initial(self, *names: Any) -> Any:
        """As the right one starts."""
        return self._right.initial(*names)

    def step(self, state: Any, action: Any) -> Step:
        """What the right one does, and then something else."""
        step: Step = self._right.step(state, action)
        return Step(self._meddles(step.state), step.outputs, step.rules)

    def own(self, state: Any) -> tuple[Own, ...]:
        """What the right one may do by itself, less what this one does not see."""
        return tuple(own for own in self._right.own(state) if type(own.action) not in self._never)


def stays_open(state: Any) -> Any:
    """Return a participant that lets work in while it is prepared."""
    if state.fence.phase != "prepared":
        return state
    if hasattr(state, "accepting"):
        return change(state, accepting=True)
    return change(state, admission="accepting")


@cache
def walked_with(kind: str, fault: str) -> Findings:
    """Return what a world shows in which one kind of participant is wrong."""
    cores = cores_of(SHORT.setting)
    right = getattr(cores, kind)
    wrong = {
        "stays open": lambda: Wrong(right, meddles=stays_open),
        "never stores": lambda: Wrong(right, never=(Store, ModelStore)),
    }[fault]()
    changed: dict[str, Any] = {kind: wrong}
    return explore(WorldOfControllers(SHORT, attrs.evolve(cores, **changed)))


@pytest.mark.parametrize(
    ("kind", "promise"), [("agent", "R-INV-22"), ("model", "R-PMI-6"), ("resources", "R-RIN-17")]
)
def test_a_participant_that_stays_open_is_found_by_its_own_promise(kind: str, promise: str) -> None:
    """No promise of the world sees it as soon as its own does."""
    found = walked_with(kind, "stays open")
    broken = {one.property.id: one.broken.actions for one in found.always if one.broken}

    assert promise in broken
    assert broken[promise] == min(broken.values()) <= 3


@pytest.mark.parametrize(
    ("kind", "promise"), [("agent", "R-LIV-3"), ("model", "R-PML-3"), ("resources", "R-RLI-2")]
)
def test_a_participant_that_never_ends_a_commit_is_found_by_its_own_promise(
    kind: str, promise: str
) -> None:
    """Nothing that must never happen happens; what it owes does not come about."""
    found = walked_with(kind, "never stores")

    assert not any(one.broken for one in found.always)
    assert promise in {one.asked.property.id for one in found.eventually if one.lasso}


def test_every_promise_of_a_participant_is_asked_in_a_world() -> None:
    """What cannot come about in a world is named, and nothing else is left out."""
    world = WorldOfControllers(SERVERS)
    always = {one.id for one in world.always}
    owed = {one.property.id for one in world.eventually}
    every = (*OF_AGENTS.values(), *OF_MODELS.values(), *OF_RESOURCES.values())
    eventually = {one.id for one in every if one.kind is Kind.EVENTUALLY}

    assert always >= {*AGENTS, *MODELS, *RESOURCES}
    assert eventually - owed == NEVER_OWED


@pytest.mark.soak
def test_what_participants_owe_comes_about_when_they_take_their_time() -> None:
    """Where nothing is done at once each promise of a participant is owed somewhere, and kept."""
    scope = attrs.evolve(SERVERS, at_once=frozenset({NETWORK}))
    found = explore(WorldOfControllers(scope))
    answers = {one.asked.property.id: one.asked.answer for one in found.eventually}

    assert found.exit_code == 0, list(found.wrong)
    assert STORAGE not in scope.at_once
    assert {name for name, answer in answers.items() if answer is not Answer.HOLDS} == set()
