"""Where the rules of the snapshot come from. Imports only the sources of the ledger."""

from fencepost_spec.receipts.ledger.sources import DECISION, RL_4265_REVIEW, fact
from fencepost_spec.rule import Source

__all__ = ["DECISION", "RL_3924", "RL_4117", "RL_4264", "RL_4265_REVIEW", "RL_4266", "fact"]

RL_3924 = Source(
    "RL #3924", "periodic snapshots: sidecars, manifest last, atomic rename, retention"
)
RL_4117 = Source("RL #4117", "participants in a snapshot: topology, commit results, restart-only")
RL_4264 = Source("RL #4264", "wire models of participants: contracts, references, continuations")
RL_4266 = Source("RL #4266", "orchestration of participants: restore, joined continuations")
