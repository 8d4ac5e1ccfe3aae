"""What becomes visible of a participant, as values that know the line they stand for.

Two values that are equal stand for equal lines, so what the oracle makes of a line is remembered
by the value and the line is made once.
"""

from typing import Any, Protocol

import attrs

from fencepost import showing
from fencepost.trace import lines
from fencepost_reference.receipts import rendering
from fencepost_reference.receipts.actions import Began
from fencepost_reference.receipts.state import Directory, Reply, View
from fencepost_spec.receipts.versions import SCHEMA_VERSION
from fencepost_spec.vocabulary import digest_of

RESULTS: dict[str, Any] = {
    digest_of(result): result for result in (None, {"id": "x1", "reward": 1}, {"id": "x2"})
}
"""The results that handlers of the scopes return, by digest."""

NULL_DIGEST = digest_of(None)
_ARTIFACT = {
    "schema_version": SCHEMA_VERSION,
    "relative_path": "continuation_index.jsonl",
    "sha256": "0" * 64,
    "bytes": 0,
}


class Told(Protocol):
    """Something visible."""

    def line(self) -> lines.Line:
        """The line that shows it; its number is not set."""
        ...


@attrs.frozen
class HandlerBegan:
    """A handler started."""

    began: Began

    def line(self) -> lines.Line:
        """A begin line with the continuation that was handed over.

        A run without identity says as much here as any other; in a recording only that it is one.
        """
        line = showing.began_line(0, self.began)
        return attrs.evolve(line, detail=showing.began_detail(self.began))


@attrs.frozen
class Answer:
    """The answer of a call left."""

    call: str
    op: str
    checkpoint: str | None
    reply: Reply

    def line(self) -> lines.Line:
        """A reply line with the whole body."""
        body = self.reply.body
        stored: dict[str, Any] = {}
        result = None
        if self.op in ("commit", "restore") and self.reply.status == 200:
            records = dict(body[1])["continuations"]
            stored = {"continuation_index": {**_ARTIFACT, "records": records}}
            if self.op == "commit":
                stored["manifest_digest"] = "0" * 64
        if self.op == "run" and self.reply.status == 200:
            result = RESULTS[body[1]]
        known = rendering.Known(self.checkpoint, result=result, stored=stored)
        try:
            status, shown = rendering.rendered(self.op, self.reply, known)
        except (TypeError, ValueError):
            # A wrong participant may decide an answer that has no body; its server says so.
            status, shown = rendering.rendered(self.op, Reply(0, loose=True), known)
        return lines.Reply(0, self.call, status, shown)


@attrs.frozen
class NoAnswer:
    """A call will never be answered."""

    call: str
    how: str

    def line(self) -> lines.Line:
        """A lost reply."""
        return lines.Lost(0, self.call, self.how)


@attrs.frozen
class LetGo:
    """A waiting event was answered."""

    token: int
    code: str | None

    def line(self) -> lines.Line:
        """A returned line."""
        return lines.Returned(0, self.token, showing.outcome_of(self.code))


@attrs.frozen
class Status:
    """A status report, taken at rest."""

    view: View

    def line(self) -> lines.Line:
        """A report line."""
        return showing.report_line(0, self.view)


@attrs.frozen
class Look:
    """What lies in a directory."""

    path: str
    directory: Directory

    def line(self) -> lines.Line:
        """A disk line."""
        return lines.Disk(0, look_of(self.path, self.directory))


def look_of(path: str, directory: Directory) -> dict[str, Any]:
    """A look at a directory, as a trace shows it.

    No scope looks into a damaged directory, so here only a committed one has a manifest.
    """
    if directory.kind != "committed":
        return {"path": path, "files": ["records"], "manifest": None, "records": []}
    return {
        "path": path,
        "files": ["records", "manifest.json"],
        "manifest": True,
        "checkpoint_id": directory.source,
        "instance_name": directory.instance,
        "records": [showing.record_look(*record) for record in directory.records],
    }
