"""What a participant at some level of development lets one see and call; never which rules hold."""

import attrs

_STATUS_2942 = frozenset(
    {
        "state",
        "ready_to_commit",
        "running",
        "parked",
        "parked_with_boundary",
        "parked_without_boundary",
        "completed_unacknowledged",
        "active",
        "blocking_attempts",
        "completed_unacknowledged_attempts",
        "executions",
    }
)
_ENTRY_2942 = frozenset(
    {
        "rollout_id",
        "attempt_index",
        "generation",
        "state",
        "parked_boundary_state",
        "boundary_index",
    }
)
_OPERATIONS_2942 = frozenset(
    {"prepare", "status", "commit", "restore", "resume", "retire", "capabilities"}
)


@attrs.frozen
class Dialect:
    """The operations and fields of one version. `releases` are the operations that free a result.

    `lists_retired` is true where work that resume retired for want of a handler stays listed.
    `shape` is true when bodies are also held to the wire models of this project.
    """

    version: str
    says: str
    operations: frozenset[str]
    status_fields: frozenset[str]
    entry_fields: frozenset[str]
    releases: frozenset[str]
    continuation_index: bool
    shape: bool = False
    lists_retired: bool = False


GYM_2942_DIALECT = Dialect(
    "2942",
    "the agent participant of Gym #2942: no receipts, no acknowledgements",
    _OPERATIONS_2942,
    _STATUS_2942,
    _ENTRY_2942,
    frozenset(),
    continuation_index=False,
    lists_retired=True,
)
GYM_3349_DIALECT = Dialect(
    "3349",
    "the agent participant of Gym #3349, with its external and model waits",
    _OPERATIONS_2942
    | {
        "acknowledge",
        "acknowledge-completed",
        "completion-receipt",
        "discard-restored-continuation",
    },
    _STATUS_2942 | {"acknowledged_completed", "selected_boundaries"},
    _ENTRY_2942 | {"turn_index", "boundary_kind", "resource_state_revisions"},
    frozenset({"acknowledge", "acknowledge-completed"}),
    continuation_index=True,
)
FENCEPOST_DIALECT = attrs.evolve(
    GYM_3349_DIALECT,
    version="fencepost-1",
    says="the agent of this project: #3349 with bodies held to the wire models",
    shape=True,
)

DIALECTS: dict[str, Dialect] = {
    dialect.version: dialect for dialect in (GYM_2942_DIALECT, GYM_3349_DIALECT, FENCEPOST_DIALECT)
}


def dialect_of(version: str) -> Dialect:
    """The dialect of a participant version, or KeyError that lists the known ones."""
    try:
        return DIALECTS[version]
    except KeyError:
        known = ", ".join(sorted(DIALECTS))
        raise KeyError(f"unknown participant version {version!r}; known: {known}") from None
