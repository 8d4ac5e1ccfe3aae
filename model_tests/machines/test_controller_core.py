"""A controller's core against an environment that loses anything: promises, and a wind-down."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fencepost.controlling.play import FLEET, Play
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.book import Book
from fencepost_reference.receipts.controller.core import ControllerCore
from fencepost_reference.receipts.controller.outbox import outbox
from fencepost_spec.receipts.controller.spec import CONTROLLER

BOOK = Book()
GROUPS_MAX = 4
pytestmark = pytest.mark.slow


class Controllers(RuleBasedStateMachine):
    """Whatever may happen to a controller happens, in any order."""

    @initialize()
    def starts(self) -> None:
        """A deployment starts, from nothing."""
        self.play = Play(core=ControllerCore(CONTROLLER, FLEET, BOOK))
        self.submitted = 0
        self.stale: set[str] = set()
        self.handed: list[a.Submit] = []

    @precondition(lambda self: self.submitted < GROUPS_MAX)
    @rule(
        siblings=st.integers(1, 2),
        granularity=st.sampled_from(["sibling", "prompt_group"]),
        agent=st.sampled_from(["a1", "a2"]),
        admitted=st.booleans(),
    )
    def submit(self, siblings: int, granularity: str, agent: str, admitted: bool) -> None:
        """A group is handed over, admitted or only reserved."""
        self.submitted += 1
        group = a.Submit(f"g{self.submitted}", siblings, granularity, agent, None, admitted)
        self.handed.append(group)
        self.play.do(group)

    @rule(data=st.data(), steps=st.integers(1, 6))
    def goes_on(self, data: st.DataObject, steps: int) -> None:
        """The controller does what it may do, calls are heard, answers told, in any order."""
        play = self.play
        for _ in range(steps):
            own = [one.action for one in play.core.own(play.state)]
            moves: list[Any] = [*sorted(play.going), *sorted(play.coming), *own]
            if not moves:
                return
            move = data.draw(st.sampled_from(moves))
            if move in play.going:
                play.arrive(move)
            elif move in play.coming:
                play.tell(move)
            else:
                play.do(move)

    @rule(data=st.data())
    def loses(self, data: st.DataObject) -> None:
        """A request, an answer or the connection of a run is lost."""
        if self.play.state.calls:
            self.play.lose(data.draw(st.sampled_from(sorted(self.play.state.calls))))

    @rule(data=st.data(), well=st.booleans())
    def ends(self, data: st.DataObject, well: bool) -> None:
        """Work ends that no checkpoint holds."""
        free = [key for key in self.play.live() if self.play.running(key).phase != "prepared"]
        free = [key for key in free if self.play.running(key).phase != "committed_paused"]
        if free:
            key = data.draw(st.sampled_from(free))
            if well:
                self.play.finish(key)
            else:
                self.play.fail(key)

    @rule(data=st.data())
    def decides(self, data: st.DataObject) -> None:
        """Time, the trainer, the sampler."""
        play = self.play
        moves: list[object] = [a.SnapshotDue(), a.TrainerStepped()]
        groups = play.groups()
        moves += [a.Admit(one.group_id) for one in groups if one.phase == "reserved"]
        moves += [a.GoneStale(one.group_id) for one in groups]
        moves += [a.Trained(g.group_id, "committed") for g in groups if g.status == "finalizing"]
        waits = play.state.round
        if waits is not None and waits.publication == "gated":
            moves.append(a.DeadlinePassed())
        move = data.draw(st.sampled_from(moves))
        if isinstance(move, a.GoneStale):
            status = play.state.ledger.groups[move.group_id].status
            if status != "finalizing":
                self.stale.add(move.group_id)
        play.do(move)

    @precondition(lambda self: self.play.writing is not None)
    @rule(ok=st.booleans())
    def writes(self, ok: bool) -> None:
        """The disk does its step, or fails."""
        self.play.write(ok)

    @rule(drains=st.integers(1, 2))
    def drains(self, drains: int) -> None:
        """The model has calls in flight."""
        for place, deputy in self.play.deputies.items():
            if place.kind == "model":
                deputy.draining = drains

    @rule(which=st.sampled_from(["a1", "a2", "m1", "shop"]))
    def is_replaced(self, which: str) -> None:
        """A participant is replaced, and whoever waits for it hears nothing any more."""
        (place,) = [place for place in self.play.deputies if place.instance == which]
        self.play.replace(place)

    @rule()
    def crashes(self) -> None:
        """The whole deployment is gone and starts again; groups since then are handed over anew."""
        self.play.crash()
        for group in self.handed:
            if group.group_id not in self.stale:
                self.play.do(group)

    @invariant()
    def gate_is_closed_exactly_while_a_checkpoint_is_open(self) -> None:
        """No checkpoint, no closed gate; and the other way round."""
        state = self.play.state
        assert state.gate == (state.round is None)

    @invariant()
    def attempts_have_an_end_in_sight(self) -> None:
        """What is dispatched is known, so that it will be sealed, adopted or released."""
        for group in self.play.groups():
            for key, attempt in zip(group.executions(), group.current, strict=True):
                if attempt.status == "dispatched":
                    assert key in self.play.state.works, key

    def teardown(self) -> None:
        """Once nothing is lost any more, all work ends, and a snapshot is made and read."""
        if not hasattr(self, "play"):
            return
        self._ends_well()
        self.play.crash()
        self._ends_well()

    def _ends_well(self) -> None:
        self._wind_down()
        assert self.play.snapshot(), self.play.ended[-1:]
        # A process that took another's place may keep what nobody knows of, until a prepare.
        kept = [key for one in self.play.deputies.values() for key in one.kept]
        assert kept == []

    def _wind_down(self) -> None:
        play = self.play
        if play.state.halted:
            play.crash()
            for group in self.handed:
                if group.group_id not in self.stale:
                    play.do(group)
        play.wind_down()
        state = play.state
        assert not state.halted
        assert state.gate
        assert not state.ledger.groups
        assert not outbox(state)
        assert not state.works
        done = sorted(one.group_id for one in play.trained)
        for group in self.handed:
            times = done.count(group.group_id)
            assert times == 1 or (times == 0 and group.group_id in self.stale), group.group_id


Controllers.TestCase.settings = settings(
    max_examples=settings().max_examples,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestControllers = pytest.mark.machine(Controllers.TestCase)
