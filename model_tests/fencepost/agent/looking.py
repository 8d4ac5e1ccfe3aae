"""Answers of calls that only read: they may have been read at any moment before they left."""

import attrs

from fencepost.agent.comparing import reply_mismatch
from fencepost.agent.hidden import displayed, shown_parked
from fencepost.trace import lines
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import counts_of, is_ready, view_of
from fencepost_reference.receipts.state import Outstanding, State, View
from fencepost_spec.receipts.dialects import Dialect


def read_explained(
    core: AgentCore, state: State, line: lines.Reply, waiting: Outstanding, dialect: Dialect
) -> State | None:
    """The state in which the answer was read, at its call or now, if there is one."""
    reply = waiting.reply
    if reply is None or reply.status != 200:
        return None
    if waiting.op == "capabilities":
        fence = state.fence
        body = (("phase", fence.phase), ("active_checkpoint_id", fence.active))
        now = attrs.evolve(reply, body=body)
        return state if reply_mismatch(now, line.status, line.body, dialect) is None else None
    for seen in (reply.body, view_of(core.spec, state)):
        view = _with_parked(core, state, seen, line.body)
        now = attrs.evolve(reply, body=view)
        if reply_mismatch(now, line.status, line.body, dialect) is None:
            return shown_parked(core, state, line.body, wakes_hidden=False)
    return None


def _with_parked(core: AgentCore, state: State, view: View, body: object) -> View:
    """A view in which work that a status shows parked was parked where it stood."""
    seen = attrs.evolve(state, executions=view.executions)
    shown = displayed(shown_parked(core, seen, body, wakes_hidden=False), body)
    counts = attrs.evolve(counts_of(shown), untracked=view.untracked)
    return attrs.evolve(view, executions=shown.executions, ready=is_ready(core.spec, counts))
