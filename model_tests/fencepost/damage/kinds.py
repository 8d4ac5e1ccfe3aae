"""Every kind of damage to a checkpoint directory that we know of, by the rule that refuses it.

Where the rule is a check of the reader, everything but that one thing is consistent: a reader
without the check takes the damaged directory for a good one. The directory that is damaged must
hold two records or more in its first part, each with a committed model call.
"""

import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import attrs

from fencepost.damage import edits as e
from fencepost.damage.draft import put_together, take_apart
from fencepost_reference.storage.layout import (
    CONTINUATIONS_NAME,
    INDEX_NAME,
    MANIFEST_NAME,
    place_of,
)
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.rule import Rule


@attrs.frozen
class Damage:
    """One way to spoil a directory, in words, and the rule that must refuse it."""

    name: str
    rule: Rule
    edit: e.Placed

    def apply(self, directory: Path, instance_name: str | None) -> None:
        """Spoil the directory of an instance."""
        put_together(take_apart(directory / place_of(instance_name)), *self.edit)


# fmt: off
_CHECKED: Final[Mapping[Rule, Mapping[str, e.Placed]]] = {
    rules.IN_PLACE: {
        "the directory is a link":          e.disk(e.elsewhere),
    },
    rules.MANIFEST_TEXT: {
        "a byte-order mark":                e.text(e.before(e.BOM)),
        "a repeated member":                e.text(e.twice),
        "something behind the manifest":    e.text(e.behind(b"{}")),
    },
    rules.MANIFEST_SHAPE: {
        "an unknown member":                e.manifest("more", 1),
        "a float for a version":            e.manifest("schema_version", 2.0),
        "an older version":                 e.manifest("schema_version", 1),
        "a newer version":                  e.manifest("schema_version", 3),
        "an id outside the grammar":        e.manifest("checkpoint_id", "../c"),
    },
    rules.INSTANCE: {
        "another instance":                 e.manifest("instance_name", "another"),
        "no instance":                      e.manifest("instance_name", None),
    },
    rules.PART_NAMES: {
        "a part outside":                   e.members(e.move_part),
    },
    rules.REFERENCES: {
        "another index":                    e.manifest("record_index/relative_path", "agent/x"),
        "other roots":                      e.manifest("continuation_index/relative_path", "x"),
    },
    rules.INDEX_DIGESTS: {
        "another index digest":             e.manifest("record_index/sha256", e.OTHER_DIGEST),
        "another index size":               e.manifest("record_index/bytes", e.more),
        "another root digest":              e.manifest("continuation_index/sha256", e.OTHER_DIGEST),
        "another root size":                e.manifest("continuation_index/bytes", e.more),
    },
    rules.INDEX_LINES: {
        "an unknown member of a line":      e.line(more=1),
        "a repeated member of a line":      e.file(INDEX_NAME, e.twice),
        "carriage returns":                 e.file(INDEX_NAME, lambda d: d.replace(b"\n", b"\r\n")),
        "an empty line":                    e.file(INDEX_NAME, e.behind(b"\n")),
        "a last line without an end":       e.file(INDEX_NAME, lambda d: d[:-1]),
    },
    rules.ROOT_LINES: {
        "an unknown member of a root":      e.root(more=1),
        "a mark before the roots":          e.file(CONTINUATIONS_NAME, e.before(e.BOM)),
    },
    rules.RECORD_COUNTS: {
        "another count":                    e.manifest("records", e.more),
        "another index count":              e.manifest("record_index/records", e.more),
        "another root count":               e.manifest("continuation_index/records", e.more),
    },
    rules.INDEX_ORDER: {
        "another order":                    e.members(e.reverse),
        "a key twice":                      e.members(e.repeat),
    },
    rules.MEMBER_NAMES: {
        "a member outside":                 e.members(e.rename_member),
    },
    rules.PART_DIGESTS: {
        "another part digest":              e.manifest("archives/0/sha256", e.OTHER_DIGEST),
        "another part size":                e.manifest("archives/0/bytes", e.more),
    },
    rules.PART_FORM: {
        "a link in a part":                 e.file(e.FIRST, e.stranger(tarfile.SYMTYPE)),
        "a folder in a part":               e.file(e.FIRST, e.stranger(tarfile.DIRTYPE)),
        "something behind a part":          e.file(e.FIRST, e.behind(b"x")),
        "a part without an end":            e.file(e.FIRST, e.endless),
    },
    rules.PART_COUNTS: {
        "another member count":             e.manifest("archives/0/members", e.more),
    },
    rules.PART_LIMITS: {
        "an empty part":                    e.members(e.empty_part),
        "a part that is too full":          e.members(e.crowded_part),
    },
    rules.MEMBER_ORDER: {
        "a member that is not indexed":     e.members(e.unindexed),
        "members in another order":         e.members(e.shuffled),
    },
    rules.MEMBER_DIGESTS: {
        "another record digest":            e.line(sha256=e.OTHER_DIGEST),
        "another record size":              e.line(bytes=1),
    },
    rules.RECORD_TEXT: {
        "a record with a mark":             e.record(e.before(e.BOM)),
        "a record with a repeated member":  e.record(e.twice),
        "something behind a record":        e.record(e.behind(b" {}")),
    },
    rules.RECORD_SHAPE: {
        "an unknown member of a record":    e.record(e.having(more=1)),
        "a boolean for a number":           e.record(e.having(boundary_index=True)),
        "a record of an unknown version":   e.record(e.having(schema_version=3)),
    },
    rules.RECORD_IDENTITY: {
        "the record of another attempt":    e.members(e.other_attempt),
    },
    rules.ROOTS: {
        "a root is lost":                   e.members(e.lost_root),
        "another model call":               e.root(last_committed_model_call_id="another"),
        "other revisions":                  e.root(resource_state_revisions={"another": 1}),
    },
}
_FLOOR: Final[Mapping[Rule, Mapping[str, e.Placed]]] = {
    rules.COMMITTED: {
        "no manifest":                      e.gone(MANIFEST_NAME),
    },
    rules.READABLE: {
        "no index":                         e.gone(INDEX_NAME),
        "no roots":                         e.gone(CONTINUATIONS_NAME),
        "no part":                          e.gone(e.FIRST),
        "a manifest that is a link":        e.linked(MANIFEST_NAME),
        "a part that is a link":            e.linked(e.FIRST),
        "a manifest that is a folder":      e.folder(MANIFEST_NAME),
        "a manifest that is a pipe":        e.pipe(MANIFEST_NAME),
        "an index that is a pipe":          e.pipe(INDEX_NAME),
        "half a part":                      e.file(e.FIRST, lambda d: d[:700]),
        "a part that is no tar file":       e.file(e.FIRST, lambda _: b"x" * 1024),
        "an empty manifest":                e.text(lambda _: b""),
        "half a manifest":                  e.text(e.half),
        "a manifest that is no text":       e.text(lambda _: bytes(range(256))),
        "a manifest that is a list":        e.text(lambda d: b"[" + d + b"]"),
        "a manifest without an id":         e.without("checkpoint_id"),
        "endless brackets":                 e.text(lambda _: b"[" * 200_000),
        "endless brackets in a record":     e.record(e.inside('"more":' + "[" * 200_000)),
    },
}
# fmt: on

DAMAGES: Final = tuple(
    Damage(name, rule, edit)
    for kinds in (_CHECKED, _FLOOR)
    for rule, ways in kinds.items()
    for name, edit in ways.items()
)
"""Each kind of damage; no two have the same name."""
