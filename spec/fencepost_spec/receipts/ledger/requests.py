"""What each operation of a ledger is asked, by the names of its parameters.

Every mutation also takes a live cut, which is no value and stands beside the request. May import:
pydantic, `strict`, `values`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Self

from pydantic import Field, model_validator

from fencepost_spec.receipts.ledger.values import (
    CompletedExecution,
    GateReceipt,
    Generations,
    Granularity,
    PromptId,
    PromptPayload,
    Result,
    Reward,
)
from fencepost_spec.receipts.requests import Keyed, Receipt
from fencepost_spec.strict import Count, RolloutId, Strict, Text


class OfGroup(Strict):
    """A request about one prompt group."""

    group_id: Text


class Nothing(Strict):
    """A request without parameters."""


class ReserveGroup(Strict):
    """Reserve one prompt group, its first attempts included."""

    group_id: RolloutId
    admission_id: Text | None = None
    prompt_id: PromptId
    prompt_payload: PromptPayload
    expected_generations: Generations
    target_step: Count | None
    start_weight_version: Count
    task_source: str | None = None
    recovery_granularity: Granularity = "sibling"
    admitted: bool = True

    @model_validator(mode="after")
    def _one_prompt(self) -> Self:
        if str(self.prompt_payload.idx) != self.prompt_id:
            raise ValueError("prompt_id is the index of the payload")
        return self


class AdmitGroup(OfGroup):
    """Admit a reserved group, and every group that shares its admission."""

    target_step: Count | None
    start_weight_version: Count


class DispatchGroup(OfGroup):
    """Say that some siblings, or all, are about to be sent out."""

    generation_indices: Annotated[list[Count], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        indices = self.generation_indices or []
        if len(set(indices)) != len(indices):
            raise ValueError("a sibling is dispatched once")
        return self


class OfSibling(OfGroup):
    """A request about one sibling."""

    generation_index: Count


class SealSibling(OfSibling):
    """Seal one sibling with its result."""

    gate_rollout_id: Text
    receipt: GateReceipt | None
    reward: Reward
    mask_sample: bool
    resolved_agent_name: Text
    completion_receipt: Receipt | None = None


class SealGroup(OfGroup):
    """Seal a whole cohort, its results by generation index."""

    results: dict[str, Result]


class PartialResult(OfSibling):
    """Record the acknowledgement that is owed for one finished sibling of a cohort."""

    result: Result


class Acknowledged(Strict):
    """Rows that a participant has confirmed."""

    acknowledgements: list[CompletedExecution]


class Groups(Strict):
    """A request about several groups."""

    group_ids: list[Text]


class BindPrompt(OfGroup):
    """Give a loaded group its prompt again."""

    prompt_payload: PromptPayload


class Restart(Strict):
    """Give up what the last process ran; the attempts that continuations were taken from."""

    restored_sources: Annotated[list[Keyed], Field(default_factory=list)]


class Load(Strict):
    """A saved state, not yet looked at."""

    state: Any


class BuildSidecar(Strict):
    """What is saved beside the ledger: a shortfall by training step, and how steps are stamped."""

    batch_shortfall: dict[Count, Count]
    sampler_stamps_target_steps: bool


# fmt: off
REQUESTS: Final[Mapping[str, type[Strict]]] = {
    "reserve_group":                          ReserveGroup,
    "mark_group_admitted":                    AdmitGroup,
    "mark_group_dispatched":                  DispatchGroup,
    "mark_sibling_sealed":                    SealSibling,
    "mark_group_sealed":                      SealGroup,
    "abandon_unsealed":                       OfGroup,
    "prepare_incomplete_retry":               OfGroup,
    "record_sealed_sibling_acknowledgement":  OfSibling,
    "record_sealed_group_acknowledgements":   OfGroup,
    "record_partial_group_acknowledgement":   PartialResult,
    "mark_completed_executions_acknowledged": Acknowledged,
    "discard_pending_acknowledgements":       Nothing,
    "finalization_inputs":                    OfGroup,
    "mark_finalization_started":              OfGroup,
    "mark_finalization_unknown":              OfGroup,
    "discard_group":                          OfGroup,
    "discard_canonical_groups":               Groups,
    "bind_runtime_prompt":                    BindPrompt,
    "assert_checkpoint_safe":                 Nothing,
    "state_dict":                             Nothing,
    "build_rollout_recovery_state":           BuildSidecar,
    "load_state_dict":                        Load,
    "load":                                   Load,
    "prepare_for_restart":                    Restart,
}
# fmt: on
