"""Whatever an adapter does, a check ends with words and the right exit code, never in success."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.adapters.runtime import RuntimeAgent
from fencepost.check_result import render_result
from fencepost.checking import check_agent
from fencepost.cli import run
from fencepost.explaining import Options
from fencepost.participant import Answer, Execution, Handler, Refused
from fencepost.trace import write_trace
from fencepost.watch import Watch

LIMIT_SECONDS = 0.4


class Agent(CoreAgent):
    """An agent that is right; each bad one differs from it in one thing."""


class BadNumber(Agent):
    """Answers with a number that JSON does not have."""

    async def control(self, op: str, request: dict[str, Any], auth: str | None) -> Answer:
        """Answer a call."""
        await super().control(op, request, auth)
        return Answer(200, {"records": float("nan")})


class GiantNumber(Agent):
    """Answers with a number of more digits than Python writes."""

    async def control(self, op: str, request: dict[str, Any], auth: str | None) -> Answer:
        """Answer a call."""
        await super().control(op, request, auth)
        return Answer(200, {"records": 10**5000})


class GiantReport(Agent):
    """Reports a number of more digits than Python writes."""

    async def report(self) -> dict[str, Any]:
        """Answer a report."""
        return await super().report() | {"records": -(10**5000)}


class Half:
    """An execution that has lost one part of its identity."""

    def __init__(self, execution: Execution, **changed: Any) -> None:
        self._execution = execution
        self.__dict__.update(changed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._execution, name)


class NoRollout(Agent):
    """Gives a handler an attempt without a rollout."""

    def changed(self) -> dict[str, Any]:
        """What of an execution is another."""
        return {"rollout_id": None, "attempt": 1}

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start with a handler that gets less than it should."""

        async def halved(execution: Execution, body: dict[str, Any]) -> Any:
            changed: Any = Half(execution, **self.changed())
            return await handler(changed, body)

        await super().start(root, instance, halved)


class NoAttempt(NoRollout):
    """Gives a handler a rollout without an attempt."""

    def changed(self) -> dict[str, Any]:
        """What of an execution is another."""
        return {"rollout_id": "r1", "attempt": None}


class RefusesInNumbers(NoRollout):
    """Refuses each boundary with a code that is no name."""

    def changed(self) -> dict[str, Any]:
        """What of an execution is another."""

        async def refuse(_record: dict[str, Any]) -> None:
            raise Refused(409)  # type: ignore[arg-type]  # it is wrong on purpose

        return {"boundary": refuse}


class BadBytes(Agent):
    """Answers with bytes."""

    async def run(self, body: dict[str, Any]) -> Answer:
        """Answer a run."""
        await super().run(body)
        return Answer(200, {"data": b"bytes"})


class BadLoop(Agent):
    """Answers with a body that holds itself."""

    async def report(self) -> dict[str, Any]:
        """Answer a report."""
        body = await super().report()
        body["me"] = body
        return body


class BadKey(Agent):
    """Answers with a key that is no string."""

    async def report(self) -> dict[str, Any]:
        """Answer a report."""
        return {1: "one"}  # type: ignore[dict-item]  # it is wrong on purpose


class BadList(Agent):
    """Reports a list."""

    async def report(self) -> Any:
        """Answer a report."""
        return []


class BadStatus(Agent):
    """Answers with a status that is no number."""

    async def run(self, body: dict[str, Any]) -> Answer:
        """Answer a run."""
        answer = await super().run(body)
        return Answer("fine", answer.body)  # type: ignore[arg-type]  # it is wrong on purpose


class BareBody(Agent):
    """Answers with the body alone."""

    async def run(self, body: dict[str, Any]) -> Any:
        """Answer a run."""
        return (await super().run(body)).body


class Raises(Agent):
    """Raises in a control call."""

    async def control(self, *_call: Any, **_named: Any) -> Answer:
        """Raise."""
        raise ZeroDivisionError("no way\nto say more")


class RaisesAtStart(Agent):
    """Raises when it is started."""

    async def start(self, *_how: Any, **_named: Any) -> None:
        """Raise."""
        raise OSError("no port is free")


class RaisesInCrash(Agent):
    """Raises when it is ended."""

    async def crash(self) -> None:
        """Raise."""
        raise KeyError("pid")


class EndsPython(Agent):
    """Wants to end the process."""

    async def control(self, *_call: Any, **_named: Any) -> Answer:
        """Exit."""
        sys.exit(0)


class Hangs(Agent):
    """Never says that it is at rest."""

    async def settle(self) -> None:
        """Wait for ever."""
        await asyncio.get_running_loop().create_future()


class HangsAtStart(Agent):
    """Never starts."""

    async def start(self, *_how: Any, **_named: Any) -> None:
        """Wait for ever."""
        await asyncio.Event().wait()


class Blocks(Agent):
    """Stops the event loop."""

    async def report(self) -> dict[str, Any]:
        """Sleep where nobody may sleep."""
        time.sleep(60)  # noqa: ASYNC251  # that is what is wrong with it
        return await super().report()


class Spins(Agent):
    """Does not give the event loop back for much too long."""

    async def settle(self) -> None:
        """Spin, but not into the tests that follow."""
        until = time.monotonic() + 5 * LIMIT_SECONDS
        while time.monotonic() < until:
            pass


class CancelsItself(Agent):
    """Is cancelled from inside."""

    async def settle(self) -> None:
        """Raise a cancellation that nobody asked for."""
        raise asyncio.CancelledError


class LiesAboutFaults(RuntimeAgent):
    """Claims that its storage can be held, and cannot."""

    async def hold(self, op: str) -> None:
        """Refuse."""
        raise NotImplementedError(f"cannot hold {op}")


class UnknownCapability(Agent):
    """Claims something that nobody knows."""

    capabilities = Agent.capabilities | {"telepathy"}


class NoSet(Agent):
    """Claims in words."""

    capabilities = "prepare commit"  # type: ignore[assignment]  # it is wrong on purpose


class UnknownVersion(Agent):
    """Speaks a dialect that nobody knows."""

    version = "9999"


class NoName(Agent):
    """Has no name."""

    name = ""


def no_participant() -> object:
    """Make something else."""
    return object()


def broken() -> CoreAgent:
    """Fail to make anything."""
    raise RuntimeError("no licence")


def leaves() -> CoreAgent:
    """End the process instead."""
    raise SystemExit(0)


def blocked() -> CoreAgent:
    """Never return."""
    time.sleep(60)
    return CoreAgent()


BAD: dict[Callable[[], object], str] = {
    BadNumber: "what JSON cannot hold: nan",
    GiantNumber: "what JSON cannot hold (a whole number of too many digits)",
    GiantReport: "report() holds what JSON cannot hold",
    NoRollout: "has attempt 1 and no rollout_id",
    NoAttempt: "has attempt None",
    RefusesInNumbers: "what the event boundary came to cannot be in a trace",
    BadBytes: "what JSON cannot hold: a bytes",
    BadLoop: "nested deeper than",
    BadKey: "a key that is no string",
    BadList: "report() returned a list",
    BadStatus: "status 'fine'",
    BareBody: "run returned a dict",
    Raises: "ZeroDivisionError: no way",
    RaisesAtStart: "start() raised OSError: no port is free",
    RaisesInCrash: "crash() raised KeyError",
    EndsPython: "tried to end the process",
    Hangs: f"settle() did not return within {LIMIT_SECONDS:g} s of its own time",
    HangsAtStart: "start() did not return within",
    Blocks: f"report() has blocked for more than {1.5 * LIMIT_SECONDS:g} s",
    Spins: "settle() has blocked",
    CancelsItself: "settle() was cancelled from inside",
    LiesAboutFaults: "hold() raised NotImplementedError",
    UnknownCapability: "no capability is called telepathy",
    NoSet: "its capabilities are a str",
    UnknownVersion: "unknown participant version '9999'; known: ",
    NoName: "its name is ''",
    no_participant: "the factory returned a object",
    broken: "the factory raised RuntimeError: no licence",
    leaves: "tried to end the process",
    blocked: "the factory has blocked",
}


HANGING = frozenset({Hangs, HangsAtStart, Blocks, Spins, blocked})


@pytest.mark.parametrize("factory", BAD, ids=lambda factory: factory.__name__)
def test_an_adapter_that_cannot_be_run_is_told_so(factory: Callable[[], object]) -> None:
    """The result says which call went wrong and how, on one line, and its exit code is 4."""
    watch = Watch(LIMIT_SECONDS) if factory in HANGING else Watch()
    result = check_agent(factory, budget=3_000, watch=watch)

    assert result.exit_code == 4, render_result(result)
    assert result.verdict.kind == "harness"
    assert BAD[factory] in result.verdict.reason
    assert "Traceback" not in render_result(result)


def test_the_command_ends_with_4_and_without_a_traceback(tmp_path: Path) -> None:
    """On the command line a bad adapter is one line of text and the exit code of the harness."""
    (tmp_path / "mine.py").write_text("def make():\n    raise ValueError('not yet')\n")
    ran = subprocess.run(
        [sys.executable, "-m", "fencepost.cli", "check", "agent", "--adapter", "mine:make"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert ran.returncode == 4
    assert "ValueError: not yet" in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr


def test_a_factory_that_makes_nothing_usable_is_named() -> None:
    """What could not run is called by the name of its factory, as nothing else is known of it."""
    assert check_agent(UnknownVersion).participant.endswith("test_bad_adapters:UnknownVersion")


def test_what_an_adapter_raised_is_shown_with_its_place_and_the_actions_before_it() -> None:
    """The adapter's own frames are named, the actions are counted, and the run can be saved."""
    result = check_agent(Raises, budget=3_000)
    text = render_result(result)

    assert "test_bad_adapters.py:" in result.where[-1]
    assert result.where[-1].endswith(" in control")
    assert all("driver.py" not in frame for frame in result.where)
    assert 0 < len(result.last_actions) <= 8
    assert "raised at" in text
    assert result.cases == 1
    assert result.actions >= len(result.last_actions)
    assert result.counterexample is not None
    assert "ZeroDivisionError: no way" in result.traceback


def test_the_whole_traceback_is_printed_when_it_is_asked_for(tmp_path: Path) -> None:
    """--debug prints the traceback of the adapter; the saved run raises again at that place."""
    (tmp_path / "mine.py").write_text(
        "from fencepost.adapters.core import CoreAgent\n\n\n"
        "class Mine(CoreAgent):\n"
        "    async def control(self, op, request, auth):\n"
        "        raise KeyError('checkpoint_id')\n"
    )
    adapter = ("--adapter", "mine:Mine")

    def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "fencepost.cli", *arguments, *adapter]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    checked = ran("--debug", "check", "agent", "--save", "run.ndjson")
    again = ran("replay", "run.ndjson")

    assert (checked.returncode, again.returncode) == (4, 4)
    assert "Traceback" in checked.stderr
    assert "raised at           mine.py:6 in control" in checked.stdout
    assert "mine.py:6 in control" in again.stdout
    assert "Traceback" not in again.stderr


def test_a_saved_run_of_an_earlier_check_does_not_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """When nothing failed, the file to save to holds no older failure; other files are kept."""
    other, stale = tmp_path / "notes", tmp_path / "run.ndjson"
    other.write_text("mine")
    result = check_agent(Raises, budget=100)
    assert result.counterexample is not None
    write_trace(stale, *result.counterexample)

    for path in (stale, other):
        assert run(["check", "agent", "--budget", "20", "--save", str(path)]) == 3
    told = capsys.readouterr().err

    assert not stale.exists()
    assert "of an earlier check, is removed" in told
    assert other.read_text() == "mine"
    assert "stays as it is" in told


def test_the_line_to_replay_a_failure_has_all_that_decides_it() -> None:
    """What was typed is typed again; a run that was saved needs no second check."""
    options = Options("mine:make", 7, "long", 50, "known failures")

    assert options.replay() == (
        "fencepost check agent --adapter mine:make --seed 7 --profile long --budget 50"
        " --xfail 'known failures' --save failing.ndjson;"
        " fencepost replay failing.ndjson --adapter mine:make"
    )
    assert Options("mine:make", save="mine.ndjson").replay() == (
        "fencepost replay mine.ndjson --adapter mine:make"
    )


def test_what_an_adapter_leaves_in_the_loop_is_not_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A task of the adapter that fails where nobody waits for it prints no traceback."""

    class Careless(Agent):
        async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
            async def fail() -> None:
                raise ValueError("nobody hears this")

            self.task = asyncio.create_task(fail())
            await super().start(root, instance, handler)

    check_agent(Careless, budget=100)

    assert "nobody hears this" not in capsys.readouterr().err
