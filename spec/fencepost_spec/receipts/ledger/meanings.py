"""What the parameters of a ledger's operations mean, and what null means where it is allowed.

The kinds of the values are in `requests` and `values`. May import nothing.
"""

from collections.abc import Mapping
from typing import Final

# fmt: off
PARAMETERS: Final[Mapping[str, str]] = {
    "group_id": "which prompt group; its siblings run as rollouts `<group_id>_g<generation_index>`",
    "admission_id": "what groups of one batch of the sampler share, and are admitted by together",
    "prompt_id": "the index of the prompt in decimal digits, the same as `prompt_payload.idx`",
    "prompt_payload": "the prompt as the dataset gives it",
    "expected_generations": "how many siblings the group has",
    "target_step": "the training step that the sampler stamped it for",
    "start_weight_version": "the version of the weights at its admission",
    "task_source": "the name of the agent that runs it",
    "recovery_granularity": "whether siblings are sealed one by one, or the whole group at once",
    "admitted": "whether it may be dispatched at once; else it is reserved only",
    "generation_indices": "the siblings that are about to be sent out, each once",
    "generation_index": "which sibling, counted from 0",
    "gate_rollout_id": "the capture key of the attempt whose result it is",
    "receipt": "the gate receipt: which rows of training data were staged",
    "reward": "the reward, finite",
    "mask_sample": "whether the sample is masked in training",
    "resolved_agent_name": "the agent that ran it",
    "completion_receipt": "what the participant waits for, until it is acknowledged",
    "results": "the result of every sibling, by its generation index in decimal digits",
    "result": "the result of that sibling",
    "acknowledgements": "the obligations that a participant has confirmed",
    "group_ids": "the groups that training has already",
    "restored_sources": "the attempts that restored continuations were taken from",
    "state": "a saved state, as a file holds it; anything else is refused",
    "batch_shortfall": "how many groups each training step is short of, by its number",
    "sampler_stamps_target_steps": "whether the sampler stamps groups with a training step",
}
"""By the name of a parameter; it means the same in each operation."""

NULLS: Final[Mapping[str, str]] = {
    "admission_id": "the group id",
    "target_step": "the sampler stamps no steps",
    "task_source": "it is not known",
    "generation_indices": "all siblings",
    "receipt": "the capture failed for good: no rows were staged",
    "completion_receipt": "nothing is owed",
}
"""What null means, of those that may be null; where it is the default too, left out is the same."""
# fmt: on
