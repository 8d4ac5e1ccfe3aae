"""What a policy model's guards and checks may ask, and the conditions that ask it."""

import attrs

from fencepost_spec.receipts.facts import ControlFacts


@attrs.frozen
class DrainFacts:
    """What is known when admission moves."""

    in_flight: int = 0


@attrs.frozen
class GateFacts:
    """What is known when a call of the data plane arrives."""

    identity_agrees: bool = True
    refused: bool = False
    below_source: bool = False
    closed: bool = False


@attrs.frozen
class ModelFacts(ControlFacts):
    """What is known when a control call arrives at a model."""

    policy: bool = True
    has_ledger: bool = True
    quiescent: bool = True


def calls_are_in_flight(facts: DrainFacts) -> bool:
    """Some call that was let in has not ended."""
    return facts.in_flight > 0


def nothing_is_in_flight(facts: DrainFacts) -> bool:
    """Every call that was let in has ended."""
    return facts.in_flight == 0


def identity_disagrees(facts: GateFacts) -> bool:
    """The headers are no identity, or name another attempt than the path."""
    return not facts.identity_agrees


def attempt_is_refused(facts: GateFacts) -> bool:
    """The attempt was aborted, or a restore refused it."""
    return facts.refused


def attempt_is_below_source(facts: GateFacts) -> bool:
    """A later attempt of the rollout was restored from."""
    return facts.below_source


def model_is_closed(facts: GateFacts) -> bool:
    """The model is draining or paused."""
    return facts.closed


def not_a_policy(facts: ModelFacts) -> bool:
    """The instance is a judge or a simulator, not a policy."""
    return not facts.policy


def has_no_ledger(facts: ModelFacts) -> bool:
    """The server keeps no ledger that could be copied."""
    return not facts.has_ledger


def not_quiescent(facts: ModelFacts) -> bool:
    """The model is not paused, or a call is in flight."""
    return not facts.quiescent
