"""The operations: routes, ladders, and every operation against every phase."""

from fencepost.report import situations
from fencepost.report.markdown import (
    bullets,
    code,
    first_line,
    render_page,
    render_table,
    upper_first,
    words,
)
from fencepost_spec.operation import REPLAY, SHARE, Check, Operation
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.refusals import BY_CODE

_ANSWERS = {REPLAY: "the recorded answer", SHARE: "the answer of the call under way"}

_CELLS = {
    "`a → b`": "the operation acts and the fence goes through *a* to *b*; one name: it ends there",
    "acts": "it takes effect, or the participant itself refuses it; the fence stays where it is",
    "replays": "the recorded answer is given again, whatever the phase is now",
    "shares": "the caller joins the call that is under way and gets its answer",
    "anything else": "the code of a refusal",
}


def render_operations() -> str:
    """The page of the agent's control operations."""
    return render_page(
        "Operations of the receipts agent",
        "Every control call is answered by the first check of its ladder that holds; where none "
        "does, the operation takes effect.\n"
        "The bodies are the JSON Schemas under [schemas](schemas).",
        "## Every operation in every phase",
        "Computed from the reference core: the phase is reached, and the operation called there.\n"
        "In each phase but *idle* the id is the one that is open; *finished id* has been resumed, "
        "*other id* comes while another is open.",
        _phases(),
        bullets(f"{cell}: {meaning}." for cell, meaning in _CELLS.items()),
        *(_operation(operation) for operation in AGENT.operations.values()),
    )


def _phases() -> str:
    states = situations.phases()
    columns = list(AGENT.operations.values())
    rows: list[list[str]] = []
    for phase, state in states.items():
        answers = (situations.called(state, each, situations.OWN).cell for each in columns)
        rows.append([phase, *answers])
    for name, phase, checkpoint in (
        ("finished id", "idle", situations.FINISHED),
        ("other id", "prepared", situations.OTHER),
    ):
        answers = (situations.called(states[phase], each, checkpoint).cell for each in columns)
        rows.append([name, *answers])
    return render_table(["", *(operation.name for operation in columns)], rows)


def _operation(operation: Operation) -> str:
    effect = operation.effect
    facts = [
        f"`{operation.method} {operation.path}`",
        "needs the bearer token" if operation.token else "needs no token",
    ]
    if operation.event is not None:
        facts.append(f"moves the fence by `{operation.event}`")
    if operation.phases is not None:
        facts.append(f"acts in {', '.join(code(phase) for phase in operation.phases)}")
    if operation.recorded:
        facts.append("its success is recorded until the id is resumed, and replayed")
    if operation.finishes:
        facts.append("finishes its id")
    cited = ", ".join((effect.id, effect.source.id, *effect.facts))
    return "\n\n".join(
        (
            f"## {operation.name}",
            upper_first(operation.says) + ".",
            bullets(facts),
            render_ladder(operation.ladder),
            f"When no check answers: {effect.says} ({cited}).",
        )
    )


def render_ladder(ladder: tuple[Check, ...]) -> str:
    """The checks of a ladder in the order in which they are asked."""
    head = ("", "when", "answer", "rule", "because", "source", "facts")
    rows = (
        (
            str(place),
            words(check.when.__name__) + f": {first_line(check.when.__doc__)}.",
            _answer(check),
            check.rule.id,
            check.rule.says,
            check.rule.source.id,
            ", ".join(check.rule.facts),
        )
        for place, check in enumerate(ladder, start=1)
    )
    return render_table(head, rows)


def _answer(check: Check) -> str:
    if check.answer in _ANSWERS:
        return _ANSWERS[check.answer]
    text = f"{BY_CODE[check.answer].status} `{check.answer}`"
    return f"{text}; a later refusal that also holds may speak first" if check.free else text
