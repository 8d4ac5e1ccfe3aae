"""Where the specification of a resources server uses each of its rules, in words."""

from collections.abc import Iterable

from fencepost_spec.receipts.resources.handling import HANDLING_RULES
from fencepost_spec.receipts.resources.operations import EFFECT_RULES
from fencepost_spec.receipts.resources.properties import PROPERTIES
from fencepost_spec.receipts.resources.routes import ROUTE_RULES
from fencepost_spec.receipts.resources.server import RESOURCES
from fencepost_spec.table import Table


def row_places(table: Table) -> Iterable[tuple[str, str]]:
    """Where the rules of a table stand."""
    for row in table.rows:
        yield row.rule.id, f"row of {table.name}: {row.event} in {row.source}"


def resources_places() -> Iterable[tuple[str, str]]:
    """Each rule of a resources server with a place where it is used."""
    yield from row_places(RESOURCES.session)
    for operation in RESOURCES.operations.values():
        for check in operation.ladder:
            yield check.rule.id, f"check of {operation.name} of a resources server"
        yield operation.effect.id, f"effect of {operation.name} of a resources server"
    for check in RESOURCES.arrival:
        yield check.rule.id, "check of a request that arrives"
    for check in RESOURCES.under_lock:
        yield check.rule.id, "check of a request under its lock"
    for each in HANDLING_RULES:
        yield each.id, "what becomes of a request"
    for each in EFFECT_RULES:
        yield each.id, "how an operation of a resources server ends"
    for route in RESOURCES.routes:
        yield route.rule.id, f"route: {route.name}"
    for each in ROUTE_RULES:
        yield each.id, "how a request is read"
    named = {
        "mode": [(one.rule.id, one.name) for one in RESOURCES.modes],
        "contract": [(one.rule.id, one.name) for one in RESOURCES.contracts],
        "blocks a prepare": [(one.rule.id, one.name) for one in RESOURCES.blockers],
        "kept in a snapshot": [(one.rule.id, one.name) for one in RESOURCES.snapshot],
        "written down": [(one.rule.id, one.status) for one in RESOURCES.exported],
        "refuses the key of a session": [(one.rule.id, one.cause) for one in RESOURCES.refuses],
        "raises the watermark of sessions": [(one.rule.id, one.cause) for one in RESOURCES.raises],
    }
    for kind, entries in named.items():
        for rule_id, name in entries:
            yield rule_id, f"{kind}: {name}"
    for prop in PROPERTIES:
        yield prop.id, f"property of a resources server: {prop.kind.value}"
