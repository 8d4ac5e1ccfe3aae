"""Laws of the trace format: the quick ways agree with the definitions, on every line."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fencepost.faults import TraceFault
from fencepost.trace import build_line, line_as_json, parse_json
from fencepost.trace.examples import AT, EXAMPLES, R1
from fencepost.trace.explain import definition
from fencepost.trace.text import parse_json_exactly

DEFINITION = definition()
FIELDS = sorted({name for example in EXAMPLES for name in example} | {"colour"})
VALUES: list[Any] = [
    *[None, True, False, -1, 0, 1, 99, 100, 599, 600, 1.0, 0.1, 2**64, "", "ok", "waits", "kept"],
    *["none", "replace", "cancelled", "receipts", "episodes", "deployment", [], [1], [""], ["x"]],
    *[{}, {"code": ""}, {"code": "x"}, {"error": None}, {"error": "x"}, AT, R1, {"lines": 0}],
    *[{"rollout_id": None, "attempt": None}, {"rollout_id": "r1", "attempt": None}],
    *[{"name": "n", "version": ""}, {"name": "n", "version": "1", "more": 1}],
]
# fmt: off
PIECES = [
    b"", b" ", b"\n", b"\r", b"\x00", b'"', b",", b":", b"{", b"}", b"[", b"]", b"\\", b"1", b"-",
    b"\xff", b"\xef\xbb\xbf", b"NaN", b"Infinity", b"1e999", b"\\u003a", b"\\ud800", b"\\uD800x",
    b'"a":1,"a":1', b'{"a":1,"a":2}', b'"seq":1,', b'"a" :":"', b"18446744073709551616",
    "é".encode(), b"\xed\xa0\x80", b"1.", b".5", b"01", b"+1", b"'", b"/*x*/", b"true", b"null",
]
# fmt: on


def accepts(value: Any) -> bool:
    """Whether the models, which define the format, accept a line."""
    try:
        DEFINITION.validate_python(value)
    except ValidationError:
        return False
    return True


def agree(line: Any) -> bool:
    """Whether the quick way says of a line what the models say, and reads its own writing."""
    try:
        value = build_line(line)
    except TraceFault as fault:
        return not accepts(line) and fault.reason != ""
    return accepts(line) and build_line(line_as_json(value)) == value


def places(line: dict[str, Any]) -> list[dict[str, Any]]:
    """The line itself and the objects right inside it."""
    return [line, *(value for value in line.values() if isinstance(value, dict))]


def changed_once(example: dict[str, Any]) -> Iterator[Any]:
    """Every line that differs from the example in one field."""
    for number, place in enumerate(places(example)):
        for name in {*place, *FIELDS}:
            line = deepcopy(example)
            places(line)[number].pop(name, None)
            yield line
            for value in VALUES:
                line = deepcopy(example)
                places(line)[number][name] = value
                yield line


@st.composite
def changed_lines(draw: st.DrawFn) -> Any:
    """A line of the format, changed in two or three fields."""
    line = deepcopy(draw(st.sampled_from(EXAMPLES)))
    for _ in range(draw(st.integers(2, 3))):
        place = draw(st.sampled_from(places(line)))
        name = draw(st.sampled_from([*place, *FIELDS]))
        if draw(st.booleans()):
            place[name] = deepcopy(draw(st.sampled_from(VALUES)))
        else:
            place.pop(name, None)
    return line


@pytest.mark.parametrize("example", EXAMPLES, ids=json.dumps)
def test_the_quick_reader_agrees_on_every_line_with_one_change(example: dict[str, Any]) -> None:
    """The quick way accepts what the models accept, whichever one field is changed or taken out."""
    assert accepts(example)
    assert [line for line in changed_once(example) if not agree(line)] == []


@given(changed_lines())
def test_the_quick_reader_agrees_on_lines_with_more_changes(line: Any) -> None:
    """The quick way accepts what the models accept, also when several fields are changed."""
    assert agree(line)


@given(st.sampled_from(EXAMPLES), st.data())
def test_the_quick_parser_gives_what_the_exact_one_gives(line: Any, data: st.DataObject) -> None:
    """Text that was changed anywhere is read alike, or refused alike, by both parsers."""
    text = bytearray(json.dumps(line, ensure_ascii=data.draw(st.booleans())).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        where = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 4))
        put = data.draw(st.sampled_from(PIECES))
        text[where : where + cut] = put
    outcomes: list[Any] = []
    for parse in (parse_json, parse_json_exactly):
        try:
            outcomes.append(repr(parse(bytes(text), 1)))
        except TraceFault as fault:
            outcomes.append((fault.reason, fault.hint))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    "text",
    [
        b'{"a": 1, "a": 2}',
        b'{"a": 1, "a" : 2}',
        b'{"a": 1, "\\u0061": 2}',
        b'{"a": ":", "b": {"c": 1, "c": "::"}}',
        b'{"a": "\\u003a", "b": {"c": 1, "c": 1}}',
        b'{"a": 1, "a": "\\u003a"}',
        b'[{"x": {"": 0, "": 0}}]',
    ],
)
def test_a_repeated_key_is_refused(text: bytes) -> None:
    """An object that names a key twice is refused, however the key and its value are written."""
    with pytest.raises(TraceFault, match="occurs twice"):
        parse_json(text)
