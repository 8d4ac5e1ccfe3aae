"""The operations: routes, ladders, and every operation against every phase."""

from fencepost.report.markdown import (
    bullets,
    code,
    codes,
    first_line,
    render_page,
    render_table,
    upper_first,
    words,
)
from fencepost.report.phases import phase_section
from fencepost_spec.operation import REPLAY, SHARE, Check, Operation
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.controller.referee import REFEREE
from fencepost_spec.receipts.ledger.spec import LEDGER
from fencepost_spec.receipts.phase_table import AGENT_PHASES
from fencepost_spec.receipts.policy_model.spec import MODEL
from fencepost_spec.receipts.refusals import BY_CODE
from fencepost_spec.receipts.resources.server import RESOURCES

_ANSWERS = {REPLAY: "the recorded answer", SHARE: "the answer of the call under way"}


def render_operations() -> str:
    """The page of the agent's control operations."""
    return render_page(
        "Operations of the receipts agent",
        "Every control call is answered by the first check of its ladder that holds; where none "
        "does, the operation takes effect.\n"
        "The bodies are the JSON Schemas under [schemas](schemas).",
        "The operations of the other parts stand on their pages:",
        bullets(_elsewhere()),
        phase_section(AGENT_PHASES),
        *(_operation(operation) for operation in AGENT.operations.values()),
    )


def _elsewhere() -> tuple[str, ...]:
    """Where the operations of the other parts are, by their names."""
    return (
        f"{_phases_of('policy model', 'policy-model')}: {codes(MODEL.operations)}",
        f"{_phases_of('resources server', 'resources-server')}: {codes(RESOURCES.operations)}",
        f"[ledger](ledger.md), a library: {codes(LEDGER.operations)}",
        f"[controller](referee.md), asked of what it does: {codes(REFEREE.deeds)}",
    )


def _phases_of(part: str, page: str) -> str:
    return f"[{part}]({page}.md#phases), each in every phase"


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
