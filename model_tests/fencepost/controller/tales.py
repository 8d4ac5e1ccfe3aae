"""Tells traces of a controller in few words: for tests, examples and the page of rules.

A tale writes lines and keeps what a watcher knows, so that a saved ledger can be made of it. What
it tells need not be legal.
"""

from typing import Any

from fencepost.controller.oracle import Oracle
from fencepost.controller.tale_bodies import (
    CONTROLLER,
    MODEL,
    PREPARE_INCOMPLETE,
    TOOLS,
    A,
    B,
    header_of,
    receipt_of,
    reference,
    refused,
    result_of,
    sidecar_of,
)
from fencepost.trace import Call, Fault, Line, Lost, Reply, Report, Work
from fencepost.trace.lines import At, Json, JsonObject
from fencepost_reference.receipts.controller.watch.applying import applied
from fencepost_reference.receipts.controller.watch.core import Watcher
from fencepost_reference.receipts.controller.watch.state import Watch
from fencepost_spec.vocabulary import Key, digest_of

__all__ = ["CONTROLLER", "MODEL", "TOOLS", "A", "B", "Tale", "receipt_of", "reference"]


class Tale:
    """A trace that is being told."""

    def __init__(self, *places: At, tools: str = "export_restore", level: str = "turn") -> None:
        self.header = header_of(*(places or (A,)), tools=tools, level=level)
        self.lines: list[Line] = []
        self._oracle = Oracle(self.header)

    @property
    def watch(self) -> Watch:
        """What a watcher knows by now."""
        return self._oracle.watch

    @property
    def seq(self) -> int:
        """The number of the next line."""
        return len(self.lines) + 1

    def add(self, line: Line) -> str:
        """Write a line, and learn from it whether it is legal or not."""
        self.lines.append(line)
        for seen in self._oracle.seen_in(line):
            step = Watcher().step(self.watch, seen.value, malformed=seen.malformed)
            after = getattr(step, "state", None)
            self._oracle.watch = applied(self.watch, seen.value) if after is None else after
        return f"q{line.seq}"

    # Lines.

    def call(self, op: str, at: At = A, **request: Any) -> str:
        """A call leaves."""
        return self.add(Call(self.seq, op, f"q{self.seq}", request, at=at))

    def reply(self, call: str, body: Json = None, status: int = 200) -> None:
        """An answer arrives."""
        self.add(Reply(self.seq, call, status, body))

    def refuse(self, call: str, code: str, status: int = 409) -> None:
        """A refusal arrives."""
        self.reply(call, refused(code), status)

    def lose(self, call: str) -> None:
        """No answer comes."""
        self.add(Lost(self.seq, call, "timeout"))

    def work(self, event: str, outcome: Any = "ok", **detail: Any) -> None:
        """The controller, or the harness, does something."""
        self.add(Work(self.seq, event, None, None, detail, outcome, CONTROLLER))

    def replace(self, at: At = CONTROLLER, **detail: Any) -> None:
        """A process goes and comes again."""
        self.add(Fault(self.seq, "replace", "kept", detail, at))

    def report(self, **body: Any) -> None:
        """The controller stands at rest."""
        self.add(Report(self.seq, body, at=CONTROLLER))

    # Work.

    def submit(self, name: str = "g", siblings: int = 1, whole: bool = False, **more: Any) -> None:
        """A group is handed over."""
        detail = {
            "group_id": name,
            "siblings": siblings,
            "granularity": "prompt_group" if whole else "sibling",
            "agent": "a",
            "target_step": 5,
            "admitted": True,
            "prompt_id": "7",
        }
        self.work("submit", **(detail | more))

    def run(self, rollout: str = "g_g0", attempt: int = 0, at: At = A) -> str:
        """An attempt is sent."""
        return self.call("run", at, _ng_rollout_id=rollout, _ng_attempt_index=attempt)

    def finish(self, rollout: str = "g_g0", attempt: int = 0, at: At = A) -> None:
        """An attempt is sent, and gives its result."""
        self.reply(self.run(rollout, attempt, at), result_of(Key(rollout, attempt)))

    def fail(self, rollout: str = "g_g0", attempt: int = 0, at: At = A) -> None:
        """An attempt is sent, and fails."""
        self.refuse(self.run(rollout, attempt, at), "execution_failed", 500)

    def fetch(self, rollout: str = "g_g0", attempt: int = 0, at: At = A) -> None:
        """A receipt is fetched."""
        call = self.call("completion-receipt", at, rollout_id=rollout, attempt_index=attempt)
        self.reply(call, receipt_of(Key(rollout, attempt)))

    def send(self, *rollouts: str, attempt: int = 0, at: At = A) -> str:
        """An acknowledgement leaves."""
        rows = [receipt_of(Key(each, attempt)) for each in rollouts or ("g_g0",)]
        return self.call("acknowledge-completed", at, executions=rows)

    def acknowledge(self, *rollouts: str, attempt: int = 0, at: At = A) -> None:
        """Results are acknowledged, and that is confirmed."""
        rows = [receipt_of(Key(each, attempt)) for each in rollouts or ("g_g0",)]
        self.reply(self.send(*rollouts, attempt=attempt, at=at), {"acknowledged": rows})

    def complete(self, rollout: str = "g_g0", attempt: int = 0, at: At = A) -> None:
        """An attempt is run, fetched and acknowledged."""
        self.finish(rollout, attempt, at)
        self.fetch(rollout, attempt, at)
        self.acknowledge(rollout, attempt=attempt, at=at)

    def retire(
        self, rollout: str = "g_g0", attempt: int = 0, name: str = "r1", kept: bool = False
    ) -> None:
        """An attempt is retired, or its agent says that it has finished."""
        call = self.call(
            "retire", checkpoint_id=name, rollout_id=rollout, attempt_index=attempt, deadline_in=5.0
        )
        body = {"retired": not kept, "tombstoned": not kept}
        self.reply(call, body | ({"completed_unacknowledged": True} if kept else {}))

    def answer_retire(self, **body: Any) -> None:
        """An attempt is retired, and the answer is one that it should not be."""
        call = self.call(
            "retire", checkpoint_id="r1", rollout_id="g_g0", attempt_index=0, deadline_in=5.0
        )
        self.reply(call, body)

    def train(self, name: str = "g", *rows: tuple[str, int], outcome: Any = "ok") -> None:
        """A group is handed to the finalizer."""
        told = [
            {"rollout_id": each, "attempt": n, "result_digest": digest_of(result_of(Key(each, n)))}
            for each, n in rows or ((f"{name}_g0", 0),)
        ]
        self.work("train", outcome, group_id=name, rows=told)

    # Checkpoints.

    def control(self, op: str, name: str, at: At = A, **more: Any) -> str:
        """A fenced call leaves."""
        return self.call(op, at, **{"checkpoint_id": name, "deadline_in": 5.0, **more})

    def prepare(self, name: str = "c1", at: At = A, ready: bool = True) -> None:
        """A participant is asked to hold still, and does."""
        call = self.control("pause" if at.kind == "model" else "prepare", name, at)
        if at.kind == "model":
            self.reply(call, {"state": "paused" if ready else "draining"})
        elif ready:
            self.reply(call, {"ready_to_commit": True} if at.kind == "agent" else {})
        else:
            self.refuse(call, PREPARE_INCOMPLETE)

    def commit(self, name: str = "c1", at: At = A, path: str = "d1", **more: Any) -> None:
        """A participant writes."""
        if at.kind == "model" and "continuation_indexes" not in more:
            agents = [p for p, _ in self.watch.settings.participants if p.kind == "agent"]
            more["continuation_indexes"] = [reference(each.instance, name) for each in agents]
        call = self.control("commit", name, at, checkpoint_dir=path, **more)
        self.reply(call, self.committed(name, at))

    @staticmethod
    def committed(name: str, at: At) -> JsonObject:
        """The body of an answer to a commit."""
        if at.kind == "resources":
            return {"sessions": 0, "manifest_digest": digest_of(name)}
        index = "continuation_index" if at.kind == "agent" else "storage_reference_index"
        return {"manifest_digest": digest_of(name), index: reference(at.instance, name)}

    def resume(self, name: str = "c1", at: At = A) -> None:
        """A participant is let go on, and confirms."""
        self.reply(self.control("resume", name, at), {"state": "accepting"})

    def restore(self, name: str = "x1", source: str = "c1", at: At = A, path: str = "s1") -> None:
        """A participant restores."""
        call = self.control("restore", name, at, checkpoint_dir=path)
        body = self.committed(source, at) | {"records": 0}
        named = "checkpoint_id" if at.kind == "model" else "source_checkpoint_id"
        self.reply(call, body | {named: source})

    def snapshot(self, name: str = "c1", number: int = 1, **changes: Any) -> JsonObject:
        """The snapshot that a controller that obeys would store now."""
        transaction = self.watch.transaction
        wrote = [] if transaction is None else list(transaction.committed)
        participants: list[JsonObject] = [
            {
                "kind": each.kind,
                "instance": each.instance,
                "committed": self.committed(name, At(each.kind, each.instance)),
                "continuations": changes.get("continuations", []) if each.kind == "agent" else [],
            }
            for each in sorted(wrote)
        ]
        step = self.watch.anchors[-1]
        body: JsonObject = {
            "number": number,
            "checkpoint_id": name,
            "train_step": step,
            "trainer_version": step,
            "ledger": sidecar_of(self.watch),
            "participants": participants,
            "trained": sorted(self.watch.trained),
        }
        changed = {n: one for n, one in changes.items() if n != "continuations"}
        return body | changed

    def store(self, step: str, snapshot: JsonObject, outcome: Any = "ok") -> None:
        """A step of writing a snapshot."""
        self.work("store", outcome, step=step, snapshot=snapshot)

    def held(self, name: str = "c1") -> None:
        """Every participant holds still."""
        for kind in ("model", "agent", "resources"):
            for place, _ in self.watch.settings.participants:
                if place.kind == kind:
                    self.prepare(name, At(place.kind, place.instance))

    def written(self, name: str = "c1", path: str = "d1") -> None:
        """Every participant that can has written."""
        for kind in ("agent", "model", "resources"):
            for place in self.watch.settings.exporting:
                if place.kind == kind:
                    self.commit(name, At(place.kind, place.instance), path)

    def published(self, name: str = "c1", number: int = 1, **changes: Any) -> None:
        """All three steps of a snapshot."""
        snapshot = self.snapshot(name, number, **changes)
        for step in ("sidecars", "manifest", "rename"):
            self.store(step, snapshot)

    def released(self, name: str = "c1") -> None:
        """Every participant is let go on."""
        for place, _ in self.watch.settings.participants:
            self.resume(name, At(place.kind, place.instance))

    def saved(self, name: str = "c1", number: int = 1, **changes: Any) -> None:
        """A whole snapshot."""
        self.held(name)
        self.written(name, f"d{number}")
        self.published(name, number, **changes)
        self.released(name)

    def restarted(self, number: int | None = 1) -> None:
        """Everything goes, and a process starts from a snapshot."""
        self.replace(participants="replaced")
        self.work("start", snapshot=number)

    def back(self, name: str = "x1", source: str = "c1", release: bool = True) -> None:
        """Every participant restores, and is let go on."""
        for kind in ("model", "agent", "resources"):
            for place in self.watch.settings.exporting:
                if place.kind == kind:
                    self.restore(name, source, At(place.kind, place.instance))
        if release:
            for place in self.watch.settings.exporting:
                self.resume(name, At(place.kind, place.instance))
