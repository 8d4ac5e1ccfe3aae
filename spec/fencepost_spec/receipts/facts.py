"""What a check of a ladder may ask, and the conditions that ask it."""

import attrs


@attrs.frozen
class ControlFacts:
    """What is known when a control call arrives."""

    authorised: bool = True
    well_formed: bool = True
    finished: bool = False
    finished_by_this: bool = False
    recorded: bool = False
    recorded_elsewhere: bool = False
    under_way: bool = False
    under_way_elsewhere: bool = False
    other_active: bool = False
    phase_allows: bool = True
    ready: bool = True
    anything_live: bool = False
    anything_unacknowledged: bool = False
    anything_pending: bool = False
    key_live: bool = False
    key_completed: bool = False


@attrs.frozen
class RunFacts:
    """What is known when a `/run` arrives."""

    well_formed: bool = True
    identified: bool = True
    acknowledged: bool = False
    refused: bool = False
    below_watermark: bool = False
    completed: bool = False
    live: bool = False
    closed: bool = False
    older_attempt_live: bool = False


@attrs.frozen
class ReceiptFacts:
    """What is known about one receipt of an acknowledgement."""

    acknowledged: bool = False
    equals_acknowledged: bool = False
    completed: bool = False
    equals_retained: bool = False


def not_authorised(facts: ControlFacts) -> bool:
    """The bearer token is missing or wrong."""
    return not facts.authorised


def not_well_formed(facts: ControlFacts | RunFacts) -> bool:
    """The body or query does not have the declared shape."""
    return not facts.well_formed


def finished_by_this_call(facts: ControlFacts) -> bool:
    """This very operation finished the id."""
    return facts.finished_by_this


def id_is_finished(facts: ControlFacts) -> bool:
    """The id has been resumed."""
    return facts.finished


def recorded_for_another_directory(facts: ControlFacts) -> bool:
    """The operation has a recorded answer for this id, for another directory."""
    return facts.recorded_elsewhere


def answer_is_recorded(facts: ControlFacts) -> bool:
    """The operation has a recorded answer for this id."""
    return facts.recorded


def under_way_for_another_directory(facts: ControlFacts) -> bool:
    """The operation runs for this id, for another directory."""
    return facts.under_way_elsewhere


def same_call_is_under_way(facts: ControlFacts) -> bool:
    """The operation runs for this id."""
    return facts.under_way


def another_id_is_active(facts: ControlFacts) -> bool:
    """Another checkpoint is open."""
    return facts.other_active


def phase_does_not_allow(facts: ControlFacts) -> bool:
    """The operation has no place in the phase."""
    return not facts.phase_allows


def not_ready(facts: ControlFacts) -> bool:
    """Something stands where it cannot be written down."""
    return not facts.ready


def something_is_live(facts: ControlFacts) -> bool:
    """Work runs or is parked here."""
    return facts.anything_live


def something_is_unacknowledged(facts: ControlFacts) -> bool:
    """A finished result is retained here."""
    return facts.anything_unacknowledged


def something_is_pending(facts: ControlFacts) -> bool:
    """A restored record waits here for its run."""
    return facts.anything_pending


def key_is_live(facts: ControlFacts) -> bool:
    """The key runs, is parked, or retains its result."""
    return facts.key_live


def key_has_no_result(facts: ControlFacts) -> bool:
    """The key retains no finished result."""
    return not facts.key_completed


def run_is_acknowledged(facts: RunFacts) -> bool:
    """The result of the key was released."""
    return facts.acknowledged


def run_is_refused(facts: RunFacts) -> bool:
    """The key is refused."""
    return facts.refused


def run_is_below_watermark(facts: RunFacts) -> bool:
    """A later attempt of the rollout is known."""
    return facts.below_watermark


def run_is_completed(facts: RunFacts) -> bool:
    """The key retains its finished result."""
    return facts.completed


def run_is_live(facts: RunFacts) -> bool:
    """The key runs or is parked."""
    return facts.live


def admission_is_closed(facts: RunFacts) -> bool:
    """Admission is closed."""
    return facts.closed


def older_attempt_is_live(facts: RunFacts) -> bool:
    """An older attempt of the rollout runs, is parked, or retains its result."""
    return facts.older_attempt_live


def differs_from_acknowledged(facts: ReceiptFacts) -> bool:
    """The key was acknowledged with another receipt."""
    return facts.acknowledged and not facts.equals_acknowledged


def has_nothing_to_release(facts: ReceiptFacts) -> bool:
    """The key retains no finished result and was not acknowledged."""
    return not facts.acknowledged and not facts.completed


def differs_from_retained(facts: ReceiptFacts) -> bool:
    """The retained result has another receipt."""
    return facts.completed and not facts.equals_retained
