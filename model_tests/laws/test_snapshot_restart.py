"""What a restart keeps of a snapshot, and what is joined and built."""

from itertools import product
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.ledger import samples
from fencepost.snapshot import specimens as s
from fencepost.snapshot.committed import references
from fencepost.snapshot.samples import GIVEN_UP, finalized, reliant, snapshot
from fencepost.snapshot.worlds import World, ask
from fencepost_reference.receipts.ledger.library import RecoveryLedger
from fencepost_reference.receipts.snapshot.joining import join, required_staging_keys
from fencepost_reference.receipts.snapshot.restarting import Restart, plan_restart
from fencepost_reference.receipts.snapshot.values import Snapshot
from fencepost_spec.operation import Check
from fencepost_spec.receipts.saved import ContinuationRoot
from fencepost_spec.receipts.snapshot.results import CheckpointTopology
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT
from fencepost_spec.receipts.versions import SCHEMA_VERSION
from fencepost_spec.vocabulary import Key

FINGERPRINT = "f" * 64


def restart(whole: Snapshot | None = None, **changes: Any) -> Restart:
    """The plan for the specimen, with the participants that were found."""
    topology = changes.pop("topology", s.topology())
    return plan_restart(whole or snapshot(), topology, **changes)


def names_of(plan: Restart) -> tuple[list[str], list[tuple[str, str]]]:
    """Which capture keys are kept, and which are given up by which rule."""
    kept = [one.capture_key for one in plan.kept]
    return kept, [(one.capture_key, rule.id) for one, rule in plan.given_up]


def test_every_continuation_goes_on_as_the_next_attempt() -> None:
    """I26, I27, 4.3: where nothing they rely on restarts only, all are kept, as N + 1."""
    plan = restart()

    assert names_of(plan) == (["a_g1", "b_g0"], [])
    assert [one.replacement for one in plan.kept] == [Key("a_g1", 1), Key("b_g0", 2)]
    assert plan.sources == (Key("a_g1", 0), Key("b_g0", 1))
    assert plan.expected_rows == {"a_g0/0", "a_g1/0", "b_g0/0"}
    assert plan.unreferenced_rows == ("old/0",)
    assert plan.discards == ()


NO_RESTARTS = CheckpointTopology(
    schema_version=s.topology().schema_version,
    contracts=[
        one for one in s.topology().contracts if one.participant.participant_name != s.FILES
    ],
)


@pytest.mark.parametrize("check", SNAPSHOT.restart.discard, ids=lambda check: check.rule.id)
def test_a_continuation_is_given_up_for_one_reason(check: Check) -> None:
    """X5, I27: discarded at its agent, its rows deleted; without the check it would go on."""
    for make, changes in GIVEN_UP[check.rule.id]:
        plan = restart(make(), **changes)
        assert names_of(plan) == (["b_g0"], [("a_g1", check.rule.id)])
        assert plan.discards == (Key("a_g1", 1),)
        assert plan.sources == (Key("a_g1", 0), Key("b_g0", 1))
        assert "a_g1/0" in plan.unreferenced_rows
        fewer = tuple(one for one in SNAPSHOT.restart.discard if one is not check)
        rules = attrs.evolve(SNAPSHOT.restart, discard=fewer)
        mutant = restart(make(), **changes, spec=attrs.evolve(SNAPSHOT, restart=rules))
        assert "a_g1" in names_of(mutant)[0]


@pytest.mark.parametrize("revisions", [{}, {s.TOOLS: 3}, None])
def test_without_servers_that_only_restart_nothing_is_given_up(
    revisions: dict[str, int] | None,
) -> None:
    """I27: also what does not say on what it relies."""
    assert restart(reliant(revisions), topology=NO_RESTARTS).given_up == ()


def test_what_relies_on_nothing_is_kept_among_servers_that_restart() -> None:
    """I27: an empty object says that nothing was used, and null that nobody knows."""
    assert names_of(restart(reliant({})))[1] == []
    assert names_of(restart(reliant(None)))[1] == [("a_g1", "R-SNR-4")]


def test_a_group_that_training_owns_is_let_go() -> None:
    """R-SNR-12, I9: canonical rows win, and its staged rows are deleted."""
    plan = restart(finalized())

    assert plan.canonical == ("a",)
    assert "a_g0/0" in plan.unreferenced_rows


def test_without_participants_there_is_nothing_to_discard() -> None:
    """Where nobody was restored nothing is continued, and only sealed rows are expected."""
    plan = restart(topology=None)

    assert (plan.kept, plan.given_up, plan.sources) == ((), (), ())
    assert plan.expected_rows == {"a_g0/0"}
    assert restart(topology=None, planned=["old/0"]).expected_rows == {"a_g0/0", "old/0"}


def test_the_plan_fits_the_ledger() -> None:
    """4.1, G5: after the restart the ledger's next attempts are the replacements."""
    ledger = RecoveryLedger()
    state = s.sidecar()
    ledger.load_state_dict(
        {name: state[name] for name in ("schema_version", "groups")}
        | {"pending_completed_execution_acknowledgements": []}
    )
    plan = restart()
    ledger.discard_canonical_groups(plan.canonical)
    ledger.prepare_for_restart(
        [{"rollout_id": one.rollout_id, "attempt_index": one.attempt} for one in plan.sources]
    )
    for group_id in ("a", "b"):
        ledger.bind_runtime_prompt(group_id, samples.payload())
        with ledger.mutation_cut() as cut:
            ledger.prepare_incomplete_retry(cut, group_id)
    keys = {key for group in ledger.state.groups.values() for key in group.executions()}

    assert {one.replacement for one in plan.kept} <= keys


# Joining and building.


@given(
    rows=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), unique=True),
    attempts=st.dictionaries(st.sampled_from("abc"), st.integers(0, 3)),
)
def test_join_loses_no_row_and_numbers_the_next_attempt(
    rows: list[tuple[str, int]], attempts: dict[str, int]
) -> None:
    """I25, I26: each row is with the continuation of its capture key, each source goes up by 1."""
    roots = [
        ContinuationRoot(
            schema_version=SCHEMA_VERSION,
            rollout_id=name,
            attempt_index=attempt,
            capture_key=name,
            last_committed_model_call_id="call",
            resource_state_revisions=None,
        )
        for name, attempt in attempts.items()
    ]
    kept = [
        references()[0].model_copy(update={"capture_key": name, "key": f"{name}/{number}"})
        for name, number in rows
    ]
    joined = {one.capture_key: one for one in join(roots, kept)}

    assert {name: one.replacement.attempt for name, one in joined.items()} == {
        name: attempt + 1 for name, attempt in attempts.items()
    }
    for name, one in joined.items():
        assert set(one.staging_keys) == {f"{own}/{n}" for own, n in rows if own == name}
        assert one.dependencies is None
    required = required_staging_keys(s.ledger(), kept)
    assert required == {"a_g0/0", *(f"{name}/{number}" for name, number in rows)}


def test_fingerprints_leave_features_out_and_nothing_else() -> None:
    """1.6: features may come and go; any other field makes another topology."""
    found_ = s.topology().model_dump(mode="json")
    before = CheckpointTopology.model_validate(found_).fingerprint()
    contract = found_["contracts"][0]
    contract["capabilities"]["features"] = ["new"]
    assert CheckpointTopology.model_validate(found_).fingerprint() == before
    changes: list[tuple[str, str, Any]] = [
        ("participant", "server_name", "other"),
        ("participant", "component", "responses_api_models"),
        ("participant", "participant_name", "other"),
        ("capabilities", "checkpoint_mode", "stateless"),
        ("capabilities", "concurrency_contract", "stateless"),
        ("capabilities", "multi_process", {"mode": "coordinator", "num_workers": 2}),
        ("capabilities", "instance_role", "policy"),
        ("capabilities", "admission_states", []),
    ]
    for part, name, value in changes:
        other = CheckpointTopology.model_validate(
            found_ | {"contracts": [{**contract, part: contract[part] | {name: value}}]}
        )
        same = CheckpointTopology.model_validate(found_ | {"contracts": [contract]})
        assert other.fingerprint() != same.fingerprint(), name


def test_a_group_that_training_owns_is_not_saved_as_unfinished() -> None:
    """I9, S10: what is captured with canonical rows is dropped from the saved ledger."""
    world = World.whole(replay=(("a", ("a_g0", "a_g1")),))
    world.pending = frozenset()
    ledger = s.sidecar()

    assert [group["group_id"] for group in ledger["groups"]] == ["a", "b", "r"]
    answer = ask(world)
    assert isinstance(answer, Snapshot)
    assert set(answer.documents.ledger.groups) == {"b", "r"}
    # Its continuation has no owner any more, and is given up in words.
    assert names_of(restart(answer)) == (["b_g0"], [("a_g1", "R-SNR-1")])


@pytest.mark.parametrize(("step", "participants"), list(product((0, s.STEP), (True, False))))
def test_whatever_is_built_is_believed(step: int, participants: bool) -> None:
    """At the start of a run and later, with participants and without."""
    _, commit = s.participants()
    alone = {} if participants else {"commit": None, "topology": None}
    fingerprint = FINGERPRINT if step == 0 else None
    world = World.whole(
        base_train_step=step, trainer_version=step, bootstrap_fingerprint=fingerprint, **alone
    )
    answer = ask(world)

    assert isinstance(answer, Snapshot)
    assert bool(answer.continuations) == participants
    assert (answer.manifest.gym_checkpoint == commit) == participants
