"""Which snapshot a run is restored from: who is passed over, and when nothing may be chosen.

Not decided here: how candidates are found. May import: operation, refusals, sources.
"""

from typing import Final

import attrs

from fencepost_spec.operation import Check, Condition
from fencepost_spec.receipts.snapshot.refusals import SELECTION, SKIP
from fencepost_spec.receipts.snapshot.sources import DECISION, RL_3924, RL_4117, fact
from fencepost_spec.rule import Rule, Source


@attrs.frozen
class CandidateFacts:
    """One snapshot that was found, and the anchor that a run is restored to.

    `at_boundary` says that the snapshot lies inside the trainer's own checkpoint.
    """

    readable: bool
    at_boundary: bool
    boundary_only: bool
    step: int | None
    step_wanted: int
    version: int | None
    version_wanted: int
    fingerprint: str | None
    fingerprint_wanted: str | None


@attrs.frozen
class ChoiceFacts:
    """What is left when every candidate has been looked at.

    `changed` are the fields of the configuration that differ from those of the bootstrap anchor.
    """

    candidates: int
    fitting: int
    trained: bool
    wants_participants: bool
    has_participants: bool
    changed: tuple[str, ...]


def is_broken(facts: CandidateFacts) -> bool:
    """The snapshot cannot be read."""
    return not facts.readable


def is_not_at_the_boundary(facts: CandidateFacts) -> bool:
    """The trainer's checkpoint is wanted, and the snapshot was taken after it."""
    return facts.boundary_only and not facts.at_boundary


def step_is_another(facts: CandidateFacts) -> bool:
    """The snapshot is of another training step than the anchor."""
    return facts.step != facts.step_wanted


def version_is_another(facts: CandidateFacts) -> bool:
    """The snapshot is of other weights than the anchor."""
    return facts.version != facts.version_wanted


def fingerprint_is_another(facts: CandidateFacts) -> bool:
    """The snapshot was started with another configuration than the anchor."""
    return facts.fingerprint != facts.fingerprint_wanted


def configuration_has_changed(facts: ChoiceFacts) -> bool:
    """The run is configured otherwise than its bootstrap anchor."""
    return bool(facts.changed)


def nothing_fits(facts: ChoiceFacts) -> bool:
    """There are snapshots, and none of them fits."""
    return facts.candidates > 0 and facts.fitting == 0


def participants_would_be_lost(facts: ChoiceFacts) -> bool:
    """Steps have been trained with participants, and what is left to restore has none."""
    nothing = facts.fitting == 0 and facts.trained
    without = facts.fitting > 0 and not facts.has_participants
    return facts.wants_participants and (nothing or without)


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-SNS-{number}", says, source, fact(*facts))


def _skip(number: int, when: Condition, says: str, source: Source, *facts: str) -> Check:
    return Check(_rule(number, says, source, *facts), when, SKIP)


def _stop(number: int, when: Condition, says: str, source: Source, *facts: str) -> Check:
    return Check(_rule(number, says, source, *facts), when, SELECTION)


@attrs.frozen
class Selection:
    """How a snapshot is chosen.

    `skip` is asked of every candidate, newest first, and the first that nothing passes over is
    chosen by the rule `newest`. `stop` is asked of what that leaves.
    """

    skip: tuple[Check, ...]
    stop: tuple[Check, ...]
    newest: Rule

    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in reading order."""
        return (*(check.rule for check in (*self.skip, *self.stop)), self.newest)


SELECTION_RULES: Final = Selection(
    skip=(
        _skip(1, is_broken, "a snapshot that cannot be read is passed over", RL_3924, "4.1"),
        _skip(2, is_not_at_the_boundary,
              "a run that is restored to the trainer's checkpoint takes no later snapshot",
              DECISION, "4.1", "1.8"),
        _skip(3, step_is_another, "a snapshot of another training step is passed over",
              RL_3924, "4.1", "I23"),
        _skip(4, version_is_another, "a snapshot of other weights is passed over",
              RL_3924, "4.1", "I23"),
        _skip(5, fingerprint_is_another, "a snapshot of another configuration is passed over",
              RL_3924, "4.1", "I23"),
    ),
    stop=(
        _stop(10, configuration_has_changed,
              "a run that has trained nothing goes on only with the configuration it was "
              "started with", RL_3924, "4.1"),
        _stop(11, nothing_fits, "where there are snapshots and none fits, nothing is restored",
              RL_3924, "4.1"),
        _stop(12, participants_would_be_lost,
              "what participants have done is never left behind in silence", RL_4117, "4.1"),
    ),
    newest=_rule(20, "the newest snapshot that fits is chosen", RL_3924, "4.1"),
)  # fmt: skip
"""How a snapshot must be chosen."""
