"""What a check of a saved ledger may ask, level by level, and the conditions that ask it."""

import attrs

from fencepost_spec.vocabulary import Key


@attrs.frozen
class ShapeFacts:
    """How a saved state differs from the models that wrote it."""

    other_version: bool = False
    unknown_key: bool = False
    missing_key: bool = False
    wrong_type: bool = False
    out_of_domain: bool = False


@attrs.frozen
class AttemptFacts:
    """One saved attempt, and what it has to be."""

    key: Key
    status: str
    last: bool
    has_receipt: bool
    receipt_rollout_id: str | None
    manifest_keys: tuple[str, ...]
    staging_keys: tuple[str, ...]
    completion: Key | None
    has_reward: bool
    has_mask: bool


@attrs.frozen
class SiblingFacts:
    """One saved sibling: its place and its index, and the indices of its attempts."""

    place: int
    generation_index: int
    attempt_indices: tuple[int, ...]


@attrs.frozen
class GroupFacts:
    """One saved group. `current` has the status of each sibling's last attempt, `every` of all."""

    expected: int
    siblings: int
    status: str
    phase: str
    whole_cohorts: bool
    has_agent: bool
    prompt_id: str
    sample_id: str
    current: tuple[str, ...]
    every: tuple[str, ...]


@attrs.frozen
class LedgerFacts:
    """The names of a saved ledger, in order; an admission comes with its phase and target.

    `owed` and `sealed` have a completion receipt as canonical JSON and an agent for each execution:
    what the obligations say of it, and what its sealed attempt and its group say.
    """

    group_ids: tuple[str, ...]
    obligations: tuple[Key, ...]
    admissions: tuple[tuple[str, str, int | None], ...]
    owed: tuple[tuple[Key, str | None, str | None], ...] = ()
    sealed: tuple[tuple[Key, str | None, str | None], ...] = ()


def version_is_another(facts: ShapeFacts) -> bool:
    """The schema version is not the whole number that this reader writes."""
    return facts.other_version


def key_is_unknown(facts: ShapeFacts) -> bool:
    """A mapping has a key that its model does not have."""
    return facts.unknown_key


def key_is_missing(facts: ShapeFacts) -> bool:
    """A mapping lacks a key of its model; null would be there."""
    return facts.missing_key


def type_is_wrong(facts: ShapeFacts) -> bool:
    """A value has another JSON type than its model says."""
    return facts.wrong_type


def value_is_out_of_domain(facts: ShapeFacts) -> bool:
    """A value has the right type and is none that may stand there."""
    return facts.out_of_domain


def sealed_without_reward(facts: AttemptFacts) -> bool:
    """A sealed attempt has no reward."""
    return facts.status == "sealed" and not facts.has_reward


def sealed_without_mask(facts: AttemptFacts) -> bool:
    """A sealed attempt does not say whether it is masked."""
    return facts.status == "sealed" and not facts.has_mask


def keys_without_receipt(facts: AttemptFacts) -> bool:
    """A sealed attempt without a gate receipt owns staged rows."""
    return facts.status == "sealed" and not facts.has_receipt and bool(facts.staging_keys)


def receipt_of_another(facts: AttemptFacts) -> bool:
    """The gate receipt names another capture key than that of its attempt."""
    return facts.has_receipt and facts.receipt_rollout_id != facts.key.capture_key


def keys_differ_from_manifest(facts: AttemptFacts) -> bool:
    """The staged rows are not those of the gate receipt, in its order."""
    return facts.has_receipt and facts.manifest_keys != facts.staging_keys


def completion_of_another(facts: AttemptFacts) -> bool:
    """The completion receipt names another execution than its attempt."""
    return facts.completion is not None and facts.completion != facts.key


def data_without_seal(facts: AttemptFacts) -> bool:
    """An attempt that is not sealed has a part of a result."""
    data = (facts.has_receipt, facts.staging_keys, facts.completion, facts.has_reward)
    return facts.status != "sealed" and any((*data, facts.has_mask))


def older_was_not_given_up(facts: AttemptFacts) -> bool:
    """An attempt that another follows is neither abandoned nor failed."""
    return not facts.last and facts.status not in ("abandoned", "failed")


def has_no_attempt(facts: SiblingFacts) -> bool:
    """A sibling has no attempt."""
    return not facts.attempt_indices


def attempts_have_gaps(facts: SiblingFacts) -> bool:
    """The attempts are not numbered from zero in their order."""
    return facts.attempt_indices != tuple(range(len(facts.attempt_indices)))


def sibling_is_out_of_place(facts: SiblingFacts) -> bool:
    """The generation index is not the sibling's place."""
    return facts.generation_index != facts.place


def siblings_are_miscounted(facts: GroupFacts) -> bool:
    """There are not as many siblings as generations expected."""
    return facts.siblings != facts.expected


def reference_is_another(facts: GroupFacts) -> bool:
    """The prompt's reference names another sample."""
    return facts.sample_id != facts.prompt_id


def generating_with_all_sealed(facts: GroupFacts) -> bool:
    """A generating group has no unsealed sibling left."""
    return facts.status == "generating" and set(facts.current) <= {"sealed"}


def ready_with_some_unsealed(facts: GroupFacts) -> bool:
    """A group that left generating has an unsealed sibling."""
    return facts.status != "generating" and set(facts.current) != {"sealed"}


def sealed_without_agent(facts: GroupFacts) -> bool:
    """A group with a sealed sibling names no agent."""
    return "sealed" in facts.current and not facts.has_agent


def agent_without_seal(facts: GroupFacts) -> bool:
    """A group without a sealed sibling names an agent."""
    return "sealed" not in facts.current and facts.has_agent


def cohort_is_half_sealed(facts: GroupFacts) -> bool:
    """A cohort has some siblings sealed and some not."""
    return facts.whole_cohorts and "sealed" in facts.current and set(facts.current) != {"sealed"}


def reserved_but_dispatched(facts: GroupFacts) -> bool:
    """A group that was never admitted has an attempt that was sent out."""
    return facts.phase == "reserved" and bool({"dispatched", "sealed"} & set(facts.every))


def status_is_unsafe(facts: GroupFacts) -> bool:
    """A group was saved while it was being finalized."""
    return facts.status in ("finalizing", "finalization_unknown")


def group_comes_twice(facts: LedgerFacts) -> bool:
    """Two groups have one id."""
    return len(set(facts.group_ids)) != len(facts.group_ids)


def obligation_comes_twice(facts: LedgerFacts) -> bool:
    """Two obligations name one execution."""
    return len(set(facts.obligations)) != len(facts.obligations)


def admissions_disagree(facts: LedgerFacts) -> bool:
    """Two groups of one admission have another phase or target step."""
    return len(set(facts.admissions)) != len({name for name, _, _ in facts.admissions})


def obligation_names_no_sibling(facts: LedgerFacts) -> bool:
    """An obligation names a rollout that cannot be a sibling of any group."""
    return not all(_is_logical(key.rollout_id) for key in facts.obligations)


def obligation_contradicts_its_seal(facts: LedgerFacts) -> bool:
    """An obligation of a sealed attempt has another receipt or agent than the attempt."""
    sealed = {key: (receipt, agent) for key, receipt, agent in facts.sealed}
    return any(
        sealed.get(key, (receipt, agent)) != (receipt, agent) for key, receipt, agent in facts.owed
    )


def _is_logical(rollout_id: str) -> bool:
    group_id, mark, index = rollout_id.rpartition("_g")
    return bool(group_id and mark) and index.isdecimal() and str(int(index)) == index
