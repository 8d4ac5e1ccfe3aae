"""Who a call of the data plane belongs to: identity headers first, then the path.

A rollout id may itself end in "-a3", so a path that is split backwards is only a hint; where the
headers name an attempt, the capture key in the path must be that attempt's. Pure; imports
`vocabulary` only.
"""

import re
from collections.abc import Iterable

from fencepost_spec.vocabulary import Key

ROLLOUT_HEADER = "x-nemo-gym-rollout-id"
ATTEMPT_HEADER = "x-nemo-gym-attempt-index"

_PREFIX = re.compile(r"/ng-rollout/([^/]+)/")
_NUMBER = re.compile(r"0|[1-9][0-9]*")
_ATTEMPT = re.compile(r"(.+)-a([1-9][0-9]*)")


def identity_of_call(path: str, headers: Iterable[tuple[str, str]]) -> Key | None:
    """The attempt that a call belongs to, None for none, or ValueError when they disagree.

    >>> identity_of_call("/ng-rollout/r1-a2/v1/responses", ())
    Key(rollout_id='r1', attempt=2)
    >>> identity_of_call("/v1/responses", ()) is None
    True
    """
    rollout_id, attempt = _only(headers, ROLLOUT_HEADER), _only(headers, ATTEMPT_HEADER)
    found = _PREFIX.match(path)
    capture_key = None if found is None else found[1]
    if rollout_id is None and attempt is None:
        return None if capture_key is None else _split(capture_key)
    if rollout_id is None or attempt is None:
        raise ValueError("rollout id and attempt come together")
    if _NUMBER.fullmatch(attempt) is None:
        raise ValueError(f"not an attempt index: {attempt!r}")
    key = Key.of(rollout_id, int(attempt))
    if capture_key is not None and capture_key != key.capture_key:
        raise ValueError(f"the path names {capture_key}, the headers {key.capture_key}")
    return key


def _only(headers: Iterable[tuple[str, str]], wanted: str) -> str | None:
    values = {value for name, value in headers if name.lower() == wanted}
    if len(values) > 1:
        raise ValueError(f"{wanted} is given twice and differs")
    return values.pop() if values else None


def _split(capture_key: str) -> Key:
    found = _ATTEMPT.fullmatch(capture_key)
    return Key.of(capture_key, 0) if found is None else Key.of(found[1], int(found[2]))
