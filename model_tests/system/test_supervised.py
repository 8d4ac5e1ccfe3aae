"""A supervised command has its own verdict or none: no adapter ends, hides or fakes it."""

import os
import signal
import subprocess
import sys
import time

import pytest

from fencepost.commands.output import Conclusion
from fencepost.supervised import supervised

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="there is no fork"),
]

BEFORE = """
import atexit, os, signal, sys, time
from fencepost.commands.output import Conclusion, complain, say, text_width
from fencepost.faults import FencepostFault, HarnessFault, UsageFault
from fencepost.supervised import supervised, supervises, take_back_streams

def end(work):
    try:
        conclusion = supervised(work)
        say(conclusion.text)
        code = conclusion.code
    except FencepostFault as fault:
        complain(str(fault))
        code = fault.exit_code
    except KeyboardInterrupt:
        code = 130
    sys.stdout.write("after\\n")
    sys.exit(code)

def verdict(code=1):
    take_back_streams()
    return Conclusion(code, "verdict")
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
        ("atexit.register(lambda: os._exit(0)) and verdict(0)", "status 0"),
    ],
)
def test_a_process_that_ends_without_a_verdict_is_code_4(deed: str, status: str) -> None:
    """Nothing that ends the process stands for a verdict, and a line says what happened."""
    ended = f"the participant ended the process ({status}) before there was a verdict"
    if "atexit" in deed:
        ended += "; its last step was what it registered for the end of the process"

    assert ran(f"end(lambda: {deed})") == (4, "after\n", f"fencepost: {ended}\n")


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
    """A fault keeps its kind and its words, and an error its name, for the guard around all."""
    body = """
def fail(error):
    raise error
full = OSError(28, "No space left", "there")
for error in UsageFault("no such thing", "hint"), full, OSError("odd"), RuntimeError("x" * 90_000):
    try:
        supervised(lambda: fail(error))
    except FencepostFault as told:
        print(type(told).__name__, told.exit_code, str(told).split(" (this")[0][:50])
        assert "in fail" in str(told.__cause__)
"""
    code, out, err = ran(body)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "UsageFault 2 no such thing (hint)",
        "MachineFault 4 No space left: there",
        "HarnessFault 4 an unexpected error: OSError: odd",
        f"HarnessFault 4 an unexpected error: RuntimeError: {'x' * 15}",
    ]


def test_a_command_is_supervised_when_it_has_an_adapter() -> None:
    """With an adapter the body runs in another process, and comes to the conclusion of that one."""
    body = """
here = os.getpid()
@supervises
def command(adapter=None):
    print("noise")
    return Conclusion(3 if adapter else 0, f"{os.getpid() == here}")
for adapter in None, "a:b":
    print(command(adapter=adapter))
"""
    assert ran(body) == (
        0,
        "noise\nConclusion(code=0, text='True')\nConclusion(code=3, text='False')\n",
        "noise\n",
    )


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_conclusion_of_any_length_is_heard(size: int) -> None:
    """What the child concludes comes through whole, also where no pipe takes it at once."""
    out = "x" * size
    assert ran(f"end(lambda: Conclusion(1, 'x' * {size}))") == (1, f"{out}\nafter\n", "")


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("None", "an unexpected error: AttributeError"),
        ("sys.exit(0)", "a command left without a word: SystemExit: 0 ("),
        ("exec('raise BaseException(5)')", "an unexpected error: BaseException: 5"),
        ("os.kill(os.getpid(), signal.SIGINT) or time.sleep(9)", "it interrupted the process"),
        ("os.closerange(3, 200)", "ended the process (status 4)"),
    ],
)
def test_nothing_but_a_conclusion_stands_for_one(deed: str, words: str) -> None:
    """Work that returns something else, leaves or cuts itself off has no code but 4."""
    code, out, err = ran(f"end(lambda: {deed})")
    assert (code, out) == (4, "after\n")
    assert words in err


def test_what_the_end_of_the_process_prints_is_no_part_of_the_verdict() -> None:
    """Handlers and threads that print after the verdict is laid out print to standard error."""
    body = "end(lambda: [atexit.register(print, 'bye')] and verdict(0))"
    assert ran(body) == (0, "verdict\nafter\n", "bye\n")


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
    here = supervised(lambda: Conclusion(0, str(os.getpid())))
    assert here.text == str(os.getpid())
    assert capsys.readouterr().err == ""
