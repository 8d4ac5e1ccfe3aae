"""The records that the core knows by digest only, kept in full."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fencepost_reference.receipts.state import Boundary, State
from fencepost_spec.receipts.saved import AgentBoundaryRecord, read_record
from fencepost_spec.vocabulary import Key

Record = Mapping[str, Any] | AgentBoundaryRecord
Entry = tuple[Key, Boundary]

# Records that nobody needs any more are looked for when there are so many more than live ones.
SPARE_MAX = 64


def boundary_of(record: AgentBoundaryRecord) -> Boundary:
    """What the core needs of a record."""
    return Boundary(
        record.boundary_index,
        record.digest,
        record.attempt_index,
        record.last_committed_model_call_id,
        record.last_committed_model_capture_key,
        record.boundary_kind,
        record.turn_index,
        tuple(sorted(record.resource_state_revisions.items())),
    )


def read(record: Record) -> AgentBoundaryRecord:
    """A record of its own, older ones upgraded, or ValueError when it is none."""
    if isinstance(record, AgentBoundaryRecord):
        return read_record(record.model_dump(mode="json"))
    try:
        # Through text, so that later changes of what was passed do not reach it.
        return read_record(json.loads(json.dumps(dict(record), allow_nan=False)))
    except TypeError as error:
        raise ValueError(f"a record is JSON: {error}") from error


class Records:
    """Full records by digest."""

    def __init__(self) -> None:
        self._by_digest: dict[str, AgentBoundaryRecord] = {}

    def keep(self, record: AgentBoundaryRecord) -> Boundary:
        """Keep a record, and return what stands for it."""
        boundary = boundary_of(record)
        self._by_digest[boundary.digest] = record
        return boundary

    def of(self, boundary: Boundary) -> AgentBoundaryRecord:
        """The record that a boundary stands for, as it was kept."""
        return self._by_digest[boundary.digest]

    def written(self, entries: Iterable[Entry]) -> tuple[AgentBoundaryRecord, ...]:
        """The records as a commit writes them, each under the key that it is exported for."""
        return tuple(self._written(key, boundary) for key, boundary in entries)

    def recognised(
        self, records: Iterable[AgentBoundaryRecord], entries: Iterable[Entry]
    ) -> tuple[Entry, ...]:
        """What lies on disk as entries; a record that one of `entries` would write is that one.

        An exported continuation is written under another key than the one that recorded it, so its
        digest on disk is not the one that the core knows it by.
        """
        ours = {key: boundary for key, boundary in entries if boundary.digest in self._by_digest}
        return tuple(
            (record.key, self._ours(record, ours.get(record.key)) or boundary_of(record))
            for record in records
        )

    def _ours(self, record: AgentBoundaryRecord, boundary: Boundary | None) -> Boundary | None:
        if boundary is None:
            return None
        same = self._written(record.key, boundary).digest == record.digest
        return boundary if same else None

    def _written(self, key: Key, boundary: Boundary) -> AgentBoundaryRecord:
        """The record under a key, its model call under the capture key that the core holds."""
        record = self.of(boundary).under(key)
        capture_key = {"last_committed_model_capture_key": boundary.capture_key}
        return record.model_copy(update=capture_key)

    def prune(self, state: State) -> None:
        """Forget records that the state does not refer to, once there are many of them."""
        live = 2 * len(state.executions) + len(state.pending)
        if len(self._by_digest) <= 2 * live + SPARE_MAX:
            return
        needed = {boundary.digest for boundary in _referred(state)}
        for digest in self._by_digest.keys() - needed:
            del self._by_digest[digest]


def _referred(state: State) -> Iterator[Boundary]:
    for execution in state.executions.values():
        for boundary in (execution.boundary, execution.continuation):
            if boundary is not None:
                yield boundary
    yield from state.pending.values()
    storing = state.fence.storing
    if storing is not None:
        yield from (boundary for _, boundary in storing.records)
        here = state.disk.get(storing.directory)
        if here is not None:
            yield from (boundary for _, boundary in here.records)
