"""Every numbered bug of the facts: which mutants have it, and by which rule each is found.

A mutant says itself which bugs it stands for. A bug that none stands for has a reason here, or in
the list of facts where no rule states it either.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from fencepost.kill_matrix.part import MECHANICAL, Part
from fencepost.report.fact_list import FACTS
from fencepost.report.markdown import render_table

NOTICE = "<!-- Rendered by the test of the bugs with REWRITE=1; changes made here are lost. -->"
LEDGER: Final = "ledger"
_BUG = re.compile(r"(ledger:[BX]|[A-D])[0-9]+")
_OF_LEDGER = re.compile(r"[BX][0-9]+")

TWINS: Final[Mapping[str, str]] = {
    "B1": "ledger:B1", "B2": "ledger:B2", "B3": "ledger:B3", "B5": "ledger:B4",
    "B6": "ledger:B12", "B7": "ledger:B7", "B8": "ledger:B5", "B9": "ledger:B6",
    "B10": "ledger:B8", "B11": "ledger:B11", "B12": "ledger:B10", "B13": "ledger:B9",
    "B14": "ledger:B14",
}  # fmt: skip
"""Bugs that both lists tell, once from each side."""

REASONS: Final[Mapping[str, str]] = {
    "C13": (
        "a text that says otherwise than its code: a receipt may be given back after the seal, "
        "because the seal and its rows are in the snapshot"
    ),
    "D16": (
        "nobody can be blamed for it: a record says where work can go on, and an agent that "
        "commits one after its last turn says that it can"
    ),
}
"""Why no mutant has a bug that some rule states."""


@attrs.frozen
class Shown:
    """A mutant that has a bug: where it is found, and the rule by which it is refused."""

    part: str
    mutant: str
    page: str
    rule: str


@attrs.frozen
class Bug:
    """A numbered bug, the mutants that have it, and why there is none."""

    number: str
    title: str
    shown: tuple[Shown, ...]
    why: str


def numbered() -> tuple[str, ...]:
    """The numbers of all bugs, in the order of the facts."""
    return tuple(fact.number for fact in FACTS if _BUG.fullmatch(fact.number))


def bugs(parts: Iterable[Part], rules: Mapping[str, Mapping[str, str]]) -> tuple[Bug, ...]:
    """The whole table; `rules` say by which rule each mutant of a part was refused, by its name."""
    found: dict[str, list[Shown]] = {number: [] for number in numbered()}
    for part in parts:
        for name, (group, mutant) in part.mutants.items():
            rule = rules[part.name].get(name)
            if group == MECHANICAL or rule is None:
                continue
            for number in _bugs_of(part.name, mutant.cites):
                found[number].append(Shown(part.name, name, part.page, rule))
    reasons = {fact.number: fact.without for fact in FACTS} | dict(REASONS)
    return tuple(
        Bug(fact.number, fact.title, tuple(found[fact.number]), reasons[fact.number])
        for fact in FACTS
        if fact.number in found
    )


def _bugs_of(part: str, cites: Iterable[str]) -> tuple[str, ...]:
    """The bugs that a mutant cites; a ledger cites the facts of its own side by bare numbers."""
    own = {
        f"{LEDGER}:{cite}" if part == LEDGER and _OF_LEDGER.fullmatch(cite) else cite
        for cite in cites
        if part != LEDGER or cite.startswith(LEDGER) or _OF_LEDGER.fullmatch(cite)
    }
    twins = {number for number, twin in TWINS.items() if twin in own}
    own |= twins | {TWINS[cite] for cite in own if cite in TWINS}
    return tuple(number for number in numbered() if number in own)


def to_markdown(table: Iterable[Bug]) -> str:
    """The page of the bugs."""
    rows = [
        (
            bug.number,
            bug.title,
            "; ".join(f"[{one.part}]({one.page}): {one.mutant}" for one in bug.shown),
            ", ".join(dict.fromkeys(f"[{one.rule}](rules.md#{one.rule.lower()})"
                                    if one.rule.startswith("R-") else one.rule
                                    for one in bug.shown)),
            "" if bug.shown else bug.why,
        )
        for bug in table
    ]  # fmt: skip
    head = ("bug", "what it is", "mutants that have it", "found by", "why none has it")
    about = (
        "Every bug that the facts number, on the participants' side and, after `ledger:`, on the "
        "controller's: the mutants that have it, and the rules that find them."
    )
    return "\n\n".join(("# Known bugs", NOTICE, about, render_table(head, rows))) + "\n"
