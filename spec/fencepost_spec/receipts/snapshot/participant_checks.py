"""What the participants of a snapshot are asked: topology, results, manifests, indexes, restore.

May import: the facts of participants, refusals, sources.
"""

from typing import Final

from fencepost_spec.receipts.snapshot import participant_facts as p
from fencepost_spec.receipts.snapshot.refusals import MISMATCH, RESTORE, TOPOLOGY, UNREADABLE
from fencepost_spec.receipts.snapshot.row import check
from fencepost_spec.receipts.snapshot.sources import DECISION, RL_4117, RL_4264, RL_4266

TOPOLOGY_CHECKS: Final = (
    check(20, p.server_comes_twice, TOPOLOGY, "a server name leads to one participant",
          RL_4264, "V25", "1.6"),
    check(21, p.participant_comes_twice, TOPOLOGY,
          "participants of one component have different names", RL_4264, "V25", "1.6"),
    check(22, p.contracts_are_not_sorted, TOPOLOGY,
          "a topology is sorted, so that equal ones have equal fingerprints", RL_4264, "1.6"),
    check(23, p.model_has_no_role, TOPOLOGY, "a model says whether it is the policy",
          RL_4264, "V26", "1.6"),
    check(24, p.other_has_a_role, TOPOLOGY, "only a model has the role of one",
          RL_4264, "V26", "1.6"),
    check(25, p.there_is_no_policy_model, TOPOLOGY,
          "there is a policy model that takes part in a checkpoint", RL_4264, "V26"),
    check(26, p.workers_are_unmanaged, TOPOLOGY,
          "a participant is one process, or has a coordinator", RL_4264, "V26"),
    check(27, p.agent_exports_nothing, TOPOLOGY, "every agent takes part in a checkpoint",
          RL_4264, "V26", "1.6"),
    check(28, p.agent_lacks_a_feature, TOPOLOGY,
          "an agent takes acknowledgements and indexes its continuations", RL_4264, "1.6"),
    check(29, p.model_lacks_a_feature, TOPOLOGY,
          "a policy model indexes its references to staged rows", RL_4264, "1.6"),
    check(30, p.agent_cannot_discard, TOPOLOGY,
          "where a resources server only restarts, agents tell and drop what relied on it",
          RL_4117, "1.6", "I27"),
)  # fmt: skip
COMMIT: Final = (
    check(31, p.commit_has_another_id, MISMATCH, "participants commit the id that was asked for",
          RL_4266, "2.5"),
    check(32, p.topology_is_another, MISMATCH,
          "a snapshot is of the participants that are there", RL_4117, "1.6", "1.8"),
    check(33, p.member_stands_in_another_list, MISMATCH,
          "a committed result stands in the list of its component", RL_4264, "V14", "1.7"),
    check(34, p.member_comes_twice, MISMATCH, "a participant commits once",
          RL_4264, "V25", "1.7"),
    check(35, p.member_is_missing, MISMATCH, "every participant that can export has committed",
          RL_4266, "V14", "2.5"),
    check(36, p.member_is_a_stranger, MISMATCH, "nobody commits but who can export",
          RL_4266, "V14", "2.5"),
)  # fmt: skip
CUSTODY: Final = (
    check(40, p.manifest_leads_outside, MISMATCH,
          "the manifest of a participant lies below the snapshot directory", RL_4264, "V15"),
    check(41, p.manifest_comes_twice, MISMATCH, "no two participants have one manifest",
          RL_4264, "V15"),
    check(42, p.manifest_lies_elsewhere, MISMATCH,
          "the manifest of a participant lies where it is written", RL_4264, "V15", "1.7"),
    check(43, p.manifest_is_absent, UNREADABLE, "the manifest of every participant is there",
          RL_4264, "V15"),
    check(44, p.manifest_has_another_digest, UNREADABLE,
          "the manifest of a participant has the digest that was answered", RL_4264, "V15"),
    check(45, p.manifest_has_another_id, MISMATCH,
          "the manifest of a participant is of the committed id", DECISION, "V15", "V23"),
    check(46, p.manifest_has_another_index, MISMATCH,
          "the manifest of a participant refers to the index that was answered",
          DECISION, "V15", "V16"),
    check(47, p.manifest_has_other_counts, MISMATCH,
          "the manifest of a participant counts what was answered", DECISION, "V15", "V16"),
)  # fmt: skip
ARTIFACT: Final = (
    check(50, p.artifact_is_absent, UNREADABLE, "an index that is referred to is there",
          RL_4264, "V16", "1.7"),
    check(51, p.artifact_has_another_size, UNREADABLE,
          "an index has as many bytes as its reference says", RL_4264, "V16", "1.7"),
    check(52, p.artifact_has_another_digest, UNREADABLE,
          "an index has the digest that its reference says", RL_4264, "V16", "1.7"),
    check(53, p.artifact_is_miscounted, UNREADABLE,
          "an index has as many lines as its reference says", RL_4264, "V16", "1.7"),
)  # fmt: skip
RESTORED: Final = (
    check(100, p.restore_has_the_old_id, RESTORE, "a restore runs under an id of its own",
          RL_4266, "4.1", "I20"),
    check(101, p.member_stands_in_another_list, RESTORE,
          "a restored result stands in the list of its component", RL_4264, "1.7", "V25"),
    check(102, p.member_comes_twice, RESTORE, "a participant is restored once",
          RL_4264, "V25", "1.7"),
    check(103, p.member_is_missing, RESTORE, "every participant that has committed is restored",
          RL_4266, "V23", "4.1"),
    check(104, p.member_is_a_stranger, RESTORE, "nobody is restored who has not committed",
          RL_4266, "V23", "4.1"),
    check(105, p.source_is_another, RESTORE,
          "every participant is restored from the checkpoint of the snapshot", RL_4266, "V23"),
    check(106, p.restored_index_is_another, RESTORE,
          "what a participant has restored is indexed as it was committed",
          RL_4266, "V22", "4.1"),
    check(107, p.restored_counts_differ, RESTORE,
          "a participant restores as much as it committed", DECISION, "V22"),
)  # fmt: skip
