"""An agent and everything around it as a small world: one core, one scope.

Whatever the core may do by itself is a transition of its own, in any order; only answers leave at
once where the scope says so. What a watcher has to remember to ask the promises is part of the
state, so no two histories that a promise tells apart are taken for one.
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from fencepost.agent.expecting import state_text
from fencepost.exploring.agent.around import (
    NO_TURN,
    Around,
    Turn,
    around_of,
    parts_of,
    state_of,
    whole_of,
)
from fencepost.exploring.agent.doings import Doings, doings
from fencepost.exploring.agent.forgetting import Forgets, Forgetting
from fencepost.exploring.agent.marks import marks_of
from fencepost.exploring.agent.owing import promises
from fencepost.exploring.agent.scope import AgentScope, text_of
from fencepost.exploring.agent.stories import stories
from fencepost.exploring.agent.symmetry import exchanges, renamed_part
from fencepost.exploring.agent.using import also_used
from fencepost.exploring.differing import those
from fencepost.exploring.recording import plain
from fencepost.exploring.small_world import (
    Branch,
    Deed,
    Eventually,
    Names,
    Parts,
    Sometimes,
    Taken,
    followed,
)
from fencepost_reference.model import NotEnabled, Own
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore, is_decided
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.ghost import Ghost, remembered
from fencepost_reference.receipts.promises import PROMISES, broken
from fencepost_reference.receipts.state import State
from fencepost_spec.operation import Property
from fencepost_spec.receipts.properties import BY_ID
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_deed = cache(Deed)
_NOBODY: frozenset[str] = frozenset()


class AgentWorld:
    """A core in a scope."""

    def __init__(self, scope: AgentScope, core: AgentCore | None = None) -> None:
        self.scope = scope
        self.core = core or AgentCore()
        self.bare = False
        self.permutations: tuple[Names, ...] = exchanges(scope)
        self.always: tuple[Property, ...] = tuple(BY_ID[name] for name in PROMISES)
        self.eventually: tuple[Eventually, ...] = promises(scope)
        self.sometimes: tuple[Sometimes, ...] = stories(scope)
        self.rules: tuple[Rule, ...] = self.core.spec.rules()
        ways = Forgetting(scope).ways if scope.pool else ()
        self._branches = (
            *(
                Branch(("doings", n), partial(self._done, one))
                for n, one in enumerate(doings(scope))
            ),
            Branch("own", self._owns),
            *(Branch(("forgetting", n), partial(self._forgets, way)) for n, way in enumerate(ways)),
        )

    @property
    def name(self) -> str:
        """The name of the scope."""
        return self.scope.name

    @property
    def says(self) -> str:
        """What is in it, in one line."""
        return self.scope.says

    def start(self) -> Parts:
        """A process that has just started, on an empty disk."""
        scope = self.scope
        left = (scope.crashes, scope.lost, scope.faults, scope.repeats)
        return parts_of(self.core.initial(), Around(left=left), Ghost())

    def after(self, parts: Parts) -> Iterator[Taken]:
        """Everything that the world or the participant may do next."""
        return followed(self._branches, parts)

    def branches(self, _parts: Parts) -> tuple[Branch, ...]:
        """The same in parts: each kind of deed by itself."""
        return self._branches

    def _done(self, doing: Doings, parts: Parts) -> Iterator[Taken | Branch]:
        """What the world may do of one kind."""
        for deed, action, turn in doing(state_of(parts), around_of(parts)):
            if action is None:
                yield Taken(deed, None)
            else:
                yield Branch((deed, action, turn), partial(self._takes, deed, action, turn, ()))

    def _owns(self, parts: Parts) -> Iterator[Branch]:
        """What the participant may do by itself."""
        for own in self.core.own(state_of(parts)):
            deed, rules = self._own_deed(own), (own.rule,)
            follow = partial(self._takes, deed, own.action, NO_TURN, rules)
            yield Branch((deed, own.action, rules), follow)

    def _forgets(self, way: Forgets, parts: Parts) -> Iterator[Taken]:
        """What may be forgotten in one way."""
        for forgotten in way(parts):
            yield Taken(_deed(forgotten.name), forgotten.parts)

    def _takes(
        self, deed: Deed, action: Any, turn: Turn, rules: tuple[Rule, ...], parts: Parts
    ) -> tuple[Taken, ...]:
        state, around, ghost = whole_of(parts)
        taken = self._taken(deed, action, (state, turn.of(around), ghost), *rules)
        return () if taken is None else (taken,)

    def _taken(
        self, deed: Deed, action: Any, here: tuple[State, Around, Ghost], *more: Rule
    ) -> Taken | None:
        """An action and the answers that leave with it."""
        state, around, ghost = here
        rules: list[Rule] = list(more)
        lost: list[Property] = []
        marks: list[str] = []
        waiting: Any = action
        while waiting is not None:
            try:
                step = self.core.step(state, waiting)
            except NotEnabled:
                return None
            before = state
            if self.bare:
                marks.append(repr(plain(step.outputs)))
            else:
                lost += broken(state, waiting, step, ghost)
                marks += marks_of(state, waiting, step)
            ghost = remembered(ghost, state, waiting, step)
            around = self._seen(around, step.outputs)
            state = step.state
            rules += step.rules
            rules += () if self.bare else also_used(before, waiting, step)
            if type(waiting) is a.Replace:
                # Callers of a process that is gone use other names, and so may take these.
                state = change(state, dead=_NOBODY)
            waiting, why = self._next_to_leave(state)
            rules += why
        if marks:
            deed = _deed(deed.name, deed.own, deed.fair, tuple(marks))
        return Taken(deed, parts_of(state, around, ghost), tuple(rules), tuple(lost))

    def _next_to_leave(self, state: State) -> tuple[Any, tuple[Rule, ...]]:
        if self.scope.at_once:
            decided = those(state.calls, is_decided)
            if decided or state.orphans:
                for own in self.core.leaving(state, decided):
                    return own.action, (own.rule,)
        return None, ()

    def _seen(self, around: Around, outputs: tuple[Any, ...]) -> Around:
        for output in outputs:
            match output:
                case a.Began():
                    around = around.began(output)
                case a.Returned() if output.token:
                    keys = self.scope.keys
                    key = keys[output.token - 1]
                    around = around.returned(key, output.code)
                case a.CancelHandler():
                    around = around.cancelled(output.key)
                case _:
                    pass
        return around

    def _own_deed(self, own: Own) -> Deed:
        """A step of the participant, in words; one that it owes is a class of fairness."""
        action = own.action
        what = _WORDS[type(action)]
        if getattr(action, "cancelled", False) or getattr(action, "spared", False):
            what += " otherwise"
        if type(action) is a.AnswerRetire and action.early:
            what += " early"
        subject = own.subject
        if isinstance(subject, int):
            subject = self.scope.keys[subject - 1]
        about = text_of(subject) if isinstance(subject, Key) else str(subject)
        name = f"{what} {about}"
        return _deed(name, own=True, fair=f"own {name}" if own.must else None)

    def renamed(self, value: Any, names: Names) -> Any:
        """A part in which names are exchanged."""
        return renamed_part(value, names)

    def show(self, parts: Parts) -> str:
        """A state, in one line."""
        return state_text(state_of(parts))


_WORDS: dict[type, str] = {
    a.Begin: "handler begins",
    a.NeverBegin: "handler never begins",
    a.BeginUntracked: "handler begins",
    a.LetGo: "let go",
    a.ReturnOrphan: "return",
    a.ParkInPlace: "park in place",
    a.Conclude: "end",
    a.Store: "step of the",
    a.AnswerRetire: "answer",
    a.Leave: "answer leaves",
}
