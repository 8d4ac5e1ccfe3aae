"""One check of a snapshot, made from its number. May import: operation, sources."""

from fencepost_spec.operation import Check, Condition
from fencepost_spec.receipts.snapshot.sources import fact
from fencepost_spec.rule import Rule, Source


def check(
    number: int, when: Condition, answer: str, says: str, source: Source, *facts: str
) -> Check:
    """A check whose rule has that number."""
    return Check(Rule(f"R-SNP-{number}", says, source, fact(*facts)), when, answer)
