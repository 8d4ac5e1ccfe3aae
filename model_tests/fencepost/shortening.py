"""What of a recorded trace is needed to see what it was refused for.

A recording cannot be played again, so a line may only go when it cannot have been the cause: lines
about other rollouts, calls that only read or were refused, looks and remarks, and whole earlier
processes. What is left has to be refused as before. (A live run is shortened by running it again.)
"""

from collections.abc import Callable, Iterator, Sequence

from fencepost.mismatch import as_object
from fencepost.trace import Call, Disk, Fault, Line, Lost, Note, Reply, Report, Returned, Work
from fencepost.trace.lines import is_list

LINES_MAX = 20_000
READ_ONLY = frozenset({"status", "capabilities", "completion-receipt"})
_NAMES = ("_ng_rollout_id", "rollout_id", "group_id")
"""What a call is about: a rollout, or a group of them."""


def shortened(
    lines: Sequence[Line], still_shows: Callable[[Sequence[Line]], bool]
) -> tuple[Line, ...]:
    """The lines that are needed; the last one always stays."""
    if len(lines) > LINES_MAX:
        return tuple(lines)
    kept = list(lines)
    for droppable in _groups(lines):
        fewer = [line for line in kept if line.seq not in droppable or line is lines[-1]]
        if len(fewer) < len(kept) and still_shows(fewer):
            kept = fewer
    return tuple(kept)


def _groups(lines: Sequence[Line]) -> Iterator[frozenset[int]]:
    """Groups of lines that may go together, the largest first."""
    for end in reversed([i for i, one in enumerate(lines) if _is_replace(one)]):
        yield _earlier_process(lines, end)
    yield frozenset(line.seq for line in lines if isinstance(line, Report | Note | Disk))
    about = {line.seq: _rollouts(lines, line) for line in lines}
    last = about[lines[-1].seq]
    # A line that names no rollout may be about any of them.
    rollouts = {name for names in about.values() for name in names} - last if last else set[str]()
    yield frozenset(seq for seq, names in about.items() if names and names <= rollouts)
    for rollout in sorted(rollouts):
        yield frozenset(seq for seq, names in about.items() if names == frozenset({rollout}))
    yield _without_effect(lines)


def _earlier_process(lines: Sequence[Line], end: int) -> frozenset[int]:
    """Everything up to a replaced process, and the replies that were lost with it."""
    gone = {line.seq for line in lines[: end + 1]}
    calls = {line.id for line in lines[: end + 1] if isinstance(line, Call)}
    gone |= {line.seq for line in lines if isinstance(line, Lost) and line.id in calls}
    return frozenset(gone)


def _is_replace(line: Line) -> bool:
    return isinstance(line, Fault) and line.name == "replace"


def _rollouts(lines: Sequence[Line], line: Line) -> frozenset[str]:
    """The rollouts that a line is about."""
    if isinstance(line, Work):
        return frozenset({line.rollout_id} if line.rollout_id else ())
    if isinstance(line, Call):
        body = line.request or {}
        rows = body.get("executions")
        bodies = [body, *(as_object(one) for one in (rows if is_list(rows) else ()))]
        names = [one.get(name) for one in bodies for name in _NAMES]
        named = {name for name in names if isinstance(name, str)}
        return frozenset(named)
    if isinstance(line, Returned):
        return _first(_rollouts(lines, one) for one in lines if one.seq == line.of)
    if isinstance(line, Reply | Lost):
        calls = (one for one in lines if isinstance(one, Call) and one.id == line.id)
        return _first(_rollouts(lines, one) for one in calls)
    return frozenset()


def _first(names: Iterator[frozenset[str]]) -> frozenset[str]:
    return next(names, frozenset[str]())


def _without_effect(lines: Sequence[Line]) -> frozenset[int]:
    """Calls that only read, or were refused, with their answers."""
    refused = {
        line.id
        for line in lines
        if isinstance(line, Reply) and line.status != 200 and line.outcome != "ok"
    }
    reading = {line.id for line in lines if isinstance(line, Call) and line.op in READ_ONLY}
    waits = {line.id for line in lines if isinstance(line, Call) and line.op in ("prepare", "run")}
    idle = (refused - waits) | reading
    return frozenset(
        line.seq for line in lines if isinstance(line, Call | Reply | Lost) and line.id in idle
    )
