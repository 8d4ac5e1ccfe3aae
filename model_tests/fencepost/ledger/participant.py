"""The contract of a recovery ledger that is checked in process: one page.

Write an adapter: a subclass of `LedgerParticipant` that passes operations on to your ledger. Name a
function that makes a new one: `package.module:factory`. The harness makes a participant for every
case, calls `start` once before anything else, and again whenever it replaces the process.

Requests and answers are plain values in the words of dialect `fencepost-1`
(`docs/reference/ledger.md`): the request of an operation is a mapping of its parameters by name,
without the cut; an obligation is `{"receipt": {…}, "agent_name": …}`; a saved state is the mapping
that a file holds. A request may be wrong on purpose, in any place: your ledger has to refuse it.

An operation that your ledger refuses raises `Refused`. Whatever else is raised means that the
adapter or the ledger is broken, and the check ends with exit code 4.
"""

from abc import ABC, abstractmethod
from typing import Any

from fencepost_spec.receipts.ledger.requests import REQUESTS

VERSION = "fencepost-1"

OPERATIONS = frozenset(REQUESTS)
"""Every operation there is; a participant names those it has."""

NEEDED = frozenset({"reserve_group", "mark_group_dispatched"})
"""The operations without which nothing can be tried."""


class Refused(Exception):
    """The ledger refused an operation, and nothing has changed."""


class LedgerParticipant(ABC):
    """A recovery ledger under test."""

    name: str
    """What the ledger is called in verdicts."""

    operations: frozenset[str] = OPERATIONS
    """The operations that it has. What is not named here is never called."""

    @abstractmethod
    def start(self) -> None:
        """Begin with an empty ledger, as a new process does; forget whatever was there."""

    @abstractmethod
    def call(self, op: str, request: Any, *, cut: bool) -> Any:
        """Do one operation and return its value, or raise `Refused`.

        `cut` says whether the mutation cut that the operation gets is live. With False, hand over
        one that has ended, or whatever your ledger has to refuse in its place.
        """

    @abstractmethod
    def report(self) -> dict[str, Any]:
        """What the ledger holds now, asked without changing it.

        `groups`: for each its `group_id`, `admission_id`, `status`, `phase`, `granularity`,
        `target_step`, `agent`, `prompt_bound` and `siblings`, a list of lists of attempts, each
        with `attempt_index` and `status`, and where it has a result `reward`, `mask`, `keys`,
        `has_receipt` and `has_completion`. `pending_acks`: [agent, rollout id, attempt] of each.
        `expected_staging_keys`: the staged rows of sealed attempts.
        """
