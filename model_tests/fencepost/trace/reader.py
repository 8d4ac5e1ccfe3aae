"""Reads a trace line by line: header at once, then the lines as they stand, then the footer.

Nothing is held but the calls that are open and the events that wait, so a recording of any length
is read in the memory of its live work. A file without its footer gives all its lines first and
raises only then: a refusal that stands earlier is found before.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NoReturn, Protocol, Self

from fencepost.faults import TraceFault
from fencepost.trace.build import build_line
from fencepost.trace.lines import (
    WITH_PLACES,
    AnyLine,
    At,
    Call,
    Fault,
    Footer,
    Header,
    Line,
    Lost,
    Reply,
    Report,
    Returned,
    Work,
)
from fencepost.trace.text import parse_json
from fencepost_spec.wording import counted

LINE_BYTES_MAX = 64 * 1024 * 1024


class LineSource(Protocol):
    """Where lines come from: a binary file, or what can be read like one."""

    def readline(self, limit: int = -1, /) -> bytes:
        """The next line, at most so many bytes of it; nothing at the end."""
        ...

    def close(self) -> None:
        """Nothing more is read."""
        ...


class TraceReader:
    """The lines of one trace, read once, in order; `header` is there from the start.

    `footer` is None until the last line has been read. Everything that is wrong with the file is
    raised as a `TraceFault` that names the line.

    >>> from io import BytesIO
    >>> header = (
    ...     b'{"fencepost": 1, "protocol": "receipts", "kind": "agent",'
    ...     b' "participant": {"name": "mine", "version": "1"}, "scenario": "s", "about": "",'
    ...     b' "settings": {}, "hidden": []}'
    ... )
    >>> trace = BytesIO(header + b'\\n{"seq": 1, "tick": 2}\\n{"end": {"lines": 1}}\\n')
    >>> reader = TraceReader(trace)
    >>> reader.header.kind, list(reader), reader.footer
    ('agent', [Tick(seq=1, microseconds=2000000)], Footer(lines=1))
    """

    def __init__(self, source: str | Path | LineSource, name: str | None = None) -> None:
        if isinstance(source, str | Path):
            self.name = name or str(source)
            self._stream: LineSource = open_binary(Path(source), self.name)
        else:
            self.name = name or str(getattr(source, "name", "trace"))
            self._stream = source
        self._open_calls: set[str] = set()
        self._waiting: set[int] = set()
        self._lines = self._read_lines()
        self.footer: Footer | None = None
        try:
            self.header = self._read_header()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the lines that were not read are gone."""
        self._stream.close()

    def __iter__(self) -> Iterator[Line]:
        """The lines between header and footer that were not read yet; the end closes the file."""
        return self._lines

    def _read_lines(self) -> Iterator[Line]:
        number = 1
        try:
            for raw in iter(partial(self._stream.readline, LINE_BYTES_MAX), b""):
                number += 1
                line = self._build(raw, number)
                if isinstance(line, (Header, Footer)):
                    self._end(line, number)
                    return
                if line.seq != number - 1:
                    self._refuse(number, f"seq is {line.seq}, not {number - 1}", "it counts from 1")
                self._follow(line, number)
                yield line
        except OSError as error:
            self._refuse(number, f"the file cannot be read: {error.strerror}")
        finally:
            self.close()
        self._refuse(None, "the footer is missing", "the recording is not complete")

    def _refuse(self, number: int | None, reason: str, hint: str = "") -> NoReturn:
        raise TraceFault(number, reason, hint, self.name) from None

    def _build(self, raw: bytes, number: int) -> AnyLine:
        """The value of one line of text."""
        try:
            if len(raw) == LINE_BYTES_MAX:
                self._refuse(number, f"the line is longer than {LINE_BYTES_MAX} bytes")
            return build_line(parse_json(raw, number), number)
        except TraceFault as fault:
            fault.file = self.name
            raise

    def _read_header(self) -> Header:
        """The first line, or a `TraceFault` when the file does not start as a trace does."""
        try:
            raw = self._stream.readline(LINE_BYTES_MAX)
        except OSError as error:
            self._refuse(None, f"the file cannot be read: {error.strerror}")
        if not raw:
            self._refuse(None, "the file is empty", "a trace starts with a header")
        line = self._build(raw, 1)
        if not isinstance(line, Header):
            self._refuse(1, "the header is missing", "the first line names format and participant")
        return line

    def _end(self, line: Header | Footer, number: int) -> None:
        """Keep the footer when it is right and the last line."""
        if isinstance(line, Header):
            self._refuse(number, "a second header", "one file holds one trace")
        if line.lines != number - 2:
            reason = f"the footer counts {counted(line.lines, 'line')}, and there are {number - 2}"
            self._refuse(number, reason, "lines were lost or added")
        if self._stream.readline(1):
            self._refuse(number + 1, "something follows the footer", "the footer is the last line")
        self.footer = line

    def _follow(self, line: Line, number: int) -> None:
        """Refuse a line that does not fit those before it, such as a reply without its call."""
        if isinstance(line, Report):
            self._check_place(line.at, number)
        elif isinstance(line, Call):
            if line.id in self._open_calls:
                self._refuse(number, f"call {line.id!r} is open already")
            self._open_calls.add(line.id)
            self._check_place(line.at, number)
        elif isinstance(line, (Reply, Lost)):
            if line.id not in self._open_calls:
                self._refuse(number, f"reply {line.id!r} answers no open call")
            self._open_calls.remove(line.id)
        elif isinstance(line, Work):
            if line.outcome == "waits":
                self._waiting.add(line.seq)
            self._check_place(line.at, number)
        elif isinstance(line, Returned):
            if line.of not in self._waiting:
                self._refuse(number, f"line {line.of} is no event that waits")
            self._waiting.remove(line.of)
        elif isinstance(line, Fault) and line.at is not None:
            self._check_place(line.at, number)

    def _check_place(self, at: At | None, number: int) -> None:
        """Refuse a line without a place where there are several, and with one elsewhere."""
        if (at is not None) is not (self.header.kind in WITH_PLACES):
            if at is None:
                self._refuse(number, "field 'at' is missing", "which participant was it?")
            self._refuse(
                number, "unknown field 'at'", "only a trace of several participants has it"
            )


def read_trace(source: str | Path | LineSource, name: str | None = None) -> Iterator[AnyLine]:
    """Header, lines and footer of a trace, one after the other."""
    with TraceReader(source, name) as reader:
        yield reader.header
        yield from reader
        if reader.footer is not None:
            yield reader.footer


def open_binary(path: Path, name: str) -> BinaryIO:
    """The file, opened for reading, or a `TraceFault` that says why that is impossible."""
    try:
        if path.is_dir():
            raise TraceFault(None, "this is a directory", "name the trace files in it", name)
        return path.open("rb")
    except FileNotFoundError:
        raise TraceFault(None, "there is no such file", file=name) from None
    except OSError as error:
        reason = f"the file cannot be opened: {error.strerror}"
        raise TraceFault(None, reason, file=name) from None
    except ValueError as error:
        raise TraceFault(None, f"this is no file name: {error}", file=name) from None
