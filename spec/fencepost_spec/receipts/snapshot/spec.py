"""The specification of a snapshot as one value. A variation, with a check left out, is another."""

from collections.abc import Iterator

import attrs

from fencepost_spec.receipts.snapshot.checks import CHECKS, SnapshotChecks
from fencepost_spec.receipts.snapshot.restart import RESTART, RestartRules
from fencepost_spec.receipts.snapshot.selection import SELECTION_RULES, Selection
from fencepost_spec.receipts.snapshot.writing import WRITER_RULES
from fencepost_spec.rule import Rule


@attrs.frozen
class SnapshotSpec:
    """What a snapshot is asked, how one is chosen, and what a restart keeps of it."""

    checks: SnapshotChecks = CHECKS
    selection: Selection = SELECTION_RULES
    restart: RestartRules = RESTART

    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the value itself, in reading order."""
        asked = tuple(check.rule for check in self.checks.all())
        return (*asked, *self.selection.rules(), *self.restart.rules())


SNAPSHOT = SnapshotSpec()
"""A snapshot as it must be."""


def snapshot_rules() -> tuple[Rule, ...]:
    """All rules that concern a snapshot, those of its writer included."""
    return (*SNAPSHOT.rules(), *WRITER_RULES)


def snapshot_places(spec: SnapshotSpec = SNAPSHOT) -> Iterator[tuple[str, str]]:
    """The id of a rule and a place where it is used, for every place.

    >>> dict(snapshot_places())["R-SNR-1"]
    'gives a restored continuation up'
    """
    for field in attrs.fields(SnapshotChecks):
        for check in getattr(spec.checks, field.name):
            yield check.rule.id, f"check of a snapshot: {field.name}"
    for check in spec.selection.skip:
        yield check.rule.id, "passes a snapshot over"
    for check in spec.selection.stop:
        yield check.rule.id, "refuses every snapshot"
    yield spec.selection.newest.id, "chooses a snapshot"
    for check in spec.restart.discard:
        yield check.rule.id, "gives a restored continuation up"
    for rule in (spec.restart.kept, spec.restart.rows, spec.restart.canonical):
        yield rule.id, "step of a restart"
    for rule in WRITER_RULES:
        yield rule.id, "writer of snapshots"
