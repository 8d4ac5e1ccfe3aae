"""What an adapter raises in a task of its own, where nobody awaits it, is told with the verdict."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.adapters.resources import CoreResources
from fencepost.adapters.runtime import RuntimeAgent
from fencepost.check_result import CheckResult, render_result, result_as_json
from fencepost.checking import check_agent
from fencepost.controller.checking import check_controller
from fencepost.controller.core_adapter import CoreController
from fencepost.controller.participant import Group
from fencepost.policy_model.checking import check_model
from fencepost.policy_model.core_adapter import CoreModel
from fencepost.replay import replay_file
from fencepost.resources.checking import check_resources
from fencepost.trace import write_trace
from fencepost.trace.lines import JsonObject
from fencepost.verdict_text import render_text

pytestmark = pytest.mark.slow

KEPT: list[asyncio.Task[None]] = []


async def stray() -> None:
    """Go wrong where nobody waits."""
    await asyncio.sleep(0)
    raise RuntimeError("astray")


def callback() -> None:
    """Go wrong in a callback of the event loop."""
    raise RuntimeError("astray")


def let_go() -> None:
    """A task that nobody keeps."""
    asyncio.create_task(stray())  # noqa: RUF006 - that is the mistake


def keep() -> None:
    """A task that is kept and never awaited."""
    KEPT[:] = [asyncio.create_task(stray())]


def call_soon() -> None:
    """A callback."""
    asyncio.get_running_loop().call_soon(callback)


STRAYING = (let_go, keep, call_soon)


class StrayController(CoreController):
    """Starts, beside what it does, something that goes wrong."""

    begin_astray: Callable[[], None] = staticmethod(let_go)

    async def submit(self, group: Group) -> None:
        """Take the group, and start that."""
        await super().submit(group)
        self.begin_astray()


class StrayAgent(RuntimeAgent):
    """The same as an agent."""

    async def settle(self) -> None:
        """Come to rest, and start that."""
        await super().settle()
        let_go()


class StrayModel(CoreModel):
    """The same as a policy model."""

    async def settle(self) -> None:
        """Come to rest, and start that."""
        await super().settle()
        let_go()


class StrayServer(CoreResources):
    """The same as a resources server."""

    async def settle(self) -> None:
        """Come to rest, and start that."""
        await super().settle()
        let_go()


def raised_in(result: CheckResult) -> list[JsonObject]:
    """What the JSON of a result says was raised."""
    told: list[JsonObject] = result_as_json(result)["raised"]
    return told


@pytest.mark.parametrize("astray", STRAYING)
def test_it_is_told_beside_a_verdict_of_any_kind(astray: Callable[[], None]) -> None:
    """The verdict is the one that the calls deserve; beside it stand the error and its place."""
    adapter = type("One", (StrayController,), {"begin_astray": staticmethod(astray)})
    result = check_controller(adapter, budget=300)
    text = render_result(result)
    (told,) = raised_in(result)

    assert result.exit_code == 0, text
    assert told["error"] == "RuntimeError: astray"
    assert "raised              RuntimeError: astray, in a task of its own" in text
    assert f"{Path(__file__).name}:" in text.split("raised at", 1)[1]
    name = "callback" if astray is call_soon else "stray"
    assert told["where"][-1].endswith(f"in {name}")


@pytest.mark.parametrize(
    ("check", "adapter"),
    [(check_agent, StrayAgent), (check_model, StrayModel), (check_resources, StrayServer)],
)
def test_every_kind_of_participant_is_listened_to(
    check: Callable[..., CheckResult], adapter: Callable[[], Any]
) -> None:
    """An agent, a policy model and a resources server have tasks of their own as well."""
    result = check(adapter, budget=100)

    assert [one["error"] for one in raised_in(result)] == ["RuntimeError: astray"]


def test_a_task_that_dies_tells_why_an_obligation_is_not_met(tmp_path: Path) -> None:
    """The stall is the verdict, and the error that made it stands beside, in a replay too."""

    class Dying(CoreController):
        async def _watched(self, work: Any) -> None:
            if work.__name__ != "_train":
                await super()._watched(work)
                return
            work.close()
            raise LookupError("no such group")

    result = check_controller(Dying, budget=700)
    assert result.exit_code == 1, render_result(result)
    assert [one["error"] for one in raised_in(result)] == ["LookupError: no such group"]

    path = tmp_path / "failing.ndjson"
    assert result.counterexample is not None
    with path.open("wb") as stream:
        write_trace(stream, *result.counterexample)
    assert "LookupError: no such group, in a task" in render_text(replay_file(path, Dying))


def test_it_stands_beside_what_kept_the_adapter_from_being_run() -> None:
    """A call that never returns most often waits for the task that has died."""

    class Waiting(CoreController):
        async def submit(self, group: Group) -> None:
            del group
            let_go()
            await asyncio.Event().wait()

    result = check_controller(Waiting, budget=50)

    assert result.exit_code == 4
    assert "did not return within" in result.verdict.reason
    assert [one["error"] for one in raised_in(result)] == ["RuntimeError: astray"]


def test_what_somebody_has_heard_is_not_told() -> None:
    """An error that is awaited, or asked for, and a task that is cancelled, are no news."""

    class Careful(CoreController):
        async def submit(self, group: Group) -> None:
            await super().submit(group)
            (error,) = await asyncio.gather(stray(), return_exceptions=True)
            assert isinstance(error, RuntimeError)
            asyncio.create_task(asyncio.sleep(3600)).cancel()

    result = check_controller(Careful, budget=100)

    assert raised_in(result) == []
    assert "in a task of its own" not in render_result(result)
    assert json.loads(json.dumps(result_as_json(result)))["raised"] == []


def test_the_bundled_participants_raise_nothing_unheard() -> None:
    """Silent on what is right."""
    for check in (check_agent, check_model, check_resources, check_controller):
        assert raised_in(check(budget=400)) == []
