"""What a participant answers in each situation, asked of the reference core itself.

The tables of the reference pages are not told but computed: each situation is reached by a short
list of actions, or set up as a state, and the call is made there. May import: the specification,
the reference, attrs.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import attrs
from immutables import Map

from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import (
    Boundary,
    Directory,
    Execution,
    History,
    Receipt,
    Reply,
    State,
)
from fencepost_spec.operation import REPLAY, SHARE, Operation
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.operation_rules import OTHER_ID, PHASE
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

OWN, OTHER, FINISHED = "c1", "c2", "c0"
KEY = Key("r1", 0)
SECOND_US = 1_000_000
AT = Boundary(1, "digest", 0, "call-1", "r1")
RECEIPT = Receipt(1, "result", "digest", "r1", "call-1")
OTHER_RECEIPT = attrs.evolve(RECEIPT, result_digest="another")
CORE = AgentCore()


@attrs.frozen
class Answer:
    """What came of a call: the answer in few words, the rules behind it, and the phases after."""

    text: str
    rules: tuple[Rule, ...]
    phases: tuple[str, ...] = ()

    @property
    def cell(self) -> str:
        """The answer as a cell of a table."""
        return " → ".join(self.phases) if self.phases else self.text


Asked: TypeAlias = Callable[[State], Answer]
"""A question that can be put to any state."""


def reach(actions: Iterable[Any], start: State | None = None) -> State:
    """The state after actions, in a process that has just started."""
    state = CORE.initial() if start is None else start
    for action in actions:
        state = CORE.step(state, action).state
    return state


def settle(state: State) -> State:
    """The state after every hidden step that has to come: the end of a prepare, the storage."""
    while True:
        due = [own for own in CORE.own(state) if own.must and own.hidden]
        if not due:
            return state
        state = CORE.step(state, due[0].action).state


def phases() -> dict[str, State]:
    """Each phase that an agent can be in, under the id `OWN`; `FINISHED` has been resumed."""
    runs = [a.Run("q1", KEY), a.Begin(KEY)]
    prepare = a.Call("q2", "prepare", a.Request(OWN, SECOND_US))
    stands = [a.Work("boundary", KEY, 3, boundary=AT), a.Conclude(), a.Leave("q2")]
    commit = a.Call("q4", "commit", a.Request(OWN, SECOND_US, "d1"))
    restore = a.Call("q5", "restore", a.Request(OWN, SECOND_US, "d1"))
    idle = reach(
        [
            a.Call("q0", "resume", a.Request(FINISHED, SECOND_US)),
            a.Leave("q0"),
            a.SetDirectory("d1", Directory("committed", "c9", None, ((KEY, AT),))),
        ]
    )
    empty = reach([a.SetDirectory("d1", None)], idle)
    waits = reach([*runs, prepare], empty)
    missed = reach([a.Tick(SECOND_US), a.Conclude(), a.Leave("q2")], waits)
    prepared = reach([*runs, prepare, *stands], empty)
    committing = reach([commit], prepared)
    restoring = reach([restore], idle)
    return {
        "idle": idle,
        "preparing, prepare waits": waits,
        "preparing, deadline missed": missed,
        "prepared": prepared,
        "committing": committing,
        "committed_paused": reach([a.Leave("q4")], settle(committing)),
        "restoring": restoring,
        "restored_paused": reach([a.Leave("q5")], settle(restoring)),
    }


def called(state: State, operation: Operation, checkpoint: str) -> Answer:
    """What an operation answers in a state when it is called with that checkpoint id."""
    key = KEY.next() if operation.name == "discard-restored-continuation" else Key("r9", 0)
    receipts = ((key, RECEIPT),)
    request = a.Request(checkpoint, SECOND_US, "d1", key, receipts=receipts)
    step = CORE.step(state, a.Call("asked", operation.name, request))
    first = step.rules[0]
    fenced = [check for check in operation.ladder if check.rule == first]
    if fenced and fenced[0].answer == REPLAY:
        return Answer("replays", (first,))
    if fenced and fenced[0].answer == SHARE:
        return Answer("shares", (first,))
    if fenced and _is_of_the_fence(operation, first):
        return Answer(f"`{fenced[0].answer}`", (first,))
    return Answer("acts", step.rules, _moved(state, step.state))


def _is_of_the_fence(operation: Operation, rule: Rule) -> bool:
    """Whether a check asks about the fence, and not about what the participant holds."""
    order = [check.rule for check in operation.ladder]
    last = max((order.index(each) for each in (OTHER_ID, PHASE) if each in order), default=-1)
    return order.index(rule) <= last


def _moved(before: State, after: State) -> tuple[str, ...]:
    """The phases that a call leads through, none when it leaves the fence alone."""
    if after.fence.phase == before.fence.phase and after.fence.waiting == before.fence.waiting:
        return ()
    settled = settle(after).fence.phase
    through = (after.fence.phase, settled)
    return through[:1] if through[0] == settled else through


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
    step = CORE.step(state, a.Call("asked", "retire", a.Request(OWN, SECOND_US, key=KEY)))
    reply = step.state.calls["asked"].reply
    if reply is not None:
        return Answer(_reply_text(reply), step.rules[1:])
    waiting = step.state
    if not waiting.executions[KEY].begun:
        waiting = reach([a.Begin(KEY)], waiting)
    later = reach([a.Work("finish", KEY, 9, outcome="cancelled")], waiting)
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
