"""Every rule of a controller, and where each is used, in words."""

from collections.abc import Iterator

from fencepost_spec.receipts.controller.policy import DECISIONS
from fencepost_spec.receipts.controller.properties import PROPERTIES
from fencepost_spec.receipts.controller.referee import REFEREE, referee_rules
from fencepost_spec.receipts.controller.spec import CONTROLLER, controller_core_rules
from fencepost_spec.receipts.controller.target_level import LEVEL_RULES
from fencepost_spec.rule import Rule


def controller_rules() -> tuple[Rule, ...]:
    """The rules of what a controller is, and of what it may do."""
    return (*controller_core_rules(), *referee_rules())


def controller_places() -> Iterator[tuple[str, str]]:
    """The id of a rule and a place, for each place."""
    for table in CONTROLLER.tables:
        for row in table.rows:
            yield row.rule.id, f"row of {table.name}: {row.event} in {row.source}"
    for decision in DECISIONS:
        yield decision.rule.id, "decision of the controller"
    for rule in LEVEL_RULES:
        yield rule.id, "target level"
    for deed in REFEREE.deeds.values():
        for rung in deed.ladder:
            yield rung.rule.id, f"check of the controller's {deed.name}: {rung.asks.says}"
        yield deed.effect.id, f"the controller's {deed.name}"
    for prop in PROPERTIES:
        yield prop.id, f"property: {prop.kind.value}"
