"""The schema versions of the receipts protocol, each written once.

A bump is one edit here. Everything else follows from it: defaults, readers, JSON Schemas. A bump
of `SavedSchema` that brings no upgrade from the version before it cannot be imported (see `saved`),
and one that does not match the lock in the laws fails a test that says what to do. May import:
`strict`.
"""

from typing import Annotated, Final, Literal

from fencepost_spec.strict import VERSION_MARK, version_of

SchemaVersion = Annotated[Literal[1], VERSION_MARK]
"""The version of every body on the wire, and of what bodies and documents share."""

SavedSchema = Annotated[Literal[2], VERSION_MARK]
"""The version of a boundary record and of a manifest."""

LedgerSchema = Annotated[Literal[3], VERSION_MARK]
"""The version of a saved recovery ledger; there are no upgrades, another version is refused."""

SnapshotSchema = Annotated[Literal[4], VERSION_MARK]
"""The version of every document of a snapshot directory; another version is refused."""

SCHEMA_VERSION: Final = version_of(SchemaVersion)
SAVED_SCHEMA: Final = version_of(SavedSchema)
LEDGER_SCHEMA: Final = version_of(LedgerSchema)
SNAPSHOT_SCHEMA: Final = version_of(SnapshotSchema)
