"""Where each rule of the ledger is used, in words."""

from collections.abc import Iterator

from fencepost_spec.receipts.ledger.properties import PROPERTIES
from fencepost_spec.receipts.ledger.spec import LEDGER


def ledger_places() -> Iterator[tuple[str, str]]:
    """The id of a rule and a place, for each place."""
    for table in LEDGER.tables:
        for row in table.rows:
            yield row.rule.id, f"row of {table.name}: {row.event} in {row.source}"
    for operation in LEDGER.operations.values():
        for check in operation.checks:
            yield check.rule.id, f"check of {operation.name}"
        yield operation.effect.id, f"effect of {operation.name}"
    for check in LEDGER.results:
        yield check.rule.id, "check of a result"
    loading = LEDGER.loading
    for what, checks in (
        ("the shape", loading.shape),
        ("each attempt", loading.attempt),
        ("each sibling", loading.sibling),
        ("each group", loading.group),
        ("the whole", loading.ledger),
    ):
        for check in checks:
            yield check.rule.id, f"check of a saved ledger: {what}"
    for prop in PROPERTIES:
        yield prop.id, f"property: {prop.kind.value}"
