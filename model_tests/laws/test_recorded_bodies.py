"""Bodies that public participants exchanged, held against the wire models."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fencepost.shapes import fits
from fencepost_spec.receipts import replies, wire


def recorded() -> Path:
    """The recorded traces of agents, which need not be here."""
    named = os.environ.get("FENCEPOST_SHARED")
    shared = Path(named) if named else Path(__file__).resolve().parents[3] / "shared"
    return shared / "traces" / "receipts"


@pytest.mark.skipif(not recorded().is_dir(), reason="RECORDED TRACES ABSENT: set FENCEPOST_SHARED")
@pytest.mark.parametrize("level", ["agent-2942", "agent-3349"])
def test_recorded_bodies_have_the_shapes_of_the_wire_models(level: str) -> None:
    """Public participants ask and answer in these bodies: 422 exactly to malformed requests."""
    table = wire.EARLY_REPLIES if level == "agent-2942" else wire.REPLIES
    report = replies.TracedEarlyStatus if level == "agent-2942" else replies.TracedStatus
    seen = 0
    for path in sorted((recorded() / level).glob("*.ndjson")):
        for operation, request, status, body in _exchanges(path):
            if operation == "report":
                assert report.model_validate(body)
            elif operation != "run":
                assert fits(wire.REQUESTS[operation], request) == (status != 422)
                answer = table[operation] if status == 200 else wire.ERRORS[status]
                assert fits(answer, body), (path.name, operation, body)
            seen += 1
    assert seen > 500


def _exchanges(path: Path) -> Iterator[tuple[str, Any, int, Any]]:
    calls: dict[str, tuple[str, Any]] = {}
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if "call" in line:
            calls[line["id"]] = (line["call"], line["request"])
        elif "report" in line:
            yield "report", None, 200, line["report"]
        elif "status" in line:
            yield (*calls[line["reply"]], line["status"], line["body"])
