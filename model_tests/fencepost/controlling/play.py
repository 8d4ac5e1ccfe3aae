"""A play: one controller, its deputies, a network that a test may break, and a memory of it all."""

import json
from collections.abc import Callable
from typing import Any

from fencepost.controlling.deputy import Deputy, receipt_for
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.core import ControllerCore
from fencepost_reference.receipts.controller.said import Answer, Finished, Place
from fencepost_reference.receipts.controller.state import Fleet, Participant, State
from fencepost_reference.receipts.ledger.promises import broken_in_state
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

FLEET = Fleet(
    (
        Participant(Place("agent", "a1")),
        Participant(Place("agent", "a2")),
        Participant(Place("model", "m1")),
        Participant(Place("resources", "shop")),
    )
)
STEPS_MAX = 2_000


class Play:
    """Everything that a controller meets, step by step. It fails on the first broken promise."""

    def __init__(
        self,
        spec: ControllerSpec = CONTROLLER,
        fleet: Fleet = FLEET,
        core: ControllerCore | None = None,
    ) -> None:
        self.core = core or ControllerCore(spec, fleet)
        self.state: State = self.core.initial()
        self.deputies = {one.place: Deputy(one.place) for one in self.core.fleet.participants}
        # Calls under way: those that were not heard yet, and answers that were not told yet.
        self.going: dict[str, a.Sent] = {}
        self.coming: dict[str, Answer] = {}
        self.broken: set[str] = set()
        # Answers that are held back, and whether a broken promise ends the play.
        self.parked: dict[str, Answer] = {}
        self.checked = True
        self.writing: a.Storing | None = None
        self.disk: list[a.Snapshot] = []
        self.trained: list[a.Training] = []
        self.ended: list[a.SnapshotEnded] = []
        self.rules: list[Rule] = []
        self.log: list[str] = []

    # What a test does.

    def do(self, action: Any) -> None:
        """One action of the controller, and what it leads to."""
        step = self.core.step(self.state, action)
        before, self.state = self.state, step.state
        self.rules += step.rules
        for output in step.outputs:
            self._seen(output)
        if self.checked:
            self._check(before)

    def submit(
        self, group_id: str, siblings: int = 1, granularity: str = "sibling", **more: Any
    ) -> None:
        """A group is handed over."""
        self.do(a.Submit(group_id, siblings, granularity, more.pop("agent", "a1"), **more))

    def settle(self, until: Callable[["Play"], bool] | None = None) -> None:
        """All do what they owe, and nothing is lost, until everybody is at rest or `until`."""
        for _ in range(STEPS_MAX):
            if until is not None and until(self):
                return
            if not self.one():
                return
        raise AssertionError(f"no rest after {STEPS_MAX} steps: {self.log[-6:]}")

    def one(self) -> bool:
        """The next thing that somebody owes is done; False when nobody owes any."""
        for call in sorted(self.going):
            self.arrive(call)
            return True
        for call in sorted(self.coming):
            self.tell(call)
            return True
        if self.writing is not None:
            self.write()
            return True
        own = self.core.own(self.state)
        if own:
            self.do(own[0].action)
        return bool(own)

    def arrive(self, call: str) -> None:
        """A call is heard, and answered where that needs no work."""
        sent = self.going.pop(call)
        deputy = self.deputies[sent.place]
        before = dict(deputy.live)
        answer = deputy.ask(call, sent.op, sent.request)
        if answer is not None:
            self.coming[call] = answer
        for key, waiting in before.items():
            if key not in deputy.live and waiting is not None:
                self.coming[waiting] = Answer(409, "stale_attempt")

    def tell(self, call: str) -> None:
        """An answer reaches the controller."""
        self.do(a.Answered(call, self.coming.pop(call)))

    def lose(self, call: str) -> None:
        """A request or an answer is lost, or the connection of a run breaks."""
        self.going.pop(call, None)
        self.coming.pop(call, None)
        for deputy in self.deputies.values():
            for key, waiting in deputy.live.items():
                if waiting == call:
                    deputy.live[key] = None
        self.do(a.Lost(call))

    def replace(self, place: Place) -> None:
        """A participant is replaced: whoever waits for work there hears nothing any more."""
        deputy = self.deputies[place]
        self.broken = {call for call in deputy.live.values() if call is not None}
        deputy.replace()
        for call in sorted(self.broken):
            self.lose(call)
        self.broken = set()

    def finish(self, key: Key) -> None:
        """An attempt ends well; whoever waits for it is answered."""
        deputy = self.running(key)
        call = deputy.finish(key)
        if call is not None:
            self.coming[call] = Answer(200, said=Finished(receipt_for(key).result_digest))

    def fail(self, key: Key) -> None:
        """An attempt fails."""
        call = self.running(key).fail(key)
        if call is not None:
            self.coming[call] = Answer(500, "failed")

    def running(self, key: Key) -> Deputy:
        """Where an attempt runs."""
        return next(one for one in self.deputies.values() if key in one.live)

    def live(self) -> list[Key]:
        """The attempts that run."""
        return sorted(key for one in self.deputies.values() for key in one.live)

    def write(self, ok: bool = True) -> None:
        """The disk does what it was asked for, or fails."""
        assert self.writing is not None, "the disk was asked for something"
        if ok and self.writing.step == "rename":
            self.disk.append(self.writing.snapshot)
        self.writing = None
        self.do(a.Stored(ok))

    def finalize(self, outcome: str = "committed") -> None:
        """The finalizer answers for every group that it has."""
        for group in self.state.ledger.ordered():
            if group.status == "finalizing":
                self.do(a.Trained(group.group_id, outcome))

    def snapshot(self) -> bool:
        """A snapshot becomes due, and is brought to its end: whether it is saved."""
        before = len(self.disk)
        self.do(a.SnapshotDue())
        self.settle()
        return len(self.disk) > before

    def crash(self) -> None:
        """The deployment is gone, and starts again from the newest snapshot."""
        for deputy in self.deputies.values():
            deputy.replace()
        self.going, self.coming, self.writing = {}, {}, None
        snapshot = self.disk[-1] if self.disk else None
        kept = set(snapshot.trained) if snapshot is not None else set[str]()
        self.trained = [one for one in self.trained if one.group_id in kept]
        self.do(a.Start(snapshot, self.state.number))

    def wind_down(self) -> None:
        """Nothing is lost any more, and all work ends well, until no group is left."""
        for _ in range(STEPS_MAX):
            self.settle()
            running = self.live()
            busy = any(one.status == "finalizing" for one in self.groups())
            reserved = [one.group_id for one in self.groups() if one.phase == "reserved"]
            if not running and not busy and not reserved:
                return
            for key in running:
                if not self._is_parked(key):
                    self.finish(key)
            self.finalize()
            for group_id in reserved:
                self.do(a.Admit(group_id))
        raise AssertionError("work never comes to its end")

    def _is_parked(self, key: Key) -> bool:
        return self.running(key).phase != "idle"

    def groups(self) -> tuple[Any, ...]:
        """The groups that the controller owns."""
        return self.state.ledger.ordered()

    # What is seen, and what must hold.

    def _seen(self, output: Any) -> None:
        match output:
            case a.Sent():
                assert output.call not in self.going, f"two open calls {output.call}"
                assert output.call not in self.coming, f"two open calls {output.call}"
                self.going[output.call] = output
                self.log.append(output.call)
            case a.Training():
                names = [f"{output.group_id}_g{n}" for n in range(len(output.rows))]
                assert [key.rollout_id for key, _ in output.rows] == names
                assert output.group_id not in {one.group_id for one in self.trained}
                self.trained.append(output)
                self.log.append(f"train {output.group_id}")
            case a.Storing():
                self.writing = output
                self.log.append(f"store {output.step}")
                owed = json.loads(output.snapshot.ledger)
                assert not owed["pending_completed_execution_acknowledgements"]
            case a.SnapshotEnded():
                self.ended.append(output)
                self.log.append(f"ended {output.because or 'saved'}")
            case _:
                pass

    def _check(self, before: State) -> None:
        broken = list(broken_in_state(self.state.ledger))
        assert not broken, broken
        assert set(self.state.calls) <= self._open()
        opened = self.state.gate and not before.gate
        if opened and self.state.round is None and before.round is not None:
            held = [str(one.place) for one in self.deputies.values() if one.active is not None]
            assert not held, f"the gate opens and {held} are held"
        for deputy in self.deputies.values():
            assert len(set(deputy.began)) == len(deputy.began), "an attempt runs twice"

    def _open(self) -> set[str]:
        """The calls that are still to be answered or lost."""
        waiting = {call for one in self.deputies.values() for call in one.live.values() if call}
        return {*self.going, *self.coming, *self.broken, *self.parked, *waiting}
