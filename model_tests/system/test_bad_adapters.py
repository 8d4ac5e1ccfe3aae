"""Whatever an adapter does, a check ends with words and the right exit code, never in success.

The core's adapter is right; each bad one differs from it in one thing.
"""

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
from fencepost.participant import Answer, Handler
from fencepost.watch import Watch

pytestmark = pytest.mark.slow

LIMIT_SECONDS = 0.4


class Raises(CoreAgent):
    """Raises in a control call."""

    async def control(self, *_call: Any, **_named: Any) -> Answer:
        """Raise."""
        raise ZeroDivisionError("no way\nto say more")


class RaisesAtStart(CoreAgent):
    """Raises when it is started."""

    async def start(self, *_how: Any, **_named: Any) -> None:
        """Raise."""
        raise OSError("no port is free")


class RaisesInCrash(CoreAgent):
    """Raises when it is ended."""

    async def crash(self) -> None:
        """Raise."""
        raise KeyError("pid")


class EndsPython(CoreAgent):
    """Wants to end the process."""

    async def control(self, *_call: Any, **_named: Any) -> Answer:
        """Exit."""
        sys.exit(0)


class Hangs(CoreAgent):
    """Never says that it is at rest."""

    async def settle(self) -> None:
        """Wait for ever."""
        await asyncio.get_running_loop().create_future()


class HangsAtStart(CoreAgent):
    """Never starts."""

    async def start(self, *_how: Any, **_named: Any) -> None:
        """Wait for ever."""
        await asyncio.Event().wait()


class Blocks(CoreAgent):
    """Stops the event loop."""

    async def report(self) -> dict[str, Any]:
        """Sleep where nobody may sleep."""
        time.sleep(60)  # noqa: ASYNC251  # that is what is wrong with it
        return await super().report()


class Spins(CoreAgent):
    """Does not give the event loop back for much too long."""

    async def settle(self) -> None:
        """Spin, but not into the tests that follow."""
        until = time.monotonic() + 5 * LIMIT_SECONDS
        while time.monotonic() < until:
            pass


class CancelsItself(CoreAgent):
    """Is cancelled from inside."""

    async def settle(self) -> None:
        """Raise a cancellation that nobody asked for."""
        raise asyncio.CancelledError


class LiesAboutFaults(RuntimeAgent):
    """Claims that its storage can be held, and cannot."""

    async def hold(self, op: str) -> None:
        """Refuse."""
        raise NotImplementedError(f"cannot hold {op}")


class UnknownCapability(CoreAgent):
    """Claims something that nobody knows."""

    capabilities = CoreAgent.capabilities | {"telepathy"}


class NoSet(CoreAgent):
    """Claims in words."""

    capabilities = "prepare commit"  # type: ignore[assignment]  # it is wrong on purpose


class UnknownVersion(CoreAgent):
    """Speaks a dialect that nobody knows."""

    version = "9999"


class NoName(CoreAgent):
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
    no_participant: "the factory returned an object",
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


def test_what_an_adapter_leaves_in_the_loop_is_not_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A task of the adapter that fails where nobody waits for it prints no traceback."""

    class Careless(CoreAgent):
        async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
            async def fail() -> None:
                raise ValueError("nobody hears this")

            self.task = asyncio.create_task(fail())
            await super().start(root, instance, handler)

    check_agent(Careless, budget=100)

    assert "nobody hears this" not in capsys.readouterr().err
