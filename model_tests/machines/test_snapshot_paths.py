"""Folders may be named by a text as well as by a path, and a refusal names the one it is about."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fencepost.snapshot.specimens import topology
from fencepost_reference.runtime import AgentParticipant, Execution
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.storage.errors import CheckpointRefused
from fencepost_reference.storage.reader import read_checkpoint
from fencepost_reference.storage.snapshot_reading import (
    SnapshotRefused,
    candidate_in,
    manifest_in,
    read_snapshot,
)
from fencepost_reference.storage.snapshots import SnapshotStore


@pytest.mark.parametrize("kind", [str, Path])
def test_a_refusal_names_the_snapshot_that_is_not_there(
    kind: type[str] | type[Path], tmp_path: Path
) -> None:
    """Whoever reads the message sees which of many folders was looked into."""
    missing = tmp_path / "none"
    for read in (read_snapshot, manifest_in):
        with pytest.raises(SnapshotRefused) as refused:
            read(kind(missing))
        assert str(refused.value).startswith(f"{missing / 'manifest.json'}: ")
        assert refused.value.where == "manifest.json"
    assert candidate_in(kind(missing), 3).manifest is None
    with pytest.raises(CheckpointRefused):
        read_checkpoint(kind(missing), "a")


@pytest.mark.parametrize("kind", [str, Path])
def test_a_root_may_be_a_text(kind: type[str] | type[Path], tmp_path: Path) -> None:
    """Settings files hold texts; nobody has to make paths of them."""
    store = SnapshotStore(kind(tmp_path))
    folder = SnapshotFolder(kind(tmp_path), topology(), bootstrap_fingerprint="f" * 64)

    async def work(_execution: Execution, _body: Mapping[str, Any]) -> None:
        """Do nothing."""

    (tmp_path / "trainer").mkdir()
    assert store.candidates() == ()
    assert folder.open(0, 0, checkpoint=kind(tmp_path / "trainer")).snapshot is None
    assert AgentParticipant(handler=work, checkpoint_root=kind(tmp_path)) is not None
