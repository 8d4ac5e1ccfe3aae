"""Which rules a run has used: what the oracle counts, and what shows only in how states differ.

A rule is exercised when a case came to it in which a participant without it could have been told
apart. A property is exercised when one of the rules that guard it was. Not decided here: what is
tried (`generator`), and which rules there are (`catalog`).
"""

from collections.abc import Iterable

from fencepost.agent import reading
from fencepost.agent.comparing import code_in
from fencepost.evidence import BLOCKED, CAUSES, PROPERTIES
from fencepost.files import rule_of
from fencepost.trace.lines import Call, Fault, Line, Reply, Report, Work
from fencepost_reference.receipts.counting import counts_of
from fencepost_reference.receipts.state import COUNTED, Receipt, State
from fencepost_spec.receipts.policy import BLOCKERS, RECEIPT_FIELDS
from fencepost_spec.vocabulary import Key

_MOVED = {
    ("preparing", "prepared"): "R-FEN-3",
    ("committing", "committed_paused"): "R-FEN-6",
    ("committing", "prepared"): "R-FEN-7",
    ("restoring", "restored_paused"): "R-FEN-10",
    ("restoring", "idle"): "R-FEN-11",
}


class Exercise:
    """The ids of the rules that have been used, gathered over any number of worlds."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self._causes: dict[str, set[str]] = {}
        self._restored: dict[str, int] = {}
        self._damaged: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._ops: dict[str, Call] = {}

    def new_world(self) -> None:
        """What follows is about another participant."""
        self._restored.clear()
        self._damaged.clear()
        self._failed.clear()
        self._ops.clear()

    def add(self, rule_ids: Iterable[str]) -> None:
        """These rules have been used."""
        self.used.update(rule_ids)

    def see(self, before: State, line: Line, after: State) -> None:
        """Take in a line that was accepted, with the states around it."""
        self._see_states(before, after)
        match line:
            case Call(op="run"):
                self._see_run(before, line)
            case Call():
                self._ops[line.id] = line
                self._see_receipts(before, line)
            case Reply():
                self._see_reply(before, line, after)
            case Report():
                if before.fence.phase in ("prepared", "committed_paused") and any(
                    execution.status in COUNTED for execution in before.executions.values()
                ):
                    self.used.add("R-INV-7")
            case Work(event="finish"):
                self._see_finish(before, line)
            case Fault(name="damage"):
                directory = str(line.detail.get("path", "")).split("/")[0]
                self._damaged[directory] = rule_of(str(line.detail.get("change", "")))
            case Fault(name="replace"):
                self._restored.clear()
            case _:
                pass

    def properties(self) -> None:
        """Count the properties whose guarding rules were used."""
        for property_id, guards in PROPERTIES.items():
            if not self.used.isdisjoint(guards):
                self.used.add(property_id)

    # What shows in the states.

    def _see_states(self, before: State, after: State) -> None:
        for key, execution in after.executions.items():
            was = before.executions.get(key)
            if execution.why is not None and (was is None or was.status != execution.status):
                self.used.add(execution.why.id)
        if after.history.refused is not before.history.refused:
            for key, why in after.history.refused.items():
                if key not in before.history.refused:
                    self.used.add(why.id)
        if after.pending is not before.pending:
            for key in after.pending:
                if key not in before.pending:
                    self.used.update(("R-EXE-4", "R-EXE-5"))
                    self._restored[key.rollout_id] = key.attempt - 1
        moved = _MOVED.get((before.fence.phase, after.fence.phase))
        if moved is not None:
            self.used.add(moved)
        elif before.fence.waiting and after.fence.phase == "preparing" and not after.fence.waiting:
            self.used.add("R-FEN-4")

    # Calls.

    def _see_run(self, before: State, line: Call) -> None:
        action = reading.run_action(line)
        key, history = action.key, before.history
        if key is None or key in history.acknowledged:
            return
        if key in history.refused:
            self.used.update(CAUSES.get(history.refused[key].id, ()))
        elif key.attempt < history.watermark.get(key.rollout_id, -1):
            below_restored = key.attempt <= self._restored.get(key.rollout_id, -1)
            self.used.add("R-WAT-2" if below_restored else "R-WAT-1")

    def _see_receipts(self, before: State, line: Call) -> None:
        """An acknowledgement that differs in one field only tries that field."""
        if not line.op.startswith("acknowledge"):
            return
        for key, receipt in reading.call_action(line).request.receipts:
            wanted = released_by(before, key)
            if wanted is None:
                continue
            differing = [
                field.rule.id
                for field in RECEIPT_FIELDS
                if getattr(wanted, field.name) != getattr(receipt, field.name)
            ]
            if len(differing) == 1 or differing == ["R-REC-4", "R-REC-5"]:
                self.used.update(differing[:1] if len(differing) == 1 else differing)

    # Answers.

    def _see_reply(self, before: State, line: Reply, after: State) -> None:
        self.used.add("R-OPS-31")
        call = self._ops.pop(line.id, None)
        waiting = before.calls.get(line.id)
        if waiting is not None and waiting.reply is not None and waiting.reply.rule is not None:
            self.used.add(waiting.reply.rule.id)
        if call is None or call.request is None:
            return
        decided = (
            waiting is not None and waiting.reply is not None and waiting.reply.rule is not None
        )
        hidden = not decided or before.fence.storing is not None
        directory = call.request.get("checkpoint_dir")
        if call.op == "prepare" and line.status == 409 and code_in(line.body) == BLOCKED:
            counts = counts_of(before)
            self.used.update(b.rule.id for b in BLOCKERS if b.count(counts))
        elif call.op == "commit" and isinstance(directory, str):
            self._see_commit(before, line, directory, hidden=hidden)
            if line.status is not None and line.status >= 500:
                self._see_failure(directory, after)
        elif call.op == "restore" and isinstance(directory, str):
            self._see_restore(before, line, directory, hidden=hidden)

    def _see_commit(self, before: State, line: Reply, directory: str, *, hidden: bool) -> None:
        here = before.disk.get(directory)
        if line.status == 200:
            parked = [e for e in before.executions.values() if e.status in COUNTED]
            self.used.update(["R-EXP-1"] if any(e.boundary for e in parked) else [])
            self.used.update(["R-EXP-2"] if any(not e.boundary for e in parked) else [])
            self.used.update(["R-EXP-3"] if before.pending else [])
            if directory in self._failed:
                kept = self._failed[directory] == "after_manifest"
                self.used.add("R-STO-4" if kept else "R-STO-1")
        elif hidden and line.status == 409 and code_in(line.body) == "agent_checkpoint_error":
            self.used.update(("R-RUN-20", "R-STO-2"))
            foreign = here is not None and here.source != before.fence.active
            self.used.add("R-STO-3" if foreign else "R-STO-4")

    def _see_failure(self, directory: str, after: State) -> None:
        """A storage step failed: before anything was visible, or after all of it was."""
        self.used.add("R-RUN-23")
        here = after.disk.get(directory)
        committed = here is not None and here.kind == "committed"
        self._failed[directory] = "after_manifest" if committed else "before"

    def _see_restore(self, before: State, line: Reply, directory: str, *, hidden: bool) -> None:
        if line.status is not None and line.status >= 500:
            self.used.add("R-RUN-23")
        if not hidden or line.status != 409 or code_in(line.body) != "agent_checkpoint_error":
            return
        here = before.disk.get(directory)
        if here is None or here.kind == "partial":
            self.used.update(("R-RUN-21", "R-STO-10"))
        elif here.kind == "damaged":
            self.used.update(("R-RUN-21", self._damaged.get(directory, "R-STO-11")))
        else:
            self.used.add("R-RUN-22")

    def _see_finish(self, before: State, line: Work) -> None:
        if line.rollout_id is None or line.attempt is None:
            return
        execution = before.executions.get(Key(line.rollout_id, line.attempt))
        completes = line.detail.get("outcome", "completed") == "completed"
        if execution is not None and execution.boundary is not None and completes:
            self.used.add("R-INV-8")


def released_by(state: State, key: Key) -> Receipt | None:
    """The receipt that would release a key, or did."""
    execution = state.executions.get(key)
    retained = None if execution is None else execution.receipt
    return retained or state.history.acknowledged.get(key)
