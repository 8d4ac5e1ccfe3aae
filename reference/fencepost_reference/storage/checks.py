"""The checks that a directory passes before anything in it is believed, as data.

Each check holds one rule to what a reader has taken in, and a reader is a tuple of them. Reading a
manifest is no reason to trust it: it may have been changed together with every digest in it.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise

import attrs

from fencepost_reference.storage import layout
from fencepost_reference.storage.disk import Kind
from fencepost_reference.storage.evidence import Evidence, Stage
from fencepost_reference.storage.parts import part_faults
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import check_rollout_id
from fencepost_spec.wording import counted

Fault = tuple[str, str]
"""A file, relative to the checkpoint directory, and what is wrong with it."""


@attrs.frozen
class StorageCheck:
    """One thing that must hold of a directory, asked once its stage has been taken in."""

    rule: Rule
    stage: Stage
    faults: Callable[[Evidence], Iterator[Fault]]


def _in_place(evidence: Evidence) -> Iterator[Fault]:
    for folder, look in evidence.folders.items():
        if look.kind is not Kind.DIRECTORY:
            yield folder, "it is no directory of its own, so it may lead elsewhere"


def _noted(rule: Rule) -> Callable[[Evidence], Iterator[Fault]]:
    def faults(evidence: Evidence) -> Iterator[Fault]:
        yield from evidence.notes.get(rule, ())

    return faults


def _instance(evidence: Evidence) -> Iterator[Fault]:
    named = evidence.manifest.instance_name
    if named != evidence.instance_name:
        yield (
            evidence.file(layout.MANIFEST_NAME),
            f"it belongs to instance {named!r}, not {evidence.instance_name!r}",
        )


def _part_names(evidence: Evidence) -> Iterator[Fault]:
    for number, archive in enumerate(evidence.manifest.archives):
        if archive.name != layout.part_name(number):
            yield (
                evidence.file(layout.MANIFEST_NAME),
                f"part {number} is called {archive.name!r}, not {layout.part_name(number)!r}",
            )


def _references(evidence: Evidence) -> Iterator[Fault]:
    for reference, name in (
        (evidence.manifest.record_index, layout.INDEX_NAME),
        (evidence.manifest.continuation_index, layout.CONTINUATIONS_NAME),
    ):
        if reference.relative_path != evidence.file(name):
            yield (
                evidence.file(layout.MANIFEST_NAME),
                f"it refers to {reference.relative_path!r}, not to {evidence.file(name)!r}",
            )


def _part_digests(evidence: Evidence) -> Iterator[Fault]:
    for archive, data in zip(evidence.manifest.archives, evidence.part_data, strict=True):
        yield from _digest(evidence.file(archive.name), data, archive.sha256, archive.bytes)


def _index_digests(evidence: Evidence) -> Iterator[Fault]:
    for reference, name, data in (
        (evidence.manifest.record_index, layout.INDEX_NAME, evidence.index_data),
        (
            evidence.manifest.continuation_index,
            layout.CONTINUATIONS_NAME,
            evidence.continuations_data,
        ),
    ):
        yield from _digest(evidence.file(name), data, reference.sha256, reference.bytes)


def _digest(file: str, data: bytes, digest: str, size: int) -> Iterator[Fault]:
    if len(data) != size:
        yield file, f"it has {counted(len(data), 'byte')}, not {size}"
    elif layout.sha256(data) != digest:
        yield file, f"its digest is {layout.sha256(data)}, not {digest}"


def _record_counts(evidence: Evidence) -> Iterator[Fault]:
    manifest = evidence.manifest
    for name, told, found in (
        (layout.MANIFEST_NAME, manifest.records, len(evidence.index)),
        (layout.INDEX_NAME, manifest.record_index.records, len(evidence.index)),
        (layout.CONTINUATIONS_NAME, manifest.continuation_index.records, len(evidence.roots)),
    ):
        if told != found:
            yield evidence.file(name), f"{told} lines are counted, and there are {found}"


def _index_order(evidence: Evidence) -> Iterator[Fault]:
    keys = [line.key for line in evidence.index]
    for before, after in pairwise(keys):
        if not before < after:
            yield (
                evidence.file(layout.INDEX_NAME),
                f"{after.capture_key} comes after {before.capture_key}",
            )


def _member_names(evidence: Evidence) -> Iterator[Fault]:
    for line in evidence.index:
        try:
            # The grammar of rollout ids is also that of a name without a path.
            check_rollout_id(line.member)
        except ValueError:
            yield evidence.file(layout.INDEX_NAME), f"{line.member!r} is no plain name"


def _part_form(evidence: Evidence) -> Iterator[Fault]:
    archives = evidence.manifest.archives
    for archive, data, members in zip(archives, evidence.part_data, evidence.parts, strict=True):
        for fault in part_faults(data, members):
            yield evidence.file(archive.name), fault


def _part_counts(evidence: Evidence) -> Iterator[Fault]:
    for archive, members in zip(evidence.manifest.archives, evidence.parts, strict=True):
        if archive.members != len(members):
            yield (
                evidence.file(archive.name),
                f"{archive.members} members are counted, and there are {len(members)}",
            )


def _part_limits(evidence: Evidence) -> Iterator[Fault]:
    limits = layout.LIMITS
    for archive, members in zip(evidence.manifest.archives, evidence.parts, strict=True):
        size = sum(len(data) for _, data in members)
        too_large = len(members) > 1 and size > limits.bytes_max
        if not 1 <= len(members) <= limits.members_max or too_large:
            yield (
                evidence.file(archive.name),
                f"it has {counted(len(members), 'member')} of {size} bytes together",
            )


def _member_order(evidence: Evidence) -> Iterator[Fault]:
    indexed = [(line.archive, line.member) for line in evidence.index]
    held = [
        (archive.name, name)
        for archive, members in zip(evidence.manifest.archives, evidence.parts, strict=True)
        for name, _ in members
    ]
    if indexed != held:
        yield evidence.file(layout.INDEX_NAME), "it does not list what the parts hold, in order"


def _member_digests(evidence: Evidence) -> Iterator[Fault]:
    for line, data in zip(evidence.index, evidence.record_data, strict=True):
        file = evidence.file(f"{line.archive}/{line.member}")
        yield from _digest(file, data, line.sha256, line.bytes)


def _record_identity(evidence: Evidence) -> Iterator[Fault]:
    for line, record in zip(evidence.index, evidence.records, strict=True):
        if record.key != line.key:
            yield (
                evidence.file(f"{line.archive}/{line.member}"),
                f"it is the record of {record.key.capture_key}, not of {line.key.capture_key}",
            )


def _roots(evidence: Evidence) -> Iterator[Fault]:
    expected = [root for record in evidence.records if (root := record.root) is not None]
    found = [
        # An index that states no revisions is judged by what it does state.
        root
        if root.resource_state_revisions is not None
        else root.model_copy(
            update={"resource_state_revisions": _revisions(evidence, number)},
        )
        for number, root in enumerate(evidence.roots)
    ]
    if found != expected:
        yield (
            evidence.file(layout.CONTINUATIONS_NAME),
            "it does not list the committed model calls of the records",
        )


def _revisions(evidence: Evidence, number: int) -> dict[str, int] | None:
    roots = [root for record in evidence.records if (root := record.root) is not None]
    return roots[number].resource_state_revisions if number < len(roots) else None


# fmt: off
CHECKS: tuple[StorageCheck, ...] = (
    StorageCheck(rules.IN_PLACE,        Stage.PLACE,    _in_place),
    StorageCheck(rules.MANIFEST_TEXT,   Stage.MANIFEST, _noted(rules.MANIFEST_TEXT)),
    StorageCheck(rules.MANIFEST_SHAPE,  Stage.MANIFEST, _noted(rules.MANIFEST_SHAPE)),
    StorageCheck(rules.INSTANCE,        Stage.MANIFEST, _instance),
    StorageCheck(rules.PART_NAMES,      Stage.MANIFEST, _part_names),
    StorageCheck(rules.REFERENCES,      Stage.MANIFEST, _references),
    StorageCheck(rules.INDEX_DIGESTS,   Stage.INDEX,    _index_digests),
    StorageCheck(rules.INDEX_LINES,     Stage.INDEX,    _noted(rules.INDEX_LINES)),
    StorageCheck(rules.ROOT_LINES,      Stage.INDEX,    _noted(rules.ROOT_LINES)),
    StorageCheck(rules.RECORD_COUNTS,   Stage.INDEX,    _record_counts),
    StorageCheck(rules.INDEX_ORDER,     Stage.INDEX,    _index_order),
    StorageCheck(rules.MEMBER_NAMES,    Stage.INDEX,    _member_names),
    StorageCheck(rules.PART_DIGESTS,    Stage.PARTS,    _part_digests),
    StorageCheck(rules.PART_FORM,       Stage.PARTS,    _part_form),
    StorageCheck(rules.PART_COUNTS,     Stage.PARTS,    _part_counts),
    StorageCheck(rules.PART_LIMITS,     Stage.PARTS,    _part_limits),
    StorageCheck(rules.MEMBER_ORDER,    Stage.PARTS,    _member_order),
    StorageCheck(rules.MEMBER_DIGESTS,  Stage.RECORDS,  _member_digests),
    StorageCheck(rules.RECORD_TEXT,     Stage.RECORDS,  _noted(rules.RECORD_TEXT)),
    StorageCheck(rules.RECORD_SHAPE,    Stage.RECORDS,  _noted(rules.RECORD_SHAPE)),
    StorageCheck(rules.RECORD_IDENTITY, Stage.RECORDS,  _record_identity),
    StorageCheck(rules.ROOTS,           Stage.RECORDS,  _roots),
)
"""What this reader asks, in its order."""
# fmt: on
