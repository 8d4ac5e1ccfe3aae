"""Where the rules of the ledger come from. Imports only `rule` and the sources of the protocol."""

from fencepost_spec.receipts.sources import DECISION, DERIVED, RL_4265_REVIEW
from fencepost_spec.rule import Source

__all__ = ["DECISION", "DERIVED", "RL_3923", "RL_4265", "RL_4265_REVIEW", "fact"]

RL_3923 = Source("RL #3923", "recovery ledger: prompt groups, siblings, attempts, finalization")
RL_4265 = Source("RL #4265", "recovery ledger: numbered attempts, receipts, obligations")


def fact(*numbers: str) -> tuple[str, ...]:
    """The numbers of the ledger's own facts, which count anew: ledger:I1 is not I1.

    >>> fact("I1", "G5")
    ('ledger:I1', 'G5')
    """
    return tuple(number if number[0] in "GR" else f"ledger:{number}" for number in numbers)
