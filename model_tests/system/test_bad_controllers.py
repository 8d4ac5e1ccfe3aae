"""`check_controller` on adapters that misbehave: there is a result, and it blames the adapter."""

import asyncio
from typing import Any

import pytest

from fencepost.check_result import render_result
from fencepost.controller.checking import check_controller
from fencepost.controller.core_adapter import CoreController
from fencepost.controller.participant import Controller, Deployment, Group
from fencepost.trace.lines import JsonObject

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
