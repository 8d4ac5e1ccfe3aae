"""What an agent answers about a key in each of its states, asked of the reference core itself.

The tables of the page of runs are not told but computed: each state of a key is set up, and the
call is made there. May import: the specification, the reference, attrs.
"""

from collections.abc import Callable
from typing import TypeAlias

import attrs
from immutables import Map

from fencepost.phase_walk.agent import AT, KEY, RECEIPT, SECOND_US
from fencepost.phase_walk.walked import reached
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import (
    Execution,
    History,
    Receipt,
    Reply,
    State,
)
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

OTHER_RECEIPT = attrs.evolve(RECEIPT, result_digest="another")
CORE = AgentCore()


@attrs.frozen
class Answer:
    """What came of a call: the answer in few words, and the rules behind it."""

    text: str
    rules: tuple[Rule, ...]


Asked: TypeAlias = Callable[[State], Answer]
"""A question that can be put to any state."""


def keys() -> dict[str, State]:
    """Each state of the execution chart, as the state of `KEY` in an idle, open participant."""
    stands = Execution("running", "q0", boundary=AT, begun=True)
    without = attrs.evolve(stands, boundary=None)
    ended = History(refused=Map({KEY: AGENT.refuses[0].rule}))
    states: dict[str, State] = {}
    for status in AGENT.execution.states:
        execution = without if status == "parked_without_boundary" else stands
        execution = attrs.evolve(execution, status=status)
        live = State(executions=Map({KEY: execution}))
        states[status] = live
    done = attrs.evolve(stands, status="completed_unacknowledged", call=None, receipt=RECEIPT)
    states["unknown"] = State()
    states["pending_restored"] = State(pending=Map({KEY: AT}))
    states["completed_unacknowledged"] = State(executions=Map({KEY: done}))
    states["acknowledged"] = State(history=History(acknowledged=Map({KEY: RECEIPT})))
    states["retiring"] = attrs.evolve(states["retiring"], history=ended)
    states["retired"] = State(history=ended)
    return states


def runs(state: State, key: Key | None = KEY, *, accepting: bool = True) -> Answer:
    """What a `/run` gets."""
    state = attrs.evolve(state, accepting=accepting)
    step = CORE.step(state, a.Run("asked", key))
    reply = step.state.calls["asked"].reply
    text = "starts" if reply is None else _reply_text(reply)
    if reply is None and key is not None and step.state.executions[key].continuation is not None:
        text = "starts with its record"
    return Answer(text, step.rules)


def retires(state: State) -> Answer:
    """What retire answers about `KEY`, and what its answer waits for."""
    step = CORE.step(state, a.Call("asked", "retire", a.Request("c1", SECOND_US, key=KEY)))
    reply = step.state.calls["asked"].reply
    if reply is not None:
        return Answer(_reply_text(reply), step.rules[1:])
    waiting = step.state
    if not waiting.executions[KEY].begun:
        waiting = reached(CORE, [a.Begin(KEY)], waiting)
    later = reached(CORE, [a.Work("finish", KEY, 9, outcome="cancelled")], waiting)
    ended = later.calls["asked"].reply
    text = "" if ended is None else f"once the handler has stopped: {_reply_text(ended)}"
    return Answer(text, step.rules[1:])


def acknowledges(state: State, receipt: Receipt) -> Answer:
    """What an acknowledgement of `KEY` answers."""
    request = a.Request(receipts=((KEY, receipt),))
    step = CORE.step(state, a.Call("asked", "acknowledge", request))
    reply = step.state.calls["asked"].reply
    return Answer("" if reply is None else _reply_text(reply), step.rules[1:])


def _reply_text(reply: Reply) -> str:
    if reply.code is not None:
        return f"{reply.status} `{reply.code}`"
    if reply.body[0] == "result":
        return f"{reply.status}, the stored result"
    return f"{reply.status} " + ", ".join(f"{name} {value}".lower() for name, value in reply.body)
