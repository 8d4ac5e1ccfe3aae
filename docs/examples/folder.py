"""A controller whose snapshots lie in a folder, an agent that writes below them, and a restart.

The agent is the one of the library. A snapshot wants a policy model too: the one here has seen no
call of a model, so what it writes says that there is nothing.
"""

import asyncio
import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fencepost_reference.receipts.controller.actions import SnapshotDue, Submit
from fencepost_reference.runtime import AgentParticipant, Answer, Execution, Lost
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.runtime.controlling.keeping import FolderController
from fencepost_reference.runtime.controlling.outside import NoAnswer, Rows
from fencepost_spec.receipts.policy_model.saved import LedgerManifest
from fencepost_spec.receipts.policy_model.wire import STORAGE_REFERENCES
from fencepost_spec.receipts.saved import boundary_record
from fencepost_spec.receipts.snapshot.participant_facts import AGENT_FEATURES, RESTART_FEATURES
from fencepost_spec.receipts.snapshot.results import CheckpointTopology
from fencepost_spec.receipts.versions import SAVED_SCHEMA, SCHEMA_VERSION, SNAPSHOT_SCHEMA
from fencepost_spec.vocabulary import canonical_json, digest_of

FINGERPRINT = digest_of({"weights": "those that this run begins with"})
DONE = asyncio.Event()


async def work(run: Execution, body: Mapping[str, Any]) -> Any:
    """One turn, then a long second one."""
    assert run.key is not None  # A controller names each run.
    record = run.continuation
    print(f"{body['_ng_rollout_id']} attempt {run.attempt} {'goes on' if record else 'begins'}")
    if record is None:
        await run.boundary(boundary_record(run.key, 0, created_at=0, agent_state={"said": "one"}))
    async with run.external_wait():
        await DONE.wait()
    return {"said": "two"}


class AgentClient:
    """How the controller reaches the agent. Both have the same instance name."""

    kind, mode = "agent", "export_restore"

    def __init__(self, agent: AgentParticipant, instance: str) -> None:
        self.agent, self.instance, self.directory = agent, instance, Path()

    def call(self, op: str, request: dict[str, Any]) -> Any:
        """Call an operation: it leaves now, whenever it is awaited."""
        asked = self.agent.run(request) if op == "run" else self.agent.control(op, request)
        self.directory = Path(request.get("checkpoint_dir", self.directory))
        return self._answered(asyncio.create_task(asked))

    async def _answered(self, asked: "asyncio.Task[Answer]") -> Answer:
        try:
            return await asked
        except Lost as lost:
            raise NoAnswer from lost

    async def read(self, reference: dict[str, Any]) -> list[dict[str, Any]]:
        """The lines of an index that the agent has written."""
        text = (self.directory / reference["relative_path"]).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]


class QuietModel:
    """A policy model that nobody has called."""

    kind, mode, instance = "model", "export_restore", "policy"

    async def call(self, op: str, request: dict[str, Any]) -> Answer:
        """Call an operation."""
        if op == "commit":
            return Answer(200, self._written(request))
        if op == "restore":
            return Answer(200, self._read(request))
        return Answer(200, {"state": "paused" if op in ("pause", "status") else "accepting"})

    async def read(self, reference: dict[str, Any]) -> list[dict[str, Any]]:
        """It refers to nothing."""
        del reference
        return []

    def _written(self, request: dict[str, Any]) -> dict[str, Any]:
        place = Path(request["checkpoint_dir"]) / "model-ledger" / self.instance
        place.mkdir(parents=True)
        indexes = [Path(request["checkpoint_dir"]) / one["relative_path"]
                   for one in request["continuation_indexes"]]  # fmt: skip
        roots = [json.loads(line) for one in indexes for line in one.read_text().splitlines()]
        (place / "storage-references.jsonl").write_bytes(b"")
        manifest = LedgerManifest.model_validate(
            {
                "schema_version": SAVED_SCHEMA,
                "checkpoint_id": request["checkpoint_id"],
                "server_name": self.instance,
                "rollouts": {},
                "bytes": 0,
                "tombstones": [],
                "source_attempts": [
                    {name: root[name] for name in ("rollout_id", "attempt_index")} for root in roots
                ],
                "continuation_roots": len(roots),
                "continuation_roots_sha256": digest_of(roots),
                "excluded_inactive": 0,
                "storage_reference_index": self._index(),
            }
        ).model_dump(mode="json")
        text = canonical_json(manifest).encode()
        (place / "manifest.json").write_bytes(text)
        counts = ("rollouts", "rows", "excluded_tombstoned", "excluded_inactive")
        return {
            **dict.fromkeys(counts, 0),
            "manifest_digest": hashlib.sha256(text).hexdigest(),
            "storage_reference_index": self._index(),
        }

    def _index(self) -> dict[str, Any]:
        return {
            "schema_version": SCHEMA_VERSION,
            "relative_path": f"model-ledger/{self.instance}/storage-references.jsonl",
            "sha256": hashlib.sha256(b"").hexdigest(),
            "records": 0,
            "bytes": 0,
        }

    def _read(self, request: dict[str, Any]) -> dict[str, Any]:
        place = Path(request["checkpoint_dir"]) / "model-ledger" / self.instance
        manifest = json.loads((place / "manifest.json").read_bytes())
        names = ("checkpoint_id", "tombstones", "source_attempts", "storage_reference_index")
        return {"rollouts": 0, "rows": 0} | {name: manifest[name] for name in names}


def contract(component: str, name: str, role: str | None, features: list[str]) -> dict[str, Any]:
    """A participant as a controller has found it."""
    return {
        "participant": {
            "server_name": f"server-of-{name}",
            "component": component,
            "participant_name": name,
        },
        "capabilities": {
            "checkpoint_mode": "export_restore",
            "concurrency_contract": "serialized_per_session",
            "multi_process": {"mode": "single_worker", "num_workers": 1},
            "instance_role": role,
            "admission_states": ["accepting", "draining", "paused"],
            "features": features,
        },
    }


AGENT_CAN = [*AGENT_FEATURES, *RESTART_FEATURES]
TOPOLOGY = CheckpointTopology.model_validate(
    {
        "schema_version": SNAPSHOT_SCHEMA,
        "contracts": [
            contract("responses_api_agents", "a", None, AGENT_CAN),
            contract("responses_api_models", "policy", "policy", [STORAGE_REFERENCES]),
        ],
    }
)


async def finalizer(group_id: str, rows: Rows) -> str:
    """Take the rows of a group for training."""
    print("trained on", group_id, [f"{key.rollout_id} attempt {key.attempt}" for key, _ in rows])
    return "committed"


async def process(root: Path) -> tuple[FolderController, AgentParticipant]:
    """A new process of the controller, and one of the agent beside it."""
    agent = AgentParticipant(handler=work, instance_name="a")
    clients = (AgentClient(agent, "a"), QuietModel())
    folder = SnapshotFolder(root, TOPOLOGY, bootstrap_fingerprint=FINGERPRINT, keep_latest_k=2)
    controller = FolderController(folder, clients, finalizer)
    found = await controller.start(train_step=0, trainer_version=0)
    number = None if found.snapshot is None else found.snapshot.number
    print("starts from", "nothing" if number is None else f"snapshot {number}")
    return controller, agent


async def main(root: Path) -> None:
    """A snapshot of half-done work, a crash of everybody, and the rest of the work."""
    controller, agent = await process(root)
    controller.tell(Submit("g1", siblings=2, granularity="sibling", agent="a"))
    await asyncio.sleep(0.2)
    controller.offer(SnapshotDue())
    await asyncio.sleep(0.5)
    for ending in controller.endings:
        print("saved" if ending.saved else f"not saved, {ending.reason}: {ending.why}")
    controller.end()
    await agent.aclose()

    controller, agent = await process(root)
    await asyncio.sleep(0.5)
    DONE.set()
    await asyncio.sleep(0.5)
    controller.end()
    await agent.aclose()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        # Participants are told where to write by an absolute path.
        asyncio.run(main(Path(name).resolve() / "snapshots"))
