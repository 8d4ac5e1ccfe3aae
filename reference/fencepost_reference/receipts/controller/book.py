"""The controller's ledger: the real core, asked by name, its answers remembered.

A step of the ledger depends on nothing but the ledger and the call, so it is worked out once.
"""

from typing import Any

import attrs

from fencepost_reference.receipts.controller.actions import Submit
from fencepost_reference.receipts.ledger.actions import Answer, Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.state import Group, State
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.receipts.ledger.values import CompletedExecution
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key, canonical_json

TASK = "task"
_REMEMBERED_MAX = 50_000


@attrs.frozen
class Entry:
    """What a call of the ledger came to."""

    state: State
    ok: bool
    body: Any
    rules: tuple[Rule, ...]


class Book:
    """A ledger core whose steps are remembered. It holds no ledger."""

    def __init__(self, core: LedgerCore | None = None) -> None:
        self.core = core or LedgerCore()
        self._known: dict[tuple[State, str, str], Entry] = {}

    def ask(self, ledger: State, op: str, request: dict[str, Any]) -> Entry:
        """One operation; a refused one changes nothing."""
        name = (ledger, op, canonical_json(request))
        entry = self._known.get(name)
        if entry is None:
            step = self.core.step(ledger, Call(op, request))
            answer: Answer = step.outputs[0]
            entry = Entry(step.state, answer.ok, answer.body, step.rules)
            if len(self._known) >= _REMEMBERED_MAX:
                self._known.clear()
            self._known[name] = entry
        return entry


def reservation(group: Submit, step: int) -> dict[str, Any]:
    """The request that reserves a group. Who runs it is written down as the source of its task."""
    return {
        "group_id": group.group_id,
        "prompt_id": group.prompt_id,
        "prompt_payload": {"idx": int(group.prompt_id), "task_name": TASK},
        "expected_generations": group.siblings,
        "target_step": group.target_step,
        "start_weight_version": step,
        "task_source": group.agent,
        "recovery_granularity": group.granularity,
        "admitted": group.admitted,
    }


def result(key: Key, agent: str, receipt: Receipt) -> dict[str, Any]:
    """A result as the ledger takes it."""
    return {
        "gate_rollout_id": key.capture_key,
        "receipt": {"rollout_id": key.capture_key, "manifest": []},
        "reward": 0.0,
        "mask_sample": False,
        "resolved_agent_name": agent,
        "completion_receipt": {
            "rollout_id": key.rollout_id,
            "attempt_index": key.attempt,
            "execution_generation": receipt.execution_generation,
            "result_identity": receipt.result_identity,
            "result_digest": receipt.result_digest,
            "manifest_capture_key": receipt.manifest_capture_key,
            "terminal_model_call_id": receipt.terminal_model_call_id,
        },
    }


def receipt_of(row: CompletedExecution) -> Receipt:
    """The five values of an obligation that a participant compares."""
    given = row.receipt
    return Receipt(
        given.execution_generation,
        given.result_identity,
        given.result_digest,
        given.manifest_capture_key,
        given.terminal_model_call_id,
    )


def whose(state: State, key: Key) -> tuple[Group, int] | None:
    """The group of an attempt and the index of its sibling, if the ledger holds them."""
    group_id, _, index = key.rollout_id.rpartition("_g")
    group = state.groups.get(group_id)
    if group is None or not index.isdecimal() or int(index) >= len(group.siblings):
        return None
    return group, int(index)


def status_of(state: State, key: Key) -> str | None:
    """The status of an attempt in the ledger, if it is a current one."""
    found = whose(state, key)
    if found is None or found[0].key(found[1]) != key:
        return None
    return found[0].current[found[1]].status


def results_of(group: Group) -> tuple[tuple[Key, str], ...]:
    """The results of a whole group, by the attempts that made them."""
    rows: list[tuple[Key, str]] = []
    for index, attempt in enumerate(group.current):
        completion = None if attempt.result is None else attempt.result.completion
        rows.append((group.key(index), "" if completion is None else completion.result_digest))
    return tuple(rows)
