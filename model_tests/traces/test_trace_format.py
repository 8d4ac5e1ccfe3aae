"""The trace format: each kind of line is read and written the same, and so is every recording."""

import json
import os
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from fencepost.faults import HarnessFault, TraceFault
from fencepost.trace import (
    Call,
    Footer,
    Header,
    Line,
    Note,
    Returned,
    Tick,
    TraceReader,
    TraceWriter,
    Work,
    build_line,
    plain,
    read_trace,
    render_line,
    renumber,
    write_trace,
)
from fencepost.trace.examples import EXAMPLES, HEADER
from fencepost.trace.explain import SCHEMA_FILE, schema_text

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "docs" / "reference" / SCHEMA_FILE
SHARED = Path(os.environ.get("FENCEPOST_SHARED") or ROOT.parent / "shared")


@pytest.mark.parametrize("example", EXAMPLES, ids=json.dumps)
def test_each_kind_of_line_reads_and_writes_the_same(example: dict[str, Any]) -> None:
    """A line of each kind becomes a value, and the value becomes the same line."""
    assert json.loads(render_line(build_line(example))) == example


@pytest.mark.parametrize(
    ("seconds", "microseconds"),
    [(0, 0), (5.0, 5_000_000), (0.1, 100_000), (4.9, 4_900_000), (1e-7, 0), (10**9, 10**15)],
)
def test_a_tick_is_whole_microseconds(seconds: float, microseconds: int) -> None:
    """Time is counted in whole microseconds."""
    assert build_line({"seq": 1, "tick": seconds}) == Tick(1, microseconds)


def test_every_recorded_trace_reads_and_writes_the_same() -> None:
    """Each recorded line becomes a value that is written as the same JSON."""
    files = sorted(SHARED.glob("traces/*/*/*.ndjson"))
    if not files:
        pytest.skip(f"RECORDED TRACES ABSENT: none under {SHARED}")
    for path in files:
        texts = path.read_text(encoding="utf-8").splitlines()
        for text, line in zip(texts, read_trace(path), strict=True):
            assert json.loads(render_line(line)) == json.loads(text), f"{path}: {text[:200]}"


def test_a_written_trace_is_read_again() -> None:
    """What the writer writes, the reader reads: numbered, with its footer."""
    target = BytesIO()
    header = build_line(HEADER)
    assert isinstance(header, Header)
    with TraceWriter(target, header) as writer:
        first = writer.write(Call(0, "run", "q1", {"text": "é\ud800"}))
        writer.write(Note(0, "second"))

    assert first.seq == 1
    assert list(read_trace(BytesIO(target.getvalue()))) == [
        header,
        Call(1, "run", "q1", {"text": "é\ud800"}),
        Note(2, "second"),
        Footer(2),
    ]


def test_an_error_leaves_the_footer_out() -> None:
    """A trace whose writing failed says itself that it is not complete."""
    target = BytesIO()
    header = build_line(HEADER)
    assert isinstance(header, Header)
    with pytest.raises(HarnessFault), TraceWriter(target, header) as writer:
        writer.write(Call(0, "run", "q1", {"x": float("nan")}))

    with pytest.raises(TraceFault, match="the footer is missing"):
        list(read_trace(BytesIO(target.getvalue())))


@pytest.mark.parametrize(
    "body", [{"x": float("nan")}, {1: 2}, {"x": (1,)}, {"x": b""}, {"x": {1}}, {1: 1, "1": 2}]
)
def test_what_json_cannot_hold_is_not_written(body: Any) -> None:
    """A value that would be read again as another one is refused, and has a plain form."""
    with pytest.raises(HarnessFault):
        render_line(Call(1, "run", "q1", body))


def test_the_plain_form_can_be_written() -> None:
    """NaN, bytes, tuples and mappings with other keys have a form in JSON."""
    body = plain({"x": float("-inf"), "y": {1: b"\x01"}, "z": (None, True)})

    assert body == {
        "x": {"$float": "-inf"},
        "y": {"$map": [[1, {"$bytes": "01"}]]},
        "z": [None, True],
    }
    assert build_line(json.loads(render_line(Call(1, "run", "q1", body)))) is not None
    with pytest.raises(TypeError):
        plain(object())


def test_lines_are_counted_anew() -> None:
    """When lines are left out, the rest is counted anew and a release still names its event."""
    lines: list[Line] = [
        Note(2, "kept"),
        Work(5, "boundary", "r1", 0, {}, "waits"),
        Returned(9, 5, "ok"),
    ]
    target = BytesIO()
    header = build_line(HEADER)
    assert isinstance(header, Header)
    write_trace(target, header, lines)

    assert list(renumber(lines))[2] == Returned(3, 2, "ok")
    assert len(list(TraceReader(BytesIO(target.getvalue())))) == 3


def test_the_json_schema_is_not_stale() -> None:
    """The published schema is the one that the models give; REWRITE=1 writes it."""
    text = schema_text()
    if os.environ.get("REWRITE"):
        SCHEMA.write_text(text, encoding="utf-8")

    assert SCHEMA.read_text(encoding="utf-8") == text
