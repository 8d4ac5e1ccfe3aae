"""Each promise of a world is broken by a step that breaks it, and kept by the step beside it.

The steps are made up: no controller takes them, which is why it needs somebody who would see them.
"""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from immutables import Map

from fencepost.exploring.world.controllers import cores_of
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.actions import (
    Request,
    Sent,
    Snapshot,
    Storing,
    Submit,
    Training,
)
from fencepost_reference.receipts.controller.core import ControllerCore
from fencepost_reference.receipts.controller.said import AGENT, Committed, Place
from fencepost_reference.receipts.controller.state import Round
from fencepost_reference.receipts.state import Directory, Execution
from fencepost_reference.world import World
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.ghost import Ghost, remembered
from fencepost_reference.worlds.promises import PROMISES, broken
from fencepost_reference.worlds.refereeing import watch_of
from fencepost_reference.worlds.setting import Setting
from fencepost_reference.worlds.state import Published, State, Writing
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.world import PROPERTIES
from fencepost_spec.vocabulary import Key

SETTING = Setting(keep=2)
PLACE = Place(AGENT, "a1")
KEY, OTHER = Key("g_g0", 0), Key("g_g1", 0)
ROWS = ((KEY, "f" * 64), (OTHER, "f" * 64))
EMPTY_LEDGER = (
    '{"batch_shortfall":{},"groups":[],"pending_completed_execution_acknowledgements":[],'
    '"sampler_stamps_target_steps":false,"schema_version":3}'
)
SNAPSHOT = Snapshot(1, "c1", 0, 0, EMPTY_LEDGER, ((PLACE, Committed("a1 c1")),))
WRITTEN = Ghost(written=("sidecars", "manifest"))
FINISHED = Ghost(siblings=Map({"g": 2}), finished=frozenset({KEY, OTHER}))

Made = tuple[State, Any, Step, Ghost]


def world() -> State:
    """Return a world in which nothing has happened, but that c1 was committed."""
    state = World(SETTING, cores_of(SETTING)).initial()
    return with_agent(state, disk=Map({"c1": Directory("committed", "c1", "a1")}))


def with_agent(state: State, **changes: Any) -> State:
    """Return a world in which the agent stands otherwise."""
    return change(state, participants=(change(state.participants[0], **changes),))


def handed(rows: tuple[tuple[Key, str], ...], ghost: Ghost = FINISHED, **more: Any) -> Made:
    """Return the step that hands a group to the finalizer."""
    state = change(world(), **more)
    return state, a.Decide(None), Step(state, (Training("g", rows),)), ghost


def published(
    snapshot: Snapshot = SNAPSHOT, ghost: Ghost = WRITTEN, before: State | None = None
) -> Made:
    """Return the step that publishes a snapshot."""
    state = change(before or world(), writing=Writing(Storing("rename", snapshot)))
    after = change(state, disk=(*state.disk, Published(snapshot)))
    return state, a.Write(True), Step(after), ghost


def opened(active: str | None) -> Made:
    """Return the step that opens the gate while the agent is held, or is not."""
    state = world()
    fence = change(state.participants[0].fence, active=active)
    current = Round(1, True, "releasing", "published", 0)
    shut = change(state.controller, fence="frozen", round=current, number=2)
    before = with_agent(change(state, controller=shut), fence=fence)
    after = change(before, controller=change(shut, fence="unfrozen", round=None))
    return before, a.Decide(None), Step(after), Ghost()


def begun(key: Key, ghost: Ghost, **executions: Execution) -> Made:
    """Return the step in which the work of an attempt begins beside others."""
    live = {KEY if name == "first" else OTHER: one for name, one in executions.items()}
    state = with_agent(world(), executions=Map(live))
    return state, a.Act(PLACE, None), Step(state, (agent.Began(key, 1, None, None),)), ghost


def removed() -> Made:
    """Return the step in which what a published snapshot needs is gone."""
    before = change(world(), disk=(Published(SNAPSHOT),))
    return before, a.Act(PLACE, None), Step(with_agent(before, disk=Map())), Ghost()


def called(op: str) -> Made:
    """Return the step in which the controller makes a call out of nowhere, while one watches."""
    state = world()
    sent = Sent("x", PLACE, op, Request("c1", "c1"))
    ghost = Ghost(watch=watch_of(SETTING.places))
    return state, a.Decide(None), Step(state, (sent,)), ghost


def dispatched(*, known: bool) -> Made:
    """Return a step after which the controller does, or does not, know what it has dispatched."""
    core = ControllerCore()
    owns = core.step(core.initial(), Submit("g", 1, "sibling", "a1")).state
    sent = core.step(owns, core.own(owns)[0].action).state
    after = sent if known else change(sent, works=Map())
    before = change(world(), controller=owns)
    return before, a.Decide(None), Step(change(before, controller=after)), Ghost()


OWING = attrs.evolve(
    SNAPSHOT, ledger=EMPTY_LEDGER.replace('acknowledgements":[]', 'acknowledgements":[1]')
)
UNREADABLE = attrs.evolve(SNAPSHOT, ledger=EMPTY_LEDGER.replace('"groups":[]', '"groups":[1]'))
ELSEWHERE = attrs.evolve(SNAPSHOT, checkpoint_id="c2")
KEEPING = with_agent(world(), executions=Map({KEY: Execution("completed_unacknowledged", None)}))
OLDER = Execution("running", None, begun=True)

BROKEN: tuple[tuple[str, str, Callable[[], Made]], ...] = (
    ("R-WLD-1", "a row is missing", lambda: handed(ROWS[:1])),
    ("R-WLD-1", "a sibling has two rows", lambda: handed((ROWS[0], ROWS[0]))),
    ("R-WLD-2", "a trained group is handed over", lambda: handed(ROWS, trained=Map({"g": 1}))),
    (
        "R-WLD-2",
        "a group is handed over twice",
        lambda: handed(ROWS, training=(("g", frozenset(ROWS)),)),
    ),
    (
        "R-WLD-3",
        "a sibling has not finished",
        lambda: handed(ROWS, attrs.evolve(FINISHED, finished=frozenset({KEY}))),
    ),
    ("R-WLD-4", "an acknowledgement is owed", lambda: published(OWING)),
    ("R-WLD-4", "an agent keeps a result", lambda: published(before=KEEPING)),
    ("R-WLD-5", "no manifest is written", lambda: published(ghost=Ghost(written=("sidecars",)))),
    ("R-WLD-5", "a participant wrote nothing for it", lambda: published(ELSEWHERE)),
    ("R-WLD-6", "the ledger cannot be read", lambda: published(UNREADABLE)),
    ("R-WLD-7", "a participant's part is gone", removed),
    ("R-WLD-8", "the agent is still held", lambda: opened("c1")),
    ("R-WLD-9", "an attempt begins again", lambda: begun(KEY, Ghost(begun=frozenset({KEY})))),
    ("R-WLD-10", "an older attempt is live", lambda: begun(Key("g_g0", 1), Ghost(), first=OLDER)),
    ("R-WLD-11", "a commit without a prepare", lambda: called("commit")),
    ("R-WLD-12", "what was dispatched is forgotten", lambda: dispatched(known=False)),
)

KEPT: tuple[tuple[str, Callable[[], Made]], ...] = (
    ("a group is handed over once", lambda: handed(ROWS)),
    ("a whole snapshot is published", published),
    ("the gate opens when nobody is held", lambda: opened(None)),
    ("the gate opens while another checkpoint holds the agent", lambda: opened("c9")),
    ("an attempt begins beside another rollout's", lambda: begun(KEY, Ghost(), second=OLDER)),
    ("a participant is asked to prepare", lambda: called("prepare")),
    ("an attempt is dispatched", lambda: dispatched(known=True)),
)


def lost(made: Made) -> list[str]:
    """Return the promises that a step breaks."""
    return [one.id for one in broken(SETTING.places, *made)]


@pytest.mark.parametrize(
    ("promise", "made"),
    [(promise, made) for promise, _, made in BROKEN],
    ids=[says for _, says, _ in BROKEN],
)
def test_a_step_that_breaks_a_promise_is_seen(promise: str, made: Callable[[], Made]) -> None:
    """The promise that it breaks is named among those that are broken."""
    assert promise in lost(made())


@pytest.mark.parametrize("made", [made for _, made in KEPT], ids=[says for says, _ in KEPT])
def test_the_step_beside_it_breaks_none(made: Callable[[], Made]) -> None:
    """Nobody cries wolf."""
    assert lost(made()) == []


def test_every_promise_has_a_step_that_breaks_it() -> None:
    """No promise stands there that nothing can break."""
    always = {one.id for one in PROPERTIES if one.kind is Kind.ALWAYS}

    assert {promise for promise, _, _ in BROKEN} == set(PROMISES) == always


def test_what_is_remembered_follows_what_happens() -> None:
    """Groups that are handed over, attempts that begin, and a new controller that knows of none."""
    state, places = world(), SETTING.places
    ghost = remembered(places, Ghost(), state, a.Give(Submit("g", 2, "sibling", "a1")), Step(state))
    began = Step(state, (agent.Began(KEY, 1, None, None),))
    ghost = remembered(places, ghost, state, a.Act(PLACE, None), began)

    assert ghost.siblings == Map({"g": 2})
    assert ghost.begun == frozenset({KEY})
    assert remembered(places, ghost, state, a.Start(), Step(state)).begun == frozenset()
