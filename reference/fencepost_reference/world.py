"""A world: participants, a controller, a network, a disk and faults, composed into one model.

Every step of any of them is an action of its own, so a crash may come between any two. It decides
nothing: participants and controller are played by their cores.
"""

from collections.abc import Callable
from typing import Any

from immutables import Map

from fencepost_reference.model import NotEnabled, Own, Step
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller import actions as controller
from fencepost_reference.receipts.controller.said import MODEL
from fencepost_reference.receipts.policy_model import actions as model
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds import crashing, participating, storing
from fencepost_reference.worlds.asking import DEADLINE
from fencepost_reference.worlds.setting import Cores, Setting
from fencepost_reference.worlds.state import COMING, GOING, LOST, Message, Rows, State
from fencepost_reference.worlds.viewing import open_checkpoint
from fencepost_reference.worlds.working import work
from fencepost_spec.receipts.world import CARRIES, DISK_ANSWERS


class World:
    """Some cores in a setting. Holds no state of its own."""

    def __init__(self, setting: Setting, cores: Cores) -> None:
        self.setting, self.cores = setting, cores
        self._steps: dict[type, Callable[[State, Any], Step]] = {
            a.Give: self._give,
            a.Work: lambda state, action: work(cores, setting, state, action),
            a.LoseRequest: participating.lose_request,
            a.LoseAnswer: lambda s, action: participating.lose_answer(cores, setting, s, action),
            a.Delay: participating.delay,
            a.Repeat: participating.repeat,
            a.Crash: self._crash,
            a.Start: self._start,
            a.Clear: storing.cleared,
            a.Damage: self._damage,
            a.TimePasses: self._time,
            a.BreakStorage: self._break,
            a.Finalize: self._finalize,
            a.Write: lambda state, action: storing.write(setting, state, action, ok=action.ok),
            a.Decide: lambda state, action: self._controller(state, action.action),
            a.Act: self._act,
            a.Arrive: lambda state, action: participating.arrive(cores, setting, state, action),
            a.Return: self._return,
            a.Tell: self._tell,
        }

    def initial(self) -> State:
        """All processes have just started, on empty disks."""
        return State(
            self.cores.controller.initial(),
            tuple(self._fresh(number) for number in range(len(self.setting.places))),
            tuple(Map() for _ in self.setting.places),
        )

    def _fresh(self, number: int) -> Any:
        place = self.setting.places[number]
        return self.cores.of(place.kind).initial(*_names(place.kind, place.instance))

    def step(self, state: State, action: Any) -> Step:
        """Apply one action; one that is not enabled raises NotEnabled and changes nothing."""
        return self._steps[type(action)](state, action)

    def own(self, state: State) -> tuple[Own, ...]:
        """What controller, participants, network and disk may do by themselves now."""
        found: list[Own] = []
        if state.controller is not None:
            found += [
                Own(a.Decide(own.action), own.subject, own.must, own.rule)
                for own in self.cores.controller.own(state.controller)
            ]
        for number, place in enumerate(self.setting.places):
            found += [
                Own(a.Act(place, own.action), (place, own.subject), own.must, own.rule)
                for own in self.cores.of(place.kind).own(state.participants[number])
            ]
        for call in sorted(state.net):
            stage = state.net[call].stage
            if stage == GOING:
                found.append(Own(a.Arrive(call), call, True, CARRIES))
            elif stage in (COMING, LOST):
                found.append(Own(a.Return(call), call, True, CARRIES))
        if state.writing is not None:
            told = state.writing.done is not None
            acts_of_disk = a.Tell() if told else a.Write(True)
            found.append(Own(acts_of_disk, "disk", True, DISK_ANSWERS))
        return tuple(found)

    # The controller.

    def _controller(self, state: State, action: Any) -> Step:
        """The controller takes a step; what it asks for is on its way."""
        if state.controller is None:
            raise NotEnabled(action, "no controller runs")
        step = self.cores.controller.step(state.controller, action)
        state = change(state, controller=step.state)
        if isinstance(action, controller.Capture):
            # Canonical rows are part of what the barrier fixes.
            state = change(state, captured=state.trained)
        for output in step.outputs:
            match output:
                case controller.Sent():
                    sent = Message(output.call, output.place, output.op, output.request)
                    state = participating.with_message(state, sent)
                case controller.Training():
                    trained = state.training
                    state = change(
                        state, training=(*trained, (output.group_id, frozenset(output.rows)))
                    )
                case controller.Storing():
                    state = storing.asked(state, output)
                case controller.SnapshotEnded() if open_checkpoint(step.state) is None:
                    # One that was turned down while another is open ends nothing of the other.
                    state = change(storing.swept(self.setting, state), captured=None)
                case _:
                    pass
        return Step(state, step.outputs, step.rules)

    def _give(self, state: State, action: a.Give) -> Step:
        return self._controller(state, action.action)

    def _return(self, state: State, action: a.Return) -> Step:
        message = participating.message_at(state, action, COMING, LOST)
        state = participating.without_message(state, action.call)
        heard: Any = controller.Lost(action.call)
        if message.answer is not None:
            heard = controller.Answered(action.call, message.answer)
        step = self._controller(state, heard)
        return Step(
            step.state, (a.Returned(action.call, message.answer), *step.outputs), step.rules
        )

    def _tell(self, state: State, action: a.Tell) -> Step:
        writing = state.writing
        if writing is None or writing.done is None:
            raise NotEnabled(action, "the disk has nothing to tell")
        return self._controller(change(state, writing=None), controller.Stored(writing.done))

    def _finalize(self, state: State, action: a.Finalize) -> Step:
        """The finalizer answers; with "committed" its rows are canonical in the same cut."""
        waiting = dict(state.training)
        if action.group_id not in waiting:
            raise NotEnabled(action, "the finalizer was not handed this group")
        left = tuple(one for one in state.training if one[0] != action.group_id)
        state = change(state, training=left)
        if action.outcome == "committed":
            rows = waiting[action.group_id]
            state = change(state, trained=state.trained.set(action.group_id, rows))
        return self._controller(state, controller.Trained(action.group_id, action.outcome))

    # Faults.

    def _crash(self, state: State, action: a.Crash) -> Step:
        if not action.controller and not action.places:
            raise crashing.nobody_is_gone(action)
        if action.controller:
            state = crashing.controller_gone(self.cores, self.setting, state)
        for place in action.places:
            number = self.setting.number[place]
            state = crashing.participant_gone(self.cores, self.setting, state, number)
        return Step(state)

    def _start(self, state: State, action: a.Start) -> Step:
        """A deployment starts, participants too; what was trained after its snapshot is gone."""
        if state.controller is not None:
            raise NotEnabled(action, "a controller runs")
        if storing.is_unreadable(state):
            raise NotEnabled(action, "no snapshot can be read, and what was published is not lost")
        for number in range(len(self.setting.places)):
            state = crashing.participant_gone(self.cores, self.setting, state, number, anew=True)
        found = storing.newest(state)
        trained: Map[str, Rows] = Map() if found is None else found.trained
        fresh = change(
            storing.swept(self.setting, state),
            controller=self.cores.controller.initial(),
            net=Map(),
            trained=trained,
        )
        snapshot = None if found is None else found.snapshot
        starts = controller.Start(snapshot, storing.first_free(fresh))
        return self._controller(fresh, starts)

    def _damage(self, state: State, action: a.Damage) -> Step:
        return storing.damage(state, action, action.number)

    def _time(self, state: State, action: a.TimePasses) -> Step:
        number = self.setting.number[action.place]
        tick = model.Tick if action.place.kind == MODEL else agent.Tick
        return self._participant(state, number, tick(DEADLINE))

    def _break(self, state: State, action: a.BreakStorage) -> Step:
        number = self.setting.number[action.place]
        fail = model.FailStorage if action.place.kind == MODEL else agent.FailStorage
        return self._participant(state, number, fail(action.step))

    # Participants.

    def _act(self, state: State, action: a.Act) -> Step:
        return self._participant(state, self.setting.number[action.place], action.action)

    def _participant(self, state: State, number: int, action: Any) -> Step:
        return participating.acted(self.cores, self.setting, state, number, action)


def _names(kind: str, instance: str) -> tuple[Any, ...]:
    """What a participant's core is told of its name."""
    if kind == "resources":
        from fencepost_reference.receipts.resources.state import Settings

        return (Settings(instance),)
    return (instance,)
