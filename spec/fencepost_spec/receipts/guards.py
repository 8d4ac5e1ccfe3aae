"""What a row of the execution chart may ask. Plain functions over one frozen facts object."""

import attrs


@attrs.frozen
class ExecutionFacts:
    """What is known about one key when an event reaches it.

    `has_record` is true when something can be exported for the key: a boundary of its own, or the
    continuation it was started from (R8).
    """

    identity_matches: bool = True
    advances: bool = False
    same_record: bool = False
    has_record: bool = False
    has_handler: bool = True
    external_wait_open: bool = False
    model_wait_open: bool = False
    model_wait_allowed: bool = False
    refusal_came: bool = False


def identity_matches(facts: ExecutionFacts) -> bool:
    """The record names the very execution that commits it."""
    return facts.identity_matches


def boundary_advances(facts: ExecutionFacts) -> bool:
    """The index is above the previous one, and above that of the continuation."""
    return facts.advances


def record_is_the_same(facts: ExecutionFacts) -> bool:
    """The record equals the one committed last."""
    return facts.same_record


def has_record(facts: ExecutionFacts) -> bool:
    """There is a boundary or a continuation to export."""
    return facts.has_record


def has_no_record(facts: ExecutionFacts) -> bool:
    """There is neither a boundary nor a continuation."""
    return not facts.has_record


def handler_is_there(facts: ExecutionFacts) -> bool:
    """The handler of the run has not ended."""
    return facts.has_handler


def handler_has_ended(facts: ExecutionFacts) -> bool:
    """The handler of the run has ended; nobody will go on with it."""
    return not facts.has_handler


def external_wait_is_open(facts: ExecutionFacts) -> bool:
    """The handler stands in a marked external wait."""
    return facts.external_wait_open


def model_wait_is_open(facts: ExecutionFacts) -> bool:
    """The handler stands in a marked model wait."""
    return facts.model_wait_open


def model_wait_is_allowed(facts: ExecutionFacts) -> bool:
    """The prepare said that a model wait counts as a boundary."""
    return facts.model_wait_allowed


def cannot_freeze(facts: ExecutionFacts) -> bool:
    """No open wait of this key may stand for a boundary."""
    frozen_outside = facts.external_wait_open
    frozen_in_model = facts.model_wait_open and facts.model_wait_allowed
    return not (facts.has_record and (frozen_outside or frozen_in_model))


def refusal_came(facts: ExecutionFacts) -> bool:
    """What ended the wait is a refusal from further down, not a reply."""
    return facts.refusal_came


def reply_came(facts: ExecutionFacts) -> bool:
    """What ended the wait is a reply."""
    return not facts.refusal_came
