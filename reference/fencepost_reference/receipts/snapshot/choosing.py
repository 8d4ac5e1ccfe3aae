"""Which snapshot a run is restored from, and how a configuration is compared."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

import attrs

from fencepost_reference.receipts.snapshot.asking import first
from fencepost_reference.receipts.snapshot.values import Refused
from fencepost_spec.receipts.snapshot.saved import SnapshotManifest
from fencepost_spec.receipts.snapshot.selection import CandidateFacts, ChoiceFacts
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import digest_of

Mode = Literal["latest", "trainer_checkpoint"]


@attrs.frozen
class Anchor:
    """What the trainer itself is restored to.

    Before the first step it is the configuration that the run was started with, and `changed` are
    the fields in which the present one differs (see `changed_fields`).
    """

    train_step: int
    trainer_version: int
    bootstrap_fingerprint: str | None = None
    changed: tuple[str, ...] = ()


@attrs.frozen
class Candidate:
    """A snapshot that was found; without a manifest it is not believed, and `refused` says why.

    `at_boundary` says that it lies inside the trainer's checkpoint; it is older than the others.
    """

    number: int
    manifest: SnapshotManifest | None
    at_boundary: bool = False
    refused: Refused | None = None


@attrs.frozen
class Choice:
    """The snapshot to restore, or None for a start from the anchor alone.

    `passed_over` has the newer ones with the rule that passed over each.
    """

    candidate: Candidate | None
    passed_over: tuple[tuple[Candidate, Rule], ...]
    rule: Rule

    def reasons(self) -> tuple[tuple[int, str], ...]:
        """The number of each that was passed over, and why in words."""
        return tuple((one.number, _why(one, rule)) for one, rule in self.passed_over)


def _why(candidate: Candidate, rule: Rule) -> str:
    """Why a candidate was passed over, with the damage where it has any."""
    return rule.says if candidate.refused is None else f"{rule.says} ({candidate.refused.told})"


def select(
    anchor: Anchor,
    candidates: Iterable[Candidate],
    *,
    mode: Mode = "latest",
    participants: bool,
    spec: SnapshotSpec = SNAPSHOT,
) -> Choice | Refused:
    """The newest snapshot that fits the anchor, or why nothing may be restored.

    `participants` says that the run checkpoints its participants.
    """
    newest_first = sorted(candidates, key=lambda one: (not one.at_boundary, one.number))[::-1]
    passed_over: list[tuple[Candidate, Rule]] = []
    chosen: Candidate | None = None
    for candidate in newest_first:
        facts = _candidate_facts(anchor, candidate, mode)
        skipped = first(spec.selection.skip, facts, f"snapshot {candidate.number}")
        if skipped is None:
            chosen = candidate
            break
        passed_over.append((candidate, skipped.rule))
    left = ChoiceFacts(
        candidates=len(newest_first),
        fitting=int(chosen is not None),
        trained=anchor.train_step > 0,
        wants_participants=participants,
        has_participants=_has_participants(chosen),
        changed=anchor.changed,
    )
    where = "the bootstrap anchor" if anchor.changed else f"the anchor of step {anchor.train_step}"
    stopped = first(spec.selection.stop, left, where)
    if stopped is None:
        return Choice(chosen, tuple(passed_over), spec.selection.newest)
    said = [f"snapshot {one.number}: {_why(one, rule)}" for one, rule in passed_over]
    if anchor.changed:
        said = [f"changed: {', '.join(anchor.changed)}"]
    return attrs.evolve(stopped, reason="; ".join([stopped.reason, *said]))


def _candidate_facts(anchor: Anchor, candidate: Candidate, mode: Mode) -> CandidateFacts:
    manifest = candidate.manifest
    return CandidateFacts(
        readable=manifest is not None,
        at_boundary=candidate.at_boundary,
        boundary_only=mode == "trainer_checkpoint",
        step=None if manifest is None else manifest.base_train_step,
        step_wanted=anchor.train_step,
        version=None if manifest is None else manifest.trainer_version,
        version_wanted=anchor.trainer_version,
        fingerprint=None if manifest is None else manifest.bootstrap_fingerprint,
        fingerprint_wanted=anchor.bootstrap_fingerprint,
    )


def _has_participants(chosen: Candidate | None) -> bool:
    manifest = None if chosen is None else chosen.manifest
    return manifest is not None and manifest.gym_checkpoint is not None


def changed_fields(
    saved: Mapping[str, Any], present: Mapping[str, Any], excluded: Iterable[str] = ()
) -> tuple[str, ...]:
    """The fields that differ, by dotted path, those that say nothing of rollouts left out.

    >>> changed_fields({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, excluded=["a.c"])
    ('a.b',)
    """
    before, now = _flat(saved), _flat(present)
    left_out = tuple(excluded)
    return tuple(
        path
        for path in sorted(before.keys() | now.keys())
        if not _is_within(path, left_out)
        if path not in before or path not in now or digest_of(before[path]) != digest_of(now[path])
    )


def fingerprint_of(config: Mapping[str, Any], excluded: Iterable[str] = ()) -> str:
    """The digest of a configuration, those fields left out that say nothing of rollouts."""
    left_out = tuple(excluded)
    kept = {path: value for path, value in _flat(config).items() if not _is_within(path, left_out)}
    return digest_of(kept)


def _is_within(path: str, paths: tuple[str, ...]) -> bool:
    return any(path == one or path.startswith(f"{one}.") for one in paths)


def _flat(config: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    waiting: list[tuple[str, Any]] = [(name, value) for name, value in config.items()]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping) and value:
            inner = cast("Mapping[str, Any]", value)
            waiting += [(f"{path}.{name}", one) for name, one in inner.items()]
        else:
            flat[path] = value
    return flat
