"""The participants of a deployment: cores of the reference, each behind the same few methods.

What one of them writes into a checkpoint directory others can read: `Shared` stands for that disk.
Not decided here: what the network does to a call (`network`), what the work does (`driver`).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

import attrs

from fencepost.adapters.resources import CoreResources
from fencepost.controller.scene import Standing
from fencepost.controller.trees import Files, Tree, model_tree, resources_tree
from fencepost.participant import Answer
from fencepost.policy_model.core_adapter import CoreModel
from fencepost.policy_model.files import fingerprint, index_of
from fencepost.policy_model.participant import DataCall
from fencepost.policy_model.participant import Settings as ModelSettings
from fencepost.policy_model.showing import headers_of
from fencepost.resources import participant as resources_contract
from fencepost.trace.lines import At, JsonObject
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model.actions import SetIndex
from fencepost_reference.receipts.policy_model.custody import boundary_rows
from fencepost_reference.receipts.policy_model.state import Lineage
from fencepost_reference.receipts.resources.actions import SetDirectory
from fencepost_reference.receipts.resources.state import Directory
from fencepost_reference.receipts.state import Boundary
from fencepost_spec.receipts.policy_model.wire import MODEL_REQUESTS
from fencepost_spec.receipts.resources.wire import REQUESTS as RESOURCES_REQUESTS
from fencepost_spec.receipts.versions import SCHEMA_VERSION
from fencepost_spec.vocabulary import Key

RESPONSES = "/v1/responses"


Named = tuple[tuple[Key, int], ...]


class Shared:
    """The disk that all processes see: what participants wrote, by directory, and their indexes."""

    def __init__(self) -> None:
        self._written: dict[str, list[JsonObject]] = {}
        self._trees: dict[tuple[At, str], Files] = {}

    def write(self, writer: At, directory: str, tree: Tree) -> None:
        """Write what a participant leaves in a checkpoint directory."""
        self._trees[writer, directory] = tree.files
        if tree.index is not None:
            self._written[str(tree.index["sha256"])] = list(tree.documents)

    def files(self, writer: At, directory: str) -> Files:
        """What a participant has left in a checkpoint directory, by path."""
        return dict(self._trees.get((writer, directory), {}))

    def read(self, reference: JsonObject) -> list[JsonObject] | None:
        """What a reference names, or None when nothing like it was written."""
        return self._written.get(str(reference.get("sha256")))


@attrs.define(eq=False)
class Part(ABC):
    """One participant, and whatever runs inside it."""

    standing: Standing
    root: Path
    shared: Shared

    def lay(self, directory: str, tree: Tree) -> JsonObject:
        """Leave files in a checkpoint directory; the reference to the index, if there is one."""
        self.shared.write(self.standing.at, directory, tree)
        return tree.index or {}

    @abstractmethod
    async def start(self) -> None:
        """Start a process; directories that were committed are still there."""

    @abstractmethod
    async def crash(self) -> None:
        """End the process."""

    @abstractmethod
    def knows(self, op: str) -> bool:
        """Whether there is such an operation."""

    @abstractmethod
    async def call(self, op: str, request: JsonObject) -> Answer:
        """Answer a call; cancelling it is the client going away."""

    @abstractmethod
    async def report(self) -> JsonObject:
        """How it stands."""

    @abstractmethod
    async def settle(self) -> None:
        """Return when nothing moves."""

    @abstractmethod
    async def advance(self, seconds: float) -> None:
        """Let time pass."""

    @abstractmethod
    async def fail(self, step: str) -> None:
        """Let the next storage step of that kind fail."""

    @abstractmethod
    def calm(self) -> None:
        """No storage step fails from now on."""


@attrs.define(eq=False)
class ModelPart(Part):
    """A policy model, with the calls that are in flight."""

    model: CoreModel = attrs.field(factory=CoreModel)
    tickets: dict[str, Key] = attrs.field(factory=dict[str, Key])
    _numbers: int = 0

    async def start(self) -> None:
        """Start a process; its ledger is on disk, but a restart begins with an empty one."""
        self.tickets.clear()
        settings = ModelSettings(server_name=self.standing.instance)
        await self.model.start(self.root, settings, self._cancelled, fresh=True)

    async def crash(self) -> None:
        """End the process."""
        await self.model.crash()

    def knows(self, op: str) -> bool:
        """Whether there is such an operation."""
        return op in MODEL_REQUESTS

    async def call(self, op: str, request: JsonObject) -> Answer:
        """Answer a control call; what a commit wrote can be read by its reference."""
        answer = await self.model.control(op, request, None)
        if op not in ("commit", "restore") or answer.status != 200:
            return answer
        directory = str(request["checkpoint_dir"])
        content, inactive = self.model.state.disk[directory], answer.body.get("excluded_inactive")
        references = self._references(directory)
        tree = model_tree(self.standing.instance, content, inactive or 0, references)
        body = answer.body | {"storage_reference_index": self.lay(directory, tree)}
        if op == "commit":
            body["manifest_digest"] = tree.manifest_digest
        return Answer(200, body)

    def _references(self, directory: str) -> list[JsonObject]:
        content = self.model.state.disk[directory]
        lineages = {name: Lineage(rows) for name, rows in content.lineages}
        return [
            {
                "schema_version": SCHEMA_VERSION,
                "capture_key": root.capture_key,
                "boundary_model_call_id": root.call_id,
                "kind": "token_capture_staging",
                "key": row.storage_key,
            }
            for root in content.roots
            for row in boundary_rows(lineages.get(root.capture_key), root)[:1]
            if row.storage_key is not None
        ]

    async def index(self, reference: JsonObject, documents: list[JsonObject]) -> None:
        """An agent has written an index."""
        path = str(reference["relative_path"])
        written = attrs.evolve(index_of(path, documents), digest=fingerprint(reference))
        core, state = self.model.core, self.model.state
        self.model.state = core.step(state, SetIndex(path, written)).state

    async def admit(self, key: Key) -> str | None:
        """A call of an attempt reaches the gate: its ticket, or None when it is refused."""
        self._numbers += 1
        ticket = f"t{self._numbers}"
        headers = tuple((name, value) for name, value in headers_of(key))
        answer = await self.model.admit(DataCall(ticket, RESPONSES, headers))
        if answer.code is not None:
            return None
        self.tickets[ticket] = key
        return ticket

    async def answer(self, ticket: str, call_id: str) -> None:
        """A call writes its row and ends."""
        row = {"model_call_id": call_id, "failure_reason": None, "storage_key": f"s-{call_id}"}
        await self.model.record(ticket, row)
        del self.tickets[ticket]
        await self.model.release(ticket)

    def _cancelled(self, _ticket: str) -> None:
        """A call sees its cancellation; it ends when the participant settles."""

    async def release(self, key: Key) -> None:
        """The calls of an attempt end: their caller has gone."""
        for ticket in [name for name, one in self.tickets.items() if one == key]:
            del self.tickets[ticket]
            await self.model.release(ticket)

    async def report(self) -> JsonObject:
        """A status body."""
        return await self.model.report()

    async def settle(self) -> None:
        """Return when nothing moves."""
        await self.model.settle()

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        await self.model.advance(seconds)

    async def fail(self, step: str) -> None:
        """Let the next storage step of that kind fail."""
        await self.model.fail(step)

    def calm(self) -> None:
        """No storage step fails from now on."""
        self.model.state = change(self.model.state, failing=())


@attrs.define(eq=False)
class ResourcesPart(Part):
    """A resources server, whose handlers answer at once."""

    server: CoreResources = attrs.field(factory=CoreResources)
    _beside: dict[str, dict[str, Named]] = attrs.field(factory=dict[str, dict[str, Named]])

    async def start(self) -> None:
        """Start a process."""
        contract = {"stateless": "stateless"}.get(self.standing.mode, "serialized_per_session")
        settings = resources_contract.Settings(self.standing.instance, self.standing.mode, contract)
        await self.server.start(self.root, settings, _served)

    async def crash(self) -> None:
        """End the process."""
        await self.server.crash(disk_kept=True)

    def beside(self, agent: str, directory: str, records: Iterable[tuple[Key, Boundary]]) -> None:
        """An agent has left its records in a directory: they name sessions of this server."""
        name, here = self.standing.instance, self._beside.setdefault(directory, {})
        named = [(key, dict(one.revisions)) for key, one in records]
        here[agent] = tuple((key, known[name]) for key, known in named if name in known)
        state = self.server.now
        content = state.disk.get(directory) or Directory("partial")
        sessions = tuple(sorted(one for each in here.values() for one in each))
        left = attrs.evolve(content, agents=sessions)
        step = self.server.core.step(state, SetDirectory(directory, left))
        self.server.state = step.state

    def knows(self, op: str) -> bool:
        """Whether there is such an operation."""
        return op in RESOURCES_REQUESTS

    async def call(self, op: str, request: JsonObject) -> Answer:
        """Answer a control call."""
        answer = await self.server.control(op, request, None)
        if op != "commit" or answer.status != 200:
            return Answer(answer.status, answer.body)
        directory = str(request["checkpoint_dir"])
        tree = resources_tree(self.standing.instance, self.server.now.disk[directory])
        self.lay(directory, tree)
        return Answer(200, answer.body | {"manifest_digest": tree.manifest_digest})

    async def report(self) -> JsonObject:
        """A status body."""
        return await self.server.report()

    async def settle(self) -> None:
        """Return when nothing moves."""
        await self.server.settle()

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        await self.server.advance(seconds)

    async def fail(self, step: str) -> None:
        """Let the next storage step of that kind fail."""
        await self.server.fail(step)

    def calm(self) -> None:
        """No storage step fails from now on."""
        self.server.state = change(self.server.now, failing=())


async def _served(
    _request: JsonObject, _rollout: str | None, _attempt: int | None
) -> resources_contract.Answer:
    return resources_contract.Answer(200, {})
