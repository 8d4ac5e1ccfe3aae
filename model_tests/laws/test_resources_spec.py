"""The specification of a resources server is whole: registry, identity, routes, saved documents."""

from typing import Any

import pytest
from pydantic import ValidationError

from fencepost import catalog
from fencepost.resources.evidence import ALWAYS, BY_OTHERS, MODES, NEEDS, UNREACHABLE
from fencepost.resources.participant import CAPABILITIES
from fencepost_reference.receipts.resources.promises import PROMISES
from fencepost_reference.receipts.resources.state import Settings
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.resources import routes as r
from fencepost_spec.receipts.resources.operations import OPERATIONS
from fencepost_spec.receipts.resources.properties import PROPERTIES
from fencepost_spec.receipts.resources.refusals import BY_CODE
from fencepost_spec.receipts.resources.saved import ResourcesManifest, SessionFile, file_name
from fencepost_spec.receipts.resources.server import RESOURCES, resources_rules
from fencepost_spec.receipts.resources.wire import REPLIES, REQUESTS, WIRE_REQUESTS
from fencepost_spec.vocabulary import Key

DIGEST = "a" * 64


def test_every_refusal_of_a_ladder_is_in_the_registry() -> None:
    """A code that an answer may carry has a status, and says what it proves."""
    ladders = [operation.ladder for operation in OPERATIONS]
    for ladder in (*ladders, RESOURCES.arrival, RESOURCES.under_lock):
        for check in ladder:
            assert check.answer in BY_CODE or check.answer in {"replay", "share"}
            assert check.when.__doc__
    for blocker in RESOURCES.blockers:
        assert blocker.code is None or blocker.code in BY_CODE


def test_every_always_can_be_asked_and_no_other() -> None:
    """Each property of kind always has a question, and each question its property."""
    always = {prop.id for prop in PROPERTIES if prop.kind is Kind.ALWAYS}

    assert set(PROMISES) == always == set(ALWAYS)


def test_every_operation_has_its_bodies() -> None:
    """What is asked and answered is a model, on the wire and in a trace."""
    names = {operation.name for operation in OPERATIONS}

    assert set(REQUESTS) == set(WIRE_REQUESTS) == set(REPLIES) == names


def test_the_tables_of_evidence_name_rules_and_capabilities_that_exist() -> None:
    """No id and no need is misspelt."""
    ids = {rule.id for rule in resources_rules()}
    named = {*BY_OTHERS, *UNREACHABLE}
    named |= {one for others in BY_OTHERS.values() for one in others}
    named |= {one for listed in MODES.values() for one in listed.split()}
    named |= {one for _, listed in NEEDS for one in listed.split()}
    words = {mode.name for mode in RESOURCES.modes} | {one.name for one in RESOURCES.contracts}

    assert named <= ids
    assert {need for need, _ in NEEDS} <= CAPABILITIES | words


def test_every_rule_is_in_the_catalog_with_a_place() -> None:
    """`fencepost rules` explains each."""
    for rule in resources_rules():
        assert catalog.rule(rule.id) == rule
        assert catalog.places(rule.id)


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/seed_session", r.UNGATED),
        ("POST", "/ng-control/v1/anything", r.UNGATED),
        ("POST", "/aggregate_metrics", r.UNGATED),
        ("POST", "/mcp/tools", r.UNGATED),
        ("POST", "/seed_session", r.START),
        ("POST", "/verify", r.TERMINAL),
        ("POST", "/observe", r.READ),
        ("POST", "/never_heard_of", r.MUTATION),
        ("POST", "/verify/more", r.MUTATION),
    ],
)
def test_the_kind_of_a_route(method: str, path: str, kind: str) -> None:
    """What is not known is taken to change the session; only posts are gated."""
    route = r.route_of(r.ROUTES, r.Asked(method, path, frozenset({"/observe"})))

    assert route is not None
    assert route.kind == kind


JSON, TWO = "application/json", "a=1; b=2"


def _input(**headers: Any) -> list[Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return r.input_of(r.COMPARED, {"method": "POST", "path": "/step", "headers": named})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"content_type": JSON}, {"content_type": "Application/JSON"}),
        ({"content_type": JSON}, {"content_type": f" {JSON} ; "}),
        ({"content_type": f"{JSON}; charset=utf-8"}, {"content_type": f"{JSON};Charset=UTF-8"}),
        ({"content_type": f"{JSON}; a=1; b=2"}, {"content_type": f"{JSON}; b=2; a=1"}),
        ({"cookie": TWO}, {"cookie": "b=2; a=1"}),
        ({"cookie": TWO}, {"cookie": "a=1;b=2;"}),
        ({"cookie": TWO}, {"cookie": "a=1; b=2; a=1"}),
        ({"cookie": TWO, "accept": JSON}, {"cookie": TWO, "accept": "*/*"}),
        ({}, {"content_type": "", "cookie": " "}),
    ],
)
def test_how_a_header_is_written_tells_no_request_from_another(
    one: dict[str, str], other: dict[str, str]
) -> None:
    """A media type has no case, cookies have no order, and blanks say nothing."""
    assert _input(**one) == _input(**other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"content_type": JSON}, {"content_type": "text/plain"}),
        ({"content_type": JSON}, {}),
        ({"content_type": JSON}, {"content_type": f"{JSON}; charset=utf-8"}),
        ({"content_type": f"{JSON}; charset=utf-8"}, {"content_type": f"{JSON}; charset=utf-16"}),
        ({"cookie": TWO}, {"cookie": "a=1; b=3"}),
        ({"cookie": TWO}, {"cookie": "a=1; B=2"}),
        ({"cookie": TWO}, {"cookie": "a=1"}),
        ({"cookie": TWO}, {}),
        ({"content_type": 5}, {}),
    ],
)
def test_what_a_header_means_tells_a_request_from_another(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    """Another type, another parameter, another cookie, or none."""
    assert _input(**one) != _input(**other)


@pytest.mark.parametrize(
    ("prefix", "headers", "key"),
    [
        (None, {}, None),
        ("r1", {}, Key("r1", 0)),
        ("r1-a2", {}, Key("r1", 2)),
        ("r1-a0", {}, Key("r1-a0", 0)),
        ("r1-a2", {r.HEADER_ROLLOUT: "r1-a2", r.HEADER_ATTEMPT: "0"}, Key("r1-a2", 0)),
        (None, {r.HEADER_ROLLOUT: "r1", r.HEADER_ATTEMPT: "3"}, Key("r1", 3)),
    ],
)
def test_whom_a_request_belongs_to(
    prefix: str | None, headers: dict[str, Any], key: Key | None
) -> None:
    """Headers win; a path alone names the attempt by its last suffix."""
    assert r.identity_of(prefix, headers) == key


@pytest.mark.parametrize(
    ("prefix", "headers"),
    [
        ("r1", {r.HEADER_ROLLOUT: "r1"}),
        ("r1", {r.HEADER_ATTEMPT: "0"}),
        ("r1", {r.HEADER_ROLLOUT: "r1", r.HEADER_ATTEMPT: "1"}),
        ("r1", {r.HEADER_ROLLOUT: "r2", r.HEADER_ATTEMPT: "0"}),
        (None, {r.HEADER_ROLLOUT: "r1", r.HEADER_ATTEMPT: "-1"}),
        (None, {r.HEADER_ROLLOUT: "r1", r.HEADER_ATTEMPT: "01"}),
        (None, {r.HEADER_ROLLOUT: "../r1", r.HEADER_ATTEMPT: "0"}),
        ("a/b", {}),
    ],
)
def test_a_request_of_no_one_attempt(prefix: str | None, headers: dict[str, Any]) -> None:
    """Half an identity, two different ones, and names that are none are no identity."""
    with pytest.raises(r.NoIdentity):
        r.identity_of(prefix, headers)


def session(**changes: Any) -> dict[str, Any]:
    """A saved session."""
    receipt: dict[str, Any] = {
        "request_id": "m1",
        "expected_revision": None,
        "input_digest": DIGEST,
        "status": 200,
        "headers": {},
        "body": "{}",
        "revision": 1,
    }
    return {
        "schema_version": 1,
        "rollout_id": "r1",
        "attempt_index": 0,
        "revision": 2,
        "mutation_receipts": [receipt, receipt | {"request_id": "m2", "revision": 2}],
        "state": {"board": [1, 2]},
    } | changes


def test_a_saved_session_reads_back_as_it_was_written() -> None:
    """Writing and reading lose nothing."""
    read = SessionFile.model_validate(session())

    assert SessionFile.model_validate_json(read.model_dump_json()) == read
    assert read.key == Key("r1", 0)
    assert file_name(read.key) == "r1.a0.json"


@pytest.mark.parametrize(
    "wrong",
    [
        {"revision": 1},
        {"mutation_receipts": [session()["mutation_receipts"][0]] * 2},
        {"mutation_receipts": list(reversed(session()["mutation_receipts"]))},
        {"more": 1},
        {"schema_version": 2},
        {"schema_version": True},
        {"attempt_index": "0"},
        {"rollout_id": "../r1"},
    ],
)
def test_a_saved_session_that_nobody_can_have_written_is_refused(wrong: dict[str, Any]) -> None:
    """Receipts above the revision, twice, out of order; other members, versions and types."""
    with pytest.raises(ValidationError):
        SessionFile.model_validate(session(**wrong))


@pytest.mark.parametrize("name", list(session()))
def test_nothing_of_a_saved_session_may_be_missing(name: str) -> None:
    """A saved document has no defaults."""
    short = session()
    del short[name]
    with pytest.raises(ValidationError):
        SessionFile.model_validate(short)


@pytest.mark.parametrize("file", ["../r1.a0.json", "r1.json", "r1.a01.json", "/r1.a0.json"])
def test_a_manifest_names_no_file_elsewhere(file: str) -> None:
    """A name that leads elsewhere, or that no key has, is refused."""
    good = {
        "schema_version": 1,
        "checkpoint_id": "c1",
        "server_name": "s",
        "files": {"r1.a0.json": DIGEST},
    }
    ResourcesManifest.model_validate(good)
    with pytest.raises(ValidationError):
        ResourcesManifest.model_validate(good | {"files": {file: DIGEST}})


@pytest.mark.parametrize(
    ("mode", "contract"), [("stateless", "serialized_per_session"), ("restart_only", "stateless")]
)
def test_a_mode_has_its_contract(mode: str, contract: str) -> None:
    """A server without sessions, and no other, holds nothing back."""
    with pytest.raises(ValueError, match=mode):
        Settings(mode=mode, contract=contract)
