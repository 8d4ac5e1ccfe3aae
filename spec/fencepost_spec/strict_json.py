"""JSON as a careful reader takes it: what a correct writer cannot have written is not guessed at.

Decided here: UTF-8 without a byte-order mark, no member twice, no NaN or infinity, nothing behind
the value; lines end in one line feed and none is empty. Not decided here: what the value must
contain. May import the standard library only.
"""

import json
import math
from typing import Any, NoReturn

DIGITS_MAX = 4300
"""So many digits a whole number has at most; longer ones Python itself neither reads nor writes."""

_SHOWN_MAX = 30
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class _Refused(ValueError):
    """A value is JSON to a careless reader, and not to us."""


def parse_json(data: bytes) -> Any:
    """The one JSON value that the bytes hold, or ValueError that says why there is none.

    >>> parse_json(b'{"a": 1}')
    {'a': 1}
    >>> parse_json(b'{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    ValueError: the member 'a' occurs twice
    """
    if data.startswith(_BYTE_ORDER_MARK):
        raise ValueError("it starts with a byte-order mark")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start} is not UTF-8") from error
    try:
        return json.loads(
            text,
            object_pairs_hook=_members,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error.msg} at character {error.pos}") from error
    except _Refused as refused:
        raise ValueError(str(refused)) from None
    except ValueError as error:
        raise ValueError(f"a whole number has more than {DIGITS_MAX} digits") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def parse_lines(data: bytes) -> list[Any]:
    """The JSON values of the lines, or ValueError that names the line; no bytes are no lines."""
    if not data:
        return []
    *lines, rest = data.split(b"\n")
    if rest:
        raise ValueError(f"line {len(lines) + 1} does not end in a line feed")
    values: list[Any] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.endswith(b"\r"):
            raise ValueError(f"line {number} is empty or ends in a carriage return")
        try:
            values.append(parse_json(line))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
    return values


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise _Refused(f"the member {name!r} occurs twice")
        members[name] = value
    return members


def _no_constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        shown = text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}…"
        raise _Refused(f"the number {shown} is out of range")
    return number
