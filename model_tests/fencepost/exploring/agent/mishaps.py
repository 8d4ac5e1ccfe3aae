"""What happens to an agent beside calls and work: time, lost callers, crashes, storage faults."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from fencepost.exploring.agent.around import NO_TURN, Around, Turn
from fencepost.exploring.agent.scope import AgentScope, directory_of
from fencepost.exploring.small_world import Deed
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.state import State

DEADLINE = 5_000_000
CRASHES, LOST, FAULTS, REPEATS = range(4)

Doing = tuple[Deed, Any, Turn]
"""A deed, its action (None: cut off), and what is otherwise around when it has been taken."""

_deed = cache(Deed)


def mishaps(scope: AgentScope, state: State, around: Around) -> Iterator[Doing]:
    """Time, callers that go away, a crash, failing storage, old directories that are removed."""
    if _time_matters(state):
        yield _deed("5 s pass", fair="time passes"), a.Tick(DEADLINE), NO_TURN
    for call in sorted(state.calls) if scope.lost else ():
        deed = _deed(f"caller of {call} goes away")
        if around.left[LOST]:
            yield deed, a.Gone(call), Turn(spends=LOST)
        else:
            yield _deed(deed.name, marks=("lost replies",)), None, NO_TURN
    if scope.crashes:
        if around.left[CRASHES]:
            crash = Turn(spends=CRASHES, crash=True)
            yield _deed("crash", marks=("crash",)), a.Replace(), crash
        else:
            yield _deed("crash", marks=("crashes",)), None, NO_TURN
    for checkpoint in scope.checkpoint_names if scope.pool else ():
        directory = directory_of(checkpoint)
        if directory in state.disk and checkpoint in state.history.finished:
            yield _deed(f"remove {directory}"), a.SetDirectory(directory, None), NO_TURN
    yield from _damages(scope, state, around)
    for step in scope.failing:
        if state.failing or (step == "prepare") == (state.fence.storing is not None):
            continue
        if around.left[FAULTS]:
            yield _deed(f"{step} will fail"), a.FailStorage(step), Turn(spends=FAULTS)
        else:
            yield _deed(f"{step} will fail", marks=("storage faults",)), None, NO_TURN


def _damages(scope: AgentScope, state: State, around: Around) -> Iterator[Doing]:
    """What was committed is damaged, while nobody reads or writes."""
    for directory in scope.directory_names if scope.damages and state.fence.storing is None else ():
        held = state.disk.get(directory)
        if held is None or held.kind != "committed":
            continue
        if around.left[FAULTS]:
            damaged = attrs.evolve(held, kind="damaged")
            action = a.SetDirectory(directory, damaged)
            yield _deed(f"{directory} is damaged"), action, Turn(spends=FAULTS)
        else:
            yield _deed(f"{directory} is damaged", marks=("storage faults",)), None, NO_TURN


def _time_matters(state: State) -> bool:
    """Whether a deadline has not come that somebody waits for."""
    if state.fence.waiting and state.fence.deadline:
        return True
    return any(
        one.op == "retire" and one.reply is None and one.deadline for one in state.calls.values()
    )
