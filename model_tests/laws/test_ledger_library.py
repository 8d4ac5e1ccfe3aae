"""The ledger as a library: what it saves it reads, and what it refuses leaves no trace."""

import json
from typing import Any

import pytest

from fencepost.ledger import samples
from fencepost.ledger.relations import RELATIONS, related
from fencepost.ledger.spoiling import extra, missing, mistyped, spoiled
from fencepost.trace.lines import is_list, is_object
from fencepost_reference.receipts.ledger import LedgerRefused, RecoveryLedger, from_json
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.promises import broken_in_state
from fencepost_spec.receipts.ledger.spec import LEDGER
from fencepost_spec.receipts.ledger.values import GENERATIONS_MAX
from fencepost_spec.vocabulary import Key

CORE = LedgerCore()
PLAIN = (str, int, float, bool, type(None))


def ledger_of(document: Any) -> RecoveryLedger:
    """Return a ledger that has read a saved state without its file's other members."""
    return RecoveryLedger.from_state_dict(ledger_part(document))


def ledger_part(document: Any) -> dict[str, Any]:
    """Return the part of the saved file that is the ledger."""
    others = ("batch_shortfall", "sampler_stamps_target_steps")
    return {name: value for name, value in document.items() if name not in others}


def rebound(ledger: RecoveryLedger) -> RecoveryLedger:
    """Return the ledger with every prompt bound again."""
    for group in ledger.state.ordered():
        ledger.bind_runtime_prompt(group.group_id, samples.payload())
    return ledger


def is_plain(value: Any) -> bool:
    """Is this value made of nothing but plain values, exactly of their types?"""
    if is_object(value):
        return all(type(name) is str and is_plain(one) for name, one in value.items())
    if is_list(value):
        return all(map(is_plain, value))
    return type(value) in PLAIN


def test_what_is_saved_is_plain_and_survives_json() -> None:
    """A loader that makes no objects reads it: no enum, no bytes, no model is in it (B5)."""
    saved = ledger_part(samples.saved())

    assert is_plain(saved)
    assert json.loads(json.dumps(saved, allow_nan=False)) == saved


def test_the_file_of_a_snapshot_is_built_and_read_by_the_library() -> None:
    """With its shortfall by step, which JSON writes as text; a foreign number there is refused."""
    ledger = rebound(ledger_of(samples.saved()))
    file = ledger.build_rollout_recovery_state(
        batch_shortfall={5: 1, 12: 2}, sampler_stamps_target_steps=True
    )
    travelled = json.loads(json.dumps(file))

    assert from_json(travelled) == file
    for found in (file, from_json(travelled)):
        again = rebound(RecoveryLedger.from_rollout_recovery_state(found))
        assert again.state == ledger.state
    for wrong in ("05", "\u0665", "-1", "x"):
        spoilt = travelled | {"batch_shortfall": {wrong: 1}}
        with pytest.raises(LedgerRefused, match="R-LSV-"):
            RecoveryLedger.from_rollout_recovery_state(from_json(spoilt))
    with pytest.raises(LedgerRefused, match="R-LSV-"):
        RecoveryLedger.from_rollout_recovery_state(travelled)


def test_every_operation_is_a_method() -> None:
    """Nobody has to know an operation by its name; `load` is how a file becomes a ledger."""
    methods = {name for name in dir(RecoveryLedger) if not name.startswith("_")}

    assert set(LEDGER.operations) - methods == {"load"}


def test_what_is_read_back_is_the_same_ledger() -> None:
    """Read, bound and saved again it is equal to the byte; before it is bound it is not saved."""
    saved = ledger_part(samples.saved())
    ledger = ledger_of(saved)
    with pytest.raises(LedgerRefused, match="R-LOP-26"):
        ledger.state_dict()

    assert json.dumps(rebound(ledger).state_dict()) == json.dumps(saved)


def refusals(document: Any) -> str | None:
    """Return the rule by which a whole file is refused, or None when it is read."""
    answer = CORE.step(CORE.initial(), Call("load", {"state": document})).outputs[0]
    return None if answer.ok else answer.rule.id


def test_each_missing_and_each_unknown_key_is_refused_by_its_rule() -> None:
    """Nullable is not optional (B5, X9), at every level; nothing more is passed over."""
    without = {name: refusals(document) for name, document in missing(samples.saved())}
    beyond = {name: refusals(document) for name, document in extra(samples.saved())}

    entry = "missing batch_shortfall/5"  # Steps are not keys of a model.
    assert without.pop(entry) is None
    assert set(without.values()) == {"R-LSV-3"}
    assert len(without) > 100
    assert beyond.pop("extra key in batch_shortfall") == "R-LSV-4"
    assert set(beyond.values()) == {"R-LSV-2"}


@pytest.mark.parametrize(("more", "rule"), [(0, "R-LSV-30"), (1, "R-LSV-5")])
def test_a_load_holds_as_many_siblings_as_a_group_can_be_reserved_with(
    more: int, rule: str
) -> None:
    """One bound for both; up to it, only the number of siblings is wrong here."""
    document = samples.saved()
    document["groups"][0]["expected_generations"] = GENERATIONS_MAX + more

    assert refusals(document) == rule


def test_a_truth_value_is_never_a_number_and_a_text_is_neither() -> None:
    """No value of another type is read, wherever it stands (V3, G9)."""
    found = {name: refusals(document) for name, document in mistyped(samples.saved())}
    read = {name for name, rule in found.items() if rule is None}

    assert not [name for name in read if name.endswith((" is True", " is 1", " is '3'"))]
    assert not [name for name in read if "nan" in name or "inf" in name]
    # What is read may stand there: a free text, a null, or a target step where there was none.
    others = {name for name in read if not name.endswith(("'", " is None"))}
    assert others == {"groups/1/target_step is 7"}


def test_every_check_of_a_load_is_met_by_a_spoiled_state() -> None:
    """No check of a saved state is idle: something that is spoiled is refused by each (B12)."""
    met = {refusals(document) for _, document in spoiled(samples.saved())}

    assert {check.rule.id for check in LEDGER.loading.all()} <= met


RULES: dict[str, int | None] = {
    "another version": 1,
    "sealed without reward": 10,
    "sealed without mask": 11,
    "staged rows without receipt": 12,
    "sealed without any receipt": None,
    "sealed without completion": None,
    "receipt of another": 13,
    "staged rows of another order": 14,
    "completion of another attempt": 15,
    "completion of another rollout": 15,
    "unsealed with reward": 16,
    "unsealed with mask": 16,
    "unsealed with an empty gate receipt": 16,
    "unsealed with staged rows": 16,
    "unsealed with completion": 16,
    "failed attempt": None,
    "dispatched attempt": None,
    "older sealed attempt": 17,
    "older dispatched attempt": 17,
    "older failed attempt": None,
    "sibling without attempts": 20,
    "sealed sibling without attempts": 20,
    "attempts with a gap": 21,
    "siblings swapped": 22,
    "more expected than there are": 30,
    "fewer expected than there are": 30,
    "reference to another prompt": 31,
    "generating and all sealed": 32,
    "ready and unsealed": 33,
    "sealed without agent": 34,
    "agent without seal": 35,
    "half sealed cohort": 36,
    "a cohort that was given up": None,
    "reserved and sealed": 37,
    "reserved and dispatched": 37,
    "finalizing": 38,
    "finalization unknown": 38,
    "a group twice": 40,
    "an obligation twice": 41,
    "an obligation of an unknown group": None,
    "an obligation of no sibling": 43,
    "an obligation of an index with a zero before it": 43,
    "an obligation of another receipt than the sealed one": 44,
    "an obligation to another agent than the group's": 44,
    "an obligation of a sealed attempt without a receipt": 44,
    "an obligation of what is not sealed again": None,
    "one admission": None,
    "one admission, another step": 42,
    "one admission, another phase": 42,
    "another granularity": 36,
    "a whole number as reward": None,
}
"""The number of the rule that refuses each spoiled relation, None where it may be so."""


@pytest.mark.parametrize("name", [name for name, _ in RELATIONS])
def test_a_spoiled_relation_is_refused_by_its_rule_and_an_odd_one_is_read(name: str) -> None:
    """Exactly the states that a ledger can have saved are read (G6)."""
    number = RULES[name]

    assert refusals(dict(related(samples.saved()))[name]) == (number and f"R-LSV-{number}")


def test_what_is_read_keeps_every_promise() -> None:
    """No saved state that is read makes a ledger that a correct one cannot be (G6, I15)."""
    for name, document in spoiled(samples.saved()):
        step = CORE.step(CORE.initial(), Call("load", {"state": document}))
        assert list(broken_in_state(step.state)) == [], name


def test_a_state_that_is_refused_leaves_the_ledger_empty() -> None:
    """A load is all or nothing."""
    ledger = RecoveryLedger()
    for _, document in related(ledger_part(samples.saved())):
        if refusals({**samples.saved(), **document}) is not None:
            with pytest.raises(LedgerRefused):
                ledger.load_state_dict(document)
            assert ledger.state.is_empty


def test_a_change_needs_a_live_cut_of_this_ledger() -> None:
    """A cut that has ended, or one of another ledger, changes nothing (B18)."""
    ledger, other = RecoveryLedger(), RecoveryLedger()
    with other.mutation_cut() as foreign, ledger.mutation_cut() as cut:
        pass
    for dead in (cut, foreign):
        with pytest.raises(LedgerRefused, match="R-LOP-1"):
            ledger.reserve_group(dead, **samples.reserve("g"))
    assert ledger.state.is_empty


def test_a_finished_sibling_of_a_cohort_is_acknowledged_although_the_cohort_fails() -> None:
    """The obligation is there on arrival and outlives the attempt (B1, B2)."""
    ledger = RecoveryLedger()
    with ledger.mutation_cut() as cut:
        ledger.reserve_group(cut, **samples.reserve("g", "prompt_group"))
        ledger.mark_group_dispatched(cut, "g")
        ledger.record_partial_group_acknowledgement(cut, "g", 0, samples.result(Key("g_g0", 0)))
        ledger.abandon_unsealed(cut, "g")
        ledger.prepare_incomplete_retry(cut, "g")

        assert ledger.pending_acknowledgements() == [samples.row(Key("g_g0", 0))]
        assert [len(one) for one in ledger.state.groups["g"].siblings] == [2, 2]

        ledger.mark_completed_executions_acknowledged(cut, ledger.pending_acknowledgements())
        assert ledger.pending_acknowledgements() == []


def test_a_sealed_sibling_is_reused_after_a_restart_and_only_it() -> None:
    """Sealed at step 5, saved, read back: exactly the sealed one needs no next attempt (B16)."""
    ledger = RecoveryLedger()
    with ledger.mutation_cut() as cut:
        ledger.reserve_group(cut, **samples.reserve("g", generations=3))
        ledger.mark_group_dispatched(cut, "g", [0, 1])
        ledger.mark_sibling_sealed(cut, "g", 0, samples.result(Key("g_g0", 0)))
    later = rebound(RecoveryLedger.from_state_dict(ledger.state_dict()))
    later.prepare_for_restart()
    with later.mutation_cut() as cut:
        later.prepare_incomplete_retry(cut, "g")

    statuses = [[one.status for one in each] for each in later.state.groups["g"].siblings]
    assert statuses == [["sealed"], ["abandoned", "reserved"], ["reserved"]]
    assert later.report()["expected_staging_keys"] == ["g_g0/0"]


def test_a_reserved_attempt_that_a_continuation_was_taken_from_is_given_up() -> None:
    """The next number meets the replacement under which the continuation is installed (G5, R8)."""
    ledger = RecoveryLedger()
    with ledger.mutation_cut() as cut:
        ledger.reserve_group(cut, **samples.reserve("g"))
    ledger.prepare_for_restart([{"rollout_id": "g_g1", "attempt_index": 0}])

    assert [one.status for one in ledger.state.groups["g"].current] == ["reserved", "abandoned"]


def test_every_group_has_a_remover_on_every_exit() -> None:
    """A group can be let go in each status, and what is owed for it stays owed (B15)."""
    for stop in range(1, len(samples.calls()) + 1):
        state = samples.lived(samples.calls()[:stop])
        for group_id in state.groups:
            step = CORE.step(state, Call("discard_group", {"group_id": group_id}))
            assert step.outputs[0].ok
            assert group_id not in step.state.groups
            assert step.state.owed == state.owed


def test_groups_of_one_prompt_do_not_collide() -> None:
    """Two groups of the same prompt have executions of their own (B22)."""
    state = samples.lived(
        [Call("reserve_group", samples.reserve(name, admission_id="both")) for name in "ab"]
    )
    keys = [key.capture_key for group in state.ordered() for key in group.executions()]

    assert sorted(set(keys)) == ["a_g0", "a_g1", "b_g0", "b_g1"]
