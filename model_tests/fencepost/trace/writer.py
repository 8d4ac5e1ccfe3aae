"""Writes lines as text: what the reader reads again as the same values."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, TypeGuard

import attrs

from fencepost.faults import HarnessFault, TraceFault
from fencepost.trace.lines import (
    FORMAT_VERSION,
    AnyLine,
    At,
    Call,
    Disk,
    Fault,
    Footer,
    Header,
    Json,
    JsonObject,
    Line,
    Lost,
    Note,
    Reply,
    Report,
    Returned,
    Tick,
    Work,
)
from fencepost.trace.text import parse_json
from fencepost_spec.vocabulary import seconds_of
from fencepost_spec.wording import kind_of


def render_line(line: AnyLine) -> str:
    """One line as JSON text, without the newline.

    What JSON cannot hold is a `HarnessFault`; `plain` makes it into what the format has for it.

    >>> render_line(Tick(3, 500_000))
    '{"seq": 3, "tick": 0.5}'
    """
    value = line_as_json(line)
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if not text.isascii() and _holds_half_a_character(text):
            text = json.dumps(value)
        same = parse_json(text.encode()) == value
    except (TypeError, ValueError, RecursionError, TraceFault) as error:
        raise HarnessFault(f"a line of type {type(line).__name__} is no JSON: {error}") from error
    if not same:
        raise HarnessFault(
            f"a line of type {type(line).__name__} holds what JSON cannot hold", text
        )
    return text


def _holds_half_a_character(text: str) -> bool:
    """Whether a surrogate stands alone, which JSON can only write as an escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def line_as_json(line: AnyLine) -> JsonObject:
    """The object that stands for a line in the file."""
    if isinstance(line, Header):
        return _header(line)
    if isinstance(line, Footer):
        return {"end": {"lines": line.lines}}
    return {"seq": line.seq} | _between(line)


def _header(line: Header) -> JsonObject:
    return {
        "fencepost": FORMAT_VERSION,
        "protocol": line.protocol,
        "kind": line.kind,
        "participant": {"name": line.name, "version": line.version},
        "scenario": line.scenario,
        "about": line.about,
        "settings": line.settings,
        "hidden": list(line.hidden),
    }


def _between(line: Line) -> JsonObject:
    """What a line between header and footer holds beside its number."""
    value: JsonObject
    match line:
        case Call():
            value = {"call": line.op, "id": line.id, "request": line.request}
            return value | _given(auth=line.auth, text=line.text) | _place(line.at)
        case Reply():
            return _reply(line)
        case Lost():
            return {"reply": line.id, "lost": line.how}
        case Work():
            known = line.rollout_id is not None or line.anonymous
            subject = {"rollout_id": line.rollout_id, "attempt": line.attempt} if known else None
            value = {"work": line.event, "subject": subject, "detail": line.detail}
            return value | {"outcome": line.outcome} | _place(line.at)
        case Returned():
            return {"returned": line.of, "outcome": line.outcome}
        case Report():
            value = {"report": line.body} | _given(internal=line.internal)
            return value | _given(moving=line.moving or None) | _place(line.at)
        case Fault():
            value = {"fault": line.name} | _given(disk=line.disk, detail=line.detail or None)
            return value | _place(line.at)
        case Disk():
            return {"disk": line.look}
        case Tick():
            return {"tick": seconds_of(line.microseconds)}
        case Note():
            return {"note": line.text}


def _reply(line: Reply) -> JsonObject:
    if line.outcome is None:
        value: JsonObject = {"reply": line.id, "status": line.status, "body": line.body}
        return value | _given(headers=line.headers)
    value = {"reply": line.id, "outcome": line.outcome}
    return value | {"body": line.body} if line.outcome == "ok" else value


def _given(**fields: Json) -> JsonObject:
    """The fields that are there."""
    return {name: value for name, value in fields.items() if value is not None}


def _place(at: At | None) -> JsonObject:
    return {} if at is None else {"at": {"kind": at.kind, "instance": at.instance}}


def plain(value: Any) -> Json:
    """A Python value as plain JSON, with the format's own forms for what JSON cannot hold.

    >>> plain((1, float("nan"), {2: b"x"}))
    [1, {'$float': 'nan'}, {'$map': [[2, {'$bytes': '78'}]]}]
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else {"$float": str(value)}
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if _is_mapping(value):
        if all(isinstance(key, str) for key in value):
            return {key: plain(held) for key, held in value.items()}
        return {"$map": [[plain(key), plain(held)] for key, held in value.items()]}
    if _is_sequence(value):
        return [plain(held) for held in value]
    raise TypeError(f"no JSON has a form for {kind_of(value)}")


def _is_mapping(value: Any) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def _is_sequence(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


class TraceWriter:
    """Writes one trace: the header at once, lines as they come, the footer when it is closed.

    Lines are numbered here, whatever their own `seq` says; `Returned.of` stays as it is given. An
    error inside the `with` block leaves the footer out, so that the file itself says that it is
    not complete.
    """

    def __init__(self, target: str | Path | BinaryIO, header: Header) -> None:
        if isinstance(target, str | Path):
            self._stream: BinaryIO = Path(target).open("wb")  # noqa: SIM115  # closed by `close`
            self._owned = True
        else:
            self._stream = target
            self._owned = False
        self.lines = 0
        self._put(header)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close(complete=error is None)

    def write(self, line: Line) -> Line:
        """Write the next line and return it with the number that it got."""
        numbered = attrs.evolve(line, seq=self.lines + 1)
        self._put(numbered)
        self.lines += 1
        return numbered

    def close(self, *, complete: bool = True) -> None:
        """Write the footer, unless the trace is not complete, and let go of the file."""
        if complete:
            self._put(Footer(self.lines))
        self._stream.flush()
        if self._owned:
            self._stream.close()

    def _put(self, line: AnyLine) -> None:
        self._stream.write(render_line(line).encode() + b"\n")


def renumber(lines: Iterable[Line]) -> Iterator[Line]:
    """The same lines counted from 1 without gaps; `returned` still names the same event.

    >>> list(renumber([Note(4, "a"), Note(9, "b")]))
    [Note(seq=1, text='a'), Note(seq=2, text='b')]
    """
    waiting: dict[int, int] = {}
    for seq, line in enumerate(lines, start=1):
        if isinstance(line, Work) and line.outcome == "waits":
            waiting[line.seq] = seq
        if isinstance(line, Returned):
            yield attrs.evolve(line, seq=seq, of=waiting.pop(line.of, line.of))
        else:
            yield attrs.evolve(line, seq=seq)


def write_trace(target: str | Path | BinaryIO, header: Header, lines: Iterable[Line]) -> None:
    """Write a whole trace, its lines counted anew."""
    with TraceWriter(target, header) as writer:
        for line in renumber(lines):
            writer.write(line)
