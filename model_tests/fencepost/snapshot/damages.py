"""Everything that can be wrong with a snapshot as a whole, one thing at a time, by rule.

Shapes are damaged elsewhere, field by field; here stand the relations between values.
"""

import attrs

from fencepost.snapshot import specimens as s
from fencepost.snapshot import spoiling as spoil
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_spec.receipts.snapshot import names


@attrs.frozen
class Damage:
    """One thing that is wrong, and the rule that says so."""

    rule: str
    says: str
    spoil: spoil.Spoil


_OTHER = "0" * 64
_STRAY = {"sha256": _OTHER, "bytes": 0}
_MODEL, _INDEX = f"{s.POLICY}/manifest.json", s.REFERENCES
_A1, _B0 = "a_g1", "b_g0"

# fmt: off
_ROWS: tuple[tuple[int, str, spoil.Spoil], ...] = (
    (2, "no manifest", spoil.bytes_of(lambda files: files.pop(names.MANIFEST))),
    (3, "a manifest that is no JSON", spoil.bytes_of(lambda f: f.update({names.MANIFEST: b"{"}))),
    (3, "a member twice",
     spoil.bytes_of(lambda f: f.update({names.MANIFEST: f[names.MANIFEST].replace(
         b"{", b'{"current_epoch": 1, ', 1)}))),
    (10, "weights of an earlier step", spoil.moment(5, 4)),
    (10, "weights of a later step", spoil.moment(4, 5)),
    (11, "step 0 of nobody knows what", spoil.moment(0, 0)),
    (12, "a commit without topology", spoil.manifest(gym_topology_fingerprint=None)),
    (12, "a topology without commit", spoil.manifest(gym_checkpoint=None)),
    (13, "an unlisted config", spoil.listed(lambda files: files.pop(names.CONFIG))),
    (14, "a listed stranger", spoil.listed(lambda files: files.update({"notes.txt": _STRAY}))),
    (15, "no config", spoil.gone(names.CONFIG)),
    (16, "a longer config", spoil.longer(names.CONFIG)),
    (16, "a config that was cut off", spoil.shorter(names.CONFIG)),
    (16, "an empty dataloader", spoil.bytes_of(lambda f: f.update({names.DATALOADER: b""}))),
    (17, "another config of that size",
     spoil.bytes_of(lambda f: f.update({names.CONFIG: b"seed: 2\n"}))),
    (20, "two participants at one server", spoil.named(s.FILES, server_name=f"server-{s.TOOLS}")),
    (21, "two servers for one name", spoil.found(spoil.twin)),
    (22, "participants out of order", spoil.unsorted),
    (23, "a model without a role", spoil.able("judge", instance_role=None)),
    (24, "a policy that is no model", spoil.able(s.FILES, instance_role="policy")),
    (25, "no policy", spoil.able(s.POLICY, instance_role="auxiliary")),
    (25, "a policy that exports nothing", spoil.able(s.POLICY, checkpoint_mode="restart_only")),
    (26, "unmanaged workers",
     spoil.able(s.FILES, multi_process={"mode": "unmanaged", "num_workers": 2})),
    (27, "an agent that exports nothing",
     spoil.joining(names.AGENT, "old", "restart_only")),
    (28, "an agent without features", spoil.able(s.CRITIC, features=[])),
    (28, "an agent that indexes nothing",
     spoil.able(s.CRITIC, features=["completed_result_acknowledgement",
                                    "discard_restored_continuation_v1",
                                    "agent_resource_dependency_index_v1"])),
    (29, "a policy without references", spoil.able(s.POLICY, features=[])),
    (30, "an agent that cannot discard",
     spoil.able(s.CRITIC, features=["completed_result_acknowledgement",
                               "agent_continuation_index_v1"])),
    (31, "another id", lambda world: setattr(world, "wanted_id", "other")),
    (32, "other participants", spoil.another_topology),
    (33, "an agent among other lists", spoil.commit(spoil.misplaced)),
    (34, "an agent twice", spoil.commit(spoil.twice("agents"))),
    (35, "an agent too few", spoil.commit(lambda result: result["agents"].pop(1))),
    (35, "a resources server more than committed",
     spoil.joining(names.RESOURCES, "more", "export_restore")),
    (36, "a resources server that only restarts has committed",
     spoil.able(s.TOOLS, checkpoint_mode="restart_only")),
    (40, "a manifest above the directory", spoil.at("../manifest.json")),
    (40, "a manifest at the root", spoil.at("/etc/manifest.json")),
    (41, "one manifest for two", spoil.commit(spoil.shared)),
    (42, "a manifest elsewhere", spoil.at("agent/manifest.json")),
    (43, "a manifest that is gone", spoil.gone(_MODEL)),
    (43, "a server's manifest that is gone", spoil.gone(f"{s.TOOLS}/manifest.json")),
    (44, "another manifest", spoil.longer(_MODEL)),
    (44, "another manifest of that size", spoil.spaced_out(_MODEL)),
    (45, "a manifest of another id", spoil.custody("models", checkpoint_id="other")),
    (45, "a manifest of another id", spoil.custody("agents", checkpoint_id="other")),
    (45, "a manifest of another id", spoil.custody("resources", checkpoint_id="other")),
    (46, "a manifest with another index",
     lambda world: world.custody("agents", spoil.another_index)),
    (47, "a manifest with other counts", spoil.custody("agents", records=7)),
    (47, "a manifest with other sessions", spoil.custody("resources", files={})),
    (47, "a manifest with other rollouts", spoil.custody("models", rollouts={})),
    (50, "an index that is gone", spoil.gone(_INDEX)),
    (51, "a longer index", spoil.longer(_INDEX)),
    (51, "an index that was cut off", spoil.shorter(_INDEX)),
    (51, "an index with a space more", spoil.spaced(_INDEX)),
    (52, "another index of that size", spoil.flipped(_INDEX)),
    (52, "an index in another order of fields", spoil.reordered(_INDEX)),
    (53, "an index of fewer lines", spoil.miscounted),
    (53, "an index of more lines", spoil.overcounted),
    (60, "one capture key twice", spoil.line("agents", 1, rollout_id=_A1, capture_key=_A1)),
    (60, "a continuation twice", spoil.added("agents", 0)),
    (61, "two attempts of one rollout",
     spoil.added("agents", 0, attempt_index=3, capture_key=f"{_A1}-a3")),
    (62, "a capture key of another rollout", spoil.line("agents", 0, capture_key="a_g0")),
    (62, "a capture key of another rollout, which all agree on", spoil.misattributed),
    (62, "a capture key of a later attempt", spoil.line("agents", 1, capture_key=f"{_B0}-a2")),
    (62, "a capture key that no attempt has", spoil.line("agents", 1, capture_key=f"{_B0}-a01")),
    (62, "a capture key with the number of the first attempt",
     spoil.line("agents", 1, capture_key=f"{_B0}-a0")),
    (62, "a capture key with more behind its number",
     spoil.line("agents", 1, capture_key=f"{_B0}-a1x")),
    (63, "an unknown resources server",
     spoil.line("agents", 0, resource_state_revisions={"gone": 1})),
    (64, "a row of nothing that goes on", spoil.added("models", 0, capture_key="old", key="old/0")),
    (65, "a row of another call", spoil.line("models", 0, boundary_model_call_id="call-1")),
    (66, "a key with two meanings", spoil.line("models", 1, key=f"{_A1}/0")),
    (67, "a reference twice", spoil.added("models", 0)),
    (68, "a pending reply without a row", spoil.unpaired),
    (69, "a lineage of nothing that goes on", spoil.renamed("old")),
    (70, "a sealed attempt that goes on",
     spoil.ledger(Call("mark_sibling_sealed", spoil.seal("a", 1, 0)))),
    (71, "an attempt of tomorrow", spoil.line("agents", 0, attempt_index=1)),
    *((80, f"a data plane of {which} {what}", spoil.metadata(**{field: number}))
      for field, what in (("single_controller_train_steps", "step"),
                          ("single_controller_trainer_version", "version"),
                          ("single_controller_epoch", "epoch"))
      for which, number in (("a later", 9), ("an earlier", 0))),
    (81, "a data plane with another ledger",
     spoil.metadata(rollout_recovery_payload_sha256=_OTHER)),
    (82, "a ledger of a later schema", spoil.metadata(rollout_recovery_schema_version=9)),
    (82, "a ledger of an earlier schema", spoil.metadata(rollout_recovery_schema_version=2)),
    (83, "a ledger of more groups", spoil.metadata(rollout_recovery_group_count=1)),
    (83, "a ledger of fewer groups", spoil.metadata(rollout_recovery_group_count=9)),
    (84, "a data plane with another replay index", spoil.metadata(replay_manifest_digest=_OTHER)),
    (85, "a replay index of a later schema", spoil.metadata(replay_metadata_schema_version=9)),
    (85, "a replay index of an earlier one", spoil.metadata(replay_metadata_schema_version=3)),
    (86, "a replay index of more groups", spoil.metadata(replay_group_count=0)),
    (86, "a replay index of fewer groups", spoil.metadata(replay_group_count=9)),
    (87, "a group indexed twice",
     spoil.replay(lambda groups: groups.append({"group_id": "z", "rows": []}))),
    (88, "a row of two groups",
     spoil.replay(lambda groups: groups.append({"group_id": "y", "rows": ["z_g0"]}))),
    (89, "rows out of order", spoil.rows(lambda rows: rows["staging"].reverse())),
    (89, "a row twice", spoil.rows(lambda rows: rows["canonical"].append("z_g1"))),
    (90, "a canonical row of nobody", spoil.rows(lambda rows: rows["canonical"].append("z_g2"))),
    (90, "a canonical row that is gone", spoil.rows(lambda rows: rows["canonical"].pop())),
    (91, "a staged row that is gone", spoil.rows(lambda rows: rows["staging"].remove("a_g1/0"))),
    (91, "a row of a sealed attempt is gone",
     spoil.rows(lambda rows: rows["staging"].remove("a_g0/0"))),
    (92, "something is owed", spoil.ledger(*spoil.owed())),
    (93, "a step beyond the cursor", spoil.manifest(sampler_dispatch_index=5)),
    (94, "a group of fewer siblings", lambda world: setattr(world, "generations", 2)),
    (94, "groups of more siblings", lambda world: setattr(world, "generations", 1)),
    (100, "a restore under the old id", spoil.restored(lambda r: r.update(operation_id=s.ID))),
    (101, "a restored agent among other lists", spoil.restored(spoil.misplaced)),
    (102, "an agent restored twice", spoil.restored(spoil.twice("agents"))),
    (103, "an agent that was not restored", spoil.restored(lambda r: r["agents"].pop())),
    (104, "a stranger that was restored", spoil.restored(spoil.strange_restore)),
    (105, "an agent from another checkpoint", spoil.source("agents", "source_checkpoint_id")),
    (105, "a model from another checkpoint", spoil.source("models", "checkpoint_id")),
    (105, "a server from another checkpoint", spoil.source("resources", "source_checkpoint_id")),
    (106, "another continuation index", spoil.restored(
        lambda r: r["agents"][0]["result"]["continuation_index"].update(sha256=_OTHER))),
    (106, "another reference index", spoil.restored(
        lambda r: r["models"][0]["result"]["storage_reference_index"].update(sha256=_OTHER))),
    (107, "more records", spoil.restored(lambda r: r["agents"][0]["result"].update(records=9))),
    (107, "fewer records", spoil.restored(lambda r: r["agents"][0]["result"].update(records=0))),
    (107, "fewer rows", spoil.restored(lambda r: r["models"][0]["result"].update(rows=0))),
    (107, "fewer sessions", spoil.restored(
        lambda r: r["resources"][0]["result"].update(sessions=0))),
)
# fmt: on

DAMAGES: tuple[Damage, ...] = tuple(
    Damage(f"R-SNP-{number}", says, change) for number, says, change in _ROWS
)
"""Each thing that can be wrong with the relations of a snapshot."""
