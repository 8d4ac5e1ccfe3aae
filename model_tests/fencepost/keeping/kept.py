"""A folder of traces with its manifest: what must lie there, what is stale, and writing it.

The manifest is in the format of the recorded traces: file, verdict, line, rule, why.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path

import attrs

from fencepost.judges import Refusal
from fencepost.trace import Header, JsonObject, Line, write_trace

MANIFEST = "manifest.json"


@attrs.frozen
class Kept:
    """One trace: its header and lines, and its verdict; `at` is the line that is refused."""

    header: Header
    lines: Sequence[Line]
    verdict: str
    rule: str
    at: int | None = None

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.header.scenario}.ndjson"

    @property
    def entry(self) -> JsonObject:
        """Its entry in the manifest."""
        line: JsonObject = {"file": self.file, "verdict": self.verdict}
        if self.at is not None:
            line["at"] = self.at
        return {**line, "rule": self.rule, "because": self.header.about}

    @property
    def content(self) -> bytes:
        """The bytes of its file."""
        target = BytesIO()
        write_trace(target, self.header, self.lines)
        return target.getvalue()


def refused_kept(header: Header, lines: Sequence[Line], refusal: Refusal) -> Kept:
    """A trace that is kept for the refusal at its end."""
    mismatch = refusal.mismatch
    verdict = "stalls" if mismatch.stall else "violates"
    rule = "" if mismatch.rule is None else mismatch.rule.id
    return Kept(header, lines, verdict, rule, refusal.line.seq)


def slug(text: str) -> str:
    """A text as the name of a file.

    >>> slug("restored, continues as N + 1")
    'restored_continues_as_n_1'
    """
    return "_".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def files(kept: Iterable[Kept]) -> dict[str, bytes]:
    """Every file of a folder: name and bytes."""
    every = list(kept)
    text = json.dumps({"format": 1, "traces": [one.entry for one in every]}, indent=1,
                      ensure_ascii=False)  # fmt: skip
    return {one.file: one.content for one in every} | {MANIFEST: f"{text}\n".encode()}


def stale(folder: Path, wanted: Mapping[str, bytes]) -> list[str]:
    """The files that are missing, differ from what is told, or are told by nobody."""
    found = {path.name for path in folder.glob("*.ndjson")} | {MANIFEST}
    return sorted(
        name
        for name in wanted.keys() | found
        if name not in wanted
        or not (folder / name).is_file()
        or (folder / name).read_bytes() != wanted[name]
    )


def write(folder: Path, wanted: Mapping[str, bytes]) -> list[str]:
    """Write what is stale, take away what nobody tells, and name both."""
    changed = stale(folder, wanted)
    for name in changed:
        if name in wanted:
            (folder / name).write_bytes(wanted[name])
        else:
            (folder / name).unlink()
    return changed
