"""Readers of a checkpoint directory that lack one check each, for the kill matrix.

An action is one damage. A mutant is killed when the intact reader refuses a damaged directory by
the rule of the check, and the mutant believes it.
"""

import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import attrs

from fencepost.damage.kinds import DAMAGES, Damage
from fencepost.kill_matrix.lacking import Lacking
from fencepost.kill_matrix.part import MECHANICAL, Part
from fencepost.kill_matrix.row import Row, refused, row_of, unrefused
from fencepost_reference.storage import (
    CHECKS,
    CheckpointRefused,
    StorageCheck,
    plan_commit,
    publish_manifest,
    read_checkpoint,
    write_records,
)
from fencepost_spec.receipts.saved import AgentBoundaryRecord, boundary_record
from fencepost_spec.receipts.storage_rules import CHECK_RULES, FLOOR_RULES
from fencepost_spec.vocabulary import Key

INSTANCE: Final = "agent-a"


@attrs.frozen(eq=False)
class Reader:
    """What a reader of directories asks."""

    checks: tuple[StorageCheck, ...] = CHECKS


INTACT: Final = Reader()


def generated() -> Iterator[Lacking[Reader]]:
    """Every mutant, in the order in which a reader asks."""
    for gone in CHECKS:
        fewer = Reader(tuple(one for one in CHECKS if one is not gone))
        says = f"nobody asks: {gone.rule.says}"
        yield Lacking(f"a reader without {gone.rule.id}", says, gone.rule, fewer)


def records() -> tuple[AgentBoundaryRecord, ...]:
    """Records of different rollouts, each with a committed model call."""
    return tuple(
        boundary_record(Key(f"r{number}", number % 2), number, created_at=1.0, model_call_id="call")
        for number in range(3)
    )


def commit(directory: Path, instance_name: str | None = INSTANCE) -> None:
    """A whole commit into a new directory."""
    directory.mkdir()
    plan = plan_commit(directory, instance_name, "c1", records())
    write_records(plan)
    publish_manifest(plan)


def examine(group: str, mutant: Lacking[Reader]) -> Row:
    """What becomes of one mutant: the first damage that it believes, and the intact reader not."""
    start = time.process_time()
    for damage in (one for one in DAMAGES if one.rule is mutant.rule):
        refusal, came = _read(damage, INTACT), _read(damage, mutant.spec)
        if refusal == mutant.rule.id and came == "believed":
            row = row_of(group, mutant, seconds=time.process_time() - start)
            more = {"scope": damage.name, "sequence": (damage.name,), "came": came}
            return refused(row, mutant.rule, 1, 1, expected=mutant.rule.says, **more)
    row = row_of(group, mutant, seconds=time.process_time() - start)
    return unrefused(row, "no damaged directory", {})


def _read(damage: Damage, reader: Reader) -> str:
    """What a reader makes of a damaged directory: the rule that refuses it, or that it believes."""
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / "dir1"
        commit(directory)
        damage.apply(directory, INSTANCE)
        try:
            read_checkpoint(directory, INSTANCE, checks=reader.checks)
        except CheckpointRefused as refused_by:
            return refused_by.rule.id
        return "believed"


UNBROKEN: Final[Mapping[str, str]] = {
    rule.id: "it is no check that can be left out: without it there is nothing to read"
    for rule in FLOOR_RULES
}
"""Rules that no reader without a check breaks."""

PART = Part(
    name="storage",
    title="Mutants of the reader of a checkpoint directory",
    says="An action is one damage. The rule named is the one by which the intact reader refuses "
    "the damaged directory, which the mutant believes.",
    page="storage-mutants.md",
    groups={MECHANICAL: tuple(generated())},
    examiner=lambda: examine,
    rules=lambda: (*FLOOR_RULES, *CHECK_RULES),
    intact=INTACT,
    spec_of=lambda mutant: mutant.spec,
    arguments={},
    unbroken=UNBROKEN,
)
"""The reader of a checkpoint directory."""
