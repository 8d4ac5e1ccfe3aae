"""A walk: a core that is led through actions, and watched by its promises after each of them.

A walk that meets anything wrong raises `WentWrong`, which tells the actions that lead there. Not
decided here: which action comes next (`enabled.py`), and what an oracle makes of it
(`judged_walk.py`).
"""

from typing import Any

from fencepost.enabled import Ask, Look, chosen, in_order
from fencepost.enabled_calls import World
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.ghost import Ghost, remembered
from fencepost_reference.receipts.promises import broken
from fencepost_reference.receipts.state import Reply, State

INSTANCE = "agent-a"
OWN_STEPS_MAX = 200


class WentWrong(AssertionError):
    """A promise was broken, or the oracle refused what a conforming core did."""


class Walk:
    """One walk of a core, from the start of its process on an empty disk."""

    def __init__(self, core: AgentCore | None = None) -> None:
        self.core = core or AgentCore()
        self.state: State = self.core.initial(INSTANCE)
        self.world = World()
        self.ghost = Ghost()
        self.actions: list[Any] = []
        self.answers: dict[str, Reply] = {}
        self.rules: dict[str, int] = {}

    @property
    def number(self) -> int:
        """The number that the next event of the work is known by."""
        return len(self.actions) + 1

    def go(self, number: int) -> None:
        """Take the enabled action that a number stands for."""
        self.take(chosen(self.core, self.state, self.world, number))

    def take(self, action: Any) -> None:
        """Take an action, ask every promise, and show what came of it."""
        self.actions.append(action)
        before, step = self.state, Step(self.state)
        if not isinstance(action, Ask | Look):
            step = self._stepped(action)
        self.show(before, action, step)
        self.world = self.world.after(action, step.outputs, self.number)
        if isinstance(action, a.Work) and action.key is not None and self._is_refused(action):
            # A refusal is answered at once (R21); nothing comes between.
            self.take(a.LetGo(action.key))
        elif self.at_rest:
            self.rest()

    def _stepped(self, action: Any) -> Step:
        before = self.state
        step = self.core.step(before, action)
        lost = broken(before, action, step, self.ghost)
        if lost:
            raise WentWrong(self.told("; ".join(f"{one.id} {one.name}" for one in lost)))
        self.ghost = remembered(self.ghost, before, action, step)
        for rule in step.rules:
            self.rules[rule.id] = self.rules.get(rule.id, 0) + 1
        for output in step.outputs:
            if isinstance(output, a.Answered):
                self.answers[output.call] = output.reply
        after: State = step.state
        # Every call that was open at a crash is told to be lost at once.
        self.state = change(after, dead=frozenset()) if isinstance(action, a.Replace) else after
        return step

    def _is_refused(self, action: a.Work) -> bool:
        """Whether an event of the work has been refused and its answer is on its way."""
        execution = None if action.key is None else self.state.executions.get(action.key)
        held = None if execution is None else execution.held
        return held is not None and held.token == action.token and held.code is not None

    def show(self, before: State, action: Any, step: Step) -> None:
        """Show what an action has led to; a walk that nobody judges shows it to nobody."""

    def rest(self) -> None:
        """Nothing moves by itself any more; a walk that nobody judges tells nobody."""

    @property
    def at_rest(self) -> bool:
        """Whether everything that has to happen by itself has happened."""
        return not any(own.must for own in self.core.own(self.state))

    def settle(self) -> None:
        """Let the participant do what it has to do by itself."""
        for _ in range(OWN_STEPS_MAX):
            due = in_order(own for own in self.core.own(self.state) if own.must)
            if not due:
                return
            self.take(due[0].action)
        raise WentWrong(self.told("it never comes to rest"))

    def told(self, what: str) -> str:
        """What went wrong, and the actions that led there."""
        steps = "\n".join(f"  {number}. {one}" for number, one in enumerate(self.actions, 1))
        return f"{what}\n{steps}"
