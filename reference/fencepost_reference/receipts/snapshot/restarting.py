"""What a restart keeps of a snapshot: continuations, staged rows, groups."""

from collections.abc import Iterable, Mapping

import attrs

from fencepost_reference.receipts.ledger.state import State
from fencepost_reference.receipts.snapshot.asking import first
from fencepost_reference.receipts.snapshot.joining import (
    current_attempts,
    required_staging_keys,
)
from fencepost_reference.receipts.snapshot.values import Continuation, Snapshot
from fencepost_spec.receipts.snapshot.continuation_facts import ContinuationFacts
from fencepost_spec.receipts.snapshot.results import CheckpointTopology
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

TURN = "turn"


@attrs.frozen
class Restart:
    """What is to be done between the restore of the participants and their resume.

    `canonical` are groups to be let go. `sources` go to the ledger's `prepare_for_restart`: an
    agent refuses them all, also those whose continuation is given up. The replacement of each
    continuation in `given_up` is discarded at its agent before admission opens.
    """

    canonical: tuple[str, ...]
    sources: tuple[Key, ...]
    kept: tuple[Continuation, ...]
    given_up: tuple[tuple[Continuation, Rule], ...]
    expected_rows: frozenset[str]
    unreferenced_rows: tuple[str, ...]

    @property
    def discards(self) -> tuple[Key, ...]:
        """The replacements that agents have to discard."""
        return tuple(continuation.replacement for continuation, _ in self.given_up)


def plan_restart(
    snapshot: Snapshot,
    topology: CheckpointTopology | None,
    *,
    levels: Mapping[str, str] | None = None,
    planned: Iterable[str] = (),
    spec: SnapshotSpec = SNAPSHOT,
) -> Restart:
    """What a restart keeps and gives up.

    `levels` has the recovery level of a group ("turn", "sibling", "prompt_group") where it is not
    single turns. Without a topology no participant was restored, and nothing is to be discarded.
    """
    documents = snapshot.documents
    finalized = frozenset(group.group_id for group in documents.replay.groups)
    ledger = documents.ledger
    canonical = tuple(sorted(finalized & set(ledger.groups)))
    kept: list[Continuation] = []
    given_up: list[tuple[Continuation, Rule]] = []
    continuations = snapshot.continuations if topology is not None else ()
    for continuation in continuations:
        facts = _facts(continuation, ledger, finalized, topology, levels or {})
        answer = first(spec.restart.discard, facts, continuation.capture_key)
        if answer is None:
            kept.append(continuation)
        else:
            given_up.append((continuation, answer.rule))
    rows = (key for one in kept for key in one.staging_keys)
    expected = required_staging_keys(ledger, (), canonical=finalized, planned=(*planned, *rows))
    return Restart(
        canonical,
        tuple(continuation.source for continuation in continuations),
        tuple(kept),
        tuple(given_up),
        expected,
        tuple(sorted(set(documents.rows.staging) - expected)),
    )


def _facts(
    continuation: Continuation,
    ledger: State,
    finalized: frozenset[str],
    topology: CheckpointTopology | None,
    levels: Mapping[str, str],
) -> ContinuationFacts:
    unfinished = {
        Key(rollout_id, number)
        for rollout_id, number, status in current_attempts(ledger, finalized)
        if status != "sealed"
    }
    group_id = continuation.source.rollout_id.rpartition("_g")[0]
    none: frozenset[str] = frozenset()
    return ContinuationFacts(
        has_owner=continuation.source in unfinished,
        resumes=levels.get(group_id, TURN) == TURN,
        dependencies=continuation.dependencies,
        restart_only=none if topology is None else topology.resources("restart_only"),
    )
