"""Where each rule of the receipts protocol comes from. Imports only `rule`."""

from fencepost_spec.rule import Source

GYM_2940 = Source(
    "Gym #2940", "fenced control contracts: one checkpoint at a time, replayed answers"
)
GYM_2942 = Source("Gym #2942", "agent participant: boundaries, parking, commit and restore")
GYM_2942_REVIEW = Source(
    "review of Gym #2942", "what careful readers found in the agent participant"
)
GYM_3349 = Source("Gym #3349", "completion receipts, acknowledgements, external and model waits")
RL_4265_REVIEW = Source("review of RL #4265", "what careful readers found in the recovery ledger")
RECUT = Source("environment-server re-cut", "the second generation, read for what it repaired")
DERIVED = Source("derived", "deduced from public code, decided in docs/decisions.md")
DECISION = Source("decision", "the facts are silent or disagree; decided in docs/decisions.md")
