"""A command that a signal stops says one line, ends with the code of it, and leaves nobody behind.

Method: the real program in a session of its own, stopped once it is seen to be at work; a terminal
sends its signals to the whole group, a supervisor to the program alone.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="no /proc shows processes"),
]

LONG_SECONDS = 60.0
ADAPTER = """
from pathlib import Path
from fencepost.adapters.runtime import RuntimeAgent

class Slow(RuntimeAgent):
    async def settle(self):
        await super().settle()
        Path("at-work").touch()

make = Slow
"""
MUTANTS = ("mutants", "--part", "ledger")
CHECK = ("check", "agent", "--adapter", "slow_agent:make", "--profile", "long")
BUNDLED = ("check", "agent", "--profile", "long")


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(each) for each in listed.split()]


class Program:
    """The program, at work."""

    def __init__(self, words: tuple[str, ...], folder: Path) -> None:
        (folder / "slow_agent.py").write_text(ADAPTER, encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fencepost.cli", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            start_new_session=True,
        )
        ready: dict[str, Callable[[], bool]] = {
            # Two workers, and who looks after what they share.
            "mutants": lambda: len(children_of(self.process.pid)) > 2,
            "check": lambda: words != CHECK or (folder / "at-work").exists(),
        }
        until = time.monotonic() + LONG_SECONDS
        while not ready[words[0]]() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(1.0 if words != BUNDLED else 3.0)

    def stop(self, number: int, *, group: bool = True) -> None:
        """Send a signal."""
        (os.killpg if group else os.kill)(self.process.pid, number)

    def ended(self) -> tuple[int, str, str]:
        """How it has ended; its streams end with the last process that holds them."""
        out, err = self.process.communicate(timeout=LONG_SECONDS)
        return self.process.returncode, out, err


INTERRUPTED = (130, "", "fencepost: interrupted\n")
TERMINATED = (143, "", "fencepost: terminated\n")


@pytest.mark.parametrize("group", [True, False], ids=["group", "alone"])
@pytest.mark.parametrize("words", [MUTANTS, CHECK, BUNDLED], ids=["mutants", "check", "bundled"])
def test_an_interrupt_ends_a_command_with_130(
    words: tuple[str, ...], group: bool, tmp_path: Path
) -> None:
    """One plain line, whoever sent it to whom, and no process is left that holds the streams."""
    program = Program(words, tmp_path)
    program.stop(signal.SIGINT, group=group)

    assert program.ended() == INTERRUPTED


@pytest.mark.parametrize("words", [MUTANTS, CHECK], ids=["mutants", "check"])
def test_a_second_interrupt_says_nothing_more(words: tuple[str, ...], tmp_path: Path) -> None:
    """Whoever presses the keys again while it ends gets the same line and the same code."""
    program = Program(words, tmp_path)
    for _ in range(3):
        program.stop(signal.SIGINT)
        time.sleep(0.03)

    assert program.ended() == INTERRUPTED


@pytest.mark.parametrize("words", [MUTANTS, CHECK], ids=["mutants", "check"])
def test_sigterm_ends_a_command_with_143(words: tuple[str, ...], tmp_path: Path) -> None:
    """It is tidied up as after an interrupt: nothing that processes shared is left."""
    program = Program(words, tmp_path)
    program.stop(signal.SIGTERM, group=False)

    assert program.ended() == TERMINATED


def test_workers_do_not_outlive_a_program_that_is_killed(tmp_path: Path) -> None:
    """They end by themselves, and with them the streams that they hold."""
    program = Program(MUTANTS, tmp_path)
    program.stop(signal.SIGKILL, group=False)

    assert program.ended()[0] == -signal.SIGKILL
