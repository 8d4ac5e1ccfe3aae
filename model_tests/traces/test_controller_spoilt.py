"""Whatever is done to the lines of a controller's trace, the oracle answers with words.

A verdict, or the line that cannot be read; never a traceback, and never a loop. The changes are
drawn from a seed, so a failure names the trace that can be looked at.
"""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from fencepost.faults import TraceFault
from fencepost.judging import judge
from fencepost.trace import Line, TraceReader

FOLDER = Path(__file__).parent / "controller"
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 10**30, 1.5, "", "x", "-1", "²", "\u0660", "g_g0", "c1"),
    *([], [[]], [{}], [None], {}, {"x": {}}, {"code": None}, {"error": "x"}),
)
"""Values that somebody may have written where another was expected."""
INNER = ("detail", "request", "body", "report", "settings")
"""Where most of what a line says stands."""
TURNS = 6
"""How many spoilt forms of each trace are judged here."""


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place inside a value, as what holds it and its name there."""
    names: list[Any] = [*value] if isinstance(value, dict) else [*range(len(value))]
    for name in names:
        yield value, name
        if isinstance(value[name], dict | list):
            yield from places(value[name])


def spoil(lines: list[Any], draw: random.Random) -> None:
    """Do one thing to the lines that may make them no trace, or another one."""
    number = draw.randrange(len(lines))
    kind = draw.randrange(10)
    if kind == 0 and number:
        lines.insert(draw.randrange(1, len(lines)), deepcopy(lines[number]))
    elif kind == 1 and number:
        del lines[number]
    elif kind == 2 and number:
        other = draw.randrange(1, len(lines))
        lines[number], lines[other] = lines[other], lines[number]
    else:
        inner = [lines[number][name] for name in INNER if isinstance(lines[number].get(name), dict)]
        within = draw.choice([lines[number], *inner, *inner])
        found = [one for one in places(within) if one[1] not in ("seq", "fencepost")]
        if not found:
            return
        holder, name = draw.choice(found)
        if kind == 3:
            del holder[name]
        elif kind == 4 and isinstance(holder, dict):
            holder[draw.choice(("x", "status", "how", "shows"))] = deepcopy(draw.choice(ODD))
        elif kind == 5:
            source, place = draw.choice(list(places(draw.choice(lines))))
            holder[name] = deepcopy(source[place])
        else:
            holder[name] = deepcopy(draw.choice(ODD))


def spoilt(path: Path, seed: int) -> bytes:
    """A trace to which a few things were done; lines are numbered again."""
    draw = random.Random(f"{path.name} {seed}")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if "end" in lines[-1]:
        lines.pop()
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        if len(lines) > 1:
            spoil(lines, draw)
    for number, line in enumerate(lines[1:], start=1):
        line["seq"] = number
    lines.append({"end": {"lines": len(lines) - 1}})
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def answered(text: bytes) -> str:
    """What the oracle says of a text: a kind of verdict, or that it cannot be read."""

    def again(last: int) -> list[Line]:
        return list(islice(TraceReader(BytesIO(text)), last))

    try:
        reader = TraceReader(BytesIO(text))
        return judge(reader.header, reader, "spoilt", again).kind
    except TraceFault as fault:
        return "bad_input" if fault.reason else ""


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ndjson")), ids=lambda path: path.stem)
def test_a_spoilt_trace_is_answered_in_words(path: Path) -> None:
    """Nothing that stands in a line makes the oracle fail."""
    for seed in range(TURNS):
        assert answered(spoilt(path, seed))


def test_the_changes_reach_every_kind_of_answer() -> None:
    """The changes are neither too small nor too wild: all answers come up."""
    paths = sorted(FOLDER.glob("*.ndjson"))
    kinds = {answered(spoilt(path, seed)) for path in paths for seed in range(2)}

    assert kinds >= {"conforms", "violates", "stalls", "bad_input"}
