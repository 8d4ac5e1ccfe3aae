"""Who judges a trace: for each kind of participant an oracle of its own, found by the header.

An oracle reads lines one at a time and says what it would have expected. It also words what it
reads, because only it knows what a line means.
"""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Protocol

import attrs

from fencepost.faults import TraceFault
from fencepost.mismatch import Mismatch
from fencepost.trace import Header, Line
from fencepost_spec.rule import Rule


@attrs.frozen
class Refusal:
    """Where a trace stops being explained, what was expected there, and the state before."""

    line: Line
    mismatch: Mismatch
    before: Any


class Judge(Protocol):
    """An oracle of one kind of participant, with one trace to judge."""

    @property
    def rules(self) -> dict[str, int]:
        """How often each rule was used."""
        ...

    @property
    def notes(self) -> list[tuple[int, Rule, str]]:
        """Findings of level should: line, rule, text."""
        ...

    def feed(self, line: Line) -> Refusal | None:
        """Take one line in, or say why it cannot be; may raise TraceFault and Inconclusive."""
        ...

    def feed_all(self, lines: Iterable[Line]) -> Refusal | None:
        """Take lines in until one is refused."""
        ...

    def state_text(self, before: Any) -> str:
        """The state before a refusal, in one line."""
        ...

    def legal_texts(self, before: Any) -> tuple[str, ...]:
        """What could have come instead."""
        ...

    def step_texts(self, lines: Sequence[Line]) -> list[str]:
        """What was done in some lines, each in few words; the last line always has a text."""
        ...

    def line_text(self, line: Line) -> str:
        """Any line, in one line of text."""
        ...


_JUDGES = {
    ("receipts", "agent"): "fencepost.agent.oracle:Oracle",
    ("receipts", "controller"): "fencepost.controller.oracle:Oracle",
    ("receipts", "ledger"): "fencepost.ledger.oracle:Oracle",
    ("receipts", "model"): "fencepost.policy_model.oracle:ModelOracle",
    ("receipts", "resources"): "fencepost.resources.oracle:Oracle",
}
"""Where the oracle of each kind is; only the one that is needed is imported."""


def judge_of(header: Header, core: Any = None) -> Judge:
    """The oracle for the participant that a header names, or TraceFault when there is none.

    `core` is judged by instead of the reference: a core of the same kind.
    """
    place = _JUDGES.get((header.protocol, header.kind))
    if place is None:
        known = ", ".join(f"{kind} of {protocol}" for protocol, kind in _JUDGES)
        reason = f"no model for {header.kind} of the {header.protocol} protocol"
        raise TraceFault(1, reason, f"this version judges: {known}")
    module, name = place.split(":")
    judge: Judge = getattr(import_module(module), name)(header, core)
    return judge
