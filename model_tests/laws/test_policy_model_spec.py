"""The specification of the policy model is whole: charts, ladders, bodies, identities."""

from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from fencepost import catalog
from fencepost.laws import cases, disagreements
from fencepost.report.policy_model import MODEL_CHARTS
from fencepost_spec.chart import Chart, compile_chart
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.fence import CheckpointFence
from fencepost_spec.receipts.policy_model import wire
from fencepost_spec.receipts.policy_model.identity import (
    ATTEMPT_HEADER,
    ROLLOUT_HEADER,
    identity_of_call,
)
from fencepost_spec.receipts.policy_model.operations import OPEN_PHASES
from fencepost_spec.receipts.policy_model.places import model_places
from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES
from fencepost_spec.receipts.policy_model.refusals import BY_CODE, MODEL_REFUSALS
from fencepost_spec.receipts.policy_model.saved import LedgerManifest
from fencepost_spec.receipts.policy_model.spec import MODEL, model_rules
from fencepost_spec.receipts.resources.routes import NoIdentity, identity_of
from fencepost_spec.rule import Level
from fencepost_spec.vocabulary import Key

NEVER_ANSWERED = {"missing_workers"}
"""A code of the coordinator, which is left out (see the decisions)."""


@pytest.mark.parametrize("chart", MODEL_CHARTS, ids=lambda chart: chart.__name__)
def test_a_chart_of_the_model_agrees_with_its_table(chart: type[Chart]) -> None:
    """Machine and table answer every case the same, and a missing row is noticed."""
    table = compile_chart(chart)

    assert disagreements(chart) == []
    assert len(list(cases(chart))) > len(table.rows)
    for row in table.rows:
        assert disagreements(chart, table.without(row)) != []


def test_every_refusal_of_a_ladder_is_known_and_every_code_of_a_model_is_used() -> None:
    """A code that a model may answer with has a status; none but one is never answered."""
    ladders = [operation.ladder for operation in MODEL.operations.values()]
    ladders += [MODEL.gate, MODEL.roots, MODEL.existing, MODEL.source]
    answers = {check.answer for ladder in ladders for check in ladder}

    assert answers - set(BY_CODE) == {"replay", "share"}
    assert {one.code for one in MODEL_REFUSALS} - answers == NEVER_ANSWERED


def test_every_rule_of_a_model_is_in_the_catalog_and_has_a_place() -> None:
    """Nothing can decide a verdict on a model that `fencepost rules` does not explain."""
    placed = {rule_id for rule_id, _ in model_places()}

    assert placed == {rule.id for rule in model_rules()}
    assert all(catalog.rule(rule.id) == rule for rule in model_rules())


def test_a_promise_of_a_model_is_named_by_its_rule() -> None:
    """The phrase of a property is the sentence of its rule; eventually names what it assumes."""
    for prop in MODEL_PROPERTIES:
        assert prop.name == prop.rule.says
        assert bool(prop.fairness) == (prop.kind is Kind.EVENTUALLY)
        assert (prop.kind is Kind.SOMETIMES) == (prop.rule.level is Level.INFO)


def test_status_is_allowed_in_every_phase_but_idle() -> None:
    """What is open can be looked at, a failed restore too."""
    assert set(OPEN_PHASES) == set(compile_chart(CheckpointFence).states) - {"idle"}


def test_the_three_families_of_bodies_name_the_same_operations() -> None:
    """Every operation has a request and a reply, in both renderings."""
    for bodies in (
        wire.MODEL_REQUESTS,
        wire.MODEL_WIRE_REQUESTS,
        wire.MODEL_REPLIES,
        wire.MODEL_WIRE_REPLIES,
    ):
        assert set(bodies) == set(MODEL.operations)


REFERENCE = {
    "schema_version": 1,
    "relative_path": "agent/continuations.jsonl",
    "sha256": "0" * 64,
    "records": 1,
    "bytes": 10,
}
COMMIT: dict[str, Any] = {
    "checkpoint_id": "c1",
    "checkpoint_dir": "d1",
    "deadline_in": 1.0,
    "continuation_indexes": [REFERENCE],
}


def test_a_commit_names_its_indexes() -> None:
    """The list may be empty and may not be left out, and each reference stays below its root."""
    model = wire.MODEL_REQUESTS["commit"]
    assert model.model_validate(COMMIT)
    assert model.model_validate(COMMIT | {"continuation_indexes": []})
    for wrong in (
        {name: value for name, value in COMMIT.items() if name != "continuation_indexes"},
        COMMIT | {"continuation_indexes": None},
        COMMIT | {"continuation_indexes": [REFERENCE | {"relative_path": "../x"}]},
        COMMIT | {"deadline_ts": 1.0},
    ):
        with pytest.raises(ValidationError):
            model.model_validate(wrong)


def test_a_status_waits_for_paused_only() -> None:
    """Another state to wait for, or a negative timeout, is malformed."""
    model = wire.MODEL_REQUESTS["status"]
    query: dict[str, Any] = {"checkpoint_id": "c1", "deadline_in": 1.0}
    assert model.model_validate(query | {"wait_state": "paused", "timeout_s": 0.0})
    for wrong in ({"wait_state": "draining"}, {"timeout_s": -1.0}, {"checkpoint_id": "-"}):
        with pytest.raises(ValidationError):
            model.model_validate(query | wrong)


def test_a_manifest_has_no_defaults() -> None:
    """Every member of a saved manifest is required: a missing key never becomes a null."""
    assert all(field.is_required() for field in LedgerManifest.model_fields.values())


def _headers(rollout: str | None, attempt: str | None) -> list[tuple[str, str]]:
    named = ((ROLLOUT_HEADER, rollout), (ATTEMPT_HEADER.upper(), attempt))
    return [(name, value) for name, value in named if value is not None]


@pytest.mark.parametrize(
    ("path", "headers", "key"),
    [
        ("/v1/responses", [], None),
        ("/v1/responses", _headers("r1", "0"), Key("r1", 0)),
        ("/ng-rollout/r1/v1/responses", [], Key("r1", 0)),
        ("/ng-rollout/r1-a2/v1/responses", _headers("r1", "2"), Key("r1", 2)),
        ("/ng-rollout/r1-a3/v1/responses", _headers("r1-a3", "0"), Key("r1-a3", 0)),
        ("/v1/responses", _headers("r1", "1") + _headers("r1", "1"), Key("r1", 1)),
    ],
)
def test_headers_and_path_name_one_attempt(
    path: str, headers: list[tuple[str, str]], key: Key | None
) -> None:
    """Headers win over the path, whose suffix may belong to the rollout id."""
    assert identity_of_call(path, headers) == key


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/v1/responses", _headers("r1", None)),
        ("/v1/responses", _headers(None, "1")),
        ("/v1/responses", _headers("r1", "-1")),
        ("/v1/responses", _headers("r1", "one")),
        ("/v1/responses", _headers("r1", "01")),
        ("/v1/responses", _headers("-r1", "1")),
        ("/v1/responses", _headers("r1", "1") + _headers("r2", "1")),
        ("/ng-rollout/r1/v1/responses", _headers("r1", "1")),
        ("/ng-rollout/r2/v1/responses", _headers("r1", "0")),
    ],
)
def test_what_does_not_agree_is_no_identity(path: str, headers: list[tuple[str, str]]) -> None:
    """Half an identity, two of them, a malformed one, and one against the path are refused."""
    with pytest.raises(ValueError, match=r"."):
        identity_of_call(path, headers)


_PREFIXES = (None, "r", "r-a1", "r-a01", "r-a0", "-r", "r-a1-a2", "r a")
_ROLLOUTS = (None, "r", "r-a1", "", "-x")
_ATTEMPTS = (None, "0", "1", "2", "01", "+1", "-1", "1.0", " 1", "", "x", "\u0663", "9" * 30)


@pytest.mark.parametrize("prefix", _PREFIXES)
def test_a_model_and_a_resources_server_read_one_identity(prefix: str | None) -> None:
    """I27: whoever a call belongs to, both servers find the same attempt, or both find none."""
    path = "/v1/responses" if prefix is None else f"/ng-rollout/{prefix}/v1/responses"
    for rollout, attempt in product(_ROLLOUTS, _ATTEMPTS):
        headers = _headers(rollout, attempt)
        lower = {name.lower(): value for name, value in headers}
        try:
            here: Key | None = identity_of_call(path, headers)
        except ValueError:
            with pytest.raises(NoIdentity):
                identity_of(prefix, lower)
        else:
            assert identity_of(prefix, lower) == here, (rollout, attempt)
