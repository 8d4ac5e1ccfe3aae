"""What a row of a controller's chart may ask. Plain functions over frozen facts."""

import attrs


@attrs.frozen
class FenceFacts:
    """How the id in question stands to the fence: never used, the one that holds it, or retired."""

    fresh: bool = False
    holds: bool = False
    retired: bool = False


@attrs.frozen
class RoundFacts:
    """What is known of a checkpoint when an event reaches it."""

    all_released: bool = False
    references_fit: bool = True
    step_unchanged: bool = True
    outbox_empty: bool = True


@attrs.frozen
class AttemptFacts:
    """Whether anybody waits for the result of an attempt."""

    wanted: bool = True


def id_is_fresh(facts: FenceFacts) -> bool:
    """No checkpoint has had this id."""
    return facts.fresh


def id_holds_the_fence(facts: FenceFacts) -> bool:
    """The fence is frozen under this id."""
    return facts.holds


def id_is_retired(facts: FenceFacts) -> bool:
    """The checkpoint of this id is over."""
    return facts.retired


def all_are_released(facts: RoundFacts) -> bool:
    """Every participant that was attempted has confirmed its release."""
    return facts.all_released


def some_are_held(facts: RoundFacts) -> bool:
    """A participant that was attempted has not confirmed its release."""
    return not facts.all_released


def references_fit(facts: RoundFacts) -> bool:
    """Each reference of a model has its continuation, and each continuation its sessions."""
    return facts.references_fit


def step_is_unchanged(facts: RoundFacts) -> bool:
    """The trainer stands where it stood when the snapshot became due."""
    return facts.step_unchanged


def step_has_changed(facts: RoundFacts) -> bool:
    """The trainer has made a step since the snapshot became due."""
    return not facts.step_unchanged


def nothing_is_owed(facts: RoundFacts) -> bool:
    """The outbox is empty."""
    return facts.outbox_empty


def something_is_owed(facts: RoundFacts) -> bool:
    """An acknowledgement is owed."""
    return not facts.outbox_empty


def somebody_wants_it(facts: AttemptFacts) -> bool:
    """The ledger waits for the result of this attempt."""
    return facts.wanted


def nobody_wants_it(facts: AttemptFacts) -> bool:
    """The group is gone, or its result is known, or a later attempt has taken its place."""
    return not facts.wanted
