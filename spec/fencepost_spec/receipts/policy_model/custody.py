"""Why the ledger is not copied: each cause of a refused commit or restore is a check of a ladder.

Each ladder is asked whole before anything is written or installed. Not decided here: how files are
read; the reference makes the facts. May import operation, rule, sources and refusals.
"""

import attrs

from fencepost_spec.operation import Check
from fencepost_spec.receipts.policy_model.refusals import LEDGER_MISMATCH, NOT_QUIESCENT
from fencepost_spec.receipts.sources import DECISION, DERIVED, GYM_2940
from fencepost_spec.rule import Rule, Source


@attrs.frozen
class RootFacts:
    """What is known about the roots of a commit, all indexes taken together."""

    unreadable: bool = False
    repeated: bool = False
    conflicting: bool = False
    refused: bool = False
    without_lineage: bool = False
    damaged: bool = False
    boundary_missing: bool = False
    boundary_ambiguous: bool = False
    storage_key_repeated: bool = False


@attrs.frozen
class ExistingFacts:
    """How a checkpoint that lies in the directory already differs from the one to be written."""

    unreadable: bool = False
    other_checkpoint: bool = False
    other_server: bool = False
    other_tombstones: bool = False
    other_sources: bool = False
    other_roots: bool = False
    other_lineages: bool = False


@attrs.frozen
class RestoreFacts:
    """What is known about a directory that is to be restored, and about the live ledger."""

    absent: bool = False
    unreadable: bool = False
    newer: bool = False
    other_server: bool = False
    damaged: bool = False
    in_flight: bool = False
    strangers: bool = False
    differs: bool = False


def index_is_unreadable(facts: RootFacts) -> bool:
    """An index is absent, or not what its reference says."""
    return facts.unreadable


def root_is_repeated(facts: RootFacts) -> bool:
    """Two roots for one capture key say the same."""
    return facts.repeated


def roots_conflict(facts: RootFacts) -> bool:
    """Two roots for one capture key name different calls."""
    return facts.conflicting


def root_is_refused(facts: RootFacts) -> bool:
    """A root belongs to an aborted attempt, or rests on its lineage."""
    return facts.refused


def root_has_no_lineage(facts: RootFacts) -> bool:
    """A root names a capture key that has no lineage file."""
    return facts.without_lineage


def lineage_is_damaged(facts: RootFacts) -> bool:
    """A lineage file that a root names has rows that are no rows."""
    return facts.damaged


def boundary_is_missing(facts: RootFacts) -> bool:
    """The lineage has no successful row of the boundary call."""
    return facts.boundary_missing


def boundary_is_ambiguous(facts: RootFacts) -> bool:
    """The lineage has two successful rows of the boundary call."""
    return facts.boundary_ambiguous


def storage_key_is_repeated(facts: RootFacts) -> bool:
    """Two boundary calls refer to one key of the external storage."""
    return facts.storage_key_repeated


def existing_is_unreadable(facts: ExistingFacts) -> bool:
    """What lies there cannot be read, or is not what its digests say."""
    return facts.unreadable


def existing_has_another_id(facts: ExistingFacts) -> bool:
    """Another checkpoint id committed it."""
    return facts.other_checkpoint


def existing_has_another_server(facts: ExistingFacts) -> bool:
    """Another server committed it."""
    return facts.other_server


def existing_has_other_tombstones(facts: ExistingFacts) -> bool:
    """It lists other aborted attempts."""
    return facts.other_tombstones


def existing_has_other_sources(facts: ExistingFacts) -> bool:
    """It lists other source attempts."""
    return facts.other_sources


def existing_has_other_roots(facts: ExistingFacts) -> bool:
    """It was written from other roots."""
    return facts.other_roots


def existing_has_other_lineages(facts: ExistingFacts) -> bool:
    """It holds other rows."""
    return facts.other_lineages


def directory_is_absent(facts: RestoreFacts) -> bool:
    """There is no manifest."""
    return facts.absent


def manifest_is_unreadable(facts: RestoreFacts) -> bool:
    """The manifest is not what a correct writer writes."""
    return facts.unreadable


def manifest_is_newer(facts: RestoreFacts) -> bool:
    """The manifest has a schema version that this reader does not know."""
    return facts.newer


def directory_has_another_server(facts: RestoreFacts) -> bool:
    """The manifest names another server."""
    return facts.other_server


def lineage_has_another_digest(facts: RestoreFacts) -> bool:
    """A lineage file is not what its digest says, or is gone."""
    return facts.damaged


def calls_still_run(facts: RestoreFacts) -> bool:
    """A call that was let in before the restore has not ended."""
    return facts.in_flight


def ledger_has_strangers(facts: RestoreFacts) -> bool:
    """The live ledger holds a lineage that the checkpoint does not hold."""
    return facts.strangers


def ledger_differs(facts: RestoreFacts) -> bool:
    """The live ledger holds other rows under a name of the checkpoint."""
    return facts.differs


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-CUS-{number}", says, source, facts)


_I = ("4.4", "I26")
ROOT_LADDER: tuple[Check, ...] = tuple(
    Check(_rule(number, says, source, *facts), when, LEDGER_MISMATCH)
    for number, says, source, facts, when in (
        (1, "an index of roots is the one that its reference describes", DERIVED,
         (*_I, "R20"), index_is_unreadable),
        (2, "a capture key has one root and not the same one twice", GYM_2940, _I,
         root_is_repeated),
        (3, "two roots of one capture key do not name different calls", GYM_2940, _I,
         roots_conflict),
        (4, "no root rests on an attempt that was aborted", GYM_2940, _I, root_is_refused),
        (5, "every root has a lineage", GYM_2940, _I, root_has_no_lineage),
        (6, "a lineage that a root names can be read", GYM_2940, _I, lineage_is_damaged),
        (7, "the lineage of a root has a successful row of its call", GYM_2940, _I,
         boundary_is_missing),
        (8, "the lineage of a root has only one successful row of its call", GYM_2940, _I,
         boundary_is_ambiguous),
        (9, "no two roots refer to one key of the external storage", GYM_2940, _I,
         storage_key_is_repeated),
    )
)  # fmt: skip
"""Asked of the roots of a commit."""

EXISTING_LADDER: tuple[Check, ...] = tuple(
    Check(_rule(number, says, GYM_2940, "6", "I18", "R7"), when, LEDGER_MISMATCH)
    for number, says, when in (
        (10, "a damaged checkpoint in the directory is not taken for this commit",
         existing_is_unreadable),
        (11, "a directory belongs to the checkpoint id that committed it",
         existing_has_another_id),
        (12, "a directory belongs to the server that committed it", existing_has_another_server),
        (13, "a repeated commit has the tombstones of the committed one",
         existing_has_other_tombstones),
        (14, "a repeated commit has the source attempts of the committed one",
         existing_has_other_sources),
        (15, "a repeated commit has the roots of the committed one", existing_has_other_roots),
        (16, "a repeated commit has the rows of the committed one", existing_has_other_lineages),
    )
)  # fmt: skip
"""Asked when the directory of a commit holds a manifest."""

RESTORE_LADDER: tuple[Check, ...] = (
    Check(_rule(20, "a model restores nothing from a directory without a manifest", GYM_2940,
                "4.4", "6", "R20"), directory_is_absent, LEDGER_MISMATCH),
    Check(_rule(21, "a manifest that makes no sense is refused with a code", DECISION,
                "R20", "R25", "I19"), manifest_is_unreadable, LEDGER_MISMATCH),
    Check(_rule(22, "a manifest of a newer schema is refused", GYM_2940, "4.4"),
          manifest_is_newer, LEDGER_MISMATCH),
    Check(_rule(23, "a model restores only its own ledger", GYM_2940, "4.4", "I18"),
          directory_has_another_server, LEDGER_MISMATCH),
    Check(_rule(24, "a lineage whose digest differs refuses the whole restore", GYM_2940,
                "4.4", "I19", "I18"), lineage_has_another_digest, LEDGER_MISMATCH),
    Check(_rule(25, "a ledger is restored only while no call is in flight", DECISION,
                "4.4", "I20"), calls_still_run, NOT_QUIESCENT),
    Check(_rule(26, "a ledger is restored into a namespace that holds nothing else", GYM_2940,
                "4.4"), ledger_has_strangers, LEDGER_MISMATCH),
    Check(_rule(27, "a restore writes over no row of the live ledger", DECISION, "4.4", "I19"),
          ledger_differs, LEDGER_MISMATCH),
)  # fmt: skip
"""Asked of a directory, and of the live ledger, before the first copy."""
