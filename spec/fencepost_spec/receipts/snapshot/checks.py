"""What a snapshot is asked before it is believed, level by level, each check a rule.

First where it lies, then each document by itself, then the documents beside each other, then the
participants' parts. May import: operation, the facts, refusals, sources.
"""

from typing import Final

import attrs

from fencepost_spec.operation import Check
from fencepost_spec.receipts.ledger import load_facts as shape
from fencepost_spec.receipts.snapshot import continuation_facts as c
from fencepost_spec.receipts.snapshot import facts as f
from fencepost_spec.receipts.snapshot.participant_checks import (
    ARTIFACT,
    COMMIT,
    CUSTODY,
    RESTORED,
    TOPOLOGY_CHECKS,
)
from fencepost_spec.receipts.snapshot.refusals import CONTINUATIONS, MISMATCH, UNREADABLE
from fencepost_spec.receipts.snapshot.row import check
from fencepost_spec.receipts.snapshot.sources import (
    DECISION,
    RL_3924,
    RL_4117,
    RL_4264,
    RL_4265_REVIEW,
    RL_4266,
)


@attrs.frozen
class SnapshotChecks:
    """The checks of a snapshot, by what they look at, in reading order.

    `restored` is asked when participants have restored their parts, everything else of a
    directory; `topology` and a part of `commit` only where somebody has looked for participants.
    """

    place: tuple[Check, ...]
    text: tuple[Check, ...]
    shape: tuple[Check, ...]
    manifest: tuple[Check, ...]
    file: tuple[Check, ...]
    topology: tuple[Check, ...]
    commit: tuple[Check, ...]
    custody: tuple[Check, ...]
    artifact: tuple[Check, ...]
    join: tuple[Check, ...]
    owner: tuple[Check, ...]
    binding: tuple[Check, ...]
    restored: tuple[Check, ...]

    def all(self) -> tuple[Check, ...]:
        """Every check, in reading order."""
        levels = (getattr(self, field.name) for field in attrs.fields(type(self)))
        return tuple(one for level in levels for one in level)

    def without(self, gone: Check) -> "SnapshotChecks":
        """These checks with one taken out, or ValueError when it is none of them."""
        if gone not in self.all():
            raise ValueError(f"{gone.rule.id} is not a check of a snapshot")
        levels = {field.name: getattr(self, field.name) for field in attrs.fields(type(self))}
        return SnapshotChecks(
            **{
                name: tuple(one for one in level if one is not gone)
                for name, level in levels.items()
            }
        )


PLACE: Final = (
    check(1, f.leads_elsewhere, UNREADABLE,
          "a snapshot is a real directory of real files, and leads nowhere else",
          DECISION, "V15", "I22"),
    check(2, f.has_no_manifest, UNREADABLE, "a directory without a manifest is no snapshot",
          RL_3924, "I22", "1.8"),
)  # fmt: skip
TEXT: Final = (
    check(3, f.is_no_json, UNREADABLE,
          "a document of a snapshot is JSON that a correct writer can have written",
          DECISION, "V1", "V3"),
)  # fmt: skip
SHAPE: Final = (
    check(5, shape.version_is_another, UNREADABLE,
          "a reader of snapshots takes exactly the version that it writes",
          RL_4265_REVIEW, "V3", "I31", "B6"),
    check(6, shape.key_is_unknown, UNREADABLE,
          "a document of a snapshot has no key that its model does not have",
          RL_4265_REVIEW, "V1", "1.8"),
    check(7, shape.key_is_missing, UNREADABLE,
          "a document of a snapshot has every key of its model, null or not",
          RL_4265_REVIEW, "V2", "B5", "G10", "1.8"),
    check(8, shape.type_is_wrong, UNREADABLE,
          "a value in a snapshot has exactly the type that its model says",
          RL_4265_REVIEW, "V3", "1.8"),
    check(9, shape.value_is_out_of_domain, UNREADABLE,
          "a value in a snapshot is one that may stand there",
          RL_4265_REVIEW, "V3", "1.7", "1.8"),
)  # fmt: skip
MANIFEST: Final = (
    check(10, f.step_is_not_the_version, MISMATCH,
          "a snapshot is taken over a step whose weights are published",
          RL_3924, "I23", "2.5"),
    check(11, f.start_has_no_fingerprint, MISMATCH,
          "a snapshot of step 0 names the configuration that it was started with",
          RL_3924, "2.5", "4.1"),
    check(12, f.participants_come_half, MISMATCH,
          "a commit result comes with the fingerprint of its topology, or neither is there",
          RL_4117, "1.8", "1.6"),
    check(13, f.list_lacks_a_file, MISMATCH, "a manifest lists every file that has to be there",
          DECISION, "1.8", "I22"),
    check(14, f.list_has_a_stranger, MISMATCH, "a manifest lists no file that no snapshot has",
          DECISION, "1.8", "I22"),
)  # fmt: skip
FILE: Final = (
    check(15, f.file_is_absent, UNREADABLE, "every file that a manifest lists is there",
          DECISION, "1.8", "I22"),
    check(16, f.file_has_another_size, UNREADABLE,
          "every listed file has as many bytes as the manifest says", DECISION, "1.8", "I22"),
    check(17, f.file_has_another_digest, UNREADABLE,
          "every listed file has the digest that the manifest says", DECISION, "1.8", "I22"),
)  # fmt: skip
JOIN: Final = (
    check(60, c.capture_key_continues_twice, CONTINUATIONS,
          "a capture key is continued once, whichever agent continues it",
          RL_4264, "V17", "B12", "I32"),
    check(61, c.rollout_continues_twice, CONTINUATIONS,
          "a rollout is continued from one attempt of it", DECISION, "V17", "I26"),
    check(62, c.capture_key_is_of_another, CONTINUATIONS,
          "a continuation rests on its own rollout, and on no later attempt",
          RL_4264, "V21", "1.7", "I26"),
    check(63, c.dependency_is_unknown, CONTINUATIONS,
          "a continuation relies on resources servers that are there", RL_4264, "V24"),
    check(64, c.reference_has_no_continuation, CONTINUATIONS,
          "a staged row is kept for a continuation", RL_4264, "V19", "B12", "I25"),
    check(65, c.reference_names_another_call, CONTINUATIONS,
          "a kept staged row is of the last model call of its continuation",
          RL_4264, "V18", "B12", "I25"),
    check(66, c.storage_key_has_two_meanings, CONTINUATIONS,
          "a storage key stands for one row", RL_4264, "V20"),
    check(67, c.reference_comes_twice, CONTINUATIONS, "a storage reference is given once",
          DECISION, "V20"),
    check(68, c.pending_has_no_row, CONTINUATIONS,
          "a continuation whose model reply is not acted on yet keeps a row of that lineage",
          DECISION, "4.2", "I25"),
    check(69, c.lineages_are_others, CONTINUATIONS,
          "policy models commit the lineages that the agents' continuations rest on, and no others",
          RL_4266, "I24", "1.7"),
)  # fmt: skip
OWNER: Final = (
    check(70, c.source_is_sealed, CONTINUATIONS, "what has its whole result is not continued",
          DECISION, "X5", "4.2", "4.3"),
    check(71, c.source_was_never_numbered, CONTINUATIONS,
          "nothing is continued that the ledger has not numbered", DECISION, "X5", "4.2", "4.4"),
)  # fmt: skip
BINDING: Final = (
    check(80, f.moment_is_another, MISMATCH,
          "the data plane was saved at the step, version and epoch of the manifest",
          RL_3924, "1.8", "I23"),
    check(81, f.recovery_digest_is_another, MISMATCH,
          "the data plane was saved with this recovery file", RL_3924, "I13", "1.8"),
    check(82, f.recovery_schema_is_another, MISMATCH,
          "the data plane was saved with a recovery file of the schema that is read",
          RL_3924, "I13", "I31"),
    check(83, f.recovery_is_miscounted, MISMATCH,
          "the data plane counts the groups of the recovery file", RL_3924, "I13"),
    check(84, f.replay_digest_is_another, MISMATCH,
          "the data plane was saved with this replay index", RL_3924, "I12", "1.8"),
    check(85, f.replay_schema_is_another, MISMATCH,
          "the data plane was saved with a replay index of the schema that is read",
          RL_3924, "I12", "I31"),
    check(86, f.replay_is_miscounted, MISMATCH,
          "the data plane counts the groups of the replay index", RL_3924, "I12"),
    check(87, f.replay_group_comes_twice, MISMATCH, "a finalized group is indexed once",
          DECISION, "I12", "I9"),
    check(88, f.row_is_owned_twice, MISMATCH, "a canonical row belongs to one group",
          DECISION, "I12", "I3"),
    check(89, f.rows_are_not_sorted, MISMATCH, "the rows of a partition are listed once, in order",
          DECISION, "I12", "I11"),
    check(90, f.canonical_rows_differ, MISMATCH,
          "canonical rows are exactly those of the replay index", RL_3924, "I12"),
    check(91, f.staged_row_is_missing, MISMATCH,
          "every staged row that something relies on is in the snapshot", RL_3924, "I11", "4.1",
          "S8"),
    check(92, f.something_is_owed, MISMATCH,
          "nothing is owed to participants that are part of a snapshot", RL_4266, "I17", "3"),
    check(93, f.target_is_beyond_the_cursor, MISMATCH,
          "no group is stamped with a step that the sampler has not reached",
          RL_3924, "I29", "4.1"),
    check(94, f.size_is_another, MISMATCH,
          "a group with work left has as many siblings as the run generates of a prompt",
          DECISION, "V6", "4.2"),
)  # fmt: skip

CHECKS: Final = SnapshotChecks(
    PLACE,
    TEXT,
    SHAPE,
    MANIFEST,
    FILE,
    TOPOLOGY_CHECKS,
    COMMIT,
    CUSTODY,
    ARTIFACT,
    JOIN,
    OWNER,
    BINDING,
    RESTORED,
)
