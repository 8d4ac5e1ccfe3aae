"""The promises of an agent as questions: each `always` of the specification, asked of one step.

A question is named after the phrase of its property and is true while the promise is kept. None
of them asks the specification what to do: they read states, and what a watcher remembers
(`ghost.py`), so that a variation of the specification can be caught breaking one. Each takes it
that the promises were kept until now.
"""

from collections.abc import Callable, Mapping
from typing import Any

from fencepost_reference.model import Step
from fencepost_reference.receipts import promises_of_checkpoints as checkpoints
from fencepost_reference.receipts import promises_of_work as work
from fencepost_reference.receipts.ghost import Ghost, Moment
from fencepost_reference.receipts.state import State
from fencepost_spec.operation import Property
from fencepost_spec.receipts.properties import BY_ID

Promise = Callable[[Moment], bool]

PROMISES: Mapping[str, Promise] = {
    "R-INV-1": work.at_most_one_execution_of_a_key_is_live,
    "R-INV-2": work.a_refused_or_acknowledged_key_never_runs_again_in_its_process,
    "R-INV-3": checkpoints.a_restored_source_is_refused_and_continues_only_as_the_next_attempt,
    "R-INV-4": work.no_attempt_below_the_watermark_of_its_rollout_is_live,
    "R-INV-5": work.no_work_is_admitted_between_prepare_and_resume,
    "R-INV-6": checkpoints.a_written_checkpoint_holds_no_running_blocked_or_finished_work,
    "R-INV-7": work.nothing_that_was_counted_as_parked_moves_before_a_later_resume,
    "R-INV-8": work.a_key_is_resumable_or_finished_never_both,
    "R-INV-9": work.a_finished_result_stays_the_same_until_its_receipt_is_acknowledged,
    "R-INV-10": work.only_an_equal_receipt_releases_a_result,
    "R-INV-12": work.boundary_indices_rise_and_start_above_the_continuation,
    "R-INV-13": checkpoints.every_exported_record_was_declared_as_a_boundary,
    "R-INV-15": checkpoints.at_most_one_id_is_active_and_a_finished_id_never_is_again,
    "R-INV-16": checkpoints.an_operation_of_one_id_succeeds_at_most_once,
    "R-INV-17": checkpoints.the_fence_has_an_active_id_exactly_when_a_checkpoint_is_open,
    "R-INV-18": checkpoints.a_committed_directory_never_changes,
    "R-INV-19": checkpoints.a_restore_installs_the_whole_directory_or_nothing,
    "R-INV-20": checkpoints.a_restore_meets_no_live_work,
    "R-INV-21": checkpoints.a_restored_record_is_claimed_exported_discarded_or_refused,
    "R-INV-22": checkpoints.admission_is_closed_while_a_checkpoint_is_open,
    "R-INV-28": work.the_result_of_a_retired_run_never_reaches_its_client,
    "R-INV-29": work.two_attempts_of_a_rollout_are_never_live_together,
}
"""Every `always` of the specification, by its id."""


def broken(before: State, action: Any, step: Step, ghost: Ghost) -> tuple[Property, ...]:
    """The promises that a step breaks, given what was remembered before it."""
    moment = Moment(before, action, step, ghost)
    return tuple(BY_ID[name] for name, kept in PROMISES.items() if not kept(moment))
