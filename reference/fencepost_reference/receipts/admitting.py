"""What a `/run` gets: a refusal, the stored result, or its handler."""

from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.changes import (
    answered,
    change,
    raise_watermark,
    refuse,
    with_execution,
)
from fencepost_reference.receipts.state import LIVE, Execution, Outstanding, Reply, State
from fencepost_spec.operation import REPLAY
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.facts import RunFacts
from fencepost_spec.receipts.running import ADMITTED
from fencepost_spec.vocabulary import Key


def run_facts(state: State, action: a.Run) -> RunFacts:
    """What is known when a `/run` arrives."""
    key = action.key
    if key is None:
        return RunFacts(action.well_formed, identified=False, closed=not state.accepting)
    history = state.history
    execution = state.executions.get(key)
    status = "unknown" if execution is None else execution.status
    return RunFacts(
        action.well_formed,
        acknowledged=key in history.acknowledged,
        refused=key in history.refused,
        below_watermark=execution is None
        and key.attempt < history.watermark.get(key.rollout_id, -1),
        completed=status == "completed_unacknowledged",
        live=status in LIVE,
        closed=not state.accepting,
        older_attempt_live=any(
            other.rollout_id == key.rollout_id
            and other.attempt < key.attempt
            and standing.status != "retiring"
            for other, standing in state.executions.items()
        ),
    )


def run(spec: AgentSpec, state: State, action: a.Run) -> Step:
    """A `/run` arrives: it is answered by the first check that holds, or admitted."""
    facts = run_facts(state, action)
    key = action.key
    for place, check in enumerate(spec.run_ladder):
        if not check.when(facts):
            continue
        if check.answer == REPLAY and key is not None:
            row = spec.execution.find("completed_unacknowledged", "run_called", None)
            receipt = state.executions[key].receipt
            if row is None or receipt is None:
                reply = Reply(409, code.DUPLICATE_EXECUTION, rule=check.rule)
            else:
                reply = Reply(200, body=("result", receipt.result_digest), rule=check.rule)
        else:
            status = 422 if check.answer == code.INVALID_REQUEST else 409
            later = spec.run_ladder[place + 1 :] if check.free else ()
            others = tuple(c.answer for c in later if c.answer != REPLAY and c.when(facts))
            # The facts do not say how a run without a readable identity is refused.
            loose = status == 422
            reply = Reply(status, check.answer, loose=loose, others=others, rule=check.rule)
        return Step(_outstanding(state, action, reply), (), (check.rule,))
    if key is None:
        state = change(state, untracked=state.untracked.set(action.id, False))
        return Step(_outstanding(state, action, None), (), (ADMITTED,))
    return _admit(spec, _outstanding(state, action, None), key, action.id)


def _outstanding(state: State, action: a.Run, reply: Reply | None) -> State:
    call = Outstanding("run", action.key, None, reply)
    return change(state, calls=state.calls.set(action.id, call))


def _admit(spec: AgentSpec, state: State, key: Key, call: str) -> Step:
    source = "pending_restored" if key in state.pending else "unknown"
    row = spec.execution.find(source, "run_called", None)
    if row is None:
        return Step(answered(state, call, Reply(409, code.DUPLICATE_EXECUTION, rule=ADMITTED)))
    rules = [ADMITTED, row.rule]
    continuation = state.pending.get(key)
    if continuation is not None:
        state = change(state, pending=state.pending.delete(key))
    superseding = spec.execution.find("pending_restored", "superseded", None)
    for other in list(state.pending):
        older = other.rollout_id == key.rollout_id and other.attempt < key.attempt
        if older and superseding is not None:
            state = change(state, pending=state.pending.delete(other))
            state = refuse(spec, state, other, "superseded", superseding.rule)
            rules.append(superseding.rule)
    state = raise_watermark(spec, state, key, "begin")
    execution = Execution(row.target, call, continuation=continuation, why=row.rule)
    return Step(with_execution(state, key, execution), (), tuple(rules))
