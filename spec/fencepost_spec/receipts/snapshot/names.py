"""The names in a snapshot directory, and of snapshot directories beside each other.

    snapshot_000007/
        data_plane/metadata.json    what binds the data plane to the rest
        data_plane/rows.json        which rows it holds
        replay_metadata.json        the index of canonical rows
        rollout_recovery.json       the ledger and two facts of the sampler
        train_dataloader.pt         not looked into
        config.yaml                 not looked into
        replacement_reserve.pt      not looked into, and there only when it is not empty
        agent/… model-ledger/… resources/…    what participants committed
        manifest.json               written last

Not decided here: when each is written. Pure; imports the standard library only.
"""

import hashlib
import re
from typing import Final

MANIFEST: Final = "manifest.json"
METADATA: Final = "data_plane/metadata.json"
ROWS: Final = "data_plane/rows.json"
REPLAY: Final = "replay_metadata.json"
RECOVERY: Final = "rollout_recovery.json"
DATALOADER: Final = "train_dataloader.pt"
CONFIG: Final = "config.yaml"
RESERVE: Final = "replacement_reserve.pt"

REQUIRED: Final = (METADATA, ROWS, REPLAY, RECOVERY, DATALOADER, CONFIG)
OPTIONAL: Final = (RESERVE,)

AGENT: Final = "responses_api_agents"
MODEL: Final = "responses_api_models"
RESOURCES: Final = "resources_servers"

TEMPORARY_PREFIX: Final = "tmp_"
TRASH_PREFIX: Final = "trash_"

_NAME: Final = re.compile(r"snapshot_([0-9]{6,})")


def snapshot_name(number: int) -> str:
    """The name of a snapshot directory.

    >>> snapshot_name(7)
    'snapshot_000007'
    """
    return f"snapshot_{number:06d}"


def number_of(name: str) -> int | None:
    """The number in the name of a snapshot directory, or None when it is none.

    >>> number_of("snapshot_000007"), number_of("snapshot_0000007"), number_of("tmp_snapshot_7")
    (7, None, None)
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    number = int(found[1])
    return number if snapshot_name(number) == name else None


def is_left_over(name: str) -> bool:
    """Whether a name is of a directory that was never published, or was being deleted.

    >>> is_left_over("tmp_snapshot_000007"), is_left_over("trash_snapshot_000007")
    (True, True)
    >>> is_left_over("snapshot_000007"), is_left_over("tmp_mine")
    (False, False)
    """
    for prefix in (TEMPORARY_PREFIX, TRASH_PREFIX):
        if name.startswith(prefix):
            return number_of(name.removeprefix(prefix)) is not None
    return False


def manifest_place(component: str, participant_name: str) -> str:
    """Where the manifest of a participant lies in a snapshot directory.

    >>> manifest_place(MODEL, "policy")
    'model-ledger/policy/manifest.json'
    """
    if component == AGENT:
        digest = hashlib.sha256(participant_name.encode()).hexdigest()
        return f"agent/instance-{digest}/{MANIFEST}"
    folder = "model-ledger" if component == MODEL else "resources"
    return f"{folder}/{participant_name}/{MANIFEST}"
