"""Where the rules of the controller come from. Imports only `rule` and the ledger's sources."""

from fencepost_spec.receipts.ledger.sources import DECISION, DERIVED, RL_4265, RL_4265_REVIEW, fact
from fencepost_spec.rule import Source

__all__ = [
    "DECISION",
    "DERIVED",
    "RL_3924",
    "RL_4117",
    "RL_4265",
    "RL_4265_REVIEW",
    "RL_4266",
    "fact",
]

RL_3924 = Source("RL #3924", "periodic snapshots: captured behind a barrier, published by a rename")
RL_4117 = Source("RL #4117", "snapshots that hold what the participants committed")
RL_4266 = Source("RL #4266", "the actor between controller and participants, selective restart")
