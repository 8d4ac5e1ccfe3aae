"""Where the specification of a policy model uses each rule, in words."""

from collections.abc import Iterator

from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES
from fencepost_spec.receipts.policy_model.rules import OTHER_RULES
from fencepost_spec.receipts.policy_model.spec import MODEL, ModelSpec


def model_places(spec: ModelSpec = MODEL) -> Iterator[tuple[str, str]]:
    """The id of a rule and a place where it is used, for every place.

    >>> dict(model_places())["R-MRF-1"]
    'refuses the attempt at a model: aborted'
    """
    for table in (spec.fence, spec.admission, spec.ticket):
        # The rows of the fence are the agent's too, and are told in the same words.
        for row in table.rows:
            yield row.rule.id, f"row of {table.name}: {row.event} in {row.source}"
    for operation in spec.operations.values():
        for check in operation.ladder:
            yield check.rule.id, f"check of {operation.name} at a model"
        yield operation.effect.id, f"effect of {operation.name} at a model"
    ladders = {
        "the gate": spec.gate,
        "the roots of a commit": spec.roots,
        "a directory that holds a commit": spec.existing,
        "a directory to restore": spec.source,
    }
    for what, ladder in ladders.items():
        for check in ladder:
            yield check.rule.id, f"check of {what}"
    for route in spec.gated:
        yield route.rule.id, f"gated route: {route.name}"
    for cause in spec.refuses:
        yield cause.rule.id, f"refuses the attempt at a model: {cause.cause}"
    for mark in spec.raises:
        yield mark.rule.id, f"raises the mark of a rollout at a model: {mark.cause}"
    for prop in MODEL_PROPERTIES:
        yield prop.id, f"property of a model: {prop.kind.value}"
    for rule in OTHER_RULES:
        yield rule.id, "step or answer of a model"
