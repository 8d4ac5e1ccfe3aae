"""What happened in a trace: one question for each promise that something is possible.

Each is asked of the lines alone, so a witness does not rest on the model that judged it.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from fencepost.trace import Call, Fault, Line, Lost, Reply, Returned, Work
from fencepost_spec.vocabulary import Key


@attrs.frozen
class Exchange:
    """A call and what came of it; both places count lines."""

    op: str
    request: Any
    asked: int
    answered: int
    status: int | None
    body: Any

    def is_about(self, key: Key) -> bool:
        """Whether the request names the key."""
        name = self.request.get("rollout_id", self.request.get("_ng_rollout_id"))
        attempt = self.request.get("attempt_index", self.request.get("_ng_attempt_index"))
        return (name, attempt) == (key.rollout_id, key.attempt)


class Seen:
    """The lines of a trace, by what they say."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = tuple(lines)

    def calls(self, op: str, status: int | None = 200) -> Iterator[Exchange]:
        """The calls of an operation with that answer, None for those whose answer was lost."""
        opened = {line.id: line for line in self.lines if isinstance(line, Call)}
        for line in self.lines:
            if not isinstance(line, Reply | Lost) or opened[line.id].op != op:
                continue
            answer, body = (line.status, line.body) if isinstance(line, Reply) else (None, None)
            if answer == status:
                call = opened[line.id]
                yield Exchange(op, call.request or {}, call.seq, line.seq, answer, body)

    def work(self, event: str, outcome: str = "ok", after: int = 0) -> Iterator[Work]:
        """The events of the work of that kind with that outcome, after a line."""
        for line in self.lines:
            if not isinstance(line, Work) or line.seq <= after:
                continue
            if (line.event, line.outcome) == (event, outcome):
                yield line

    def released(self, waiting: Work) -> int | None:
        """The line at which a waiting event was let go with ok."""
        for line in self.lines:
            if isinstance(line, Returned) and (line.of, line.outcome) == (waiting.seq, "ok"):
                return line.seq
        return None

    def continued(self, after: int = 0) -> Iterator[Work]:
        """The runs that began from a restored record."""
        for begin in self.work("begin", after=after):
            if begin.detail.get("continuation"):
                yield begin

    def crashes(self) -> tuple[int, ...]:
        """Where the process was replaced."""
        found = (line for line in self.lines if isinstance(line, Fault) and line.name == "replace")
        return tuple(line.seq for line in found)


def _wrote(seen: Seen, after: int, before: int | None = None) -> list[Exchange]:
    """The commits between two lines that wrote at least one record."""
    return [
        commit
        for commit in seen.calls("commit")
        if commit.asked > after
        and (before is None or commit.answered < before)
        and commit.body["records"] > 0
    ]


def parks_is_written_and_goes_on(seen: Seen) -> bool:
    """A boundary waited, a commit wrote it, and a later resume let it go."""
    for waits in seen.work("boundary", "waits"):
        gone = seen.released(waits)
        if gone is not None and _wrote(seen, waits.seq, gone):
            return True
    return False


def continues_as_next_attempt(seen: Seen) -> bool:
    """In a later process a run began from the record of the attempt before it."""
    return any(
        begin.attempt == begin.detail["continuation"]["attempt_index"] + 1
        for crash in seen.crashes()
        for begin in seen.continued(after=crash)
    )


def result_is_given_again(seen: Seen) -> bool:
    """A run's reply was lost, a repeated run got the result, and its receipt released it."""
    lost = {_key_text(each): each.answered for each in seen.calls("run", status=None)}
    for again in seen.calls("run"):
        if again.asked < lost.get(_key_text(again), again.asked + 1):
            continue
        for release in seen.calls("acknowledge"):
            if release.asked > again.answered and release.body["acknowledged"]:
                return True
    return False


def _key_text(run: Exchange) -> str:
    return f"{run.request.get('_ng_rollout_id')}-{run.request.get('_ng_attempt_index')}"


def prepare_succeeds_when_called_again(seen: Seen) -> bool:
    """A prepare was refused as incomplete, and one of the same id succeeded later."""
    return any(
        missed.request["checkpoint_id"] == again.request["checkpoint_id"]
        and again.asked > missed.answered
        and missed.body["error"]["code"] == "agent_prepare_incomplete"
        for missed in seen.calls("prepare", status=409)
        for again in seen.calls("prepare")
    )


def checkpoint_is_given_up(seen: Seen) -> bool:
    """A prepared checkpoint was resumed unwritten, and parked work went on to a boundary."""
    for resume in seen.calls("resume"):
        given_up = resume.request["checkpoint_id"]
        prepared = any(p.request["checkpoint_id"] == given_up for p in seen.calls("prepare"))
        unwritten = not any(c.request["checkpoint_id"] == given_up for c in seen.calls("commit"))
        if prepared and unwritten and any(seen.work("boundary", after=resume.answered)):
            return True
    return False


def unclaimed_record_is_written(seen: Seen) -> bool:
    """After a restore, and before any run began, a commit wrote a record."""
    for restore in seen.calls("restore"):
        runs = (begin.seq for begin in seen.work("begin", after=restore.answered))
        if _wrote(seen, restore.answered, next(runs, None)):
            return True
    return False


def continuation_is_written(seen: Seen) -> bool:
    """A run that began from a record was written before it had a boundary of its own."""
    for begin in seen.continued():
        own = [*seen.work("boundary", after=begin.seq)]
        own += seen.work("boundary", "waits", begin.seq)
        first = min((line.seq for line in own), default=None)
        if _wrote(seen, begin.seq, first):
            return True
    return False


def frozen_work_is_written(seen: Seen) -> bool:
    """A prepare counted work in a frozen wait, and a commit of its id wrote it."""
    frozen = ("model_wait_frozen", "external_wait_frozen")
    return any(
        commit.request["checkpoint_id"] == prepare.request["checkpoint_id"]
        and any(entry["parked_boundary_state"] in frozen for entry in prepare.body["executions"])
        for prepare in seen.calls("prepare")
        for commit in _wrote(seen, prepare.answered)
    )


def retired_run_is_replaced(seen: Seen) -> bool:
    """A retire stopped an attempt, and then the next one began."""
    return any(
        begin.rollout_id == retire.request["rollout_id"]
        and begin.attempt == retire.request["attempt_index"] + 1
        for retire in seen.calls("retire")
        if retire.body["retired"]
        for begin in seen.work("begin", after=retire.answered)
    )


def refused_call_is_issued_again(seen: Seen) -> bool:
    """A refused call parked its work, resume let it go, and the work went on."""
    for park in seen.work("park", "waits"):
        gone = seen.released(park)
        if gone is not None and any(seen.work("boundary", after=gone)):
            return True
    return False


def discarded_continuation_starts_afresh(seen: Seen) -> bool:
    """A discarded key began without a record."""
    return any(
        discard.is_about(Key(begin.rollout_id or "", begin.attempt or 0))
        and begin.detail["continuation"] is None
        for discard in seen.calls("discard-restored-continuation")
        if discard.body["discarded"]
        for begin in seen.work("begin", after=discard.answered)
    )


def second_generation_is_restored(seen: Seen) -> bool:
    """What a restored run had written later was restored again, and continued."""
    restores = list(seen.calls("restore"))
    return any(
        later.asked > commit.answered > commit.asked > first.answered
        and later.body["source_checkpoint_id"] == commit.request["checkpoint_id"]
        and any(seen.continued(after=later.answered))
        for first in restores
        for commit in _wrote(seen, first.answered)
        for later in restores
    )


def refused_restore_leaves_work(seen: Seen) -> bool:
    """A restore was refused, and a run began in the same process afterwards."""
    for refused in seen.calls("restore", status=409):
        crash = next((at for at in seen.crashes() if at > refused.answered), None)
        begun = seen.work("begin", after=refused.answered)
        if any(crash is None or begin.seq < crash for begin in begun):
            return True
    return False


def batch_releases_several(seen: Seen) -> bool:
    """One batch released more than one result."""
    return any(len(batch.body["acknowledged"]) > 1 for batch in seen.calls("acknowledge-completed"))


HAPPENED: dict[str, Callable[[Seen], bool]] = {
    "R-SOM-1": parks_is_written_and_goes_on,
    "R-SOM-2": continues_as_next_attempt,
    "R-SOM-3": result_is_given_again,
    "R-SOM-4": prepare_succeeds_when_called_again,
    "R-SOM-5": checkpoint_is_given_up,
    "R-SOM-6": unclaimed_record_is_written,
    "R-SOM-7": continuation_is_written,
    "R-SOM-8": frozen_work_is_written,
    "R-SOM-9": retired_run_is_replaced,
    "R-SOM-10": refused_call_is_issued_again,
    "R-SOM-11": discarded_continuation_starts_afresh,
    "R-SOM-12": second_generation_is_restored,
    "R-SOM-13": refused_restore_leaves_work,
    "R-SOM-14": batch_releases_several,
}
"""For each property of kind sometimes: did it happen in these lines?"""
