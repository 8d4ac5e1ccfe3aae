"""Laws of saved documents: strict, complete, and readable after an upgrade."""

import math
from typing import Any

import pytest

from fencepost_spec.receipts import saved
from fencepost_spec.schemas import SAVED
from fencepost_spec.vocabulary import Key


def record(**changes: Any) -> dict[str, Any]:
    """The document of a valid record, with changes."""
    made = saved.boundary_record(Key("r1", 2), 4, created_at=1.5, model_call_id="call-4")
    return made.model_dump(mode="json") | changes


def test_saved_documents_have_no_defaults() -> None:
    """G10: in a saved document what may be null is still there, nested documents included."""
    for model, _ in SAVED.values():
        for one in (model, saved.PendingModel, saved.Archive):
            assert [n for n, f in one.model_fields.items() if not f.is_required()] == []


@pytest.mark.parametrize("field", record())
def test_a_record_without_a_field_is_refused(field: str) -> None:
    """B8: a missing member of a record never reads as null."""
    with pytest.raises(ValueError, match=field):
        saved.read_record({k: v for k, v in record().items() if k != field})


@pytest.mark.parametrize(
    "wrong",
    [
        {"schema_version": True},
        {"schema_version": 2.0},
        {"schema_version": 3},
        {"schema_version": 0},
        {"boundary_index": "4"},
        {"created_at": math.nan},
        {"created_at": True},
        {"boundary_kind": "pending_model"},
        {"boundary_kind": "terminal"},
        {"last_committed_model_call_id": None},
        {"last_committed_model_capture_key": None},
        {"resource_state_revisions": {"server": -1}},
        {"resource_state_revisions": {"server": True}},
        {"resource_state_revisions": None},
        {"agent_state": []},
        {"output_items": [1]},
        {"extra": 1},
    ],
)
def test_a_record_that_disagrees_with_its_model_is_refused(wrong: dict[str, Any]) -> None:
    """Wrong types, unknown versions and halves of pairs are damage, not data (N8, N9)."""
    with pytest.raises(ValueError, match=r".+"):
        saved.read_record(record(**wrong))
    assert saved.read_record(record()).key == Key("r1", 2)


def test_a_pending_record_carries_its_payload() -> None:
    """A record of kind pending_model has the reply that is pending, and only such a record."""
    pending = saved.PendingModel(
        model_call_id="call-5",
        response={"id": "m"},
        model_server_cookies={},
        usage=None,
        pending_action_cursor=0,
        resource_request_id="q",
    )
    made = saved.boundary_record(Key("r1", 0), 1, created_at=0.0, pending_model=pending)
    assert made.boundary_kind == "pending_model"
    assert saved.read_record(made.model_dump(mode="json")) == made
    with pytest.raises(ValueError, match="pending_model"):
        saved.read_record(made.model_dump(mode="json") | {"boundary_kind": "turn_complete"})


def test_a_record_of_schema_1_is_upgraded() -> None:
    """Old records count turns like boundaries, and their calls were made by the attempt itself."""
    new = {"turn_index", "boundary_kind", "pending_model", "last_committed_model_capture_key"}
    old = {k: v for k, v in record(schema_version=1).items() if k not in new}
    upgraded = saved.read_record(old)
    assert upgraded == saved.read_record(record(last_committed_model_capture_key="r1-a2"))
    assert saved.read_record(old | {"last_committed_model_call_id": None}).root is None
    for name in new:
        with pytest.raises(ValueError, match=name):
            saved.read_record(old | {name: None})


def test_equal_records_differ_in_the_time_of_writing_at_most() -> None:
    """The digest of a record leaves out when it was written, and nothing else."""
    one = saved.read_record(record())
    assert one.digest == saved.read_record(record(created_at=9.0)).digest
    for change in ({"boundary_index": 5}, {"agent_state": {"a": 1}}, {"attempt_index": 3}):
        assert one.digest != saved.read_record(record(**change)).digest


def test_a_record_goes_on_under_the_key_of_its_replacement() -> None:
    """The model call that it rests on stays the call of the attempt that made it."""
    moved = saved.read_record(record()).under(Key("r1", 3))
    assert moved.key == Key("r1", 3)
    assert moved.root is not None
    assert (moved.root.attempt_index, moved.root.capture_key) == (3, "r1-a2")
    with pytest.raises(ValueError, match="does not continue"):
        moved.under(Key("r2", 0))
