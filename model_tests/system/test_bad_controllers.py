"""`check_controller` on adapters that misbehave: there is a result, and it blames the adapter."""

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

import attrs
import pytest

from fencepost.check_result import render_result
from fencepost.controller.checking import check_controller
from fencepost.controller.core_adapter import CoreController
from fencepost.controller.oracle import Oracle
from fencepost.controller.participant import Controller, Deployment, Group, Row
from fencepost.controller.report_shape import misfit
from fencepost.trace.lines import At, Call, Header, JsonObject

pytestmark = pytest.mark.slow

BUDGET = 700


class Bad(CoreController):
    """A controller that misbehaves in one of its methods."""


class RaisingStart(Bad):
    """Cannot start."""

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Raise."""
        raise RuntimeError(f"no start on {deployment} from {snapshot}")


class HangingSubmit(Bad):
    """Never returns from submit."""

    async def submit(self, group: Group) -> None:
        """Wait for ever."""
        del group
        await asyncio.Event().wait()


class EndingPython(Bad):
    """Wants to end the process."""

    async def report(self) -> JsonObject:
        """End it."""
        raise SystemExit(0)


class ReportingNothing(Bad):
    """Reports what is no report."""

    async def report(self) -> Any:
        """Nothing."""
        return None


class CallingForEver(Bad):
    """Asks the same again and again, while no time passes."""

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Keep who can be asked."""
        self._asked = deployment.clients[0]
        await super().start(deployment, snapshot)

    async def submit(self, group: Group) -> None:
        """Ask without end."""
        del group
        asyncio.get_running_loop().create_task(self._ask())

    async def _ask(self) -> None:
        while True:
            await self._asked.call("capabilities", {})


class Cancelling(Bad):
    """Cancels whatever runs."""

    async def submit(self, group: Group) -> None:
        """Cancel all tasks."""
        del group
        for task in asyncio.all_tasks():
            task.cancel()


@pytest.mark.parametrize(
    "adapter",
    [RaisingStart, HangingSubmit, EndingPython, ReportingNothing, CallingForEver, Cancelling],
)
def test_an_adapter_that_misbehaves_cannot_be_run(adapter: type[Controller]) -> None:
    """Whatever an adapter does, there is a result, and it blames the adapter: exit code 4."""
    result = check_controller(adapter, budget=BUDGET)

    assert result.exit_code == 4, render_result(result)
    assert "fencepost" not in result.verdict.reason.split("(")[0]


def test_an_adapter_that_raises_where_nobody_waits_is_seen_by_what_it_leaves_undone() -> None:
    """A task that dies leaves an obligation, and that is a stall."""

    class Dying(CoreController):
        async def _call(self, sent: Any, calling: Any) -> None:
            del sent
            calling.close()

    result = check_controller(Dying, budget=BUDGET)

    assert result.exit_code == 1, render_result(result)


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: 7, "returned an int"),
        (lambda: _claiming(name=""), "name"),
        (lambda: _claiming(version="other"), "version"),
        (lambda: _claiming(capabilities={"sibling", "fly"}), "fly"),
        (lambda: _claiming(capabilities=["sibling"]), "not a set"),
        (lambda: _claiming(capabilities=frozenset({"replace"})), "no group"),
    ],
)
def test_claims_that_make_no_sense_are_told(made: Any, says: str) -> None:
    """What a factory makes is looked at before anything is done with it."""
    result = check_controller(made, budget=BUDGET)

    assert result.exit_code == 4
    assert says in result.verdict.reason


def _claiming(**claims: Any) -> CoreController:
    made = CoreController()
    for name, value in claims.items():
        setattr(made, name, value)
    return made


class Misreporting(Bad):
    """Reports members that say nothing."""

    said: ClassVar[JsonObject] = {}

    async def report(self) -> JsonObject:
        """How it stands, but for one thing."""
        return await super().report() | self.said


UNREADABLE: tuple[tuple[JsonObject, tuple[str, ...]], ...] = (
    ({"gate": "wat"}, ('gate: "wat"', '"open" or "closed"')),
    ({"gate": None}, ("gate: null", '"open" or "closed"')),
    ({"gaet": "open"}, ('gaet: "open"', "one of gate, active_checkpoint_id, outbox")),
    ({"active_checkpoint_id": 3}, ("active_checkpoint_id: 3", "or null")),
    ({"outbox": {}}, ("outbox: {}", "a list of receipts")),
    ({"outbox": [{"rollout_id": "x"}]}, ("outbox[0]: ", "a receipt, as its agent told it")),
    ({"groups": 5}, ("groups: 5", "a list of groups")),
    ({"groups": ["g1"]}, ('groups[0]: "g1"', "a list of groups")),
    ({"groups": [{}]}, ("groups[0].group_id: null", "a text")),
    ({"groups": [{"group_id": "g1", "atempts": []}]}, ("groups[0].atempts: []", "attempts")),
    (
        {"groups": [{"group_id": "g1", "attempts": [{}]}]},
        ("groups[0].attempts: ", "an attempt"),
    ),
    ({"groups": [{"group_id": "g1", "siblings": 2}]}, ("groups[0].siblings: 2", "a list")),
    ({"running": "all"}, ('running: "all"', "rollout_id")),
    ({"running": [{"rollout_id": "g1_g0"}]}, ("running[0]: ", "attempt_index")),
    ({"running": [{"rollout_id": "g1_g0", "attempt": "0"}]}, ("running[0]: ", "NUMBER")),
)


@pytest.mark.parametrize(("said", "names"), UNREADABLE)
def test_a_member_of_a_report_that_nobody_can_read_is_told(
    said: JsonObject, names: tuple[str, ...]
) -> None:
    """Exit code 4: the member, its value and what is allowed; it is not taken for silence."""
    result = check_controller(type("One", (Misreporting,), {"said": said}), budget=50)

    assert result.exit_code == 4, render_result(result)
    assert all(name in result.verdict.reason for name in names), result.verdict.reason


@pytest.mark.parametrize(
    ("said", "group"),
    [
        ({"running": [{"rollout_id": "g1_g0", "attempt": 0}]}, {}),
        ({}, {"attempts": [1, 2]}),
        ({}, {"attempts": [[0], [0, 1]]}),
        ({}, {"attempts": [{"rollout_id": "g1_g0", "attempt_index": 0}], "status": "generating"}),
        ({}, {"siblings": [{"generation_index": 0, "attempts": [{"attempt_index": 0}]}]}),
        ({}, {}),
    ],
)
def test_each_form_of_a_report_that_the_page_offers_can_be_read(
    said: JsonObject, group: JsonObject
) -> None:
    """The names of an attempt, and the four ways to tell those of a group."""
    assert misfit({"gate": "open", "groups": [{"group_id": "g1"} | group]} | said) is None


Change = Callable[[Any], Any]


class Doing:
    """A deployment that is told something else than a controller meant."""

    def __init__(self, given: Any, name: str, place: int, change: Change) -> None:
        self._given, self._name, self._place, self._change = given, name, place, change

    def __getattr__(self, name: str) -> Any:
        """What the real one has, but for one method."""
        method = getattr(self._given, name)
        return self._done(method) if name == self._name else method

    def _done(self, method: Change) -> Change:
        def doing(*given: Any) -> Any:
            told = list(given)
            told[self._place] = self._change(told[self._place])
            return method(*told)

        return doing


def instead(value: Any) -> Change:
    """Say that, whatever was meant."""
    return lambda _: value


def changed(**members: Any) -> Change:
    """Say what was meant, with other members."""

    def change(body: JsonObject) -> JsonObject:
        return body | members

    return change


def misnumbered(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Rows whose attempts have no numbers."""
    attempt: Any = "first"
    return tuple(attrs.evolve(row, attempt=attempt) for row in rows)


@pytest.mark.parametrize(
    ("name", "place", "change", "says"),
    [
        ("train", 0, instead(5), "group_id is a text"),
        ("train", 1, misnumbered, "attempt is a number"),
        ("store", 1, changed(train_step="x"), "a snapshot has number"),
        ("store", 1, changed(participants=5), "participants of a snapshot"),
        ("store", 1, changed(trained=5), "trained of a snapshot"),
        ("ended", 0, instead("yes"), "saved is true or false"),
        ("ended", 1, instead(5), "reason is a text"),
    ],
)
def test_a_deed_that_nobody_can_read_is_told(
    name: str, place: int, change: Change, says: str
) -> None:
    """What a controller hands to its deployment is its own affair too, and no bad input."""

    class Handing(Bad):
        async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
            other: Any = Doing(deployment, name, place, change)
            await super().start(other, snapshot)

    result = check_controller(Handing, budget=BUDGET)

    assert result.exit_code == 4, render_result(result)
    assert says in result.verdict.reason


@pytest.mark.parametrize(
    ("op", "body", "says"),
    [
        ("resume", {"checkpoint_id": "c1"}, "deadline_in: Field required"),
        ("prepare", {"checkpoint_id": 5, "deadline_in": 1.0}, "checkpoint_id: "),
        ("prepare", {"checkpoint_id": "c1", "deadline_in": 1.0, "x": 1}, "x: Extra inputs"),
        ("run", {}, "_ng_rollout_id: Field required"),
        ("run", {"_ng_rollout_id": "g1_g0", "_ng_attempt_index": -1}, ""),
    ],
)
def test_a_call_that_cannot_be_read_is_told_with_its_member(
    op: str, body: JsonObject, says: str
) -> None:
    """R-CTL-1 names what is wrong, and does not offer the very same words in its place."""
    settings: JsonObject = {"participants": [{"kind": "agent", "instance": "a", "mode": "x"}]}
    header = Header("receipts", "controller", "one", "fencepost-1", "", "", settings, ())
    oracle, at = Oracle(header), At("agent", "a")
    first = Call(1, "prepare", "q1", {"checkpoint_id": "c1", "deadline_in": 1.0}, at=at)
    assert oracle.feed(first) is None

    refusal = oracle.feed(Call(2, op, "q2", body, at=at))

    assert refusal is not None
    assert refusal.mismatch.rule is not None
    assert refusal.mismatch.rule.id == "R-CTL-1"
    assert f"is not one that it takes: {says}" in refusal.mismatch.came
    assert oracle.line_text(refusal.line) not in oracle.legal_texts(refusal.before)
