"""Answers of calls that only read: they may have been read at any moment before they left."""

from typing import TYPE_CHECKING

import attrs

from fencepost.agent.comparing import reply_mismatch
from fencepost.agent.hidden import displayed, shown_parked
from fencepost.agent.reading import QUERIES
from fencepost.mismatch import Inconclusive
from fencepost.trace import lines
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import counts_of, is_ready
from fencepost_reference.receipts.state import Outstanding, Reply, State, View
from fencepost_spec.receipts.dialects import Dialect

if TYPE_CHECKING:
    from fencepost.agent.calling import Asked
    from fencepost.agent.frontier import Frontier

SEEN_MAX = 256


def keep_reads(front: "Frontier", line: lines.Line) -> None:
    """After each line, keep what the calls that are open and only read could be answered now."""
    if isinstance(line, lines.Reply | lines.Lost):
        front.reads.pop(line.id, None)
        if line.id in front.asked:
            del front.asked[line.id]
    elif isinstance(line, lines.Call) and line.op in QUERIES:
        front.reads[line.id] = ()
    elif isinstance(line, lines.Fault) and line.name == "replace":
        front.reads.clear()
    for call in front.reads:
        for state in front.states:
            for reply in _answers_now(front.core, state, call, front.asked[call]):
                seen = front.reads[call]
                if reply not in seen:
                    front.reads[call] = (*seen, reply)
        if len(front.reads[call]) > SEEN_MAX:
            raise Inconclusive(f"line {line.seq}: {call} may have read more than {SEEN_MAX} states")


def _answers_now(core: AgentCore, state: State, call: str, asked: "Asked") -> list[Reply]:
    """What a call would be answered if it were read in this state."""
    if call not in state.calls:
        return []
    without = attrs.evolve(state, calls=state.calls.delete(call))
    found: list[Reply] = []
    for action in asked.actions:
        reply = core.step(without, action).state.calls[call].reply
        if reply is not None:
            found.append(reply)
    return found


def read_explained(
    front: "Frontier", state: State, line: lines.Reply, waiting: Outstanding
) -> list[State]:
    """The states in which the answer was read, at its call, now, or at a moment between.

    Work that it shows parked, and that was not asked to stand since, may stand parked now or not.
    """
    now = _answers_now(front.core, state, line.id, front.asked[line.id])
    for reply in now:
        if reply_mismatch(_as_shown(front, state, reply, line), *_told(front, line)) is None:
            return [shown_parked(front.core, state, line.body, wakes_hidden=False)]
    before = [*front.reads[line.id], *([] if waiting.reply is None else [waiting.reply])]
    for reply in before:
        if reply_mismatch(_as_shown(front, state, reply, line), *_told(front, line)) is None:
            parked = shown_parked(front.core, state, line.body, wakes_hidden=False)
            return [state] if parked is state else [state, parked]
    return []


def _told(front: "Frontier", line: lines.Reply) -> tuple[int | None, object, Dialect]:
    return line.status, line.body, front.dialect


def _as_shown(front: "Frontier", state: State, reply: Reply, line: lines.Reply) -> Reply:
    """The answer, in which work that a status shows parked was parked where it stood."""
    if not isinstance(reply.body, View):
        return reply
    return attrs.evolve(reply, body=_with_parked(front.core, state, reply.body, line.body))


def _with_parked(core: AgentCore, state: State, view: View, body: object) -> View:
    seen = attrs.evolve(state, executions=view.executions)
    shown = displayed(shown_parked(core, seen, body, wakes_hidden=False), body)
    counts = attrs.evolve(counts_of(shown), untracked=view.untracked)
    return attrs.evolve(view, executions=shown.executions, ready=is_ready(core.spec, counts))
