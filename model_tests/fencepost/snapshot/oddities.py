"""What may be odd about a snapshot and is right all the same, one thing at a time.

A check that refuses too much is as wrong as one that refuses too little.
"""

from typing import Any

import attrs

from fencepost.snapshot import specimens as s
from fencepost.snapshot import spoiling as spoil
from fencepost.snapshot.worlds import World
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.vocabulary import Key

_AGAIN = ("abandon_unsealed", "prepare_incomplete_retry", "mark_group_dispatched")


@attrs.frozen
class Oddity:
    """One thing that may be otherwise, and the facts that say so."""

    says: str
    turn: spoil.Spoil


def _resting_on(capture_key: str) -> spoil.Spoil:
    """The second continuation rests on another lineage, and whoever names it follows."""

    def turn(world: World) -> None:
        spoil.line("agents", 1, capture_key=capture_key)(world)
        spoil.line("models", 1, capture_key=capture_key)(world)
        spoil.renamed(capture_key, "b_g0")(world)

    return turn


def _on_an_earlier_attempt(world: World) -> None:
    """The second continuation was parked by attempt 2 and rests on attempt 1."""
    spoil.ledger(*(Call(op, {"group_id": "b"}) for op in _AGAIN))(world)
    _resting_on("b_g0-a1")(world)
    spoil.line("agents", 1, attempt_index=2)(world)
    world.pending = frozenset({Key("b_g0", 2)})


def _relying_on(revisions: dict[str, int] | None) -> spoil.Spoil:
    return spoil.line("agents", 0, resource_state_revisions=revisions)


def _without_restarts(world: World) -> None:
    """Nothing restarts only, so no agent has to tell or drop what relied on it."""

    def change(contracts: list[Any]) -> None:
        contracts[:] = [
            one for one in contracts if one["participant"]["participant_name"] != s.FILES
        ]
        for one in contracts:
            features = one["capabilities"]["features"]
            one["capabilities"]["features"] = features[:2]

    spoil.found(change)(world)


def _unstamped(world: World) -> None:
    spoil.ledger(Call("reserve_group", spoil.reserve("u", target_step=None)))(world)


def _without_reserve(world: World) -> None:
    del world.files[names.RESERVE]
    spoil.listed(lambda files: files.pop(names.RESERVE))(world)


def _whole_groups_of_other_sizes(world: World) -> None:
    """The one group of another size has nothing left to do."""
    named = {"group_id": "r"}
    spoil.ledger(
        Call("mark_group_admitted", named | {"target_step": 5, "start_weight_version": 3}),
        Call("mark_group_dispatched", named),
        Call("mark_sibling_sealed", spoil.seal("r", 0, 0)),
    )(world)
    world.generations = 2


def _groups_of_one_size(world: World) -> None:
    spoil.ledger(Call("discard_group", {"group_id": "r"}))(world)
    world.generations = 2


def _capable(**changes: Any) -> spoil.Spoil:
    return spoil.able(s.TOOLS, **changes)


# fmt: off
ODDITIES: tuple[Oddity, ...] = tuple(Oddity(says, turn) for says, turn in (
    ("V21: a continuation that rests on its own attempt", _resting_on("b_g0-a1")),
    ("V21: a continuation that rests on an attempt before its own", _on_an_earlier_attempt),
    ("V24: a continuation of which nobody knows on what it relies", _relying_on(None)),
    ("V24: a continuation that relies on nothing", _relying_on({})),
    ("V24: a continuation that relies on every server", _relying_on({s.TOOLS: 1, s.FILES: 2})),
    ("1.6: agents that drop nothing, where nothing restarts only", _without_restarts),
    ("1.6: a feature that nobody knows", _capable(features=["of_tomorrow"])),
    ("V26: several processes with a coordinator",
     _capable(multi_process={"mode": "coordinator", "num_workers": 4})),
    ("V6: a whole group of another size than the run's", _whole_groups_of_other_sizes),
    ("V6: groups of the size that the run has", _groups_of_one_size),
    ("1.2: a group without a target step", _unstamped),
    ("1.8: no spare prompts", _without_reserve),
    ("4.1: no row that nothing relies on",
     spoil.rows(lambda rows: rows["staging"].remove("old/0"))),
    ("1.8: no finalized group", spoil.emptied),
    ("1.8: weights and step far ahead", spoil.moment(40, 40)),
    ("4.1: a sampler ahead of every target", spoil.manifest(sampler_dispatch_index=9)),
    ("1.2: a step without a shortfall, and one with several",
     spoil.beside(batch_shortfall={"0": 0, "12": 3})),
    ("1.2: no shortfall", spoil.beside(batch_shortfall={})),
))
# fmt: on
"""Each is believed as it is."""
