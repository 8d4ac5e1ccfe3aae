"""`replay_file`: sends the actions of a trace to a participant again, and judges what comes back.

A trace of ours says when everything came to rest, so its actions are sent with the same turns of
the event loop between them. Any other trace is followed line by line: before the next action, what
the trace shows has happened, or nothing moves any more.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from fencepost.capable import needs_of, usable
from fencepost.driver import REST, Driver
from fencepost.judging import findings, refused
from fencepost.participant import Participant
from fencepost.playing import Factory, Played, header_of, make_participant, perform_all, play
from fencepost.trace import TraceReader
from fencepost.trace.lines import (
    Call,
    Fault,
    Header,
    Line,
    Lost,
    Reply,
    Report,
    Returned,
    Tick,
    Work,
)
from fencepost.verdict import Verdict
from fencepost.watch import Watch, run_watched
from fencepost_reference.receipts.state import COUNTED
from fencepost_spec.vocabulary import Key

TURNS_MAX = 64
"""So many turns of the event loop are waited for what a trace shows next."""

PLAYED_MIN = 0.5
"""A replay that could send fewer of the actions than this share is inconclusive."""

_GIVEN_UP = ("cancelled", "timeout")


def replay_file(
    path: str | Path, adapter: Factory | None = None, watch: Watch | None = None
) -> Verdict:
    """The verdict on a participant that was sent the actions of a trace.

    A file that is no trace raises TraceFault; an adapter that cannot be run, ParticipantFault.
    """
    from fencepost.adapters.runtime import make

    with TraceReader(path) as reader:
        header, lines = reader.header, tuple(reader)
    watch = watch or Watch()
    replay = _Replay(adapter or make, header, lines, watch)
    return replay.verdict(run_watched(replay.run, watch), str(path))


def is_action(line: Line) -> bool:
    """Whether the harness decides a line, so that its length counts."""
    match line:
        case Work(event="begin"):
            return False
        case Lost():
            return line.how in _GIVEN_UP
        case _:
            return isinstance(line, Call | Work | Fault | Tick)


def script_of(lines: Sequence[Line]) -> list[Line]:
    """The actions of a trace of ours, with its points of rest."""
    return [
        REST if isinstance(line, Report) else line
        for line in lines
        if is_action(line) or (isinstance(line, Report) and not line.moving)
    ]


class _Replay:
    """One trace, sent to one participant."""

    def __init__(
        self, factory: Factory, header: Header, lines: Sequence[Line], watch: Watch
    ) -> None:
        self._factory = factory
        self._header = header
        self._lines = lines
        self._watch = watch
        self._wanted = sum(is_action(line) for line in lines)
        self._able: frozenset[str] = frozenset()

    def run(self) -> Played:
        """Send the actions."""
        self._watch.doing("the factory")
        participant = make_participant(self._factory)
        self._able = usable(participant)
        header = self._header_for(participant)
        ours = self._header.settings.get("rests") == "reports"
        return play(self._factory, header, self._send if ours else self._follow, self._watch)

    def _header_for(self, participant: Participant) -> Header:
        """Who answers decides the dialect; the trace decides the settings."""
        own = header_of(participant, self._header.scenario, f"again: {self._header.about}")
        return attrs.evolve(own, settings=own.settings | self._header.settings)

    async def _send(self, driver: Driver) -> bool:
        await perform_all(driver, filter(self._can, script_of(self._lines)))
        return True

    async def _follow(self, driver: Driver) -> bool:
        for line in self._lines:
            if driver.record.over:
                break
            if isinstance(line, Report):
                if not line.moving:
                    await driver.rest()
            elif is_action(line):
                await self._act(driver, line)
            else:
                await self._await(driver, _sign_of(line, self._lines))
        return True

    async def _act(self, driver: Driver, line: Line) -> None:
        if isinstance(line, Work):
            await self._await(driver, lambda driver: _can_take(driver, line))
            if not _can_take(driver, line):
                return  # A handler that is held does nothing, whatever it did in the trace.
        if self._can(line):
            await driver.perform(line)

    async def _await(self, driver: Driver, seen: Callable[[Driver], bool]) -> None:
        """Give the participant turns until something is seen, or nothing moves any more."""
        for _ in range(TURNS_MAX):
            if seen(driver) or driver.record.over:
                return
            await asyncio.sleep(0)
        await driver.settle()

    def _can(self, line: Line) -> bool:
        """Whether the participant has what an action needs."""
        return needs_of(line) <= self._able

    def verdict(self, played: Played, name: str) -> Verdict:
        """The verdict on what came back."""
        if played.refusal is not None:
            return refused(played.header, played.lines, played.refusal, played.oracle, name)
        notes = findings(played.oracle)
        if played.inconclusive is not None:
            return Verdict("inconclusive", name, reason=played.inconclusive, notes=notes)
        if played.actions < max(1, self._wanted * PLAYED_MIN):
            reason = f"only {played.actions} of {self._wanted} actions could be sent"
            return Verdict("inconclusive", name, reason=reason, notes=notes)
        used = tuple(sorted(played.oracle.rules))
        return Verdict("conforms", name, notes=notes, rules_exercised=used)


def _sign_of(line: Line, lines: Sequence[Line]) -> Callable[[Driver], bool]:
    """How it shows that what a line says has happened."""
    match line:
        case Reply() | Lost():
            return lambda driver: line.id not in driver.open
        case Work():
            return lambda driver: driver.worker(line.rollout_id, line.attempt) is not None
        case Returned():
            event = lines[line.of - 1]
            return lambda driver: not isinstance(event, Work) or not _is_held(driver, event)
        case _:
            return lambda _driver: True


def _is_held(driver: Driver, event: Work) -> bool:
    worker = driver.worker(event.rollout_id, event.attempt)
    return worker is not None and worker.held is not None


def _can_take(driver: Driver, event: Work) -> bool:
    """Whether a handler is there to do this; counted work does not complete (R24)."""
    worker = driver.worker(event.rollout_id, event.attempt)
    if worker is None:
        return False
    if event.event != "finish":
        return worker.idle
    if event.detail.get("outcome", "completed") != "completed" or worker.rollout_id is None:
        return True
    execution = driver.record.state.executions.get(Key(worker.rollout_id, worker.attempt or 0))
    counted = execution is not None and execution.status in COUNTED
    return worker.held is None and not counted
