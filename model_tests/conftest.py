"""Every test run says where its recorded traces are, or loudly that they are not here."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A shell that runs tests in the background lets them ignore an interrupt, and so do their children.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The quick one draws the same every time; the long one draws from the seed that it is given.
settings.register_profile(
    "quick", deadline=None, max_examples=80, stateful_step_count=50, derandomize=True
)
settings.register_profile(
    "long",
    deadline=None,
    max_examples=1_000,
    stateful_step_count=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("quick")
# `make soak` loads the long one by its option, after this.


def recorded_traces() -> Path:
    """Return the folder of recorded traces, which need not exist."""
    named = os.environ.get("FENCEPOST_SHARED")
    beside_the_repository = Path(__file__).resolve().parents[2] / "shared"
    return (Path(named) if named else beside_the_repository) / "traces"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the folder of recorded traces, in red when it is absent."""
    folder = recorded_traces()
    if folder.is_dir():
        terminalreporter.write_line(f"recorded traces: {folder}")
        return
    terminalreporter.write_line(
        f"RECORDED TRACES ABSENT: no folder {folder}; the tests about them did not run. "
        "Set FENCEPOST_SHARED to the folder that holds traces/.",
        red=True,
        bold=True,
    )
