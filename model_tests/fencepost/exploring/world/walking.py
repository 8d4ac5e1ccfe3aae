"""A walk through a large world: whatever may happen happens, and then all comes to its end."""

from typing import Any

from fencepost.exploring.small_world import Deed
from fencepost.exploring.world.controllers import cores_of
from fencepost.exploring.world.doings import doings
from fencepost.exploring.world.driving import Drive
from fencepost.exploring.world.mishaps import deed
from fencepost.exploring.world.naming import named
from fencepost.exploring.world.scope import Left, WorldScope
from fencepost.exploring.world.winding import wind_down
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts.actions import AnswerRetire
from fencepost_reference.receipts.controller.actions import GoneStale, Submit
from fencepost_reference.world import World
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.asked import fresh
from fencepost_reference.worlds.ghost import Ghost
from fencepost_reference.worlds.refereeing import watch_of
from fencepost_reference.worlds.setting import Setting
from fencepost_reference.worlds.state import State
from fencepost_reference.worlds.storing import is_unreadable
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec

MANY = 1_000
SELDOM = 8
RARE = ("crash", "the deadline", "time passes", "request", "answer", "late", "repeated", "snapshot")
STOPS = (" fails", " goes stale")
"""What ends more than it begins: drawn in one of a few turns only."""

SETTINGS = (
    Setting(agents=("a1", "a2"), keep=2),
    Setting(models=("policy",), resources=("tools",), model_calls=1, changes=1, keep=2),
)
"""Two agents alone, or one with a policy model and a resources server."""


def scope_of(setting: Setting) -> WorldScope:
    """Groups of both kinds, and everything that may go wrong, as often as it is drawn."""
    last = setting.agents[-1]
    groups = (
        Submit("g1", 2, "sibling", "a1"),
        Submit("g2", 2, "prompt_group", last),
        Submit("g3", 1, "sibling", last),
        Submit("g4", 2, "prompt_group", "a1"),
    )
    often = Left(
        groups=len(groups), steps=MANY, stale=1, fails=MANY, lost=MANY, late=MANY, repeats=MANY,
        agent_crashes=3, controller_crashes=2, whole_crashes=2, faults=3, disk_faults=3, damaged=1,
        drops=1,
    )  # fmt: skip
    return WorldScope(
        "walk",
        "a walk",
        setting=setting,
        groups=groups,
        left=often,
        lossy=(
            "run", "completion-receipt", "retire", "acknowledge-completed", "prepare", "pause",
            "status", "commit", "restore", "resume", "discard-restored-continuation",
        ),
        failing=("records", "manifest", "after_manifest"),
        patient=False,
        busy=True,
    )  # fmt: skip


class Walk:
    """One walk. A referee watches it, and every step is asked every promise."""

    def __init__(self, setting: Setting, spec: ControllerSpec = CONTROLLER) -> None:
        self.scope = scope_of(setting)
        world = World(setting, cores_of(setting, spec))
        ghost = Ghost(watch=watch_of(setting.places), inside=fresh(setting.places))
        self.drive = Drive(world, ghost=ghost)
        self.left = self.scope.left
        self.done: list[str] = []
        # Groups that somebody let go of on purpose, and those that this controller should know.
        self.gone: set[str] = set()
        self.expected: set[str] = set()

    @property
    def state(self) -> State:
        """Where the world stands."""
        return self.drive.state

    def possible(self) -> tuple[list[tuple[Deed, Any, Left]], list[tuple[Deed, Any, Left]]]:
        """What may come from outside now, and what somebody may do by themselves."""
        if self.state.controller is None:
            if is_unreadable(self.state):
                return [], [(deed("what cannot be read is taken away"), a.Clear(), self.left)]
            return [], [(deed("the controller starts"), a.Start(), self.left)]
        come = doings(self.scope, self.state, self.left)
        outside = [one for one in come if one[1] is not None]
        own = [
            (deed(named(own.action)), own.action, self.left)
            for own in self.drive.world.own(self.state)
            if not _answers_early(own.action)
        ]
        return outside, own

    def go(self, turn: int, place: int) -> None:
        """One step: most often one that somebody takes by themselves."""
        outside, own = self.possible()
        # Who crashes again and again never comes to a snapshot that somebody starts from.
        rare = [
            one for one in outside if one[0].name.startswith(RARE) or one[0].name.endswith(STOPS)
        ]
        often = [one for one in outside if one not in rare]
        outside = rare if rare and (place % SELDOM == 0 or not often) else often
        place = place // SELDOM if outside is rare else place
        some = own if own and (turn or not outside) else outside
        for number in range(len(some)):
            done, action, left = some[(place + number) % len(some)]
            try:
                self.do(action)
            except NotEnabled:
                continue
            self.done.append(done.name)
            self.left = left
            return

    def go_on(self, steps: int) -> None:
        """For some steps everybody does what they owe, who is asked to park parks, nobody else."""
        for _ in range(steps):
            if self.state.controller is None:
                return
            action = next(
                (one for one in self.drive.steps_of_checkpoint() if not _answers_early(one)), None
            )
            if action is None:
                return
            self.do(action)

    def do(self, action: Any) -> None:
        """One step that somebody chose."""
        readable = [one.snapshot.number for one in self.state.disk if not one.damaged]
        self.drive.do(action)
        self._note(action)
        if isinstance(action, a.Start):
            self._check_start(readable)

    def _check_start(self, readable: list[int]) -> None:
        """A deployment starts from the newest snapshot that can be read, or there is none."""
        restoring = self.state.controller.round
        found = None if restoring is None else restoring.snapshot.number
        expected = readable[-1] if readable else None
        assert found == expected, f"it starts from {found}, and not from {expected}"

    def _note(self, action: Any) -> None:
        match action:
            case a.Give(action=Submit() as group):
                self.expected.add(group.group_id)
            case a.Give(action=GoneStale() as stale):
                known = {*self._ledger(), *self.state.trained}
                if stale.group_id in self.expected - known:
                    self.gone.add(stale.group_id)
            case a.Finalize(outcome="dropped"):
                self.gone.add(action.group_id)
            case a.Start():
                # Whoever hands groups over begins again where the snapshot stands.
                self.gone.clear()
                self.expected = {*self._ledger(), *self.state.trained}
            case _:
                pass

    def _ledger(self) -> set[str]:
        return set(self.state.controller.ledger.groups)

    def start(self) -> None:
        """A deployment starts, if none runs; what cannot be read is taken away before."""
        if self.state.controller is None:
            if is_unreadable(self.state):
                self.do(a.Clear())
            self.do(a.Start())

    def wind_down(self) -> None:
        """Nothing goes wrong any more: everything that was handed over is trained, once."""
        if self.state.controller is not None and self.state.controller.halted:
            self.do(a.Crash(True))
        self.start()
        wind_down(self.drive, self.expected - self.gone)


def _answers_early(action: Any) -> bool:
    """Whether a participant says of work that it has stopped before it has: no must forbids it."""
    return isinstance(action, a.Act) and isinstance(action.action, AnswerRetire)
