"""From a file to a verdict: read, judge, explain, shorten."""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from fencepost.faults import TraceFault
from fencepost.flow import Flow
from fencepost.judges import Judge, Refusal, judge_of
from fencepost.mismatch import Inconclusive, Mismatch
from fencepost.shortening import shortened
from fencepost.trace import Header, Line, Note, Returned, TraceReader, TraceWriter
from fencepost.trace.reader import open_binary
from fencepost.verdict import Finding, Kind, Verdict
from fencepost_spec.receipts.properties import BY_ID

DEFAULT_RULE = BY_ID["R-LIV-9"].rule


def judge_file(path: str | Path, core: Any = None) -> Verdict:
    """The verdict on one trace. A file that is not a trace raises TraceFault.

    A refusal that is found wins over what is wrong with the rest of the file. Lines are not kept:
    a log of any length takes the memory of what is live and of the keys that have ended. To
    explain a refusal, the file is read again up to there.
    """

    if str(path) == "-" or _flows(Path(path)):
        return _judge_flow(str(path), core)

    def again(last: int) -> list[Line]:
        with TraceReader(path) as reader:
            return list(islice(reader, last))

    with TraceReader(path) as reader:
        return judge(reader.header, reader, str(path), again, core)


def _flows(path: Path) -> bool:
    """Whether a path can be read once only: a pipe or a device, not a file or directory."""
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except OSError:  # What may not be looked at is opened, and says so.
        return False


def _judge_flow(name: str, core: Any) -> Verdict:
    """The verdict on a trace that comes through a pipe; it ends where the verdict is known."""
    opened: AbstractContextManager[BinaryIO]
    if name != "-":
        opened = open_binary(Path(name), name)
    elif sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  # so Python says closed
        raise TraceFault(None, "standard input is closed", file=name)
    else:
        opened = nullcontext(sys.stdin.buffer)
    with opened as stream, Flow(stream) as flow:

        def again(last: int) -> list[Line]:
            with TraceReader(flow.again(), name) as reader:
                return list(islice(reader, last))

        with TraceReader(flow, name) as reader:
            return judge(reader.header, reader, name, again, core)


def judge(
    header: Header,
    lines: Iterable[Line],
    name: str,
    again: Callable[[int], Sequence[Line]],
    core: Any = None,
) -> Verdict:
    """The verdict on the lines of one trace; `again` gives the first lines once more."""
    oracle = judge_of(header, core)
    counted = read = 0
    try:
        for line in lines:
            read += 1
            counted += not isinstance(line, Note)
            refusal = oracle.feed(line)
            if refusal is not None:
                return refused(header, again(read), refusal, oracle, name)
    except Inconclusive as why:
        return Verdict("inconclusive", name, reason=str(why), notes=findings(oracle))
    if not counted:
        return Verdict("inconclusive", name, reason="nothing happens in this trace")
    if not oracle.rules:
        return Verdict("inconclusive", name, reason="nothing in this trace exercises a rule")
    return Verdict(
        "conforms", name, notes=findings(oracle), rules_exercised=tuple(sorted(oracle.rules))
    )


def refused(
    header: Header, read: Sequence[Line], refusal: Refusal, oracle: Judge, name: str
) -> Verdict:
    """The verdict on a trace that was refused at its last line read."""
    mismatch, line = refusal.mismatch, refusal.line
    rule = mismatch.rule or DEFAULT_RULE
    needed = shortest(header, read, mismatch)
    steps = oracle.step_texts(needed)
    kind: Kind = "stalls" if mismatch.stall else "violates"
    legal = oracle.legal_texts(refusal.before)
    return Verdict(
        kind,
        name,
        line.seq,
        rule,
        oracle.line_text(line),
        mismatch.expected,
        mismatch.came,
        oracle.state_text(refusal.before),
        legal,
        tuple(steps),
        notes=findings(oracle),
        rules_exercised=tuple(sorted(oracle.rules)),
    )


def shortest(header: Header, read: Sequence[Line], shown: Mismatch) -> tuple[Line, ...]:
    """The lines of a refused trace that are needed to see the same difference at its last line."""

    def still_shows(lines: Sequence[Line]) -> bool:
        try:
            refusal = judge_of(header).feed_all(lines)
        except (TraceFault, Inconclusive):
            return False  # Not every selection of lines is a trace; those show nothing.
        return (
            refusal is not None and refusal.line.seq == lines[-1].seq and refusal.mismatch == shown
        )

    return shortened(read, still_shows)


def findings(oracle: Judge) -> tuple[Finding, ...]:
    """What rules of level should do not want, each once for a line."""
    seen = dict.fromkeys(oracle.notes)
    return tuple(Finding(rule, line, text) for line, rule, text in seen)


def save_shortest(header: Header, lines: Sequence[Line], path: Path) -> None:
    """Write needed lines as a trace of their own, counted anew; references follow."""
    numbers = {line.seq: place for place, line in enumerate(lines, start=1)}
    with TraceWriter(path, header) as writer:
        for line in lines:
            changed = attrs.evolve(line, seq=numbers[line.seq])
            if isinstance(changed, Returned):
                changed = attrs.evolve(changed, of=numbers.get(changed.of, changed.of))
            writer.write(changed)
