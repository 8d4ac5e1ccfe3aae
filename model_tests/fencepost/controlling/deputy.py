"""A deputy: the least that every participant of a kind promises, for tests of a controller.

It is no participant of its own right: it keeps what an agent must keep (live attempts, kept
results, refused keys, boundaries, restored records) and the one open checkpoint, and answers at
once. When something finishes, and which message is lost, is for a test to say.
"""

import attrs

from fencepost_reference.receipts.controller.actions import Request
from fencepost_reference.receipts.controller.said import (
    AGENT,
    MODEL,
    Answer,
    Committed,
    Continuation,
    Finished,
    Place,
    Readiness,
    Receipted,
    Released,
    Restored,
    Retired,
)
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import Key, digest_of

OK = Answer(200)
USES = (("shop", 1),)


def refusal(code: str) -> Answer:
    """A refusal with a code."""
    return Answer(409, code)


def receipt_for(key: Key) -> Receipt:
    """The receipt of the one result that an attempt can have."""
    digest = digest_of([key.rollout_id, key.attempt])
    return Receipt(1, digest[:8], digest)


@attrs.define
class Deputy:
    """One participant. `live` are attempts with the name of the run that waits for each."""

    place: Place
    phase: str = "idle"
    active: str | None = None
    over: set[str] = attrs.field(factory=set)
    live: dict[Key, str | None] = attrs.field(factory=dict)
    kept: set[Key] = attrs.field(factory=set)
    acknowledged: set[Key] = attrs.field(factory=set)
    refused: set[Key] = attrs.field(factory=set)
    restored: set[Key] = attrs.field(factory=set)
    began: list[Key] = attrs.field(factory=list)
    # What lies on disk outlives the process.
    disk: dict[str, Committed] = attrs.field(factory=dict)
    draining: int = 0

    def replace(self) -> None:
        """A new process: all but the disk is gone."""
        fresh = Deputy(self.place, disk=self.disk)
        for name in ("phase", "active", "over", "live", "kept", "acknowledged", "refused"):
            setattr(self, name, getattr(fresh, name))
        self.restored, self.began, self.draining = set(), [], 0

    def ask(self, call: str, op: str, request: Request) -> Answer | None:
        """The answer to a call; a run that goes on has none yet."""
        if op == "run":
            return self._run(call, _key(request))
        if op == "completion-receipt":
            key = _key(request)
            if key not in self.kept:
                return refusal("completed_execution_acknowledgement_error")
            return Answer(200, said=Receipted(key, receipt_for(key)))
        if op == "acknowledge-completed":
            return self._acknowledge(request)
        return self._fenced(op, request)

    def finish(self, key: Key) -> str | None:
        """The work of an attempt ends well; the name of the run that waits for it."""
        call = self.live.pop(key)
        self.kept.add(key)
        return call

    def fail(self, key: Key) -> str | None:
        """The work of an attempt fails, and its key is refused."""
        self.refused.add(key)
        return self.live.pop(key)

    def _run(self, call: str, key: Key) -> Answer | None:
        if key in self.acknowledged or key in self.refused:
            return refusal("stale_attempt")
        if key in self.kept:
            return Answer(200, said=Finished(receipt_for(key).result_digest))
        others = [*self.live, *self.kept]
        if any(other.rollout_id == key.rollout_id for other in others):
            return refusal("duplicate_execution")
        if self.phase != "idle":
            return refusal("agent_admission_closed")
        self.restored.discard(key)
        self.live[key] = call
        self.began.append(key)
        return None

    def _acknowledge(self, request: Request) -> Answer:
        for key, receipt in request.receipts:
            if receipt != receipt_for(key) or key not in self.kept | self.acknowledged:
                return refusal("completed_execution_acknowledgement_error")
        for key, _ in request.receipts:
            self.kept.discard(key)
            self.acknowledged.add(key)
        return Answer(200, said=Released(request.receipts))

    def _fenced(self, op: str, request: Request) -> Answer:
        name = request.checkpoint_id or ""
        if name in self.over:
            return OK if op == "resume" else refusal("stale_checkpoint")
        if self.active not in (None, name):
            return refusal("checkpoint_conflict")
        match op:
            case "prepare" | "pause" | "status":
                return self._prepare(name)
            case "commit":
                return self._commit(request)
            case "restore":
                return self._restore(name, request)
            case "retire":
                return self._retire(_key(request))
            case "discard-restored-continuation":
                self.restored.discard(_key(request))
                return OK
            case _:
                self.over.add(name)
                self.phase, self.active = "idle", None
                return OK

    def _prepare(self, name: str) -> Answer:
        if self.phase not in ("idle", "preparing", "prepared"):
            return refusal("invalid_phase")
        self.phase, self.active = "preparing", name
        if self.place.kind == AGENT and self.kept:
            said = Readiness(False, tuple(sorted(self.kept)))
            return Answer(409, "agent_prepare_incomplete", said)
        if self.place.kind == MODEL and self.draining:
            self.draining -= 1
            return Answer(200, said=Readiness(False))
        self.phase = "prepared"
        return Answer(200, said=Readiness(True))

    def _commit(self, request: Request) -> Answer:
        if self.phase not in ("prepared", "committed_paused"):
            return refusal("invalid_phase")
        directory = request.directory or ""
        records = sorted({*self.live, *self.restored})
        roots = tuple(Continuation(key, key.capture_key, None, USES) for key in records)
        written = Committed(f"{self.place} {directory}", roots if self.place.kind == AGENT else ())
        self.disk.setdefault(directory, written)
        self.phase = "committed_paused"
        return Answer(200, said=self.disk[directory])

    def _restore(self, name: str, request: Request) -> Answer:
        directory = request.directory or ""
        written = self.disk.get(directory)
        if written is None or self.live or self.kept:
            return refusal("agent_checkpoint_error")
        self.phase, self.active = "restored_paused", name
        for root in written.continuations:
            self.refused.add(root.key)
            self.restored.add(root.key.next())
        return Answer(200, said=Restored(directory, written.digest))

    def _retire(self, key: Key) -> Answer:
        if self.phase not in ("idle", "preparing", "prepared"):
            return refusal("invalid_phase")
        if key in self.kept:
            return Answer(200, said=Retired(False, False, True))
        was = key in self.live
        self.live.pop(key, None)
        self.restored.discard(key)
        self.refused.add(key)
        return Answer(200, said=Retired(was, True))


def _key(request: Request) -> Key:
    assert request.key is not None, "the call is about an attempt"
    return request.key
