"""`replay_file`: sends the actions of a trace to a participant again, and judges what comes back.

A trace of ours says when everything came to rest, so its actions are sent with the same turns of
the event loop between them. Any other trace is followed line by line: before the next action, what
the trace shows has happened, or nothing moves any more. An action that the participant cannot do,
or that cannot happen where it is, is left out and told.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import attrs

from fencepost.agent.wording import action_text
from fencepost.capable import needs_of, usable
from fencepost.driven import REST, Played, perform_all
from fencepost.driver import Driver
from fencepost.judges import judge_of
from fencepost.judging import findings, refused
from fencepost.making import Factory
from fencepost.mismatch import Inconclusive
from fencepost.participant import Participant
from fencepost.playing import header_of, make_participant, play
from fencepost.replayed import PLAYED_MIN, script_with
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

IMPOSSIBLE = "it could not happen here"

_GIVEN_UP = ("cancelled", "timeout")


def replay_file(
    path: str | Path, adapter: Factory | None = None, watch: Watch | None = None
) -> Verdict:
    """The verdict on a participant that was sent the actions of a trace.

    A file that is no trace, or that means nothing, raises TraceFault as it does when it is judged;
    an adapter that cannot be run, ParticipantFault.
    """
    from fencepost.adapters.runtime import make

    with TraceReader(path) as reader:
        header, lines = reader.header, tuple(_sensible(reader.header, reader))
    watch = watch or Watch()
    if header.kind == "ledger":
        return _replay_ledger(path, header, lines, adapter, watch)
    if (header.protocol, header.kind) == ("receipts", "model"):
        from fencepost.policy_model.replay import replay_model

        return replay_model(header, lines, str(path), adapter, watch)
    if (header.protocol, header.kind) == ("receipts", "controller"):
        from fencepost.controller.replay import replay_controller

        return replay_controller(header, lines, str(path), adapter, watch)
    if (header.protocol, header.kind) == ("receipts", "resources"):
        from fencepost.resources.replay import replay_resources

        return replay_resources(header, lines, str(path), adapter, watch)
    replay = _Replay(adapter or make, header, lines, watch)
    return replay.verdict(run_watched(replay.run, watch), str(path))


def _replay_ledger(
    path: str | Path, header: Header, lines: Sequence[Line], adapter: Factory | None, watch: Watch
) -> Verdict:
    """The verdict on a ledger that was sent the operations of a trace."""
    from fencepost.ledger.playing import replayed

    played = run_watched(lambda: replayed(header, lines, adapter, watch), watch)
    if played.refusal is not None:
        return refused(played.header, played.lines, played.refusal, played.oracle, str(path))
    if not played.actions:
        return Verdict("inconclusive", str(path), reason="nothing could be sent")
    return Verdict("conforms", str(path), rules_exercised=tuple(sorted(played.oracle.rules)))


def _sensible(header: Header, lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, each of which means something: where one does not, TraceFault is raised."""
    judge, judged = judge_of(header), True
    for line in lines:
        if judged:
            try:
                judged = judge.feed(line) is None
            except Inconclusive:
                judged = False
        yield line


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
    return script_with(lines, is_action, REST)


class _Replay:
    """One trace, sent to one participant."""

    def __init__(
        self, factory: Factory, header: Header, lines: Sequence[Line], watch: Watch
    ) -> None:
        self._factory = factory
        self._header = header
        self._lines = lines
        self._watch = watch
        self._actions = [line for line in lines if is_action(line)]
        self._able: frozenset[str] = frozenset()
        self._unsent: dict[int, str] = {}

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
        await perform_all(driver, self._sendable(driver))
        return True

    def _sendable(self, driver: Driver) -> Iterator[Line]:
        """The script without what the participant cannot do; what could not happen is noted."""
        for line in script_of(self._lines):
            if not is_action(line):
                yield line
            elif self._can(line):
                before = driver.actions
                yield line
                if driver.actions == before:
                    self._unsent[line.seq] = IMPOSSIBLE

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
        elif isinstance(line, Lost):
            await asyncio.sleep(0)  # What was started before happens before it.
        # A handler that is held does nothing, whatever it did in the trace.
        able = self._can(line) and (not isinstance(line, Work) or _can_take(driver, line))
        if driver.record.over:
            return
        if not (able and await driver.perform(line)):
            self._unsent.setdefault(line.seq, IMPOSSIBLE)
        elif isinstance(line, Work) and line.event == "finish":
            # The participant hears of it after the line; what comes next must not overtake that.
            await driver.settle()

    async def _await(self, driver: Driver, seen: Callable[[Driver], bool]) -> None:
        """Give the participant turns until something is seen, or nothing moves any more."""
        for _ in range(TURNS_MAX):
            if seen(driver) or driver.record.over:
                return
            await asyncio.sleep(0)
        await driver.settle()

    def _can(self, line: Line) -> bool:
        """Whether the participant has what an action needs; what it lacks is noted."""
        lacking = sorted(needs_of(line) - self._able)
        if lacking:
            self._unsent[line.seq] = f"it has no {' and no '.join(lacking)}"
        return not lacking

    def verdict(self, played: Played, name: str) -> Verdict:
        """The verdict on what came back, and what was not sent."""
        unsent = tuple(
            f"{action_text(line)} (line {line.seq}, {self._unsent[line.seq]})"
            for line in self._actions
            if line.seq in self._unsent
        )
        return attrs.evolve(self._judged(played, name), not_sent=unsent)

    def _judged(self, played: Played, name: str) -> Verdict:
        if played.refusal is not None:
            return refused(played.header, played.lines, played.refusal, played.oracle, name)
        notes = findings(played.oracle)
        if played.inconclusive is not None:
            return Verdict("inconclusive", name, reason=played.inconclusive, notes=notes)
        reason = self._too_little()
        if reason is not None:
            return Verdict("inconclusive", name, reason=reason, notes=notes)
        used = tuple(sorted(played.oracle.rules))
        return Verdict("conforms", name, notes=notes, rules_exercised=used)

    def _too_little(self) -> str | None:
        """Why what was sent is no ground for a verdict, if it is none.

        Without the last action it is none: most traces are kept for what comes of that.
        """
        if not self._actions:
            return "there is no action in this trace"
        wanted, unsent = len(self._actions), len(self._unsent)
        if wanted - unsent < wanted * PLAYED_MIN:
            return f"only {wanted - unsent} of {wanted} actions could be sent"
        if self._actions[-1].seq in self._unsent:
            return f"the last of {wanted} actions was not sent"
        return None


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
    if worker is None or worker.busy:
        return False
    if event.event != "finish":
        return worker.idle
    if event.detail.get("outcome", "completed") != "completed" or worker.rollout_id is None:
        return True
    execution = driver.record.state.executions.get(Key(worker.rollout_id, worker.attempt or 0))
    counted = execution is not None and execution.status in COUNTED
    return worker.held is None and not counted
