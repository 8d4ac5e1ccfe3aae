"""A recovery ledger that can be used in a training controller.

    ledger = RecoveryLedger()
    with ledger.mutation_cut() as cut:
        ledger.reserve_group(cut, group_id="g", prompt_id="7", …)
    saved = ledger.state_dict()
    later = RecoveryLedger.from_state_dict(saved)

Every mutation takes a live cut, which keeps it apart from the capture of a snapshot. Values are
plain: texts, whole numbers, floats, truth values, nulls, lists and mappings. An operation that
cannot be done raises `LedgerRefused` and changes nothing, whatever it was given. The class holds a
state and asks the core; what it may do, and why not, is data of `fencepost_spec.receipts.ledger`.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from fencepost_reference.receipts.ledger.actions import Answer, Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.cut import LedgerRefused, MutationCut
from fencepost_reference.receipts.ledger.plain import by_index, joined, listed, mapped
from fencepost_reference.receipts.ledger.saving import report_of
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.receipts.ledger import refusals as code
from fencepost_spec.receipts.ledger.operation_rules import VALUES
from fencepost_spec.wording import kind_of

PlainMap = Mapping[str, Any]


class RecoveryLedger:
    """Prompt groups with their siblings' attempts, and the acknowledgements that are owed."""

    def __init__(self, core: LedgerCore | None = None) -> None:
        self._core = core or LedgerCore()
        self._state: State = self._core.initial()

    @classmethod
    def from_state_dict(cls, state: PlainMap, core: LedgerCore | None = None) -> "RecoveryLedger":
        """The ledger that was saved, its prompts unbound, or LedgerRefused."""
        ledger = cls(core)
        ledger.load_state_dict(state)
        return ledger

    @classmethod
    def from_rollout_recovery_state(cls, state: PlainMap) -> "RecoveryLedger":
        """The ledger in the file of a snapshot; what was JSON goes through `from_json` first."""
        ledger = cls()
        ledger.call("load", {"state": state})
        return ledger

    @property
    def state(self) -> State:
        """What the ledger holds, as a value that never changes."""
        return self._state

    @contextmanager
    def mutation_cut(self) -> Generator[MutationCut, None, None]:
        """A live cut for the block. Snapshots are captured outside of it."""
        cut = MutationCut(self)
        try:
            yield cut
        finally:
            cut.end()

    def call(self, op: str, request: PlainMap, *, cut: bool = True) -> Any:
        """Any operation by its name, or LedgerRefused; what the methods below are made of."""
        if type(op) is not str or op not in self._core.spec.operations:
            named = repr(op) if type(op) is str else kind_of(op)
            raise LedgerRefused(code.VALUE, VALUES, f"no operation of a ledger is called {named}")
        step = self._core.step(self._state, Call(op, request, cut))
        answer: Answer = step.outputs[0]
        if not answer.ok:
            raise LedgerRefused(answer.code or "refused", answer.rule, answer.detail)
        self._state = step.state
        return answer.body

    def _change(self, cut: MutationCut, op: str, **request: Any) -> Any:
        return self.call(op, request, cut=self._is_live(cut))

    def _is_live(self, cut: object) -> bool:
        return isinstance(cut, MutationCut) and cut.is_live_for(self)

    # Groups.

    def reserve_group(
        self,
        cut: MutationCut,
        *,
        group_id: str,
        prompt_id: str,
        prompt_payload: PlainMap,
        expected_generations: int,
        target_step: int | None,
        start_weight_version: int,
        admission_id: str | None = None,
        task_source: str | None = None,
        recovery_granularity: str = "sibling",
        admitted: bool = True,
    ) -> None:
        """Own a new prompt group, with one reserved attempt for each expected generation.

        `recovery_granularity` is "sibling" or "prompt_group". Groups that share an `admission_id`
        are admitted together and have one target step.
        """
        self._change(
            cut,
            "reserve_group",
            group_id=group_id,
            admission_id=admission_id,
            prompt_id=prompt_id,
            prompt_payload=prompt_payload,
            expected_generations=expected_generations,
            target_step=target_step,
            start_weight_version=start_weight_version,
            task_source=task_source,
            recovery_granularity=recovery_granularity,
            admitted=admitted,
        )

    def mark_group_admitted(
        self, cut: MutationCut, group_id: str, target_step: int | None, start_weight_version: int
    ) -> None:
        """Admit a reserved group, and all groups of its admission."""
        self._change(
            cut,
            "mark_group_admitted",
            group_id=group_id,
            target_step=target_step,
            start_weight_version=start_weight_version,
        )

    def mark_group_dispatched(
        self, cut: MutationCut, group_id: str, generation_indices: Sequence[int] | None = None
    ) -> None:
        """Say that the named siblings, or all, are about to be sent out."""
        named = listed(generation_indices)
        self._change(cut, "mark_group_dispatched", group_id=group_id, generation_indices=named)

    def abandon_unsealed(self, cut: MutationCut, group_id: str) -> None:
        """Give up every unsealed attempt; what is owed stays owed."""
        self._change(cut, "abandon_unsealed", group_id=group_id)

    def prepare_incomplete_retry(self, cut: MutationCut, group_id: str) -> None:
        """Number the next attempt of every sibling that was given up."""
        self._change(cut, "prepare_incomplete_retry", group_id=group_id)

    def discard_group(self, cut: MutationCut, group_id: str) -> None:
        """Let a group go: finalized, dropped, stale or given up."""
        self._change(cut, "discard_group", group_id=group_id)

    def discard_canonical_groups(self, group_ids: Sequence[str]) -> int:
        """Let go the groups that are training data already; how many there were."""
        count: int = self.call("discard_canonical_groups", {"group_ids": listed(group_ids)})
        return count

    def bind_runtime_prompt(self, group_id: str, prompt_payload: PlainMap) -> None:
        """Give a loaded group its prompt again."""
        self.call("bind_runtime_prompt", {"group_id": group_id, "prompt_payload": prompt_payload})

    # Results.

    def mark_sibling_sealed(
        self, cut: MutationCut, group_id: str, generation_index: int, result: PlainMap
    ) -> None:
        """Seal one sibling.

        `result` has `gate_rollout_id`, `receipt`, `reward`, `mask_sample`, `resolved_agent_name`
        and `completion_receipt`.
        """
        request = joined(result, group_id=group_id, generation_index=generation_index)
        self.call("mark_sibling_sealed", request, cut=self._is_live(cut))

    def mark_group_sealed(
        self, cut: MutationCut, group_id: str, results: Mapping[int, PlainMap]
    ) -> None:
        """Seal a whole cohort, its results by generation index."""
        self._change(cut, "mark_group_sealed", group_id=group_id, results=by_index(results))

    def finalization_inputs(self, group_id: str) -> list[list[Any]]:
        """Capture keys, rollout ids, gate receipts, rewards and masks, in the siblings' order."""
        inputs: list[list[Any]] = self.call("finalization_inputs", {"group_id": group_id})
        return inputs

    def mark_finalization_started(self, cut: MutationCut, group_id: str) -> None:
        """Say that the finalizer is about to be asked."""
        self._change(cut, "mark_finalization_started", group_id=group_id)

    def mark_finalization_unknown(self, cut: MutationCut, group_id: str) -> None:
        """Say that nobody knows how the finalization ended."""
        self._change(cut, "mark_finalization_unknown", group_id=group_id)

    # Acknowledgements.

    def record_sealed_sibling_acknowledgement(
        self, cut: MutationCut, group_id: str, generation_index: int
    ) -> dict[str, Any]:
        """Owe the acknowledgement of one sealed sibling; the row that is owed."""
        row: dict[str, Any] = self._change(
            cut,
            "record_sealed_sibling_acknowledgement",
            group_id=group_id,
            generation_index=generation_index,
        )
        return row

    def record_sealed_group_acknowledgements(
        self, cut: MutationCut, group_id: str
    ) -> list[dict[str, Any]]:
        """Owe the acknowledgements of a sealed group; the rows that are owed."""
        rows: list[dict[str, Any]] = self._change(
            cut, "record_sealed_group_acknowledgements", group_id=group_id
        )
        return rows

    def record_partial_group_acknowledgement(
        self, cut: MutationCut, group_id: str, generation_index: int, result: PlainMap
    ) -> dict[str, Any]:
        """Owe the acknowledgement of a finished sibling of a cohort that is not sealed yet."""
        row: dict[str, Any] = self._change(
            cut,
            "record_partial_group_acknowledgement",
            group_id=group_id,
            generation_index=generation_index,
            result=result,
        )
        return row

    def pending_acknowledgements(self) -> list[dict[str, Any]]:
        """What is owed, by agent, rollout and attempt: what to send next."""
        return [row.model_dump(mode="json") for row in self._state.rows()]

    def mark_completed_executions_acknowledged(
        self, cut: MutationCut, acknowledgements: Sequence[PlainMap]
    ) -> None:
        """Take rows off that participants have confirmed: all of the list, or none of it."""
        rows = listed(acknowledgements)
        self._change(cut, "mark_completed_executions_acknowledged", acknowledgements=rows)

    def discard_pending_acknowledgements(self) -> int:
        """Drop what is owed to a process that was not restored; how much it was."""
        count: int = self.call("discard_pending_acknowledgements", {})
        return count

    # Saving and restarting.

    def assert_checkpoint_safe(self) -> None:
        """Raise LedgerRefused while a group is being finalized."""
        self.call("assert_checkpoint_safe", {})

    def state_dict(self) -> dict[str, Any]:
        """The whole ledger in plain values, for `from_state_dict`."""
        saved: dict[str, Any] = self.call("state_dict", {})
        return saved

    def load_state_dict(self, state: PlainMap) -> None:
        """Become the ledger that was saved; this one must be empty."""
        self.call("load_state_dict", {"state": state})

    def build_rollout_recovery_state(
        self, *, batch_shortfall: Mapping[int, int], sampler_stamps_target_steps: bool
    ) -> dict[str, Any]:
        """The file of a snapshot: the ledger, groups missing by step, if steps are stamped."""
        facts = {"sampler_stamps_target_steps": sampler_stamps_target_steps}
        request = {"batch_shortfall": mapped(batch_shortfall), **facts}
        saved: dict[str, Any] = self.call("build_rollout_recovery_state", request)
        return saved

    def prepare_for_restart(self, restored_sources: Sequence[PlainMap] = ()) -> None:
        """Give up what the last process ran.

        `restored_sources` are the attempts, as `rollout_id` and `attempt_index`, that restored
        continuations were taken from: they are given up too when they were only reserved.
        """
        self.call("prepare_for_restart", {"restored_sources": listed(restored_sources)})

    def report(self) -> dict[str, Any]:
        """What the ledger holds, for a look without effect."""
        return report_of(self._state)
