"""The named worlds around a ledger, from those that a test walks in seconds to those for a night.

Each tiny one is about one thing and can be walked with and without every reduction.
"""

from fencepost.exploring.ledger.calls import DAMAGES
from fencepost.exploring.ledger.scope import COHORT, SIBLING, LedgerScope

LEDGER_SCOPES: tuple[LedgerScope, ...] = (
    LedgerScope(
        "ledger-tiny",
        "one group of one sibling, every attempt of it, and the way to its finalizer",
        siblings=1,
        ends=True,
        again=True,
        shows=("R-LSO-3", "R-LSO-4"),
    ),
    LedgerScope(
        "ledger-tiny-siblings",
        "one group of two siblings that may be exchanged, each sealed and retried by itself",
    ),
    LedgerScope(
        "ledger-tiny-cohort",
        "one cohort of two that is acknowledged one by one and sealed as one",
        groups=(COHORT,),
        shows=("R-LSO-2",),
    ),
    LedgerScope(
        "ledger-tiny-admission",
        "two groups that may be exchanged and are admitted together",
        groups=(SIBLING, SIBLING),
        siblings=1,
        admits=True,
    ),
    LedgerScope(
        "ledger-tiny-agents",
        "one cohort of two, and two agents that may be exchanged",
        groups=(COHORT,),
        agents=2,
    ),
    LedgerScope(
        "ledger-tiny-crash",
        "one group of one sibling, a crash anywhere, a file that is read back or not written",
        siblings=1,
        ends=True,
        crashes=1,
        faults=1,
        saves=("sidecar",),
        sources=True,
        shows=("R-LSO-1", "R-LSO-5"),
    ),
    LedgerScope(
        "ledger-tiny-files",
        "a file with one thing wrong is read after a crash, whatever it was made from",
        siblings=1,
        attempts=1,
        crashes=1,
        saves=("sidecar", "plain"),
        damages=tuple(DAMAGES),
    ),
    LedgerScope(
        "ledger-tiny-restart",
        "one group of two siblings, a crash, and a file in which one of them may be sealed",
        attempts=1,
        crashes=1,
        saves=("sidecar",),
    ),
    LedgerScope(
        "ledger-tiny-masked",
        "one group of one sibling whose sample may be masked, and the way to its finalizer",
        siblings=1,
        attempts=1,
        ends=True,
        masked=True,
    ),
    LedgerScope(
        "ledger-tiny-wrong",
        "one group of one sibling, and everything that has to be refused of it",
        siblings=1,
        attempts=1,
        ends=True,
        wrong=("values", "cuts", "results", "rows"),
    ),
    LedgerScope(
        "ledger-tiny-wrong-cohort",
        "one cohort of two, and everything that has to be refused of it",
        groups=(COHORT,),
        attempts=1,
        wrong=("cuts", "results", "rows"),
    ),
    LedgerScope(
        "ledger-small",
        "a group of two siblings of two attempts, its finalizer, a crash and its file",
        ends=True,
        crashes=1,
        saves=("sidecar",),
        shows=("R-LSO-1", "R-LSO-4", "R-LSO-5"),
    ),
    LedgerScope(
        "ledger-medium",
        "a cohort of two attempts, its finalizer, receipts recorded again, a crash and its file",
        groups=(COHORT,),
        ends=True,
        crashes=1,
        saves=("sidecar",),
        again=True,
    ),
    LedgerScope(
        "ledger-large",
        "a group of two siblings and a cohort of two, a crash, a failure to write, two agents",
        groups=(SIBLING, COHORT),
        agents=2,
        ends=True,
        crashes=1,
        faults=1,
        saves=("sidecar", "plain"),
        again=True,
        sources=True,
        shows=("R-LSO-1", "R-LSO-2", "R-LSO-3", "R-LSO-4", "R-LSO-5"),
    ),
)
