"""A supervised command has its own verdict or none: no adapter ends, hides or fakes it."""

import os
import signal
import subprocess
import sys
import time

import pytest

from fencepost.supervised import supervised

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there is no fork")

BEFORE = """
import atexit, os, signal, sys, time
import typer
from fencepost.cli import run
from fencepost.commands.output import say
from fencepost.faults import UsageFault
from fencepost.supervised import supervised, supervises, take_back_streams

def end(work):
    try:
        code = supervised(work)
    except KeyboardInterrupt:
        code = 130
    sys.stdout.write("after\\n")
    sys.exit(code)

def verdict(code=1):
    take_back_streams()
    say("verdict")
    return code
"""


def started(body: str) -> "subprocess.Popen[str]":
    """A process that runs the lines."""
    return subprocess.Popen(
        [sys.executable, "-c", f"{BEFORE}\n{body}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ran(body: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a process that runs the lines."""
    process = started(body)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4])
def test_the_code_of_the_work_is_the_code(code: int) -> None:
    """What the work returns in the child is returned in the parent, once."""
    assert ran(f"end(lambda: verdict({code}))") == (code, "verdict\nafter\n", "")


@pytest.mark.parametrize(
    ("deed", "status"),
    [
        ("os._exit(0)", "status 0"),
        ("os._exit(1)", "status 1"),
        ("os.kill(os.getpid(), signal.SIGALRM)", "status -14, SIGALRM"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "status -9, SIGKILL"),
        ("atexit.register(lambda: os._exit(0)) and 0", "status 0"),
    ],
)
def test_a_process_that_ends_without_a_verdict_is_code_4(deed: str, status: str) -> None:
    """Nothing that ends the process stands for a verdict, and a line says what happened."""
    assert ran(f"end(lambda: {deed})") == (
        4,
        "after\n",
        f"fencepost: the participant ended the process ({status}) before there was a verdict\n",
    )


@pytest.mark.parametrize(
    "deed",
    [
        "sys.stdout.close()",
        "sys.__stdout__.close()",
        "os.close(1)",
        "os.close(2)",
        "exec('sys.stdout = sys.stderr = None')",
        "exec('sys.stdout = sys.stderr = 5')",
        "print('noise')",
        "os.write(1, b'noise')",
        "os.system('echo noise')",
    ],
)
def test_the_verdict_is_all_that_standard_output_holds(deed: str) -> None:
    """Streams may be closed, replaced or written to: the verdict is printed, and nothing else."""
    code, out, err = ran(f"end(lambda: [{deed}] and verdict())")
    assert (code, out) == (1, "verdict\nafter\n")
    assert err.strip() == ("noise" if "noise" in deed else "")


def test_what_was_registered_for_the_end_is_done() -> None:
    """The handlers of the adapter run in the child, and those of the parent only in the parent."""
    body = """
atexit.register(lambda: os.write(2, b"parent\\n"))
end(lambda: [atexit.register(lambda: os.write(2, b"child\\n"))] and verdict())
"""
    assert ran(body) == (1, "verdict\nafter\n", "child\nparent\n")


def test_a_fault_in_the_child_is_a_fault_here() -> None:
    """A fault keeps its code and its words, and an error its name, for the guard around all."""
    body = """
def fail(error):
    raise error
for error in UsageFault("no such thing", "hint"), OSError("odd"), RuntimeError("x" * 90_000):
    try:
        supervised(lambda: fail(error))
    except Exception as told:
        print(type(told).__name__, str(told)[:30], getattr(told, "exit_code", None))
        assert "in fail" in str(told.__cause__)
"""
    code, out, err = ran(body)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "Ended no such thing (hint) 2",
        "OSError odd None",
        f"RuntimeError {'x' * 30} None",
    ]


def test_a_command_is_supervised_when_it_has_an_adapter() -> None:
    """With an adapter the body runs in another process, and leaves with the code of that one."""
    body = """
here = os.getpid()
@supervises
def command(adapter=None):
    say(f"{os.getpid() == here}")
    take_back_streams()
    raise typer.Exit(3 if adapter else 0)
for adapter in None, "a:b":
    try:
        command(adapter=adapter)
    except typer.Exit as left:
        say(f"{left.exit_code}")
"""
    assert ran(body) == (0, "True\n0\n3\n", "False\n")


def test_an_interrupt_reaches_the_child() -> None:
    """Whoever interrupts the parent interrupts the work, and hears so."""
    process = started("end(lambda: [os.write(2, b'on')] and time.sleep(50))")
    assert process.stderr is not None
    assert process.stderr.read(2) == "on"
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - begun < 10


def test_a_child_does_not_outlive_its_parent() -> None:
    """When the parent is killed the child ends too, whatever it is doing."""
    process = started("end(lambda: [os.write(2, b'on')] and time.sleep(50))")
    assert process.stderr is not None
    assert process.stderr.read(2) == "on"
    process.kill()
    # Standard error ends when the last process that holds it has ended.
    process.communicate(timeout=20)


def test_where_output_is_kept_in_memory_the_work_just_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without a descriptor to keep there is no other process."""
    assert supervised(os.getpid) == os.getpid()
    assert capsys.readouterr().err == ""
