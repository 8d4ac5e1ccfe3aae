"""Stories that go wrong: known faults of public implementations, told again in few lines.

Up to one line the reference tells them. That line no participant may make, and the rule that
refuses it is what the story is about. A story of a stall ends at the point of rest that shows it.
"""

from fencepost.stories.good import R1, R2, RESULT, prepared, restored, work_at, written
from fencepost.stories.teller import Story
from fencepost.trace import Reply, Report, Returned, Work
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts import rendering
from fencepost_reference.receipts.counting import view_of
from fencepost_reference.receipts.state import Reply as Decided


def stale_wake(story: Story) -> None:
    """Work wakes late, when a second checkpoint already counts it as parked."""
    work_at(story, R1, 0)
    waits = prepared(story, "c1", R1, 1)
    resume = story.call("resume", checkpoint_id="c1", settle=False)
    story.show(a.Leave(resume))
    story.note("the task of r1 has not been scheduled yet")
    second = story.call("prepare", checkpoint_id="c2", settle=False)
    story.show(a.ParkInPlace(R1))
    story.show(a.Conclude())
    story.show(a.Leave(second))
    story.report(moving=True)
    story.wrong(Returned(0, waits, "ok"))


def late_park(story: Story) -> None:
    """A refused call parks after resume, when nobody is left to let it go."""
    work_at(story, R1, 0)
    story.call("prepare", checkpoint_id="c1")
    story.call("resume", checkpoint_id="c1")
    story.wrong(Work(0, "park", "r1", 0, {}, "waits"))


def resume_during_prepare(story: Story) -> None:
    """A resume ends the checkpoint under a waiting prepare, and the prepare is never told."""
    work_at(story, R1, 0)
    story.call("prepare", checkpoint_id="c1")
    resume = story.call("resume", checkpoint_id="c1", settle=False)
    story.show(a.Leave(resume))
    story.wrong(Report(0, rendering.status_body(view_of(story.core.spec, story.state))))


def unclaimed_record_lost(story: Story) -> None:
    """A second checkpoint, taken before the replacement starts, forgets its record."""
    work_at(story, R1, 0)
    prepared(story, "c1", R1, 1)
    written(story, "c1", "d1")
    restored(story, "restore-1", "d1")
    story.call("prepare", checkpoint_id="c2")
    commit = story.call("commit", checkpoint_id="c2", checkpoint_dir="d2", settle=False)
    body = ("stored", (("records", 0), ("continuations", 0)))
    story.wrong(story.reply_of(commit, Decided(200, body=body)))


def older_attempt_admitted(story: Story) -> None:
    """After a restore from attempt 1, a late run of attempt 0 is admitted."""
    older, newer = R1, R1.next()
    work_at(story, newer, 0)
    prepared(story, "c1", newer, 1)
    written(story, "c1", "d1")
    restored(story, "restore-1", "d1")
    story.run(older, settle=False)
    story.wrong(Work(0, "begin", "r1", 0, {"generation": 1, "continuation": None}, "ok"))


def restore_over_live(story: Story) -> None:
    """A restore is accepted although work runs in the process."""
    work_at(story, R1, 0)
    prepared(story, "c1", R1, 1)
    written(story, "c1", "d1")
    story.crash()
    work_at(story, R2, 0)
    restore = story.call("restore", checkpoint_id="restore-1", checkpoint_dir="d1", settle=False)
    body = ("stored", (("records", 1), ("continuations", 1), ("source_checkpoint_id", "c1")))
    story.wrong(story.reply_of(restore, Decided(200, body=body)))


def retired_result_answered(story: Story) -> None:
    """The handler of a retired run swallows its cancellation, and its client gets a result."""
    call = work_at(story, R1, 0)
    story.call("retire", checkpoint_id="c1", rollout_id="r1", attempt_index=0)
    story.work("finish", R1, settle=False, outcome="completed", result=RESULT)
    story.wrong(Reply(0, call, 200, RESULT))


def null_result_kept(story: Story) -> None:
    """A run that returned null is refused as a duplicate, so it can never be released."""
    work_at(story, R1, 0)
    story.finish(R1, None)
    again = story.run(R1, settle=False)
    body = rendering.error_body("duplicate_execution", "the key is live")
    story.wrong(Reply(0, again, 409, body))


def equal_record_runs_on(story: Story) -> None:
    """An equal record does not park, although a park is requested."""
    work_at(story, R1, 0)
    story.call("prepare", checkpoint_id="c1")
    detail = {"boundary_index": 0, "turn_index": 0, "boundary_kind": "turn_complete"}
    detail["model_call_id"] = "call-0"
    story.wrong(Work(0, "boundary", "r1", 0, detail, "ok"))


def wait_fails_the_run(story: Story) -> None:
    """A wait that is entered while a park is requested is refused instead of parked."""
    work_at(story, R1, 0)
    story.call("prepare", checkpoint_id="c1")
    outcome = {"code": "agent_checkpoint_error"}
    story.wrong(Work(0, "external_wait_begin", "r1", 0, {}, outcome))


def reply_let_go(story: Story) -> None:
    """A model reply reaches work that is counted as frozen, and the work goes on with it."""
    work_at(story, R1, 0)
    story.work("model_wait_begin", R1)
    story.call("prepare", checkpoint_id="c1", allow_model_wait_boundary=True)
    story.wrong(Work(0, "model_wait_end", "r1", 0, {}, "ok"))


def failed_prepare_says_idle(story: Story) -> None:
    """After a missed deadline admission is closed, and the fence says that it rests."""
    work_at(story, R1, 0)
    story.call("prepare", checkpoint_id="c1", deadline_in=1.0)
    story.tick(1.0)
    asked = story.call("capabilities", settle=False)
    body = (("phase", "idle"), ("active_checkpoint_id", None))
    story.wrong(story.reply_of(asked, Decided(200, body=body)))


def result_without_release(story: Story) -> None:
    """A finished result blocks every prepare, at a level that has no way to release it."""
    work_at(story, R1, 0)
    story.finish(R1, RESULT)
    story.call("prepare", checkpoint_id="c1", deadline_in=1.0, settle=False)
    story.tick(1.0)
    story.wrong_at = len(story.lines)
