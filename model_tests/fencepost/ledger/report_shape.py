"""The form of a ledger's report: which members there are, and how they lie in each other.

A report of another form is told, and no verdict. What is in a member is judged: a value that a
ledger should have refused is shown as it is.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ShownAttempt(_Form):
    """One attempt; what follows the status is there where it has a result."""

    attempt_index: Any
    status: Any
    reward: Any = None
    mask: Any = None
    keys: list[Any] = []
    has_receipt: Any = False
    has_completion: Any = False


class ShownGroup(_Form):
    """One group, with all attempts of each sibling."""

    group_id: str
    admission_id: Any
    status: Any
    phase: Any
    granularity: Any
    target_step: Any
    agent: Any
    prompt_bound: Any
    siblings: list[list[ShownAttempt]]


class LedgerReport(_Form):
    """All that a ledger holds. What is owed is listed by agent, rollout id and attempt."""

    groups: list[ShownGroup]
    pending_acks: list[tuple[Any, Any, Any]]
    expected_staging_keys: list[Any]
