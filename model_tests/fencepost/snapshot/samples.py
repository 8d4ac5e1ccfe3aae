"""For every check of a snapshot what it is there for: worlds, candidates, continuations.

One home for the law that leaves out one check after the other, and for the kill matrix.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from fencepost.ledger import samples
from fencepost.snapshot import specimens as s
from fencepost.snapshot.damages import DAMAGES
from fencepost.snapshot.documents import DOCUMENTS
from fencepost.snapshot.worlds import World, ask
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.snapshot.choosing import Anchor, Candidate, Mode
from fencepost_reference.receipts.snapshot.values import Snapshot
from fencepost_reference.storage.snapshot_reading import SnapshotRefused, read_snapshot
from fencepost_spec.operation import Check
from fencepost_spec.receipts.snapshot.saved import SnapshotManifest
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec

LINKED: Final = SNAPSHOT.checks.place[0]
"""The one check that needs a file system, because a link does."""

_VERSION, _UNKNOWN, _MISSING, _TYPE, _DOMAIN = (one.rule.id for one in SNAPSHOT.checks.shape)


def samples_of(check: Check) -> list[tuple[str, World]]:
    """Worlds that a check refuses, each named: the listed damages, or one field of the manifest."""
    worlds: list[tuple[str, World]] = []
    for damage in DAMAGES:
        if damage.rule == check.rule.id:
            world = World.whole()
            damage.spoil(world)
            worlds.append((damage.says, world))
    manifest = DOCUMENTS["manifest"].get(World.whole())
    fewer = {name: value for name, value in manifest.items() if name != "mutation_version"}
    changes: dict[str, tuple[str, Any]] = {
        _VERSION: ("a manifest of the next version", manifest | {"schema_version": 3}),
        _UNKNOWN: ("a manifest with a key more", manifest | {"more": 1}),
        _MISSING: ("a manifest without a key", fewer),
        _TYPE: ("a text for a number", manifest | {"mutation_version": "1"}),
        _DOMAIN: ("a number below zero", manifest | {"mutation_version": -1}),
    }
    if check.rule.id in changes:
        says, value = changes[check.rule.id]
        world = World.whole()
        DOCUMENTS["manifest"].put(world, value)
        worlds.append((says, world))
    return worlds


def lay_out(files: s.Files, directory: Path) -> Path:
    """Write files below a directory, and nothing else."""
    for name, data in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return directory


def rule_of_linked(spec: SnapshotSpec) -> str:
    """What a reader with that specification makes of a snapshot whose folder lies elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        directory = lay_out(s.snapshot_files(), root / "snapshot")
        (directory / "data_plane").rename(root / "elsewhere")
        (directory / "data_plane").symlink_to(root / "elsewhere")
        try:
            read_snapshot(directory, spec=spec)
        except SnapshotRefused as refused:
            return refused.rule.id
        return "believed"


# Which snapshot is chosen.

MANIFEST: Final = SnapshotManifest.model_validate_json(s.snapshot_files()["manifest.json"])
ANCHOR: Final = Anchor(s.STEP, s.STEP)
FINGERPRINT: Final = "f" * 64


def found(number: int, **changes: Any) -> Candidate:
    """A whole candidate that fits the anchor, with changes of its manifest."""
    at_boundary = changes.pop("at_boundary", False)
    return Candidate(number, MANIFEST.model_copy(update=changes), at_boundary)


def broken(number: int) -> Candidate:
    """A candidate that cannot be read."""
    return Candidate(number, None)


SKIPPED: Final[Mapping[str, tuple[Candidate, Anchor, Mode]]] = {
    "R-SNS-1": (broken(9), ANCHOR, "latest"),
    "R-SNS-2": (found(9), ANCHOR, "trainer_checkpoint"),
    "R-SNS-3": (found(9, base_train_step=5), ANCHOR, "latest"),
    "R-SNS-4": (found(9, trainer_version=5), ANCHOR, "latest"),
    "R-SNS-5": (found(9, bootstrap_fingerprint=FINGERPRINT), ANCHOR, "latest"),
}
"""A candidate that each rule passes over, and what is wanted."""

STOPPED: Final[Mapping[str, tuple[Anchor, list[Candidate], bool]]] = {
    "R-SNS-10": (Anchor(0, 0, FINGERPRINT, changed=("seed",)), [], False),
    "R-SNS-11": (ANCHOR, [broken(1), found(2, base_train_step=5)], False),
    "R-SNS-12": (ANCHOR, [found(1), found(2, gym_checkpoint=None)], True),
}
"""What is wanted and found where each rule lets nothing be chosen."""


# What goes on after a restart.


def snapshot() -> Snapshot:
    """The whole specimen."""
    answer = ask(World.whole())
    assert isinstance(answer, Snapshot)
    return answer


def reliant(revisions: dict[str, int] | None) -> Snapshot:
    """The specimen whose first continuation relies on those resources servers."""
    whole = snapshot()
    first, *rest = whole.continuations
    given = None if revisions is None else tuple(revisions.items())
    changed = attrs.evolve(first, revisions=given)
    return attrs.evolve(whole, continuations=(changed, *rest))


def finalized() -> Snapshot:
    """The specimen whose group a has become training data since."""
    whole = snapshot()
    replay = whole.documents.replay
    group = replay.groups[0].model_copy(update={"group_id": "a"})
    documents = attrs.evolve(whole.documents, replay=replay.model_copy(update={"groups": [group]}))
    return attrs.evolve(whole, documents=documents)


def older() -> Snapshot:
    """The specimen whose first continuation is of an attempt that was given up since."""
    whole = snapshot()
    calls = [
        *s.ledger_calls(),
        Call("abandon_unsealed", {"group_id": "a"}),
        Call("prepare_incomplete_retry", {"group_id": "a"}),
    ]
    documents = attrs.evolve(whole.documents, ledger=samples.lived(calls))
    return attrs.evolve(whole, documents=documents)


GIVEN_UP: Final[Mapping[str, list[tuple[Any, dict[str, Any]]]]] = {
    "R-SNR-1": [(finalized, {}), (older, {})],
    "R-SNR-2": [
        (snapshot, {"levels": {"a": "sibling"}}),
        (snapshot, {"levels": {"a": "prompt_group"}}),
    ],
    "R-SNR-3": [
        (lambda: reliant({s.FILES: 1}), {}),
        (lambda: reliant({s.TOOLS: 1, s.FILES: 1}), {}),
    ],
    "R-SNR-4": [(lambda: reliant(None), {})],
}
"""Snapshots of whose continuations the first is given up by each rule."""
