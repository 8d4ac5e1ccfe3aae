"""What is no trace is refused: in words, at its line, and never with a traceback."""

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import fencepost
from fencepost.faults import TraceFault
from fencepost.judges import judge_of
from fencepost.trace import Header, Note, TraceReader, Work, read_trace
from fencepost.trace.examples import AT, HEADER


def written(*lines: Any, header: Any = HEADER, end: Any = None) -> bytes:
    """The text of a trace: header, lines and a right footer, each an object or raw text."""
    footer = {"end": {"lines": len(lines)}} if end is None else end
    texts = [
        part if isinstance(part, bytes) else json.dumps(part).encode()
        for part in (header, *lines, footer)
        if part != ""
    ]
    return b"".join(text + b"\n" for text in texts)


def refusal(text: bytes) -> tuple[int | None, str]:
    """Line and reason of the refusal that a trace meets."""
    with pytest.raises(TraceFault) as caught:
        list(read_trace(BytesIO(text)))
    return caught.value.line_number, caught.value.reason


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (b"", None, "the file is empty"),
        (b"\n", 1, "the line is blank"),
        (b"\x7fELF\x02\x01\x00\x00\xfe\xff", 1, "not UTF-8"),
        (b"\x00\x00\x00\x00", 1, "not JSON"),
        (b"\xef\xbb\xbf" + written(), 1, "byte-order mark"),
        (b"{}", 1, "a line of no known kind; it names nothing"),
        (b"[]", 1, "a line is a JSON object, not a list"),
        (b"7", 1, "a line is a JSON object, not a number"),
        (b"null", 1, "a line is a JSON object, not null"),
        (written({"seq": 1, "tick": 1}, header=""), 1, "the header is missing"),
        (written(header="", end={"end": {"lines": 0}}), 1, "the header is missing"),
        (written(header={**HEADER, "fencepost": 2}), 1, "format version 2 is not known"),
        (written(header={**HEADER, "fencepost": True}), 1, "format version True is not known"),
        (written(header={**HEADER, "fencepost": "1"}), 1, "format version '1' is not known"),
        (written(header={**HEADER, "kind": "environment"}), 1, "receipts has no kind"),
        (written(header={**HEADER, "protocol": "paxos"}), 1, "protocol"),
        (written(header={**HEADER, "seed": 1}), 1, "unknown field 'seed'"),
        (written(header={k: v for k, v in HEADER.items() if k != "hidden"}), 1, "'hidden' is miss"),
        (written({"seq": 2, "note": ""}), 2, "seq is 2, not 1"),
        (written({"seq": 0, "note": ""}), 2, "seq"),
        (written({"seq": True, "note": ""}), 2, "seq is a whole number"),
        (written({"seq": 1, "note": ""}, {"seq": 1, "note": ""}), 3, "seq is 1, not 2"),
        (written({"note": ""}), 2, "field 'seq' is missing"),
        (written({"seq": 1, "note": "", "by": "me"}), 2, "unknown field 'by'"),
        (written({"seq": 1, "remark": ""}), 2, "a line of no known kind; it names remark, seq"),
        (written({"seq": 1, "call": "run", "id": "a"}), 2, "field 'request' is missing"),
        (written({"seq": 1, "call": "run", "id": "a", "request": []}), 2, "request is an object"),
        (written({"seq": 1, "call": "run", "id": "a", "request": None}), 2, "text stands exactly"),
        (written({"seq": 1, "call": "", "id": "a", "request": {}}), 2, "call is not empty"),
        (written({"seq": 1, "tick": -1}), 2, "tick"),
        (written({"seq": 1, "tick": "1"}), 2, "tick is a number"),
        (written({"seq": 1, "tick": True}), 2, "tick is a number"),
        (written(b'{"seq": 1, "tick": NaN}'), 2, "NaN is not JSON"),
        (written(b'{"seq": 1, "tick": Infinity}'), 2, "Infinity is not JSON"),
        (written(b'{"seq": 1, "tick": 1e999}'), 2, "out of range"),
        (written(b'{"seq": 1, "note": "x", "note": "y"}'), 2, "the member 'note' occurs twice"),
        (written(b'{"seq": 1, "note": "\xff"}'), 2, "not UTF-8"),
        (written(b'{"seq": 1, "note": "x"'), 2, "not JSON"),
        (written(b""), 2, "the line is blank"),
        (written(b"[" * 501 + b"]" * 501), 2, "nested too deeply"),
        (written(b"[" * 500 + b"]" * 500), 2, "a line is a JSON object, not a list"),
        (written(b'{"a":' * 90_000 + b"1" + b"}" * 90_000), 2, "nested too deeply"),
        (written({"seq": 1, "fault": "replace"}), 2, "field 'disk' is missing"),
        (written({"seq": 1, "fault": "damage", "disk": "kept"}), 2, "unknown field 'disk'"),
        (written({"seq": 1, "reply": "q1", "status": 200, "body": {}}), 2, "answers no open call"),
        (written({"seq": 1, "reply": "q1", "status": 1, "body": {}}), 2, "status"),
        (written({"seq": 1, "reply": "q1", "lost": "soon"}), 2, "lost"),
        (written({"seq": 1, "returned": 1, "outcome": "ok"}), 2, "is no event that waits"),
        (written(HEADER), 2, "a second header"),
        (written(end=""), None, "the footer is missing"),
        (written({"seq": 1, "note": ""}, end=""), None, "the footer is missing"),
        (written(end={"end": {"lines": 1}}), 2, "the footer counts 1 line, and there are 0"),
        (written(end={"end": {"lines": 0, "x": 1}}), 2, "unknown field 'end.x'"),
        (written() + b"\n", 3, "something follows the footer"),
        (written() + written(), 3, "something follows the footer"),
    ],
    ids=lambda part: part[-60:].decode(errors="replace") if isinstance(part, bytes) else None,
)
def test_a_bad_trace_is_refused_at_its_line(text: bytes, line: int | None, reason: str) -> None:
    """What is wrong with a trace is said in words, with the line of the file."""
    found_line, found_reason = refusal(text)

    assert found_line == line
    assert reason in found_reason


def test_a_call_that_is_open_is_not_opened_again() -> None:
    """Two open calls never share an id; an answered id may be used again."""
    call: dict[str, Any] = {"call": "status", "id": "q1", "request": {}}
    reply: dict[str, Any] = {"reply": "q1", "status": 200, "body": {}}
    good: list[dict[str, Any]] = [
        {"seq": 1, **call},
        {"seq": 2, **reply},
        {"seq": 3, **call},
        {"seq": 4, **reply},
    ]

    assert len(list(TraceReader(BytesIO(written(*good))))) == 4
    assert refusal(written(good[0], {"seq": 2, **call})) == (3, "call 'q1' is open already")


def test_a_place_is_for_deployments_only() -> None:
    """A deployment says where each line belongs, and no other trace does."""
    placed = {"seq": 1, "report": {}, "at": AT}
    deployment = {**HEADER, "protocol": "episodes", "kind": "deployment"}

    assert refusal(written(placed)) == (2, "unknown field 'at'")
    assert refusal(written({"seq": 1, "report": {}}, header=deployment))[0] == 2
    assert len(list(read_trace(BytesIO(written(placed, header=deployment))))) == 3


def test_lines_before_a_missing_footer_are_delivered() -> None:
    """Whoever reads a trace without its footer gets every line before the refusal."""
    lines: Iterator[Any] = read_trace(BytesIO(written({"seq": 1, "note": "seen"}, end="")))

    assert isinstance(next(lines), Header)
    assert next(lines) == Note(1, "seen")
    with pytest.raises(TraceFault, match="footer is missing"):
        next(lines)


def test_a_fault_names_the_file(tmp_path: Path) -> None:
    """A refusal names the file, the line and a hint in one sentence."""
    path = tmp_path / "cut.ndjson"
    path.write_bytes(written({"seq": 3, "note": ""}))
    with pytest.raises(TraceFault) as caught:
        list(read_trace(path))

    assert str(caught.value) == f"{path}, file line 2: seq is 3, not 1 (it counts from 1)"


@pytest.mark.parametrize(("name", "reason"), [("none", "no such file"), ("", "directory")])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    """A directory and an absent file are refused in words."""
    with pytest.raises(TraceFault, match=reason):
        TraceReader(tmp_path / name)


@pytest.mark.parametrize("kind", ["agent", "model", "resources", "ledger", "controller"])
def test_every_oracle_names_the_line_of_the_file(kind: str) -> None:
    """Whatever is judged: what no line of its kind says is told of the line that says it."""
    parts = [{"kind": "agent", "instance": "a1", "mode": "export_restore"}]
    settings = {"participants": parts} if kind == "controller" else {}
    judge = judge_of(Header("receipts", kind, "one", "fencepost-1", "made up", "", settings, ()))
    nonsense = Work(2, "dances", None, None, {}, "ok")
    assert judge.feed(Note(1, "one line")) is None
    with pytest.raises(TraceFault) as caught:
        judge.feed(nonsense)

    assert caught.value.line_number == 3


def test_only_one_place_counts_the_lines_of_a_file() -> None:
    """Nobody adds the header by hand: a fault of a line is made by `wrong_line`."""
    package = Path(fencepost.__file__).parent
    by_hand = [
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if re.search(r"TraceFault\(\s*\w+\.seq", path.read_text(encoding="utf-8"))
    ]

    assert by_hand == []
