"""The numbered bugs that a ledger alone can have, and further faults that no deletion makes."""

from collections.abc import Iterator

from fencepost.ledger.mutants.faults import (
    Leaky,
    admits_one,
    burns_reserved,
    changing,
    drops_owed_of_group,
    forgets_keys,
    forgets_mask,
    forgets_shortfall,
    half_cohort,
    keeps_unready,
    names_by_prompt,
    never_safe,
    owes_next,
    reruns_sealed,
    same_number,
    saves_unsorted,
    saves_uuid,
    stays_bound,
    takes_part,
    without_cuts,
    without_operation,
    without_shape,
)
from fencepost.ledger.mutants.mutant import LedgerMutant, core_with, faulty
from fencepost_spec.receipts.ledger.spec import LEDGER

_SEALS = ("mark_sibling_sealed", "mark_group_sealed")
_SAVES = ("state_dict", "build_rollout_recovery_state")
_LOADS = ("load", "load_state_dict")


def named() -> Iterator[LedgerMutant]:
    """Every mutant that was thought of, bugs first."""
    # fmt: off
    yield LedgerMutant("acknowledges whole cohorts only",
        "a finished sibling cannot be acknowledged before its cohort is sealed", ("B1", "L1"),
        without_operation("record_partial_group_acknowledgement"))
    yield LedgerMutant("reads missing keys as null", "a missing key is read as null",
        ("B5", "X9", "V2"), without_shape("R-LSV-3"), loads=True)
    yield LedgerMutant("passes over unknown keys", "an unknown key is passed over", ("V1",),
        without_shape("R-LSV-2"), loads=True)
    yield LedgerMutant("reads any version", "a state of another version is read", ("B6", "I31"),
        without_shape("R-LSV-1"), loads=True)
    yield LedgerMutant("saves a uuid", "attempts are saved with a uuid that nobody reads", ("B10",),
        changing(saves_uuid, *_SAVES))
    yield LedgerMutant("takes any result", "a result is not asked whose it is", ("B12", "I5"),
        core_with(results=()))
    yield LedgerMutant("keeps what is given up", "a generating group cannot be let go",
        ("B15", "G8"), faulty(keeps_unready, "discard_group"))
    yield LedgerMutant("reruns sealed siblings", "a restart gives up sealed siblings", ("B16",),
        changing(reruns_sealed, "prepare_for_restart"))
    yield LedgerMutant("needs no cut", "a change needs no live cut", ("B18",), without_cuts())
    yield LedgerMutant("names rollouts by prompt", "the finalizer gets rollouts named by prompt",
        ("B22",), changing(names_by_prompt, "finalization_inputs"))
    yield LedgerMutant("records once", "what is owed already cannot be recorded again",
        ("X7", "K3"), core_with(obligation=LEDGER.obligation.without(
            next(row for row in LEDGER.obligation.rows if row.rule.id == "R-LOB-2"))))
    yield LedgerMutant("burns reserved attempts", "a restart gives up what was only reserved",
        ("G5",), changing(burns_reserved, "prepare_for_restart"))
    yield LedgerMutant("admits one group", "an admission admits only the group named",
        ("G11", "R-LOP-41"), faulty(admits_one, "mark_group_admitted"))
    yield LedgerMutant("releases a part", "a list of confirmed rows is taken in part", ("G2",),
        faulty(takes_part, "mark_completed_executions_acknowledged"))
    yield LedgerMutant("remembers what it refused", "a refused seal leaves its agent behind",
        ("G2", "R-LIN-40"), Leaky())
    yield LedgerMutant("seals half a cohort", "a cohort is sealed as far as it goes",
        ("I6", "R-LOP-44"), faulty(half_cohort, "mark_group_sealed"))
    yield LedgerMutant("numbers attempts again", "a retry uses a number again", ("I2", "A8"),
        changing(same_number, "prepare_incomplete_retry"))
    yield LedgerMutant("forgets what is owed with the group", "letting a group go drops its debts",
        ("2.4",), changing(drops_owed_of_group, "discard_group"))
    yield LedgerMutant("forgets what is owed for abandoned work", "giving up drops debts",
        ("2.4", "B1"), changing(drops_owed_of_group, "abandon_unsealed"))
    yield LedgerMutant("forgets the mask", "a seal forgets that a sample is masked", ("A3",),
        changing(forgets_mask, *_SEALS))
    yield LedgerMutant("forgets staged rows", "a seal forgets its staged rows", ("1.3",),
        changing(forgets_keys, *_SEALS))
    yield LedgerMutant("owes the next attempt", "what is owed names the next attempt", ("K2p'",),
        changing(owes_next, "record_partial_group_acknowledgement"))
    yield LedgerMutant("owes the next attempt of sealed work",
        "what is owed for sealed work names the next attempt", ("K2s", "R-LOP-47", "R-LOP-48"),
        changing(owes_next, "record_sealed_sibling_acknowledgement",
                  "record_sealed_group_acknowledgements"))
    yield LedgerMutant("is never safe", "no ledger with a group may be saved", ("R-LOP-58",),
        faulty(never_safe, "assert_checkpoint_safe"))
    yield LedgerMutant("forgets the shortfall", "the file has no shortfall", ("R-LOP-60", "1.2"),
        changing(forgets_shortfall, "build_rollout_recovery_state"))
    yield LedgerMutant("saves debts in any order", "obligations are saved in another order",
        ("1.2",), changing(saves_unsorted, *_SAVES))
    yield LedgerMutant("binds prompts by itself", "a loaded group counts as bound", ("1.2",),
        changing(stays_bound, *_LOADS), loads=True)
    # fmt: on
