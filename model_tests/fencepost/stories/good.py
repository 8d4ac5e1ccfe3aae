"""Stories in which a good thing happens: a witness for each promise that something is possible.

Each is as short as it can be. What they have in common is said once: work that runs and has a
boundary, a checkpoint of it on disk.
"""

from typing import Any

from fencepost.stories.teller import Story
from fencepost_spec.vocabulary import Key

R1, R2 = Key("r1", 0), Key("r2", 0)
RESULT = {"id": "result-1", "reward": 1.0}


def work_at(story: Story, key: Key, index: int) -> str:
    """A run that has started and recorded a boundary; the id of its call."""
    call = story.run(key)
    story.boundary(key, index)
    return call


def prepared(story: Story, checkpoint: str, key: Key, index: int) -> int:
    """A checkpoint that work reaches at a boundary; the line of the boundary, which waits."""
    story.call("prepare", checkpoint_id=checkpoint)
    return story.boundary(key, index)


def written(story: Story, checkpoint: str, directory: str) -> None:
    """A prepared checkpoint is written."""
    story.call("commit", checkpoint_id=checkpoint, checkpoint_dir=directory)


def restored(story: Story, checkpoint: str, directory: str) -> None:
    """A new process restores a directory and opens."""
    story.crash()
    story.call("restore", checkpoint_id=checkpoint, checkpoint_dir=directory)
    story.call("resume", checkpoint_id=checkpoint)


def _checkpoint_of_r1(story: Story) -> None:
    work_at(story, R1, 0)
    prepared(story, "c1", R1, 1)
    written(story, "c1", "d1")


def park_write_go_on(story: Story) -> None:
    """Work parks at its next boundary, is written, and goes on after resume."""
    _checkpoint_of_r1(story)
    story.report()
    story.look("d1")
    story.call("resume", checkpoint_id="c1")
    story.boundary(R1, 2)
    story.finish(R1, RESULT)
    story.report()


def continue_as_next_attempt(story: Story) -> None:
    """After a crash the rollout continues from its record, as the next attempt."""
    _checkpoint_of_r1(story)
    restored(story, "restore-1", "d1")
    story.run(R1)
    story.run(R1.next())
    story.boundary(R1.next(), 2)
    story.finish(R1.next(), RESULT)
    story.report()


def adopt_after_lost_reply(story: Story) -> None:
    """A result whose reply was lost is asked for again, adopted and acknowledged."""
    call = work_at(story, R1, 0)
    story.gone(call)
    story.finish(R1, RESULT)
    story.call("retire", checkpoint_id="c1", rollout_id="r1", attempt_index=0)
    story.run(R1)
    story.call("acknowledge", **receipt_of(story, R1))
    story.call("prepare", checkpoint_id="c1")
    story.report()


def receipt_of(story: Story, key: Key) -> dict[str, Any]:
    """The receipt of a retained result, as the participant would tell it."""
    receipt = story.state.executions[key].receipt
    assert receipt is not None  # Only a finished run has one.
    return {
        "rollout_id": key.rollout_id,
        "attempt_index": key.attempt,
        "execution_generation": receipt.execution_generation,
        "result_identity": receipt.result_identity,
        "result_digest": receipt.result_digest,
        "manifest_capture_key": receipt.manifest_capture_key,
        "terminal_model_call_id": receipt.terminal_model_call_id,
    }


def retry_after_missed_deadline(story: Story) -> None:
    """A prepare misses its deadline; called again, it finds the work at a boundary."""
    work_at(story, R1, 0)
    story.call("prepare", checkpoint_id="c1", deadline_in=1.0)
    story.tick(1.0)
    story.report()
    prepared(story, "c1", R1, 1)
    story.report()


def give_up_checkpoint(story: Story) -> None:
    """A prepared checkpoint is given up, and the work goes on."""
    work_at(story, R1, 0)
    prepared(story, "c1", R1, 1)
    story.call("resume", checkpoint_id="c1")
    story.boundary(R1, 2)
    story.report()


def write_unclaimed_record(story: Story) -> None:
    """A restored record that nobody has claimed yet is written again."""
    _checkpoint_of_r1(story)
    restored(story, "restore-1", "d1")
    story.call("prepare", checkpoint_id="c2")
    written(story, "c2", "d2")
    story.look("d2")
    story.report()


def write_continuation(story: Story) -> None:
    """A replacement without a boundary of its own is written with its continuation."""
    _checkpoint_of_r1(story)
    restored(story, "restore-1", "d1")
    story.run(R1.next())
    story.call("prepare", checkpoint_id="c2")
    story.work("park", R1.next())
    written(story, "c2", "d2")
    story.look("d2")
    story.report()


def write_in_frozen_wait(story: Story) -> None:
    """Work is written while it waits for a model, and its reply is held until resume."""
    work_at(story, R1, 0)
    story.work("model_wait_begin", R1)
    story.call("prepare", checkpoint_id="c1", allow_model_wait_boundary=True)
    story.work("model_wait_end", R1)
    written(story, "c1", "d1")
    story.report()
    story.call("resume", checkpoint_id="c1")
    story.boundary(R1, 1)
    story.report()


def replace_retired_run(story: Story) -> None:
    """An abandoned run is retired; once its handler has stopped, the next attempt starts."""
    work_at(story, R1, 0)
    story.call("retire", checkpoint_id="c1", rollout_id="r1", attempt_index=0)
    story.finish(R1, outcome="cancelled")
    story.run(R1.next())
    story.boundary(R1.next(), 0)
    story.report()


def issue_refused_call_again(story: Story) -> None:
    """A call further down is refused; the work parks, and after resume issues it again."""
    work_at(story, R1, 0)
    story.call("prepare", checkpoint_id="c1")
    story.work("park", R1)
    written(story, "c1", "d1")
    story.call("resume", checkpoint_id="c1")
    story.boundary(R1, 1)
    story.report()


def start_afresh(story: Story) -> None:
    """A restored continuation is discarded, and its attempt starts from nothing."""
    _checkpoint_of_r1(story)
    story.crash()
    story.call("restore", checkpoint_id="restore-1", checkpoint_dir="d1")
    story.call(
        "discard-restored-continuation",
        checkpoint_id="restore-1",
        rollout_id="r1",
        attempt_index=1,
    )
    story.call("resume", checkpoint_id="restore-1")
    story.run(R1.next())
    story.boundary(R1.next(), 0)
    story.report()


def second_generation(story: Story) -> None:
    """What was restored is written again, and restored from that second checkpoint."""
    _checkpoint_of_r1(story)
    restored(story, "restore-1", "d1")
    second, third = R1.next(), R1.next().next()
    story.run(second)
    prepared(story, "c2", second, 2)
    written(story, "c2", "d2")
    restored(story, "restore-2", "d2")
    story.run(third)
    story.boundary(third, 3)
    story.report()


def refused_restore(story: Story) -> None:
    """A restore of a damaged directory is refused, and the server goes on as before."""
    _checkpoint_of_r1(story)
    story.crash()
    story.damage("d1", "one byte of the manifest is flipped")
    story.call("restore", checkpoint_id="restore-1", checkpoint_dir="d1")
    story.call("resume", checkpoint_id="restore-1")
    work_at(story, R2, 0)
    story.report()


def batch_of_receipts(story: Story) -> None:
    """Two results block a prepare; one batch releases both."""
    for key in (R1, R2):
        work_at(story, key, 0)
        story.finish(key, {"id": f"result of {key.rollout_id}"})
    story.call("prepare", checkpoint_id="c1", deadline_in=0.5)
    story.tick(0.5)
    receipts = [receipt_of(story, key) for key in (R1, R2)]
    story.call("acknowledge-completed", executions=receipts)
    story.call("prepare", checkpoint_id="c1")
    story.report()
