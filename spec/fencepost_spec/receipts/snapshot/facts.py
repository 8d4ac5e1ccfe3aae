"""What the documents of a snapshot may be asked, and the conditions that ask it."""

import attrs

from fencepost_spec.receipts.ledger.load_facts import ShapeFacts
from fencepost_spec.receipts.snapshot.names import OPTIONAL, REQUIRED
from fencepost_spec.receipts.versions import LEDGER_SCHEMA, SNAPSHOT_SCHEMA

__all__ = ["BindingFacts", "FileFacts", "ManifestFacts", "ShapeFacts", "TextFacts"]


@attrs.frozen
class PlaceFacts:
    """Where a snapshot lies. `leads_elsewhere` holds of a link on the way to any of its files."""

    leads_elsewhere: bool = False
    has_manifest: bool = True


@attrs.frozen
class TextFacts:
    """The bytes of a document, before anything is made of them."""

    is_no_json: bool = False


@attrs.frozen
class FileFacts:
    """One file that a manifest lists, and what lies there."""

    exists: bool
    bytes: int
    digest: str
    bytes_said: int
    digest_said: str


@attrs.frozen
class ManifestFacts:
    """What a manifest says of itself."""

    base_train_step: int
    trainer_version: int
    has_bootstrap_fingerprint: bool
    has_topology_fingerprint: bool
    has_participants: bool
    files: frozenset[str]


@attrs.frozen
class BindingFacts:
    """The documents of one snapshot beside each other.

    `moment` and `moment_said` are step, version and epoch: of the manifest, and of the data
    plane's metadata. `expected` are the staged rows that something in the snapshot relies on.
    `unfinished` are the numbers of siblings of groups that have work left, `generations` is what
    the run that reads it generates of a prompt, None where nobody says.
    """

    moment: tuple[int, int, int]
    moment_said: tuple[int, int, int]
    recovery_digest: str
    recovery_digest_said: str
    recovery_schema_said: int
    recovery_groups: int
    recovery_groups_said: int
    replay_digest: str
    replay_digest_said: str
    replay_schema_said: int
    replay_groups: tuple[str, ...]
    replay_groups_said: int
    replay_rows: tuple[str, ...]
    canonical_rows: tuple[str, ...]
    staging_rows: tuple[str, ...]
    expected: frozenset[str]
    has_participants: bool
    owes: bool
    target_steps: frozenset[int]
    cursor: int
    unfinished: frozenset[int] = frozenset()
    generations: int | None = None


def leads_elsewhere(facts: PlaceFacts) -> bool:
    """The directory, or a folder or file in it, is a link."""
    return facts.leads_elsewhere


def has_no_manifest(facts: PlaceFacts) -> bool:
    """There is no manifest."""
    return not facts.has_manifest


def is_no_json(facts: TextFacts) -> bool:
    """The bytes are no JSON that a correct writer can have written."""
    return facts.is_no_json


def file_is_absent(facts: FileFacts) -> bool:
    """A file that the manifest lists is not there."""
    return not facts.exists


def file_has_another_size(facts: FileFacts) -> bool:
    """A file has another number of bytes than the manifest says."""
    return facts.exists and facts.bytes != facts.bytes_said


def file_has_another_digest(facts: FileFacts) -> bool:
    """A file of the right size has another digest than the manifest says."""
    right_size = facts.exists and facts.bytes == facts.bytes_said
    return right_size and facts.digest != facts.digest_said


def step_is_not_the_version(facts: ManifestFacts) -> bool:
    """The snapshot was taken over a step whose weights were not published."""
    return facts.base_train_step != facts.trainer_version


def start_has_no_fingerprint(facts: ManifestFacts) -> bool:
    """The snapshot is of step 0 and does not say of which configuration."""
    return facts.base_train_step == 0 and not facts.has_bootstrap_fingerprint


def participants_come_half(facts: ManifestFacts) -> bool:
    """The topology is there without the commit result, or the other way round."""
    return facts.has_topology_fingerprint != facts.has_participants


def list_lacks_a_file(facts: ManifestFacts) -> bool:
    """The manifest does not list a file that every snapshot has."""
    return not facts.files >= set(REQUIRED)


def list_has_a_stranger(facts: ManifestFacts) -> bool:
    """The manifest lists a file that no snapshot has."""
    return not facts.files <= {*REQUIRED, *OPTIONAL}


def moment_is_another(facts: BindingFacts) -> bool:
    """The data plane was saved at another step, version or epoch."""
    return facts.moment != facts.moment_said


def recovery_digest_is_another(facts: BindingFacts) -> bool:
    """The data plane was saved with another recovery file."""
    return facts.recovery_digest != facts.recovery_digest_said


def recovery_schema_is_another(facts: BindingFacts) -> bool:
    """The data plane was saved with a recovery file of another schema version."""
    return bool(facts.recovery_schema_said != LEDGER_SCHEMA)


def recovery_is_miscounted(facts: BindingFacts) -> bool:
    """The data plane was saved with a recovery file of more or fewer groups."""
    return facts.recovery_groups != facts.recovery_groups_said


def replay_digest_is_another(facts: BindingFacts) -> bool:
    """The data plane was saved with another replay index."""
    return facts.replay_digest != facts.replay_digest_said


def replay_schema_is_another(facts: BindingFacts) -> bool:
    """The data plane was saved with a replay index of another schema version."""
    return bool(facts.replay_schema_said != SNAPSHOT_SCHEMA)


def replay_is_miscounted(facts: BindingFacts) -> bool:
    """The data plane was saved with a replay index of more or fewer groups."""
    return len(facts.replay_groups) != facts.replay_groups_said


def replay_group_comes_twice(facts: BindingFacts) -> bool:
    """Two groups of the replay index have one id."""
    return len(set(facts.replay_groups)) != len(facts.replay_groups)


def row_is_owned_twice(facts: BindingFacts) -> bool:
    """The replay index gives one canonical row to two groups, or twice to one."""
    return len(set(facts.replay_rows)) != len(facts.replay_rows)


def rows_are_not_sorted(facts: BindingFacts) -> bool:
    """The rows of a partition are not sorted, or one is there twice."""
    listed = (facts.canonical_rows, facts.staging_rows)
    return any(list(rows) != sorted(set(rows)) for rows in listed)


def canonical_rows_differ(facts: BindingFacts) -> bool:
    """The canonical rows are not those of the replay index."""
    return set(facts.canonical_rows) != set(facts.replay_rows)


def staged_row_is_missing(facts: BindingFacts) -> bool:
    """A row that something relies on is not staged."""
    return not facts.expected <= set(facts.staging_rows)


def something_is_owed(facts: BindingFacts) -> bool:
    """Participants were committed, and an acknowledgement is still owed to one."""
    return facts.has_participants and facts.owes


def target_is_beyond_the_cursor(facts: BindingFacts) -> bool:
    """A group is stamped with a step that the sampler has not reached."""
    return any(step > facts.cursor for step in facts.target_steps)


def size_is_another(facts: BindingFacts) -> bool:
    """A group with work left has more or fewer siblings than the run generates of a prompt."""
    wanted = facts.generations
    return wanted is not None and not facts.unfinished <= {wanted}
