"""What happens to runs and their results: admission, repeats, retirement, acknowledgement."""

import attrs
from immutables import Map

from fencepost.phase_walk.agent import KEY, RECEIPT
from fencepost.report import situations
from fencepost.report.markdown import code, render_page, render_table
from fencepost.report.operations import render_ladder
from fencepost.report.situations import Answer
from fencepost_reference.receipts.state import Execution, History, State
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.running import ADMITTED
from fencepost_spec.vocabulary import Key


def render_runs() -> str:
    """The page of `/run`, retire and acknowledge, by the state of the key."""
    return render_page(
        "Runs and their results",
        "## What is asked when a run arrives",
        f"The first check that holds answers. When none does: {ADMITTED.says} ({ADMITTED.id}).",
        render_ladder(AGENT.run_ladder),
        "## What a repeated run gets",
        "Computed from the reference core, for each state of the execution chart.",
        _repeats(),
        "Beside the states of the key itself:",
        _beside(),
        "## What retire answers",
        "Computed as well. Where a handler runs, the answer comes when it has stopped; a retire "
        "whose deadline comes first answers 409 `agent_checkpoint_error`, and the work stays "
        "tracked (R-RET-1).",
        _by_state(situations.retires),
        "## What an acknowledgement answers",
        "A batch asks the same of each receipt before it releases any.",
        render_ladder(AGENT.receipt_ladder),
        _acknowledged(),
    )


def _rules(*answers: Answer) -> str:
    return ", ".join(dict.fromkeys(rule.id for answer in answers for rule in answer.rules))


def _repeats() -> str:
    rows: list[tuple[str, ...]] = []
    for status, state in situations.keys().items():
        opened = situations.runs(state)
        closed = situations.runs(state, accepting=False)
        rows.append((code(status), opened.text, closed.text, _rules(opened, closed)))
    head = ("state of the key", "admission open", "admission closed", "rules")
    return render_table(head, rows)


def _beside() -> str:
    """Situations that are facts of the rollout, or of the request."""
    running = Execution("running", "q0", begun=True)
    known = State(history=History(watermark=Map({"r1": 1})))
    older = State(executions=Map({KEY: running}))
    done = situations.keys()["completed_unacknowledged"]
    null = attrs.evolve(
        done.executions[KEY],
        receipt=attrs.evolve(RECEIPT, result_identity="null", result_digest="null"),
    )
    cases: tuple[tuple[str, State, Key | None], ...] = (
        ("a later attempt of the rollout is known", known, KEY),
        ("an older attempt of the rollout is live", older, KEY.next()),
        ("an older attempt retains its result", done, KEY.next()),
        ("the key retains a null result", State(executions=Map({KEY: null})), KEY),
        ("the run has no identity", State(), None),
    )
    rows: list[tuple[str, ...]] = []
    for name, state, key in cases:
        opened = situations.runs(state, key)
        closed = situations.runs(state, key, accepting=False)
        rows.append((name, opened.text, closed.text, _rules(opened, closed)))
    return render_table(("situation", "admission open", "admission closed", "rules"), rows)


def _by_state(ask: situations.Asked) -> str:
    rows = (
        (code(status), (answer := ask(state)).text, _rules(answer))
        for status, state in situations.keys().items()
    )
    return render_table(("state of the key", "answer", "rules"), rows)


def _acknowledged() -> str:
    fields = ", ".join(code(field.name) for field in AGENT.receipt_fields)
    rows: list[tuple[str, ...]] = []
    for status, state in situations.keys().items():
        equal = situations.acknowledges(state, RECEIPT)
        other = situations.acknowledges(state, situations.OTHER_RECEIPT)
        rows.append((code(status), equal.text, other.text, _rules(equal, other)))
    head = ("state of the key", "its own receipt", "another receipt", "rules")
    table = render_table(head, rows)
    return f"Two receipts are equal when these fields are: {fields}.\n\n{table}"
