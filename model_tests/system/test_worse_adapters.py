"""What an adapter raises where nobody expects it is its own fault, in words, and never ours."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost import files
from fencepost.adapters.core import CoreAgent
from fencepost.check_result import render_result, result_as_json
from fencepost.checking import check_agent
from fencepost.faults import ParticipantFault, TraceFault, UsageFault
from fencepost.participant import Answer, Execution, Handler, Refused
from fencepost.trace.lines import JsonObject

pytestmark = pytest.mark.slow


class Mute(Exception):
    """An error that cannot say what it is."""

    def __str__(self) -> str:
        raise ValueError("nor this")


class Odd(BaseException):
    """What is no Exception passes by whoever catches those."""


def agent(**changed: Any) -> Callable[[], object]:
    """The core's agent with something else in it."""
    return type("Changed", (CoreAgent,), changed)


def makes(error: BaseException) -> Callable[[], object]:
    """A factory that raises."""

    def make() -> object:
        raise error

    return make


def raising(error: BaseException) -> Any:
    """A method that raises."""

    async def method(*_call: Any) -> Any:
        raise error

    return method


def claim(error: BaseException) -> Any:
    """A property that raises."""

    def read(_self: Any) -> Any:
        raise error

    return property(read)


async def stops(_self: Any) -> None:
    """Stop the event loop."""
    asyncio.get_running_loop().stop()


async def closes(_self: Any) -> None:
    """Close the event loop."""
    asyncio.get_running_loop().close()


async def cancels(_self: Any) -> None:
    """Cancel every task there is."""
    for task in asyncio.all_tasks():
        task.cancel()


async def leaves_later(_self: Any) -> None:
    """End Python in a task of its own."""

    async def leave() -> None:
        sys.exit(0)

    task = asyncio.create_task(leave())
    await asyncio.sleep(0.1)
    del task


def raises_at_once(_self: Any) -> None:
    """Raise before there is anything to wait for."""
    raise LookupError("too soon")


def returns_at_once(_self: Any) -> None:
    """Return nothing that could be waited for."""


async def answers(*_call: Any) -> Answer:
    """Answer with a status of more digits than Python writes."""
    return Answer(10**5000, {})


class WithExecutions(CoreAgent):
    """Gives handlers another execution."""

    def other(self, execution: Execution) -> Any:
        """The execution that a handler gets."""
        return execution

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start with a handler that gets another execution."""

        async def changed(execution: Execution, body: JsonObject) -> Any:
            return await handler(self.other(execution), body)

        await super().start(root, instance, changed)


def execution(**changed: Any) -> Callable[[], object]:
    """An agent whose executions have something else in them."""

    def other(_self: Any, execution: Execution) -> Any:
        def rest(_self: Any, name: str) -> Any:
            return getattr(execution, name)

        return type("Other", (), {"__getattr__": rest} | changed)()

    return type("Changed", (WithExecutions,), {"other": other})


class Silent(Refused):
    """A refusal that does not tell its code."""

    def __init__(self) -> None:
        Exception.__init__(self)


BAD: dict[str, tuple[Callable[[], object], str]] = {
    "mute report": (agent(report=raising(Mute())), "report() raised Mute, whose text raised Val"),
    "mute call": (agent(control=raising(Mute())), "raised Mute, whose text raised ValueError"),
    "mute factory": (makes(Mute()), "the factory raised Mute, whose text"),
    "odd factory": (makes(Odd("x")), "the factory raised Odd: x"),
    "stopped loop": (agent(settle=stops), "something broke the event loop: RuntimeError"),
    "closed loop": (agent(settle=closes), "settle() raised RuntimeError"),
    "cancelled tasks": (agent(settle=cancels), "cancelled"),
    "leaving task": (agent(settle=leaves_later), "it tried to end the process: SystemExit: 0"),
    "odd settle": (agent(settle=raising(Odd("x"))), "settle() raised Odd: x"),
    "odd call": (agent(control=raising(Odd("x"))), "raised Odd: x"),
    "odd run": (agent(run=raising(Odd("x"))), "the call run raised Odd: x"),
    "odd crash": (agent(crash=raising(Odd("x"))), "crash() raised Odd: x"),
    "leaving settle": (agent(settle=raising(SystemExit(0))), "settle() tried to end the process"),
    "interrupting settle": (
        agent(settle=raising(KeyboardInterrupt())),
        "settle() tried to end the process: KeyboardInterrupt",
    ),
    "interrupting call": (
        agent(control=raising(KeyboardInterrupt())),
        "tried to end the process: KeyboardInterrupt",
    ),
    "own timeout": (
        agent(settle=raising(TimeoutError("mine"))),
        "settle() raised TimeoutError: mi",
    ),
    "our own error": (agent(report=raising(UsageFault("x"))), "report() raised UsageFault: x"),
    "our own error, called": (agent(run=raising(TraceFault(1, "x"))), "the call run raised Trace"),
    "our own error, made": (makes(UsageFault("x")), "the factory raised UsageFault: x"),
    "hasty": (agent(settle=raises_at_once), "settle() raised LookupError: too soon"),
    "not async": (agent(settle=returns_at_once), "settle() raised TypeError"),
    "name": (agent(name=claim(ValueError("x"))), "reading what it claims raised ValueError: x"),
    "odd name": (agent(name=claim(Odd("x"))), "reading what it claims raised Odd: x"),
    "version": (agent(version=claim(Mute())), "reading what it claims raised Mute"),
    "capabilities": (agent(capabilities=claim(ValueError())), "reading what it claims raised"),
    "no capability": (agent(capabilities={Mute, 5}), "no capability is called"),
    "virtual": (agent(virtual=claim(SystemExit(0))), "reading what it claims tried to end"),
    "status": (agent(control=answers), "answered with status an int"),
    "identity": (execution(rollout_id=claim(Odd("x"))), "given to a handler raised Odd: x"),
    "continuation": (execution(continuation={1: 2}), "given to a handler raised KeyError"),
    "odd event": (execution(boundary=raising(Odd("x"))), "the event boundary raised Odd: x"),
    "leaving event": (
        execution(boundary=raising(SystemExit(0))),
        "the event boundary tried to end the process",
    ),
    "no code": (execution(boundary=raising(Silent())), "the event boundary raised AttributeError"),
}


@pytest.mark.parametrize("name", BAD)
def test_it_is_the_fault_of_the_adapter(name: str) -> None:
    """There is a result, it names the call and what came of it, and it is no mistake of ours."""
    factory, words = BAD[name]
    result = check_agent(factory, budget=600)

    assert result.exit_code == 4, render_result(result)
    assert result.verdict.kind == "harness"
    assert words in result.verdict.reason
    assert "mistake" not in result.verdict.reason
    assert json.dumps(result_as_json(result))


SPOILT = {
    "report": "async def report(self): raise Mute",
    "loop": "async def settle(self): asyncio.get_running_loop().stop()",
    "capabilities": "capabilities = property(lambda self: 1 / 0)",
    "virtual": "virtual = property(lambda self: 1 / 0)",
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_program_hears_of_it_in_one_object(name: str, tmp_path: Path) -> None:
    """On the command line a bad adapter is one object of JSON with the verdict "harness"."""
    (tmp_path / "mine.py").write_text(
        "import asyncio\nfrom fencepost.adapters.core import CoreAgent\n"
        "class Mute(Exception):\n    def __str__(self): raise ValueError\n"
        f"class Mine(CoreAgent):\n    {SPOILT[name]}\n"
    )
    command = [sys.executable, "-m", "fencepost.cli", "check", "agent", "--json"]
    left = subprocess.run(
        [*command, "--adapter", "mine:Mine"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    told = json.loads(left.stdout)

    assert left.returncode == told["exit_code"] == 4
    assert told["verdict"] == "harness"
    assert "mistake of fencepost" not in left.stdout + left.stderr


def test_a_folder_that_an_adapter_has_spoilt_is_its_own_affair(tmp_path: Path) -> None:
    """What the harness cannot do below the folder of a participant is no mistake of ours."""
    (tmp_path / "root").write_text("no folder")

    with pytest.raises(ParticipantFault, match=r"start\(\) was given cannot be used: Not a direct"):
        files.empty(tmp_path / "root")
    with pytest.raises(ParticipantFault, match=r"start\(\) was given cannot be used: File name"):
        files.look(tmp_path, "d" * 5_000, "agent-a")


def test_a_mistake_of_ours_is_a_result_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong in a check, there is a result, and it says whose mistake that is."""

    def broken(*_arguments: Any) -> Any:
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr("fencepost.checking.Generator", broken)
    result = check_agent(CoreAgent, budget=100)

    assert result.exit_code == 4
    assert "an unexpected error: ZeroDivisionError: of ours" in result.verdict.reason
    assert "this is a mistake of fencepost" in result.verdict.reason
    assert result.where == ()
    assert "in broken" in result.traceback
