"""Strict JSON, one line at a time: what the format allows of the text, before its meaning.

A repeated key, NaN, Infinity, bytes that are not UTF-8 and a byte order mark are refused. Whole
numbers are exact, others are doubles. The exact way is slow; the quick way is C code only, and
leaves every line that it doubts to the other.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from fencepost.faults import TraceFault
from fencepost.trace.lines import Json, is_list, is_object
from fencepost_spec import strict_json

DEPTH_MAX = 500

_decode = msgspec.json.Decoder[Any]().decode
_encode = msgspec.json.Encoder().encode


def parse_json(raw: bytes, line_number: int | None = None) -> Json:
    """The value that one line of text holds, or a `TraceFault` that says why it is no strict JSON.

    >>> parse_json(b'{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> parse_json(b'{"a": 1, "a": 2}', 7)
    Traceback (most recent call last):
        ...
    fencepost.faults.TraceFault: file line 7: the member 'a' occurs twice
    """
    try:
        value = _decode(raw)
        # Every key of the text stands before one colon, so a key that was dropped because it is
        # repeated leaves fewer colons in the value than in the text. Colons inside strings stand
        # on both sides, unless they are written as an escape.
        same = raw.count(b":") == _encode(value).count(b":")
        if same and (b"\\" not in raw or b"\\u003" not in raw):
            _check_depth(raw, value, line_number)
            return value
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass
    return parse_json_exactly(raw, line_number)


def parse_json_exactly(raw: bytes, line_number: int | None = None) -> Json:
    """The same as `parse_json`, decided without the quick way."""
    try:
        value = strict_json.parse_json(raw)
    except ValueError as error:
        raise TraceFault(line_number, *_say(raw, str(error))) from None
    _check_depth(raw, value, line_number)
    return value


def _check_depth(raw: bytes, value: Json, line_number: int | None) -> None:
    """Refuse more levels than `DEPTH_MAX`: how many an interpreter bears differs between them."""
    if raw.count(b"{") + raw.count(b"[") <= DEPTH_MAX:
        return
    level: list[Json] = [value]
    for _ in range(DEPTH_MAX):
        level = [held for each in level for held in _members(each)]
        if not any(isinstance(each, dict | list) for each in level):
            return
    raise TraceFault(line_number, "it is nested too deeply", f"at most {DEPTH_MAX} levels")


def _members(value: Json) -> Iterable[Json]:
    if is_object(value):
        return value.values()
    return value if is_list(value) else ()


def _say(raw: bytes, reason: str) -> tuple[str, str]:
    """Why a line is refused, and what may be the matter."""
    if not raw.strip():
        return "the line is blank", "a trace has one JSON object per line"
    if b"\x00" in raw or "not UTF-8" in reason:
        return reason, "is this a binary file?"
    if "is not JSON" in reason and reason.startswith(("NaN", "Infinity", "-Infinity")):
        return reason, 'write {"$float": "nan"}, "inf" or "-inf"'
    return reason, ""
