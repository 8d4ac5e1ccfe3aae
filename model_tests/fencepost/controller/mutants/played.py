"""Plays of a controller's core against participants that do what none of ours does.

A deputy answers for each participant; what it says is changed on the way. Each play ends in a few
words that say what became of it.
"""

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from fencepost.controlling.deputy import receipt_for
from fencepost.controlling.play import Play
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import (
    Answer,
    Committed,
    Place,
    Receipted,
    StorageReference,
)
from fencepost_spec.receipts.controller.spec import ControllerSpec
from fencepost_spec.vocabulary import Key

STEPS_MAX = 300
GIVEN_UP: Final = "it is given up, and admission is open"
TAKEN: Final = "the right one is taken and acknowledged"
AGENT, MODEL = Place("agent", "a1"), Place("model", "m1")
KEY: Final = Key("g1_g0", 0)
RECEIPT: Final = f"receipt {KEY.rollout_id} {KEY.attempt}"


@attrs.frozen(eq=False)
class Played:
    """A play, its actions in words, and what a right controller makes of it."""

    says: str
    sequence: tuple[str, ...]
    told: Callable[[ControllerSpec], str]
    expected: str = GIVEN_UP


def stray(spec: ControllerSpec) -> str:
    """A model says that it keeps a call for a capture key that no agent has written."""
    play = Play(spec)
    play.do(a.SnapshotDue())
    for _ in range(STEPS_MAX):
        said = play.coming.get(f"commit {MODEL}")
        if said is not None and isinstance(said.said, Committed):
            reference = StorageReference("stray", "call", "key")
            written = attrs.evolve(said.said, references=(reference,))
            play.coming[f"commit {MODEL}"] = attrs.evolve(said, said=written)
        if not play.one():
            break
    return _ended(play)


def _finished(spec: ControllerSpec) -> Play:
    """A play in which the only run has finished, and its receipt is on its way."""
    play = Play(spec)
    play.submit("g1")
    play.settle()
    play.finish(KEY)
    play.settle(lambda one: RECEIPT in one.coming)
    return play


def overdue(spec: ControllerSpec) -> str:
    """A receipt comes from an agent that is gone, when everybody has committed."""
    play = _finished(spec)
    play.parked[RECEIPT] = play.coming.pop(RECEIPT)
    play.replace(AGENT)
    play.do(a.SnapshotDue())
    play.settle(lambda one: f"commit {AGENT}" in one.coming)
    play.coming[RECEIPT] = play.parked.pop(RECEIPT)
    play.tell(RECEIPT)
    for _ in range(STEPS_MAX):
        if not play.one():
            break
        play.finalize()
    return _ended(play)


def foreign(spec: ControllerSpec) -> str:
    """An agent answers with the receipt of another result first, and then with the right one."""
    play = _finished(spec)
    other = Receipted(KEY, receipt_for(Key("g1_g1", 0)))
    play.coming[RECEIPT] = Answer(200, said=other)
    play.tell(RECEIPT)
    for _ in range(STEPS_MAX):
        if not play.one():
            break
    return TAKEN if KEY in play.deputies[AGENT].acknowledged else "the right one is never taken"


def _ended(play: Play) -> str:
    if play.disk:
        return "it is published"
    if play.ended and play.state.gate:
        return GIVEN_UP
    return "it is neither published nor given up, and admission stays closed"


_STRAY: Final = Played(
    "a model that keeps what no agent refers to",
    ("a snapshot is due", "the model commits a reference to nothing"),
    stray,
)
_OVERDUE: Final = Played(
    "a receipt that comes from an agent that is gone",
    (
        "submit g1",
        "g1_g0.0 finishes",
        "answer held: receipt g1_g0 0",
        "a1 is replaced",
        "a snapshot is due",
        "answer let go: receipt g1_g0 0",
    ),
    overdue,
)
_FOREIGN: Final = Played(
    "a receipt that names another result",
    ("submit g1", "g1_g0.0 finishes", "the receipt of another result is answered"),
    foreign,
    TAKEN,
)
PLAYED: Final[Mapping[str, Played]] = {
    "transaction with commit_finished in committing (R-CTX-4) whatever references_fit": _STRAY,
    "publication without gave_up in prepared (R-CPB-11)": _STRAY,
    "publication without capture_called in committed (R-CPB-6)": _OVERDUE,
    "attempt without receipt_misfits in fetching (R-CAT-22)": _FOREIGN,
}
"""Controllers that end such a play otherwise."""
