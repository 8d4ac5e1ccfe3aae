"""How a saved ledger is read: level by level, each check a rule; all of it or nothing.

The shape is asked first, then every attempt, sibling and group in the order of the file, then the
ledger as a whole. May import: operation, the facts of loading, refusals, sources.
"""

from typing import Final

import attrs

from fencepost_spec.operation import Check, Condition
from fencepost_spec.receipts.ledger import load_facts as f
from fencepost_spec.receipts.ledger.refusals import UNREADABLE
from fencepost_spec.receipts.ledger.sources import DECISION, DERIVED, RL_4265_REVIEW, fact
from fencepost_spec.rule import Rule, Source


@attrs.frozen
class LoadChecks:
    """The checks of a saved ledger, by what they look at."""

    shape: tuple[Check, ...]
    attempt: tuple[Check, ...]
    sibling: tuple[Check, ...]
    group: tuple[Check, ...]
    ledger: tuple[Check, ...]

    def all(self) -> tuple[Check, ...]:
        """Every check, in reading order."""
        return (*self.shape, *self.attempt, *self.sibling, *self.group, *self.ledger)


def _check(number: int, when: Condition, says: str, source: Source, *facts: str) -> Check:
    return Check(Rule(f"R-LSV-{number}", says, source, fact(*facts)), when, UNREADABLE)


_REVIEW = RL_4265_REVIEW

SHAPE: Final = (
    _check(1, f.version_is_another, "a reader takes exactly the version that it writes",
           _REVIEW, "V3", "I31", "B6"),
    _check(2, f.key_is_unknown, "a saved mapping has no key that its model does not have",
           _REVIEW, "V1", "G1", "1.2"),
    _check(3, f.key_is_missing, "a saved mapping has every key of its model, null or not",
           _REVIEW, "V2", "B5", "X9", "G10", "1.2"),
    _check(4, f.type_is_wrong, "a saved value has exactly the type that its model says",
           _REVIEW, "V3", "G9", "1.2"),
    _check(5, f.value_is_out_of_domain, "a saved value is one that may stand there",
           _REVIEW, "V3", "G9", "1.1", "1.2"),
)  # fmt: skip
ATTEMPT: Final = (
    _check(10, f.sealed_without_reward, "a sealed attempt has a reward", _REVIEW, "V9", "I4"),
    _check(11, f.sealed_without_mask, "a sealed attempt says whether it is masked",
           _REVIEW, "V9", "I4"),
    _check(12, f.keys_without_receipt, "a sealed attempt without gate receipt owns no staged row",
           _REVIEW, "V9", "1.3"),
    _check(13, f.receipt_of_another, "a saved gate receipt names the capture key of its attempt",
           _REVIEW, "V9", "I5", "1.3", "B12"),
    _check(14, f.keys_differ_from_manifest,
           "staged rows are those of the gate receipt, in its order", _REVIEW, "V9", "1.3"),
    _check(15, f.completion_of_another, "a saved completion receipt names its own attempt",
           _REVIEW, "V9", "I5", "1.4", "B12"),
    _check(16, f.data_without_seal, "what is not sealed has no part of a result",
           _REVIEW, "V10", "I4"),
    _check(17, f.older_was_not_given_up, "an attempt that another follows was given up",
           DECISION, "G6", "I2", "I3"),
)  # fmt: skip
SIBLING: Final = (
    _check(20, f.has_no_attempt, "a sibling has at least one attempt", _REVIEW, "V8"),
    _check(21, f.attempts_have_gaps, "attempts are numbered from zero without a gap",
           _REVIEW, "V7", "I1", "1.1"),
    _check(22, f.sibling_is_out_of_place, "siblings stand in the order of their indices",
           _REVIEW, "V7", "1.1"),
)  # fmt: skip
GROUP: Final = (
    _check(30, f.siblings_are_miscounted, "a group has as many siblings as it expects",
           _REVIEW, "V6"),
    _check(31, f.reference_is_another, "a prompt's reference names the prompt", _REVIEW, "V13"),
    _check(32, f.generating_with_all_sealed, "a generating group has an unsealed sibling",
           _REVIEW, "V11", "I7"),
    _check(33, f.ready_with_some_unsealed,
           "a group that left generating has every sibling sealed", _REVIEW, "V11", "I7"),
    _check(34, f.sealed_without_agent, "a group with a sealed sibling names its agent",
           DECISION, "G6", "V11"),
    _check(35, f.agent_without_seal, "a group without a sealed sibling names no agent",
           _REVIEW, "V11"),
    _check(36, f.cohort_is_half_sealed, "a cohort is saved sealed as a whole or not at all",
           DECISION, "G6", "I6"),
    _check(37, f.reserved_but_dispatched, "a group that was never admitted was never dispatched",
           DECISION, "G6", "I28"),
    _check(38, f.status_is_unsafe, "a group that was being finalized is not read back",
           DECISION, "G6", "I8"),
)  # fmt: skip
LEDGER: Final = (
    _check(40, f.group_comes_twice, "a saved group id is there once", _REVIEW, "V4"),
    _check(41, f.obligation_comes_twice, "a saved execution is owed once", _REVIEW, "V5", "I16"),
    _check(42, f.admissions_disagree,
           "groups of one admission are saved with one phase and one target step",
           _REVIEW, "V12", "I28"),
    _check(43, f.obligation_names_no_sibling,
           "an obligation names a sibling, so that no two executions share a capture key",
           DERIVED, "I32", "1.1"),
    _check(44, f.obligation_contradicts_its_seal,
           "a saved obligation of a sealed attempt has its own receipt and agent",
           DECISION, "G6", "I15", "I16", "4.2"),
)  # fmt: skip

LOAD_CHECKS: Final = LoadChecks(SHAPE, ATTEMPT, SIBLING, GROUP, LEDGER)
