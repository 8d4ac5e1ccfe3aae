"""What a check of a ledger's ladder may ask, and the conditions that ask it."""

import attrs

from fencepost_spec.vocabulary import Key


@attrs.frozen
class CallFacts:
    """What is known when an operation is called. What does not apply has its harmless value."""

    cut_is_live: bool = True
    well_formed: bool = True
    known: bool = True
    taken: bool = False
    admission_disagrees: bool = False
    phase_allows: bool = True
    status_allows: bool = True
    bound: bool = True
    granularity_fits: bool = True
    siblings_exist: bool = True
    whole_cohort: bool = True
    one_agent: bool = True
    agent_agrees: bool = True
    attempts_allow: bool = True
    has_receipt: bool = True
    agrees_with_pending: bool = True
    each_once: bool = True
    all_are_safe: bool = True
    all_are_bound: bool = True
    prompt_agrees: bool = True
    empty: bool = True


@attrs.frozen
class ResultFacts:
    """What a result names, and what it has to name."""

    key: Key
    gate_rollout_id: str
    receipt_rollout_id: str | None
    completion: Key | None


def cut_is_not_live(facts: CallFacts) -> bool:
    """The mutation cut is over, or was never opened."""
    return not facts.cut_is_live


def values_are_wrong(facts: CallFacts) -> bool:
    """A value is missing, too much, of another type, or out of its domain."""
    return not facts.well_formed


def group_is_unknown(facts: CallFacts) -> bool:
    """The ledger holds no group of that id."""
    return not facts.known


def group_is_taken(facts: CallFacts) -> bool:
    """The ledger holds a group of that id."""
    return facts.taken


def admission_disagrees(facts: CallFacts) -> bool:
    """A group of the same admission has another phase or target step."""
    return facts.admission_disagrees


def phase_does_not_allow(facts: CallFacts) -> bool:
    """The phase of the group has no row for this."""
    return not facts.phase_allows


def status_does_not_allow(facts: CallFacts) -> bool:
    """The status of the group has no row for this."""
    return not facts.status_allows


def prompt_is_unbound(facts: CallFacts) -> bool:
    """The group was loaded and has not been given its prompt again."""
    return not facts.bound


def granularity_is_another(facts: CallFacts) -> bool:
    """The group recovers the other way: by sibling, or as a whole."""
    return not facts.granularity_fits


def sibling_is_unknown(facts: CallFacts) -> bool:
    """A generation index is none of the group's."""
    return not facts.siblings_exist


def cohort_is_not_whole(facts: CallFacts) -> bool:
    """Not exactly every sibling of the group has a result."""
    return not facts.whole_cohort


def agents_are_several(facts: CallFacts) -> bool:
    """The results of one cohort name several agents."""
    return not facts.one_agent


def agent_is_another(facts: CallFacts) -> bool:
    """The group's earlier results, or what is owed for them, name another agent."""
    return not facts.agent_agrees


def attempts_do_not_allow(facts: CallFacts) -> bool:
    """The status of an attempt that is meant has no row for this."""
    return not facts.attempts_allow


def receipt_is_missing(facts: CallFacts) -> bool:
    """There is no completion receipt to acknowledge."""
    return not facts.has_receipt


def differs_from_pending(facts: CallFacts) -> bool:
    """An obligation of the same execution is pending with other content."""
    return not facts.agrees_with_pending


def an_execution_is_listed_twice(facts: CallFacts) -> bool:
    """Two rows of the list name one execution."""
    return not facts.each_once


def a_group_is_unsafe(facts: CallFacts) -> bool:
    """A group is being finalized, or its finalization has an unknown end."""
    return not facts.all_are_safe


def a_prompt_is_unbound(facts: CallFacts) -> bool:
    """A loaded group has not been given its prompt again."""
    return not facts.all_are_bound


def prompt_is_another(facts: CallFacts) -> bool:
    """The payload has another index or task than the group."""
    return not facts.prompt_agrees


def ledger_is_not_empty(facts: CallFacts) -> bool:
    """The ledger holds groups or obligations."""
    return not facts.empty


def gate_names_another(facts: ResultFacts) -> bool:
    """The result came under another capture key than that of the current attempt."""
    return facts.gate_rollout_id != facts.key.capture_key


def receipt_names_another(facts: ResultFacts) -> bool:
    """The gate receipt names another capture key than that of the current attempt."""
    named = facts.receipt_rollout_id
    return named is not None and named != facts.key.capture_key


def completion_names_another_rollout(facts: ResultFacts) -> bool:
    """The completion receipt names another logical rollout."""
    return facts.completion is not None and facts.completion.rollout_id != facts.key.rollout_id


def completion_names_another_attempt(facts: ResultFacts) -> bool:
    """The completion receipt names another attempt of the rollout."""
    return facts.completion is not None and facts.completion.attempt != facts.key.attempt
