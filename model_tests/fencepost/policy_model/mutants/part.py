"""The mutants of a policy model, for the kill matrix."""

from fencepost.kill_matrix.part import MECHANICAL, Examine, Part
from fencepost.policy_model.mutants.argued import EQUIVALENT, UNBROKEN
from fencepost.policy_model.mutants.examining import Examiner
from fencepost.policy_model.mutants.mechanical import generated
from fencepost.policy_model.mutants.named import NAMED
from fencepost_spec.receipts.policy_model.spec import MODEL, model_rules


def _examiner() -> Examine:
    return Examiner().examine


PART = Part(
    name="model",
    title="Mutants of the policy model",
    says="The shortest sequence is what the world does; what a model does by itself is not told.",
    page="model-mutants.md",
    groups={"named": NAMED, MECHANICAL: generated()},
    examiner=_examiner,
    rules=model_rules,
    intact=MODEL,
    spec_of=lambda mutant: mutant.make().spec,
    arguments=EQUIVALENT,
    unbroken=UNBROKEN,
)
"""The policy model."""
