"""Traces: the text format, version 1, its lines as values, and how to read and write them.

`models` defines the format, `text` and `build` read one line quickly, `reader` reads a file,
`writer` writes one. This package knows no protocol.
"""

from fencepost.trace.build import build_line
from fencepost.trace.explain import json_schema
from fencepost.trace.lines import (
    FORMAT_VERSION,
    KINDS,
    LOST,
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
from fencepost.trace.reader import TraceReader, read_trace
from fencepost.trace.text import parse_json
from fencepost.trace.writer import (
    TraceWriter,
    line_as_json,
    plain,
    render_line,
    renumber,
    write_trace,
)

__all__ = [
    "FORMAT_VERSION",
    "KINDS",
    "LOST",
    "AnyLine",
    "At",
    "Call",
    "Disk",
    "Fault",
    "Footer",
    "Header",
    "Json",
    "JsonObject",
    "Line",
    "Lost",
    "Note",
    "Reply",
    "Report",
    "Returned",
    "Tick",
    "TraceReader",
    "TraceWriter",
    "Work",
    "build_line",
    "json_schema",
    "line_as_json",
    "parse_json",
    "plain",
    "read_trace",
    "render_line",
    "renumber",
    "write_trace",
]
