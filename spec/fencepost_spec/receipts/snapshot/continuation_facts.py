"""What continuations may be asked: among themselves, beside the ledger, and before a restart."""

import attrs

from fencepost_spec.vocabulary import Key, capture_key_for

NUMBER_LENGTH_MAX = 18
"""Longer attempt numbers are those of nobody; reading them would only cost time."""


@attrs.frozen
class RootFacts:
    """One line of a continuation index: what was parked, and the model call that it rests on.

    `dependencies` are the resources servers that it relies on, None when nobody knows.
    """

    source: Key
    capture_key: str
    call_id: str
    dependencies: frozenset[str] | None


@attrs.frozen
class RowFacts:
    """One line of a storage reference index: a staged row, and the model call that it is of."""

    capture_key: str
    call_id: str
    kind: str
    key: str


@attrs.frozen
class JoinFacts:
    """All continuation indexes and all storage references of one commit.

    `resources` are the names of the resources servers that were found, None where nobody looked.
    `pending` are the attempts that were parked with a model's reply whose actions are not done,
    `lineages` the capture keys whose lineage a policy model has committed.
    """

    roots: tuple[RootFacts, ...]
    references: tuple[RowFacts, ...]
    lineages: frozenset[str]
    resources: frozenset[str] | None
    pending: frozenset[Key]


@attrs.frozen
class OwnerFacts:
    """The attempts that continuations were taken from, and the ledger's current attempts.

    `current` has the number and the status of the last attempt of each sibling, by rollout id.
    """

    sources: tuple[Key, ...]
    current: tuple[tuple[str, int, str], ...]


@attrs.frozen
class ContinuationFacts:
    """One restored continuation before a restart.

    `restart_only` are the resources servers that keep nothing, `dependencies` the ones that the
    continuation relies on, None when that is not known. `resumes` says that the recovery level of
    its group goes down to single turns.
    """

    has_owner: bool
    resumes: bool
    dependencies: frozenset[str] | None
    restart_only: frozenset[str]


def capture_key_continues_twice(facts: JoinFacts) -> bool:
    """Two continuations rest on one capture key."""
    keys = [root.capture_key for root in facts.roots]
    return len(set(keys)) != len(keys)


def rollout_continues_twice(facts: JoinFacts) -> bool:
    """Two continuations were taken from one rollout."""
    rollouts = [root.source.rollout_id for root in facts.roots]
    return len(set(rollouts)) != len(rollouts)


def capture_key_is_of_another(facts: JoinFacts) -> bool:
    """A continuation rests on another rollout, or on a later attempt."""
    return not all(_is_its_own(root) for root in facts.roots)


def _is_its_own(root: RootFacts) -> bool:
    if root.capture_key == root.source.rollout_id:
        return True
    number = root.capture_key.removeprefix(f"{root.source.rollout_id}-a")
    if not (number.isascii() and number.isdecimal()) or len(number) > NUMBER_LENGTH_MAX:
        return False
    attempt = int(number)
    known = 1 <= attempt <= root.source.attempt
    return known and capture_key_for(root.source.rollout_id, attempt) == root.capture_key


def dependency_is_unknown(facts: JoinFacts) -> bool:
    """A continuation relies on a resources server that was not found."""
    found = facts.resources
    return found is not None and any(
        not (root.dependencies or frozenset()) <= found for root in facts.roots
    )


def reference_names_another_call(facts: JoinFacts) -> bool:
    """A staged row of a continuation is of another model call than its last one."""
    calls = {root.capture_key: root.call_id for root in facts.roots}
    return any(
        one.call_id != calls[one.capture_key]
        for one in facts.references
        if one.capture_key in calls
    )


def reference_has_no_continuation(facts: JoinFacts) -> bool:
    """A staged row was kept for a capture key that nothing continues."""
    continued = {root.capture_key for root in facts.roots}
    return any(one.capture_key not in continued for one in facts.references)


def storage_key_has_two_meanings(facts: JoinFacts) -> bool:
    """One storage key stands for two different rows."""
    return len({one.key for one in facts.references}) != len(_distinct(facts))


def reference_comes_twice(facts: JoinFacts) -> bool:
    """The same reference is there twice."""
    return len(facts.references) != len(_distinct(facts))


def pending_has_no_row(facts: JoinFacts) -> bool:
    """The actions of a model's reply are not done, and no row of it is kept."""
    kept = {one.capture_key for one in facts.references}
    with_rows = {root.source for root in facts.roots if root.capture_key in kept}
    return not facts.pending <= with_rows


def lineages_are_others(facts: JoinFacts) -> bool:
    """The policy models have committed other lineages than those that continuations rest on."""
    return facts.lineages != frozenset(root.capture_key for root in facts.roots)


def _distinct(facts: JoinFacts) -> set[RowFacts]:
    return set(facts.references)


def source_is_sealed(facts: OwnerFacts) -> bool:
    """An attempt has its whole result, and a continuation."""
    sealed = {Key(name, number) for name, number, status in facts.current if status == "sealed"}
    return not sealed.isdisjoint(facts.sources)


def source_was_never_numbered(facts: OwnerFacts) -> bool:
    """A continuation was taken from an attempt above the current one of its sibling."""
    last = {name: number for name, number, _ in facts.current}
    return any(key.attempt > last.get(key.rollout_id, key.attempt) for key in facts.sources)


def has_no_owner(facts: ContinuationFacts) -> bool:
    """It was not taken from an unfinished current attempt of the ledger."""
    return not facts.has_owner


def level_is_above_turns(facts: ContinuationFacts) -> bool:
    """Its group is recovered by whole siblings or as a whole."""
    return not facts.resumes


def relies_on_what_restarts(facts: ContinuationFacts) -> bool:
    """It relies on a resources server that keeps nothing."""
    return facts.dependencies is not None and not facts.dependencies.isdisjoint(facts.restart_only)


def may_rely_on_what_restarts(facts: ContinuationFacts) -> bool:
    """It does not say on what it relies, and some resources server keeps nothing."""
    return facts.dependencies is None and bool(facts.restart_only)
