"""Laws of names, keys, digests and times."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost_spec import vocabulary as v
from fencepost_spec.vocabulary import Key

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize("name", ["r1", "R", "0", "a.b_c-d", "r1-a3", "x" * 128])
def test_names_of_the_grammar_are_names(name: str) -> None:
    """Letters, digits, dots, dashes and underscores after a letter or digit make a name."""
    assert v.check_rollout_id(name) == name
    assert v.check_checkpoint_id(name) == name


@pytest.mark.parametrize(
    "name", ["", ".", "..", "-a", "_a", "a/b", "a b", "a\n", "ä", "a\0", None, 1, True, b"a"]
)
def test_anything_else_is_no_name(name: object) -> None:
    """What could leave a directory, break a line or surprise a reader is never a name."""
    for check in (v.check_rollout_id, v.check_checkpoint_id):
        with pytest.raises(ValueError, match="not a"):
            check(name)


def test_a_checkpoint_id_has_at_most_128_characters() -> None:
    """A checkpoint id is bounded; a rollout id is not."""
    with pytest.raises(ValueError, match="128"):
        v.check_checkpoint_id("x" * 129)
    assert v.check_rollout_id("x" * 129)


@pytest.mark.parametrize("attempt", [-1, True, 1.0, "1", None])
def test_an_attempt_is_a_whole_number_from_zero(attempt: object) -> None:
    """Booleans, floats and texts are not attempt numbers."""
    with pytest.raises(ValueError, match="attempt"):
        Key.of("r1", attempt)


@pytest.mark.parametrize("name", ["", "a\tb", "\x7f", "\x85", "ä" * 257, 1, "\ud800"])
def test_an_instance_name_is_printable_and_bounded(name: object) -> None:
    """An instance name is null, or 1 to 512 bytes without control characters."""
    with pytest.raises(ValueError, match=r"instance name"):
        v.check_instance_name(name)
    assert v.check_instance_name(None) is None
    assert v.check_instance_name("ä" * 256)


@given(st.integers(0, 30), st.integers(0, 30))
def test_keys_order_by_rollout_and_then_by_attempt(one: int, other: int) -> None:
    """Attempts of one rollout order as numbers, not as texts."""
    assert (Key("r", one) < Key("r", other)) == (one < other)
    assert Key("r", one).next() > Key("r", one)
    assert Key("q", one) < Key("r", other)


def test_the_run_body_names_its_key() -> None:
    """The rollout id comes first, then both indices together; the attempt is 0 by default."""
    both = {"_ng_task_index": 4, "_ng_rollout_index": 2}
    assert v.identity_of_run({"_ng_rollout_id": "r"} | both) == Key("r", 0)
    assert v.identity_of_run({"_ng_rollout_id": None} | both) == Key("4-2", 0)
    assert v.identity_of_run({"_ng_rollout_id": "r", "_ng_attempt_index": None}) == Key("r", 0)
    assert v.identity_of_run({"_ng_rollout_id": "r", "_ng_attempt_index": 3}) == Key("r", 3)
    for body in ({}, {"_ng_task_index": 4}, {"_ng_rollout_index": 2}, {"_ng_attempt_index": 1}):
        assert v.identity_of_run(body) is None


@pytest.mark.parametrize(
    "body",
    [
        {"_ng_rollout_id": ""},
        {"_ng_rollout_id": 7},
        {"_ng_rollout_id": "r", "_ng_attempt_index": True},
        {"_ng_rollout_id": "r", "_ng_attempt_index": "1"},
        {"_ng_rollout_id": "r", "_ng_attempt_index": -1},
        {"_ng_task_index": True, "_ng_rollout_index": 1},
        {"_ng_task_index": "1", "_ng_rollout_index": 1},
        {"_ng_task_index": -1, "_ng_rollout_index": 1},
    ],
)
def test_a_run_body_that_names_no_key_is_an_error(body: dict[str, Any]) -> None:
    """A malformed identity is refused; it does not make the run anonymous."""
    with pytest.raises(ValueError, match="not a"):
        v.identity_of_run(body)


@given(JSON)
def test_canonical_text_means_the_same_value(value: object) -> None:
    """The canonical text parses back to the value and is its own canonical form."""
    text = v.canonical_json(value)
    assert text.isascii()
    assert json.loads(text) == value
    assert v.canonical_json(json.loads(text)) == text


@given(st.dictionaries(st.text(), JSON, max_size=6))
def test_the_order_of_members_does_not_matter(value: dict[str, Any]) -> None:
    """Equal objects have equal digests however they were built."""
    assert v.digest_of(dict(reversed(value.items()))) == v.digest_of(value)


def test_what_is_no_json_has_no_digest() -> None:
    """NaN and infinities have no canonical text."""
    for number in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="JSON"):
            v.digest_of({"reward": number})


def test_a_known_result_has_its_known_digest() -> None:
    """The digest of a result is the one that public participants compute (section 1.3)."""
    known = "af250faef3b2f87e28f1584bbc1919c70dd3105abc06c5c3f67194ecc62c652d"
    assert v.digest_of({"reward": 1.0, "id": "res-1"}) == known


@given(JSON)
def test_every_result_has_an_identity_that_a_receipt_can_carry(result: object) -> None:
    """R18: whatever a participant accepts as a result, its name has 1 to 512 characters."""
    assert 1 <= len(v.result_identity(result)) <= 512


@pytest.mark.parametrize(
    ("result", "identity"),
    [
        ({"id": "a", "response": {"id": "b"}}, "a"),
        ({"id": None, "response": {"id": "b"}}, "b"),
        ({"id": "", "response": {"id": "b"}}, "b"),
        ({"response": {"id": 0}}, "0"),
        ({"id": False}, "False"),
        ({"id": "x" * 512}, "x" * 512),
    ],
)
def test_an_identity_falls_through_to_the_next_name(result: object, identity: str) -> None:
    """R18: a missing, null or empty id is no name; the next one is asked."""
    assert v.result_identity(result) == identity


@pytest.mark.parametrize(
    "result", [None, [], {}, {"id": "x" * 513}, {"response": None}, {"response": {"id": ""}}]
)
def test_a_result_without_a_usable_name_is_named_by_its_digest(result: object) -> None:
    """R18: null results and overlong ids are named by the digest."""
    assert v.result_identity(result) == v.digest_of(result)


@given(st.integers(-(10**13), 10**13))
def test_whole_microseconds_survive_a_trip_through_seconds(time_us: int) -> None:
    """A time that is a whole number of microseconds is read back exactly, Unix times included."""
    assert v.microseconds(v.seconds_of(time_us)) == time_us


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -math.inf, True, "1", None])
def test_what_is_no_time_is_an_error(seconds: Any) -> None:
    """A deadline is a finite number of seconds (N11)."""
    with pytest.raises(ValueError, match="seconds"):
        v.microseconds(seconds)


def test_times_beyond_the_exact_range_stay_whole() -> None:
    """A huge deadline is an integer, not an overflow."""
    assert v.microseconds(1e300) == int(1e300) * 10**6
    assert v.microseconds(10**400) == 10**406
