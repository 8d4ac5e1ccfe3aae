"""Laws of bodies on the wire: strict both ways."""

import math
from typing import Any

import pytest
from pydantic import BaseModel

from fencepost.shapes import fits
from fencepost_spec.receipts import replies, wire
from fencepost_spec.schemas import models
from fencepost_spec.strict import VERSION_FIELD

RECEIPT: dict[str, Any] = {
    "rollout_id": "r1",
    "attempt_index": 0,
    "execution_generation": 1,
    "result_identity": "res",
    "result_digest": "0" * 64,
    "manifest_capture_key": "r1",
    "terminal_model_call_id": "call-1",
}
KEYED: dict[str, Any] = {"checkpoint_id": "c1", "rollout_id": "r1", "attempt_index": 0}
DIRECTED: dict[str, Any] = {"checkpoint_id": "c1", "checkpoint_dir": "dir1"}
REQUESTS: dict[str, dict[str, Any]] = {
    "prepare": {"checkpoint_id": "c1", "deadline_in": 5.0, "allow_model_wait_boundary": True},
    "status": {"checkpoint_id": "c1"},
    "commit": DIRECTED | {"deadline_in": 5.0},
    "restore": DIRECTED | {"deadline_in": 5.0},
    "resume": {"checkpoint_id": "c1", "deadline_in": -5},
    "retire": KEYED | {"deadline_in": 5.0},
    "acknowledge": RECEIPT,
    "acknowledge-completed": {"schema_version": 1, "executions": [RECEIPT]},
    "completion-receipt": {"rollout_id": "r1", "attempt_index": 0},
    "discard-restored-continuation": KEYED | {"deadline_in": 5.0},
    "capabilities": {},
}
TIMED = sorted(name for name, body in REQUESTS.items() if "deadline_in" in body)
PAIR = {"manifest_capture_key", "terminal_model_call_id"}
MAY_BE_LEFT_OUT = PAIR | {"allow_model_wait_boundary", VERSION_FIELD}


@pytest.mark.parametrize("operation", wire.REQUESTS)
def test_a_good_request_is_read_in_both_renderings(operation: str) -> None:
    """What a trace shows and what travels differ in the deadline alone."""
    body = REQUESTS[operation]
    assert wire.REQUESTS[operation].model_validate(body)
    travelling = wire.absolute(body, 7_000_000) if operation in TIMED else body
    assert wire.WIRE_REQUESTS[operation].model_validate(travelling)
    if operation in TIMED:
        assert wire.relative(travelling, 7_000_000) == body
        for model, wrong in (
            (wire.REQUESTS[operation], travelling),
            (wire.WIRE_REQUESTS[operation], body),
        ):
            _refused(model, wrong)


@pytest.mark.parametrize("operation", wire.REQUESTS)
def test_an_unknown_field_is_refused(operation: str) -> None:
    """A field that nobody reads is an error of the caller, in every request."""
    for name in ("extra", "Checkpoint_id", "deadline"):
        _refused(wire.REQUESTS[operation], REQUESTS[operation] | {name: 1})


@pytest.mark.parametrize("operation", wire.REQUESTS)
def test_a_field_that_is_left_out_is_refused(operation: str) -> None:
    """Nullable is not optional: only what the protocol lets one leave out may be missing (G10)."""
    for name in REQUESTS[operation]:
        left = {key: value for key, value in REQUESTS[operation].items() if key != name}
        if name in MAY_BE_LEFT_OUT - PAIR:
            assert wire.REQUESTS[operation].model_validate(left)
        else:
            _refused(wire.REQUESTS[operation], left)


@pytest.mark.parametrize("operation", TIMED)
@pytest.mark.parametrize("deadline", [math.nan, math.inf, -math.inf, True, "5", None, 10**400])
def test_a_deadline_is_a_finite_number(operation: str, deadline: object) -> None:
    """N11: no deadline, no infinity, no boolean and no text passes for a deadline."""
    _refused(wire.REQUESTS[operation], REQUESTS[operation] | {"deadline_in": deadline})


@pytest.mark.parametrize("version", [True, 1.0, "1", 0, 2, None])
def test_a_version_is_the_number_one(version: object) -> None:
    """Equal is not the same: a boolean or a float is no schema version (N8)."""
    _refused(wire.REQUESTS["prepare"], REQUESTS["prepare"] | {VERSION_FIELD: version})
    _refused(
        wire.REQUESTS["acknowledge-completed"], {"executions": [RECEIPT], VERSION_FIELD: version}
    )


@pytest.mark.parametrize("operation", ["retire", "discard-restored-continuation"])
@pytest.mark.parametrize(
    "wrong",
    [
        {"attempt_index": "0"},
        {"attempt_index": 0.0},
        {"attempt_index": False},
        {"attempt_index": -1},
        {"rollout_id": ""},
        {"rollout_id": "../r"},
        {"rollout_id": "r\n"},
        {"checkpoint_id": "x" * 129},
        {"checkpoint_id": None},
    ],
)
def test_numbers_and_names_are_taken_as_they_are(operation: str, wrong: dict[str, Any]) -> None:
    """No text passes for a number, no boolean either, and no path for a name."""
    _refused(wire.REQUESTS[operation], REQUESTS[operation] | wrong)


def test_a_receipt_has_both_halves_of_its_lineage_or_neither() -> None:
    """A caller may leave the pair out and means null; half of it is refused."""
    bare = {key: value for key, value in RECEIPT.items() if key not in PAIR}
    nulls = bare | dict.fromkeys(PAIR)
    given = wire.GivenReceipt.model_validate(bare)
    assert given.receipt == wire.Receipt.model_validate(nulls)
    _refused(wire.Receipt, bare)
    for half in PAIR:
        _refused(wire.GivenReceipt, bare | {half: "x"})
        _refused(wire.Receipt, nulls | {half: "x"})


def test_a_batch_is_not_empty_and_names_each_key_once() -> None:
    """An acknowledgement of nothing, or of one key twice, is a malformed request."""
    batch = wire.REQUESTS["acknowledge-completed"]
    _refused(batch, {"executions": []})
    _refused(batch, {"executions": [RECEIPT, RECEIPT | {"result_identity": "other"}]})
    assert batch.model_validate({"executions": [RECEIPT, RECEIPT | {"attempt_index": 1}]})


def test_a_retire_answer_is_one_of_two() -> None:
    """A result is either kept, and then nothing is refused, or its key is refused."""
    for body in (
        {"retired": True, "tombstoned": True},
        {"retired": False, "tombstoned": True},
        {"retired": False, "tombstoned": False, "completed_unacknowledged": True},
    ):
        assert replies.RetireReply.model_validate(body)
    wrong: tuple[dict[str, Any], ...] = (
        {"retired": False, "tombstoned": False},
        {"retired": True, "tombstoned": True, "completed_unacknowledged": True},
        {"retired": False, "tombstoned": False, "completed_unacknowledged": False},
        {"retired": 1, "tombstoned": True},
    )
    for body in wrong:
        _refused(replies.RetireReply, body)


def test_a_completed_entry_carries_its_receipt_and_no_other_does() -> None:
    """A receipt that belongs to live work, or a completed entry without one, is malformed."""
    entry: dict[str, Any] = {
        "rollout_id": "r1",
        "attempt_index": 0,
        "generation": 1,
        "state": "running",
        "parked_boundary_state": None,
        "boundary_index": None,
        "turn_index": None,
        "boundary_kind": None,
        "resource_state_revisions": {},
    }
    assert replies.LiveEntry.model_validate(entry)
    _refused(replies.LiveEntry, entry | {"completion_receipt": RECEIPT})
    _refused(replies.LiveEntry, entry | {"completion_receipt": None})
    _refused(replies.CompletedEntry, entry | {"state": "completed"})
    _refused(replies.LiveEntry, entry | {"state": "completed"})


FREE = ("GateReceipt", "ManifestEntry")
"""What a ledger keeps of another part of its trainer may say more than is asked of it (G1)."""


def test_every_published_model_refuses_what_it_does_not_know() -> None:
    """Extra fields are forbidden in every body, nested ones included, but for what is free."""
    for name, model in models().items():
        _forbids_extras(name, model.model_json_schema())


def _refused(model: type[BaseModel], body: object) -> None:
    assert not fits(model, body), f"{model.__name__} reads {body!r}"


def _forbids_extras(name: str, schema: dict[str, Any]) -> None:
    for part in (schema, *schema.get("$defs", {}).values()):
        if part.get("title") in FREE:
            continue
        if part.get("type") == "object" and "properties" in part:
            assert part["additionalProperties"] is False, (name, part)
