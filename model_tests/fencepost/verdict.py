"""What a judgement says: the rule that broke, where, and what would have been right.

A verdict is a value; `verdict_text` lays it out for people, `render_json` gives it to programs.
The exit code of a command is decided here and nowhere else.
"""

import json
from collections.abc import Iterable
from typing import Literal, TypeAlias

import attrs

from fencepost.faults import FencepostFault, Raised, TraceFault
from fencepost.trace.lines import JsonObject
from fencepost_spec.rule import Rule

Kind: TypeAlias = Literal[
    "conforms", "violates", "stalls", "out_of_date", "inconclusive", "bad_input", "harness"
]

# fmt: off
EXIT_CODES: dict[Kind, int] = {
    "conforms":     0,
    "violates":     1,
    "stalls":       1,
    "out_of_date":  1,
    "bad_input":    2,
    "inconclusive": 3,
    "harness":      4,
}
# fmt: on

_WORST_FIRST = (4, 2, 1, 3, 0)


@attrs.frozen
class Finding:
    """Something that a rule of level should does not want; it decides nothing."""

    rule: Rule
    line: int
    text: str


@attrs.frozen
class Verdict:
    """What was found out about one trace or one run.

    `line` counts as the lines of a trace count themselves, the first after the header is 1; for
    bad input it is the line of the file.
    """

    # Invariant: violates, stalls => rule and line; every other kind but conforms => reason.
    kind: Kind
    file: str
    line: int | None = None
    rule: Rule | None = None
    line_text: str = ""
    expected: str = ""
    came: str = ""
    state_before: str = ""
    legal_here: tuple[str, ...] = ()
    shortest: tuple[str, ...] = ()
    replay: str | None = None
    notes: tuple[Finding, ...] = ()
    rules_exercised: tuple[str, ...] = ()
    reason: str = ""
    # Of a replay: the actions of the trace that were left out, each with why.
    not_sent: tuple[str, ...] = ()
    # What the participant raised in tasks of its own, where nobody awaited it.
    raised: tuple[Raised, ...] = ()

    def __attrs_post_init__(self) -> None:
        if self.kind in {"violates", "stalls"} and (self.rule is None or self.line is None):
            raise ValueError(f"a verdict that {self.kind} names a rule and a line")
        if self.kind not in {"conforms", "violates", "stalls"} and not self.reason:
            raise ValueError(f"a verdict of {self.kind} gives a reason")


def verdict_of_fault(fault: FencepostFault, file: str) -> Verdict:
    """The verdict on something that could not be judged: bad input, or ours or theirs to repair."""
    if isinstance(fault, TraceFault):
        reason = f"{fault.reason} ({fault.hint})" if fault.hint else fault.reason
        return Verdict("bad_input", fault.file or file, fault.line_number, reason=reason)
    kind: Kind = "bad_input" if fault.exit_code == EXIT_CODES["bad_input"] else "harness"
    return Verdict(kind, file, reason=str(fault), raised=fault.beside)


def exit_code(verdict: Verdict) -> int:
    """0 conforms, 1 does not conform, 2 bad input, 3 inconclusive, 4 could not run."""
    return EXIT_CODES[verdict.kind]


def combine(codes: Iterable[int]) -> int:
    """The exit code of several judgements; of none it is 3, because nothing was exercised.

    >>> combine([0, 3, 1]), combine([1, 2]), combine([0, 0]), combine([])
    (1, 2, 0, 3)
    """
    met = set(codes)
    return next((code for code in _WORST_FIRST if code in met), 3)


def rule_as_json(rule: Rule) -> JsonObject:
    """A rule for programs, its keys stable."""
    return {
        "id": rule.id,
        "level": rule.level.value,
        "says": rule.says,
        "source": rule.source.id,
        "facts": list(rule.facts),
    }


def verdict_as_json(verdict: Verdict) -> JsonObject:
    """A verdict for programs: every key is always there, in this order."""
    return {
        "verdict": verdict.kind,
        "exit_code": exit_code(verdict),
        "file": verdict.file,
        "line": verdict.line,
        "rule": None if verdict.rule is None else rule_as_json(verdict.rule),
        "line_text": verdict.line_text,
        "expected": verdict.expected,
        "came": verdict.came,
        "state_before": verdict.state_before,
        "legal_here": list(verdict.legal_here),
        "shortest": list(verdict.shortest),
        "replay": verdict.replay,
        "notes": [
            {"rule": note.rule.id, "line": note.line, "text": note.text} for note in verdict.notes
        ],
        "rules_exercised": list(verdict.rules_exercised),
        "reason": verdict.reason,
    }


def raised_as_json(verdict: Verdict) -> list[JsonObject]:
    """What the participant raised in tasks of its own, for programs."""
    return [{"error": one.error, "where": list(one.where)} for one in verdict.raised]


def render_json(verdict: Verdict) -> str:
    """A verdict as one line of JSON, in ASCII."""
    return json.dumps(verdict_as_json(verdict), allow_nan=False)
