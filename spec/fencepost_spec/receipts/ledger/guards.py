"""What a row of a ledger chart may ask. Plain functions over one frozen facts object."""

import attrs


@attrs.frozen
class RowFacts:
    """What is known about one attempt, group or obligation when an event reaches it.

    `all_sealed` counts the sibling that is being sealed. `restored_source` says that a restored
    continuation was taken from this very attempt.
    """

    same_result: bool = False
    same_row: bool = False
    all_sealed: bool = False
    restored_source: bool = False


def result_is_the_same(facts: RowFacts) -> bool:
    """Every field of the result equals what was sealed."""
    return facts.same_result


def row_is_the_same(facts: RowFacts) -> bool:
    """Every field of the row equals the pending one."""
    return facts.same_row


def all_are_sealed(facts: RowFacts) -> bool:
    """No sibling of the group is left unsealed."""
    return facts.all_sealed


def some_are_unsealed(facts: RowFacts) -> bool:
    """A sibling of the group is left unsealed."""
    return not facts.all_sealed


def is_a_restored_source(facts: RowFacts) -> bool:
    """A restored continuation was taken from this attempt, so its successor continues it."""
    return facts.restored_source


def is_no_restored_source(facts: RowFacts) -> bool:
    """No restored continuation was taken from this attempt."""
    return not facts.restored_source
