"""The words both protocols share: ids, attempts, capture keys, digests and times.

Decided here: what a name may look like, how an attempt is numbered, when two JSON values are equal,
and how much a second is. Not decided here: which of them an operation accepts. Everything is pure;
the module imports the standard library and attrs only.
"""

import hashlib
import json
import math
import re
import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, cast

import attrs

ROLLOUT_ID_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
CHECKPOINT_ID_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
CHECKPOINT_ID_LENGTH_MAX: Final = 128
INSTANCE_NAME_BYTES_MAX: Final = 512
RESULT_IDENTITY_LENGTH_MAX: Final = 512
MICROSECONDS_PER_SECOND: Final = 1_000_000

# `fullmatch` and not `match`: a dollar sign would let a trailing newline through.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_CONTROL_CHARACTER: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_EXACT_FLOAT_MAX: Final = 2.0**53
_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


@attrs.frozen(order=True, slots=True, cache_hash=True)
class Key:
    """One attempt of one rollout: the primary key of every participant's tables.

    The constructor does not validate, because keys are made on every step; `Key.of` does.

    >>> Key("r1", 0).capture_key, Key("r1", 3).capture_key
    ('r1', 'r1-a3')
    >>> Key("r1", 0).next()
    Key(rollout_id='r1', attempt=1)
    """

    rollout_id: str
    attempt: int

    @classmethod
    def of(cls, rollout_id: object, attempt: object) -> "Key":
        """Make a key from unchecked values, or raise ValueError."""
        return cls(check_rollout_id(rollout_id), check_attempt(attempt))

    @property
    def capture_key(self) -> str:
        """The one-string form that stands in paths and file names."""
        return capture_key_for(self.rollout_id, self.attempt)

    def next(self) -> "Key":
        """The attempt under which this one is continued: N continues as N + 1."""
        return Key(self.rollout_id, self.attempt + 1)


def capture_key_for(rollout_id: str, attempt: int) -> str:
    """The rollout id alone for attempt 0, else the id, "-a" and the attempt."""
    return rollout_id if attempt == 0 else f"{rollout_id}-a{attempt}"


def check_rollout_id(value: object) -> str:
    """Return the value when it is a rollout id, or raise ValueError."""
    if not isinstance(value, str) or _NAME.fullmatch(value) is None:
        raise ValueError(f"not a rollout id: {value!r}")
    return value


def check_checkpoint_id(value: object) -> str:
    """Return the value when it is a checkpoint id of 1 to 128 characters, or raise ValueError."""
    if not isinstance(value, str) or _NAME.fullmatch(value) is None:
        raise ValueError(f"not a checkpoint id: {value!r}")
    if len(value) > CHECKPOINT_ID_LENGTH_MAX:
        raise ValueError(f"more than {CHECKPOINT_ID_LENGTH_MAX} characters: {value!r}")
    return value


def check_attempt(value: object) -> int:
    """Return the value when it is an attempt index, or raise ValueError; a bool is no number."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"not an attempt index: {value!r}")
    return value


def check_instance_name(value: object) -> str | None:
    """Return the value when it is null or a printable name of 1..512 bytes, or raise ValueError."""
    if value is None:
        return None
    if not isinstance(value, str) or _CONTROL_CHARACTER.search(value) is not None:
        raise ValueError(f"not an instance name: {value!r}")
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise ValueError(f"an instance name is UTF-8: {value!r}") from error
    if not 1 <= size <= INSTANCE_NAME_BYTES_MAX:
        raise ValueError(f"an instance name has 1 to {INSTANCE_NAME_BYTES_MAX} bytes, not {size}")
    return value


def identity_of_run(body: Mapping[str, Any]) -> Key | None:
    """The key that a run body names, or None; a name that is no key raises ValueError.

    >>> identity_of_run({"_ng_task_index": 4, "_ng_rollout_index": 2, "_ng_attempt_index": 1})
    Key(rollout_id='4-2', attempt=1)
    >>> identity_of_run({"_ng_task_index": 4}) is None
    True
    """
    rollout_id = body.get("_ng_rollout_id")
    if rollout_id is None:
        task, rollout = body.get("_ng_task_index"), body.get("_ng_rollout_index")
        if task is None or rollout is None:
            return None
        rollout_id = f"{_check_index(task)}-{_check_index(rollout)}"
    attempt = body.get("_ng_attempt_index")
    return Key.of(rollout_id, 0 if attempt is None else attempt)


def _check_index(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"not a task or rollout index: {value!r}")
    return value


def canonical_json(value: object) -> str:
    """The one text of a JSON value: keys sorted, no spaces, ASCII; NaN raises ValueError.

    >>> canonical_json({"b": [1, None], "a": "é"})
    '{"a":"\\\\u00e9","b":[1,null]}'
    """
    return _CANONICAL(value)


def digest_of(value: object) -> str:
    """SHA-256 of the canonical JSON of a value, as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


def without(value: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """A copy of an object that lacks the named members."""
    return {name: member for name, member in value.items() if name not in names}


def record_digest(record: Mapping[str, Any]) -> str:
    """The digest by which two records are equal: over everything but the time of writing.

    >>> record_digest({"a": 1, "created_at": 5.0}) == record_digest({"a": 1, "created_at": 6.0})
    True
    """
    return digest_of(without(record, "created_at"))


def result_identity(result: object) -> str:
    """The name of a result: its id, else the id of its response, else its digest.

    A missing, null or empty id falls through to the next. An id that is no string is named by its
    text; one longer than 512 characters is replaced by the digest. So every result has a name.

    >>> result_identity({"id": "", "response": {"id": 7}})
    '7'
    >>> result_identity(None) == digest_of(None)
    True
    """
    response = _member(result, "response")
    for candidate in (_member(result, "id"), _member(response, "id")):
        if candidate is None or candidate in ("", [], {}):
            continue
        name = str(candidate)
        return name if len(name) <= RESULT_IDENTITY_LENGTH_MAX else digest_of(result)
    return digest_of(result)


def _member(value: object, name: str) -> object:
    if not isinstance(value, Mapping):
        return None
    return cast("Mapping[str, object]", value).get(name)


def microseconds(seconds: float) -> int:
    """Seconds as the nearest whole number of microseconds; a bool or NaN raises ValueError.

    >>> microseconds(0.1), microseconds(-2), microseconds(1e-7)
    (100000, -2000000, 0)
    """
    if isinstance(seconds, int) and not isinstance(seconds, bool):
        return seconds * MICROSECONDS_PER_SECOND
    if not isinstance(seconds, float) or not math.isfinite(seconds):
        raise ValueError(f"not a finite number of seconds: {seconds!r}")
    product = seconds * MICROSECONDS_PER_SECOND
    if abs(product) < _EXACT_FLOAT_MAX:
        return round(product)
    return round(Fraction(seconds) * MICROSECONDS_PER_SECOND)


def seconds_of(time_us: int) -> float:
    """Whole microseconds as seconds; beyond what a float holds, the most that it does.

    >>> seconds_of(1_500_000), seconds_of(-(10**400)) < -1e308
    (1.5, True)
    """
    try:
        return time_us / MICROSECONDS_PER_SECOND
    except OverflowError:
        return math.copysign(sys.float_info.max, 1 if time_us > 0 else -1)
