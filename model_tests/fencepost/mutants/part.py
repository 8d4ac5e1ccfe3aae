"""The mutants of an agent, for the kill matrix."""

from fencepost.kill_matrix.part import Examine, Part
from fencepost.mutants.argued import EQUIVALENT, SURVIVORS, UNBROKEN
from fencepost.mutants.workshop import GROUPS, Workshop
from fencepost.mutants.worlds import SCOPES
from fencepost.report.markdown import render_table
from fencepost_spec.receipts.agent import AGENT, agent_rules


def _examiner() -> Examine:
    return Workshop().examine


def _scopes() -> tuple[str, ...]:
    table = render_table(
        ("scope", "world", "moves", "most actions"),
        [(one.name, one.says, str(len(one.moves)), str(one.actions_max)) for one in SCOPES],
    )
    return ("## Scopes", table)


PART = Part(
    name="agent",
    title="Mutants",
    says="The shortest sequence is counted in actions of the world; "
    "what the participant does by its own choice stands in brackets and costs nothing. A scope "
    "is bounded by its moves and its number of actions, and within them walked whole.",
    page="mutants.md",
    groups=GROUPS,
    examiner=_examiner,
    rules=agent_rules,
    intact=AGENT,
    spec_of=lambda mutant: mutant.make().spec,
    arguments={**EQUIVALENT, **SURVIVORS},
    unbroken=UNBROKEN,
    more=_scopes,
)
"""The agent."""
