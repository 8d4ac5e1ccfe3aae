"""Adapters of every kind that break out of what they may do: it is their fault, and it is told."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest

from fencepost.adapters.resources import CoreResources
from fencepost.check_result import CheckResult, render_result
from fencepost.controller.checking import check_controller
from fencepost.controller.core_adapter import CoreController
from fencepost.policy_model.checking import check_model
from fencepost.policy_model.core_adapter import CoreModel
from fencepost.resources.checking import check_resources


class Odd(BaseException):
    """Nothing that anybody catches."""


async def stops(*_: Any) -> None:
    """Stop the event loop."""
    asyncio.get_running_loop().stop()


async def cancels(*_: Any) -> None:
    """Cancel every task there is."""
    for task in asyncio.all_tasks():
        task.cancel()


async def leaves_later(*_: Any) -> None:
    """End Python in a task of its own."""

    async def leave() -> None:
        sys.exit(0)

    task = asyncio.create_task(leave())
    await asyncio.sleep(0.1)
    del task


def odd(*_: Any, **_more: Any) -> Any:
    """Raise what nobody catches."""
    raise Odd("x")


async def odd_settle(*_: Any) -> None:
    """Raise what nobody catches, where it is waited for."""
    raise Odd("x")


async def writes_nan(*_: Any) -> dict[str, Any]:
    """Report what no JSON can hold."""
    return {"state": float("nan")}


KINDS: dict[str, tuple[type[Any], Callable[..., CheckResult]]] = {
    "model": (CoreModel, check_model),
    "resources": (CoreResources, check_resources),
    "controller": (CoreController, check_controller),
}

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "stopped loop": ({"settle": stops}, "something broke the event loop: RuntimeError"),
    "cancelled tasks": ({"settle": cancels}, "cancelled"),
    "leaving task": ({"settle": leaves_later}, "it tried to end the process: SystemExit: 0"),
    "odd settle": ({"settle": odd_settle}, "settle() raised Odd: x"),
    "hasty": ({"settle": odd}, "settle() raised Odd: x"),
    "hasty report": ({"report": odd}, "report() raised Odd: x"),
    "hasty start": ({"start": odd}, "start() raised Odd: x"),
    "odd name": ({"name": property(odd)}, "reading what it claims raised Odd: x"),
    "no name": ({"name": 5}, "its name is 5"),
    "odd capabilities": ({"capabilities": property(odd)}, "reading what it claims raised Odd: x"),
    "list of capabilities": ({"capabilities": ["time"]}, "its capabilities are a list, not a set"),
    "unheard of": ({"capabilities": {"flying"}}, "no capability is called flying"),
    "no number": ({"report": writes_nan}, "report"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_fault_of_the_adapter(kind: str, name: str) -> None:
    """There is a result, it says what came of the adapter, and it is no mistake of ours."""
    (base, check), (methods, words) = KINDS[kind], BAD[name]

    result = check(type("Bad", (base,), dict(methods)), budget=200)

    assert result.exit_code == 4, render_result(result)
    assert result.verdict.kind == "harness"
    assert words in result.verdict.reason
    assert "mistake" not in result.verdict.reason


@pytest.mark.parametrize("kind", KINDS)
def test_a_factory_that_raises_anything_is_at_fault(kind: str) -> None:
    """Also what is no exception of the ordinary sort."""
    result = KINDS[kind][1](odd)

    assert (result.exit_code, result.verdict.reason) == (4, "the factory raised Odd: x")
