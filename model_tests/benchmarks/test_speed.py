"""How fast things are: figures are printed, and only ratios measured in one run are asserted.

`make bench` runs this. Figures are in processor time, and the best of several runs.
"""

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from fencepost.agent.oracle import Oracle
from fencepost.synthetic import Life, Synthetic, many_keys, whole_life, write
from fencepost.trace import Report, TraceReader
from fencepost_reference.receipts.agent import AgentCore
from fencepost_spec.chart import machine_in
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.execution import AgentExecution
from fencepost_spec.receipts.guards import ExecutionFacts

pytestmark = pytest.mark.bench

SHORT, LONG = 2_000, 100_000
FINISHED_WANTED = 24_900
TABLE_TIMES_FASTER = 200
LONG_KEEPS = 0.8
RUNS = 7

# Guarded events, each with facts by which a row of the chart answers it.
GUARDED: tuple[tuple[str, str, ExecutionFacts], ...] = (
    ("running", "boundary_recorded", ExecutionFacts(advances=True)),
    ("running", "boundary_recorded", ExecutionFacts(same_record=True)),
    ("park_requested", "boundary_recorded", ExecutionFacts(advances=True)),
    ("park_requested", "park_called", ExecutionFacts(has_record=True)),
    ("park_requested", "wait_entered", ExecutionFacts()),
    ("running", "prepare_called", ExecutionFacts(external_wait_open=True, has_record=True)),
    ("running", "prepare_called", ExecutionFacts()),
    ("parked_with_boundary", "resume_called", ExecutionFacts(has_handler=False)),
)


def best(runs: int, measured: Callable[[], Any]) -> float:
    """The shortest of several runs, in seconds of processor time."""
    times: list[float] = []
    for _ in range(runs):
        gc.collect()
        start = process_time()
        measured()
        times.append(process_time() - start)
    return min(times)


def say(what: str, figure: str) -> None:
    """Print one figure."""
    print(f"\n  {what:<58} {figure:>16}", end="")


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, Life], tuple[Path, int]]:
    """A function that writes a trace, once for its arguments; and how many keys finished in it."""
    folder = tmp_path_factory.mktemp("traces")
    made: dict[Path, int] = {}

    def of(lines: int, life: Life) -> tuple[Path, int]:
        path = folder / f"{life.__name__}-{lines}.ndjson"
        if path not in made:
            made[path] = write(path, lines, life)
        return path, made[path]

    return of


Traces = Callable[[int, Life], tuple[Path, int]]


def judged(path: Path) -> Oracle:
    """Read and judge a trace, parsing included."""
    with TraceReader(path) as reader:
        oracle = Oracle(reader.header)
        assert oracle.feed_all(reader) is None
    return oracle


def seconds_of(runs: int, path: Path) -> float:
    """Processor time of judging a trace so many times."""
    start = process_time()
    for _ in range(runs):
        judged(path)
    return process_time() - start


def test_a_row_is_found_many_times_faster_than_a_machine_sends() -> None:
    """The table answers guarded events at least 200 times as fast as the machine of the library."""
    machines: list[Any] = [machine_in(AgentExecution, source) for source, _, _ in GUARDED]
    find, repeats = AGENT.execution.find, 2_000

    def by_table() -> None:
        for _ in range(repeats):
            for source, event, facts in GUARDED:
                find(source, event, facts)

    def by_machine() -> None:
        for machine, (source, event, facts) in zip(machines, GUARDED, strict=True):
            machine.send(event, facts=facts)
            machine.current_state_value = source

    assert all(find(*case) is not None for case in GUARDED)
    table = best(RUNS, by_table) / repeats / len(GUARDED)
    machine = best(RUNS * 3, by_machine) / len(GUARDED)
    say("table, one guarded event", f"{table * 1e6:.2f} us")
    say("machine, one guarded event", f"{machine * 1e6:.0f} us")
    say("the table is faster", f"{machine / table:.0f} times")
    assert machine / table >= TABLE_TIMES_FASTER


def test_the_rate_of_the_oracle_on_a_visible_trace(trace: Traces) -> None:
    """Lines a second, parsing included: 8 live, one line in five a report."""
    path, _ = trace(SHORT, whole_life)
    parsing = best(RUNS, lambda: sum(1 for _ in TraceReader(path)))
    whole = best(RUNS, lambda: judged(path))
    say("oracle, parsing included", f"{SHORT / whole:,.0f} lines/s")
    say("of that, parsing", f"{parsing / SHORT * 1e6:.1f} us/line")
    say("of that, judging", f"{(whole - parsing) / SHORT * 1e6:.1f} us/line")


def test_the_rate_of_reports(trace: Traces) -> None:
    """Reports a second when the trace has nothing else."""
    path, _ = trace(SHORT, whole_life)
    with TraceReader(path) as reader:
        header, lines = reader.header, list(reader)
    place = max(at for at, line in enumerate(lines) if isinstance(line, Report))
    oracle = Oracle(header)
    assert oracle.feed_all(lines[:place]) is None
    reports = [lines[place]] * 500
    seconds = best(RUNS, lambda: oracle.feed_all(reports))
    say("reports of 8 live executions, parsed before", f"{len(reports) / seconds:,.0f} lines/s")


def test_a_long_trace_is_read_about_as_fast_as_a_short_one(trace: Traces) -> None:
    """The rate at 100,000 lines with 25,000 finished keys is at least 0.8 of that at 2,000."""
    short, _ = trace(SHORT, many_keys)
    long, finished = trace(LONG, many_keys)
    assert finished >= FINISHED_WANTED
    # As many lines of each, the long trace between two halves of the short one.
    half = LONG // SHORT // 2
    before, whole, after = seconds_of(half, short), seconds_of(1, long), seconds_of(half, short)
    kept = (before + after) / whole
    say(f"oracle at {SHORT:,} lines", f"{LONG / (before + after):,.0f} lines/s")
    say(f"oracle at {LONG:,} lines, {finished:,} finished keys", f"{LONG / whole:,.0f} lines/s")
    say("the long trace keeps", f"{kept:.2f} of the rate")
    assert kept >= LONG_KEEPS


def test_memory_follows_the_finished_keys(trace: Traces) -> None:
    """Bytes that the oracle keeps for each finished key, by kind of end."""
    for life, lines in ((whole_life, LONG // 5), (many_keys, LONG // 5)):
        path, finished = trace(lines, life)
        small, before = trace(SHORT, life)
        kept = [_bytes_kept(one) for one in (small, path)]
        each = (kept[1] - kept[0]) / (finished - before)
        say(f"kept for each finished key, {life.__name__.replace('_', ' ')}", f"{each:,.0f} bytes")


def _bytes_kept(path: Path) -> int:
    tracemalloc.start()
    try:
        oracle = judged(path)
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
        assert oracle.rules
    finally:
        tracemalloc.stop()
    return kept


def test_the_rate_of_the_core() -> None:
    """Steps a second of the pure core, on the same life of work."""
    made = Synthetic()
    for _ in made.lines(SHORT * 5, whole_life, reports=False):
        pass
    core = AgentCore()

    def steps() -> None:
        state = core.initial()
        for action in made.actions:
            state = core.step(state, action).state

    say("core", f"{len(made.actions) / best(RUNS, steps):,.0f} steps/s")
