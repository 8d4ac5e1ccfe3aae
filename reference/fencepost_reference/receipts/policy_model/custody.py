"""What is known before the ledger is copied, and what a commit would write."""

from collections import Counter

from fencepost_reference.receipts.policy_model.state import (
    Checkpoint,
    Index,
    Lineage,
    Root,
    Row,
    State,
    Storing,
    is_refused,
)
from fencepost_spec.receipts.policy_model.custody import ExistingFacts, RestoreFacts, RootFacts

READABLE = frozenset({"committed"})


def indexes_of(state: State, storing: Storing) -> tuple[Index | None, ...]:
    """The indexes that a commit names; None for one that is not what its reference says."""
    found: list[Index | None] = []
    for path, digest in storing.indexes:
        index = state.indexes.get(path)
        fits = index is not None and index.roots is not None and index.digest == digest
        found.append(index if fits else None)
    return tuple(found)


def roots_of(state: State, storing: Storing) -> tuple[Root, ...]:
    """All roots of the indexes that can be read."""
    indexes = indexes_of(state, storing)
    return tuple(root for index in indexes if index is not None for root in index.roots or ())


def boundary_rows(lineage: Lineage | None, root: Root) -> list[Row]:
    """The successful rows of the call of a root."""
    rows = () if lineage is None else lineage.rows
    return [row for row in rows if row.call_id == root.call_id and row.failure is None]


def root_facts(state: State, storing: Storing) -> RootFacts:
    """What is known about the roots of a commit."""
    roots = roots_of(state, storing)
    refused = {key.capture_key for key in state.history.refused}
    lineages = {root.capture_key: state.lineages.get(root.capture_key) for root in roots}
    counts = {root: len(boundary_rows(lineages[root.capture_key], root)) for root in roots}
    known = [root for root in counts if lineages[root.capture_key] is not None]
    keys = [row.storage_key for root in counts for row in _boundary(lineages, root)]
    stored = Counter(key for key in keys if key is not None)
    distinct = Counter(root.capture_key for root in counts)
    return RootFacts(
        unreadable=None in indexes_of(state, storing),
        repeated=len(counts) < len(roots),
        conflicting=max(distinct.values(), default=0) > 1,
        refused=any(is_refused(state, root.key) or root.capture_key in refused for root in roots),
        without_lineage=len(known) < len(counts),
        damaged=any(one is not None and one.damaged for one in lineages.values()),
        boundary_missing=any(counts[root] == 0 for root in known),
        boundary_ambiguous=any(counts[root] > 1 for root in known),
        storage_key_repeated=max(stored.values(), default=0) > 1,
    )


def _boundary(lineages: dict[str, Lineage | None], root: Root) -> list[Row]:
    """The row of the boundary call, as a reference would name it: the first."""
    return boundary_rows(lineages[root.capture_key], root)[:1]


def content_of(state: State, storing: Storing) -> tuple[Checkpoint, tuple[int, int]]:
    """What a commit writes, and how many lineages it leaves out: aborted ones, and inactive."""
    roots = tuple(sorted(set(roots_of(state, storing))))
    history = state.history
    named = {root.capture_key for root in roots}
    refused = {key.capture_key for key in history.refused}
    others = set(state.lineages) - named
    written = sorted((name, state.lineages[name].rows) for name in named & set(state.lineages))
    content = Checkpoint(
        "committed",
        state.fence.active,
        state.server,
        tuple(written),
        tombstones=tuple(sorted(history.refused)),
        sources=tuple(sorted({*history.sources, *(root.key for root in roots)})),
        roots=roots,
    )
    aborted = len(others & refused)
    return content, (aborted, len(others) - aborted)


def references_of(content: Checkpoint) -> int:
    """How many boundary calls refer to the external storage."""
    lineages = {name: Lineage(rows) for name, rows in content.lineages}
    rows = [boundary_rows(lineages.get(root.capture_key), root)[:1] for root in content.roots]
    return sum(1 for found in rows for row in found if row.storage_key is not None)


def existing_facts(here: Checkpoint, wanted: Checkpoint) -> ExistingFacts:
    """How what lies in a directory differs from what a commit would write there."""
    return ExistingFacts(
        unreadable=here.kind not in READABLE or here.damaged,
        other_checkpoint=here.id != wanted.id,
        other_server=here.server != wanted.server,
        other_tombstones=here.tombstones != wanted.tombstones,
        other_sources=here.sources != wanted.sources,
        other_roots=here.roots != wanted.roots,
        other_lineages=here.lineages != wanted.lineages,
    )


def restore_facts(state: State, storing: Storing) -> RestoreFacts:
    """What is known about a directory that is to be restored, and about the live ledger."""
    here = state.disk.get(storing.directory, Checkpoint("partial"))
    written = dict(here.lineages)
    return RestoreFacts(
        absent=here.kind == "partial",
        unreadable=here.kind == "garbled",
        newer=here.kind == "newer",
        other_server=here.kind in READABLE and here.server != state.server,
        damaged=here.damaged,
        in_flight=bool(state.tickets),
        strangers=bool(set(state.lineages) - set(written)),
        differs=any(
            name in written and lineage != Lineage(written[name])
            for name, lineage in state.lineages.items()
        ),
    )
