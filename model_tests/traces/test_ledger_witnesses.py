"""Each thing that must be possible for a ledger happens here once, and the oracle is silent."""

from collections.abc import Callable

import pytest

from fencepost.adapters.ledger import make
from fencepost.ledger import samples
from fencepost.ledger.checking import script_line
from fencepost.ledger.oracle import Oracle
from fencepost.ledger.playing import header_of, play
from fencepost.watch import Watch
from fencepost_reference.receipts.ledger.actions import Call, Replace
from fencepost_reference.receipts.ledger.saving import saved_ledger
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.ledger.properties import PROPERTIES
from fencepost_spec.vocabulary import Key

NAMED = {"group_id": "g"}
FIRST = NAMED | {"generation_index": 0}
RESERVE = Call("reserve_group", samples.reserve("g"))
COHORT = Call("reserve_group", samples.reserve("g", "prompt_group"))
DISPATCH = Call("mark_group_dispatched", NAMED)
SEAL = Call("mark_sibling_sealed", FIRST | samples.result(Key("g_g0", 0)))
SEAL_OTHER = Call(
    "mark_sibling_sealed", NAMED | {"generation_index": 1} | samples.result(Key("g_g1", 0))
)
EARLY = Call(
    "record_partial_group_acknowledgement", FIRST | {"result": samples.result(Key("g_g0", 0))}
)
CONFIRM = Call(
    "mark_completed_executions_acknowledged", {"acknowledgements": [samples.row(Key("g_g0", 0))]}
)
BIND = Call("bind_runtime_prompt", NAMED | {"prompt_payload": samples.payload()})
RESTART, SAVE = Call("prepare_for_restart", {}), Call("state_dict", {})
ABANDON = Call("abandon_unsealed", NAMED)
RETRY = Call("prepare_incomplete_retry", NAMED)


def cohort(attempt: int) -> Call:
    """Return the seal of a whole cohort by its attempts of one number."""
    results = {str(n): samples.result(Key(f"g_g{n}", attempt)) for n in (0, 1)}
    return Call("mark_group_sealed", NAMED | {"results": results})


def read(*calls: Call) -> tuple[Call | Replace, ...]:
    """Return a new process that reads what these calls left behind."""
    state = saved_ledger(samples.lived(list(calls)))
    return (*calls, SAVE, Replace(), Call("load_state_dict", {"state": state}), BIND)


def statuses(state: State) -> list[list[str]]:
    """Return the statuses of all attempts of the group."""
    return [[one.status for one in sibling] for sibling in state.groups["g"].siblings]


Witness = tuple[tuple[Call | Replace, ...], Callable[[State], bool]]

WITNESSES: dict[str, Witness] = {
    "R-LSO-1": (
        (*read(RESERVE, DISPATCH, SEAL), RESTART, RETRY),
        lambda state: statuses(state) == [["sealed"], ["abandoned", "reserved"]],
    ),
    "R-LSO-2": (
        (COHORT, DISPATCH, EARLY, ABANDON, RETRY, DISPATCH, cohort(1)),
        lambda state: (
            state.groups["g"].status == "ready_to_finalize" and Key("g_g0", 0) in state.owed
        ),
    ),
    "R-LSO-3": (
        (COHORT, DISPATCH, EARLY, CONFIRM, EARLY, CONFIRM),
        lambda state: not state.owed,
    ),
    "R-LSO-4": (
        (RESERVE, DISPATCH, SEAL, SEAL_OTHER, Call("finalization_inputs", NAMED),
         Call("mark_finalization_started", NAMED), Call("discard_group", NAMED)),
        lambda state: state.is_empty,
    ),
    "R-LSO-5": (
        (*read(RESERVE, DISPATCH, SEAL), SAVE),
        lambda state: saved_ledger(state) == saved_ledger(samples.lived([RESERVE, DISPATCH, SEAL])),
    ),
}  # fmt: skip


def test_everything_that_must_be_possible_has_a_witness() -> None:
    """No promise that something can happen is left without a run in which it does."""
    assert set(WITNESSES) == {one.id for one in PROPERTIES if one.kind is Kind.SOMETIMES}


@pytest.mark.parametrize("rule_id", WITNESSES)
def test_a_witness_conforms_and_comes_to_its_end(rule_id: str) -> None:
    """Every call is accepted, the oracle has nothing against it, and the good thing is there."""
    actions, is_there = WITNESSES[rule_id]
    header = header_of(make(), rule_id, "a witness")
    played = play(make, header, [script_line(action) for action in actions], Watch())

    assert isinstance(played.oracle, Oracle)
    assert played.refusal is None
    assert all(getattr(line, "outcome", "ok") in ("ok", None) for line in played.lines)
    assert is_there(played.oracle.state)
