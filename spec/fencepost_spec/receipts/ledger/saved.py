"""What a ledger leaves on disk: a file of plain values, read by exactly the models it was made by.

A saved document has no defaults: what may be null is still there. Texts, whole numbers, floats,
truth values, nulls, lists and mappings are all there is, so a loader that makes no objects reads
it. Prompts are not saved. May import: pydantic, `strict`, `values`, `versions`.
"""

from fencepost_spec.receipts.ledger.values import (
    AttemptStatus,
    CompletedExecution,
    GateReceipt,
    Generations,
    Granularity,
    GroupStatus,
    Phase,
    PromptId,
    Reward,
)
from fencepost_spec.receipts.requests import Receipt
from fencepost_spec.receipts.versions import LedgerSchema
from fencepost_spec.strict import Count, RolloutId, Strict, Text


class SavedAttempt(Strict):
    """One attempt of a sibling; only a sealed one has a result."""

    attempt_index: Count
    status: AttemptStatus
    receipt: GateReceipt | None
    completion_receipt: Receipt | None
    reward: Reward | None
    mask_sample: bool | None
    staging_keys: list[str]


class SavedSibling(Strict):
    """One sibling with all its attempts, the current one last."""

    generation_index: Count
    attempts: list[SavedAttempt]


class PromptRef(Strict):
    """Where a prompt is found again."""

    sample_id: Text
    task_name: Text


class SavedGroup(Strict):
    """One prompt group."""

    group_id: RolloutId
    admission_id: Text
    prompt_id: PromptId
    prompt_ref: PromptRef
    task_source: str | None
    resolved_agent_name: Text | None
    recovery_granularity: Granularity
    expected_generations: Generations
    target_step: Count | None
    start_weight_version: Count
    status: GroupStatus
    phase: Phase
    siblings: list[SavedSibling]


class SavedLedger(Strict):
    """The whole ledger: groups, and the acknowledgements that are owed."""

    schema_version: LedgerSchema
    groups: list[SavedGroup]
    pending_completed_execution_acknowledgements: list[CompletedExecution]


class SavedSidecar(SavedLedger):
    """The file beside a snapshot: the ledger, and two facts of the sampler."""

    batch_shortfall: dict[Count, Count]
    sampler_stamps_target_steps: bool
