"""What a ledger at some level of development lets one see and call; never which rules hold."""

import attrs

from fencepost_spec.receipts.ledger.requests import REQUESTS


@attrs.frozen
class LedgerDialect:
    """The operations and saved fields of one version.

    `attempt_fields` are saved fields of an attempt beyond those of the models, and
    `flat_obligations` says that a saved obligation is one mapping.
    """

    version: str
    says: str
    operations: frozenset[str]
    attempt_fields: frozenset[str] = frozenset()
    flat_obligations: bool = False


_ALL = frozenset(REQUESTS)
_EARLY = "record_partial_group_acknowledgement"

REVIEWED = LedgerDialect(
    "4265-reviewed",
    "the recovery ledger as reviewed in RL #4265: no early acknowledgement, attempts with a uuid",
    _ALL - {_EARLY, "discard_pending_acknowledgements"},
    frozenset({"attempt_uuid"}),
    flat_obligations=True,
)
AFTER_REVIEW = LedgerDialect(
    "4265-after-review",
    "the recovery ledger after that review",
    _ALL - {"discard_pending_acknowledgements"},
)
FENCEPOST = LedgerDialect("fencepost-1", "the recovery ledger of this project", _ALL)

DIALECTS: dict[str, LedgerDialect] = {
    dialect.version: dialect for dialect in (REVIEWED, AFTER_REVIEW, FENCEPOST)
}


def dialect_of(version: str) -> LedgerDialect:
    """The dialect of a version, or KeyError that lists the known ones."""
    try:
        return DIALECTS[version]
    except KeyError:
        known = ", ".join(sorted(DIALECTS))
        raise KeyError(f"unknown participant version {version!r}; known: {known}") from None
