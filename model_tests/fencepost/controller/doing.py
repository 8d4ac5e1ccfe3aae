"""What a line of work shows: what a controller is given, or does besides calling.

Who writes such a line has made it up himself, so what it lacks is a fault of the trace and not of
the controller. What the controller shows of itself, the ledger of a snapshot, is judged.
"""

from collections.abc import Callable, Iterator
from typing import Any

from fencepost.controller import reading
from fencepost.faults import wrong_line
from fencepost.mismatch import as_object
from fencepost.trace import Work
from fencepost.trace.lines import JsonObject, is_list
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.watch import seen as s
from fencepost_spec.vocabulary import Key

SIBLINGS_MAX = 100_000
GRANULARITIES = ("sibling", "prompt_group")
ENDS = {"dropped": "dropped", "unknown": "unknown"}
"""How a finalizer ends, beside committing."""
Lacks = (KeyError, TypeError, ValueError)


def worked(line: Work) -> Iterator[Any]:
    """What a line of work shows, in order, or TraceFault."""
    if line.at is not None and line.at.kind != "controller":
        return  # The work of the participants is theirs.
    try:
        if line.event == "train":
            yield from _trained(line)
        elif line.event == "store":
            snapshot = reading.snapshot_of(line.seq + 1, line.detail["snapshot"])
            yield a.Storing(_text(line.detail, "step"), snapshot)
            yield a.Stored(line.outcome == "ok")
        else:
            yield _simple(line)
    except Lacks as wrong:
        reason = f"{line.event} lacks something: {wrong}"
        raise wrong_line(line.seq, reason, "the page of controllers has its details") from wrong


def _simple(line: Work) -> Any:
    """One thing that stands in one line."""
    if line.event not in SIMPLE:
        raise wrong_line(line.seq, f"no work of a controller: {line.event}", "train is")
    return SIMPLE[line.event](line.detail)


def _submit(detail: JsonObject) -> a.Submit:
    siblings, granularity = _count(detail, "siblings", 1), _text(detail, "granularity")
    if siblings > SIBLINGS_MAX or granularity not in GRANULARITIES:
        raise ValueError(f"no group of {siblings} that recovers as {granularity}")
    admitted = detail.get("admitted", True)
    if type(admitted) is not bool:
        raise TypeError("admitted is true or false")
    return a.Submit(
        _text(detail, "group_id"), siblings, granularity, _text(detail, "agent"),
        _step(detail, "target_step"), admitted,
    )  # fmt: skip


def _admit(detail: JsonObject) -> a.Admit:
    return a.Admit(_text(detail, "group_id"), _step(detail, "target_step"))


def _due(_detail: JsonObject) -> a.SnapshotDue:
    return a.SnapshotDue()


def _stepped(detail: JsonObject) -> s.Stepped:
    return s.Stepped(_count(detail, "train_step"))


def _stale(detail: JsonObject) -> a.GoneStale:
    return a.GoneStale(_text(detail, "group_id"))


def _deadline(detail: JsonObject) -> s.TimeOver:
    named = detail.get("checkpoint_id")
    return s.TimeOver(None if named is None else _text(detail, "checkpoint_id"))


def _ended(detail: JsonObject) -> a.SnapshotEnded:
    saved = detail["saved"]
    if type(saved) is not bool:
        raise TypeError("saved is true or false")
    reason = _text(detail, "reason") if "reason" in detail else ""
    return a.SnapshotEnded(saved, reason)


def _start(detail: JsonObject) -> s.Started:
    number = detail["snapshot"]
    at = None if detail.get("train_step") is None else _count(detail, "train_step")
    return s.Started(None if number is None else _count(detail, "snapshot"), at)


def _refused(detail: JsonObject) -> s.StartRefused:
    return s.StartRefused(str(detail.get("reason", "")))


SIMPLE: dict[str, Callable[[JsonObject], Any]] = {
    "submit": _submit,
    "admit": _admit,
    "snapshot_due": _due,
    "trainer_stepped": _stepped,
    "stale": _stale,
    "deadline": _deadline,
    "snapshot_ended": _ended,
    "start": _start,
    "start_refused": _refused,
}
"""The kinds of work that are one thing each."""


def _trained(line: Work) -> Iterator[Any]:
    group_id, rows = _text(line.detail, "group_id"), line.detail["rows"]
    if not is_list(rows):
        raise TypeError("rows are a list")
    code = "ok" if line.outcome == "ok" else as_object(line.outcome).get("code")
    if code != "ok" and code not in ENDS:
        raise ValueError(f"no end of a finalizer: {code}")
    yield a.Training(group_id, tuple(map(_row, rows)))
    yield a.Trained(group_id, ENDS.get(str(code), "committed"))


def _row(value: Any) -> tuple[Key, str]:
    one = as_object(value)
    name = "attempt" if "attempt" in one else "attempt_index"
    return Key(_text(one, "rollout_id"), _count(one, name)), _text(one, "result_digest")


# Values.


def _text(detail: JsonObject, name: str) -> str:
    value = detail[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text")
    return value


def _count(detail: JsonObject, name: str, least: int = 0) -> int:
    value = detail[name]
    if type(value) is not int or value < least:
        raise TypeError(f"{name} is a number from {least}")
    return value


def _step(detail: JsonObject, name: str) -> int | None:
    return None if detail.get(name) is None else _count(detail, name)
