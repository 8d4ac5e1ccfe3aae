"""A whole snapshot in memory: two agents, a policy model, two resources servers, a ledger."""

from typing import Any

import attrs

from fencepost.ledger import samples
from fencepost.snapshot.committed import (
    AGENT,
    CRITIC,
    CURSOR,
    FILES,
    ID,
    PENDING,
    POLICY,
    REFERENCES,
    RESTORE_ID,
    STEP,
    TOOLS,
    Files,
    encode,
    encode_lines,
    identity,
    participants,
)
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.state import State
from fencepost_reference.receipts.snapshot.building import contents_of
from fencepost_reference.receipts.snapshot.values import Capture
from fencepost_spec.receipts.policy_model.wire import LedgerRestoreReply
from fencepost_spec.receipts.replies import RestoreReply
from fencepost_spec.receipts.resources.wire import RestoreReply as ResourcesRestoreReply
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot.results import (
    CheckpointTopology,
    CommitResult,
    ParticipantContract,
    RestoredAgent,
    RestoredModel,
    RestoredResources,
    RestoreResult,
)
from fencepost_spec.receipts.versions import SNAPSHOT_SCHEMA
from fencepost_spec.vocabulary import Key


def contract(
    component: str, name: str, mode: str, role: str | None, *features: str
) -> ParticipantContract:
    """A participant and what it is able to do."""
    return ParticipantContract.model_validate(
        {
            "participant": identity(component, name).model_dump(),
            "capabilities": {
                "checkpoint_mode": mode,
                "concurrency_contract": "serialized_per_session",
                "multi_process": {"mode": "single_worker", "num_workers": 1},
                "instance_role": role,
                "admission_states": ["accepting", "paused"],
                "features": list(features),
            },
        }
    )


__all__ = [
    "AGENT",
    "CRITIC",
    "CURSOR",
    "FILES",
    "ID",
    "PENDING",
    "POLICY",
    "REFERENCES",
    "STEP",
    "TOOLS",
    "Files",
    "encode",
    "encode_lines",
    "identity",
    "participants",
]

_AGENT_FEATURES = (
    "completed_result_acknowledgement",
    "agent_continuation_index_v1",
    "discard_restored_continuation_v1",
    "agent_resource_dependency_index_v1",
)


def topology() -> CheckpointTopology:
    """Two agents, a policy model and a judge, one resources server that exports and one not."""
    able = "export_restore"
    contracts = [
        contract(names.AGENT, AGENT, able, None, *_AGENT_FEATURES),
        contract(names.AGENT, CRITIC, able, None, *_AGENT_FEATURES),
        contract(names.MODEL, POLICY, able, "policy", "external_storage_reference_index_v1"),
        contract(names.MODEL, "judge", "stateless", "auxiliary"),
        contract(names.RESOURCES, TOOLS, able, None),
        contract(names.RESOURCES, FILES, "restart_only", None),
    ]
    contracts.sort(key=lambda one: one.participant.key)
    return CheckpointTopology(schema_version=SNAPSHOT_SCHEMA, contracts=contracts)


def ledger_calls() -> list[Call]:
    """Group a: one sealed, one running. Group b: both on their second try. Group r: reserved."""
    sealed = {"group_id": "a", "generation_index": 0} | samples.result(Key("a_g0", 0))
    return [
        Call("reserve_group", samples.reserve("a", task_source=AGENT)),
        Call("mark_group_dispatched", {"group_id": "a"}),
        Call("mark_sibling_sealed", sealed),
        Call("reserve_group", samples.reserve("b", target_step=6, task_source=CRITIC)),
        Call("mark_group_dispatched", {"group_id": "b"}),
        Call("abandon_unsealed", {"group_id": "b"}),
        Call("prepare_incomplete_retry", {"group_id": "b"}),
        Call("mark_group_dispatched", {"group_id": "b"}),
        Call(
            "reserve_group",
            samples.reserve("r", generations=1, admitted=False, task_source=AGENT),
        ),
    ]


def ledger() -> State:
    """The ledger of the specimen."""
    return samples.lived(ledger_calls())


def sidecar(state: State | None = None) -> dict[str, Any]:
    """What a ledger leaves beside a snapshot."""
    asked = {"batch_shortfall": {5: 1}, "sampler_stamps_target_steps": True}
    call = Call("build_rollout_recovery_state", asked)
    step = LedgerCore().step(ledger() if state is None else state, call)
    body: dict[str, Any] = step.outputs[0].body
    return body


def capture(result: CommitResult | None, step: int = STEP, **changes: Any) -> Capture:
    """Everything that a controller captures, with changes."""
    whole = Capture(
        base_train_step=step,
        trainer_version=step,
        current_epoch=1,
        sampler_dispatch_index=CURSOR,
        mutation_version=17,
        rolled_back_train_group_count=0,
        bootstrap_fingerprint=None if step else "f" * 64,
        partition_id="train",
        sampler_name="window",
        sidecar=sidecar(),
        replay=(("z", ("z_g0", "z_g1")),),
        staging=frozenset({"a_g0/0", "a_g1/0", "b_g0/0", "old/0"}),
        dataloader=b"where the dataset stands",
        config=b"seed: 1\n",
        reserve=b"two spare prompts",
        topology=None if result is None else topology(),
        commit=result,
    )
    return attrs.evolve(whole, **changes)


def restore(commit: CommitResult) -> RestoreResult:
    """What the participants say when they have restored all of it."""
    agents = [
        RestoredAgent(
            participant=one.participant,
            result=RestoreReply(
                records=one.result.records,
                source_checkpoint_id=ID,
                continuation_index=one.result.continuation_index,
            ),
        )
        for one in commit.agents
    ]
    models = [
        RestoredModel(
            participant=one.participant,
            result=LedgerRestoreReply(
                rollouts=one.result.rollouts,
                rows=one.result.rows,
                checkpoint_id=ID,
                tombstones=[],
                source_attempts=[],
                storage_reference_index=one.result.storage_reference_index,
            ),
        )
        for one in commit.models
    ]
    resources = [
        RestoredResources(
            participant=one.participant,
            result=ResourcesRestoreReply(sessions=one.result.sessions, source_checkpoint_id=ID),
        )
        for one in commit.resources
    ]
    return RestoreResult(
        schema_version=SNAPSHOT_SCHEMA,
        operation_id=RESTORE_ID,
        models=models,
        agents=agents,
        resources=resources,
    )


def snapshot_files(**changes: Any) -> Files:
    """Every file of the whole specimen."""
    files, commit = participants()
    contents = contents_of(capture(commit, **changes))
    return {**files, **dict(contents.files), names.MANIFEST: contents.manifest}
