"""The shortest script that still shows what a run went wrong by, found by playing shorter ones.

A script is a list of actions with points of rest between them. Whole processes go first, then all
that is about one rollout or one checkpoint, then steps in ever smaller groups, then single actions
and pairs of steps, again and again until nothing more can go. Each candidate is played on a fresh
participant. Bounded by time and by the number of plays.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import TypeVar

import attrs

from fencepost.trace.lines import Call, Fault, JsonObject, Line, Report, Work, is_list, is_object
from fencepost_spec.vocabulary import identity_of_run

PLAYS_MAX = 600
SECONDS_MAX = 8.0
PAIRED_MAX = 24
"""Of more steps than these no pairs are tried."""

T = TypeVar("T")
Step = tuple[Line, ...]
"""Actions between two points of rest, the rest after them included."""
Shows = Callable[[Sequence[Line]], bool]


def shrunk(
    script: Sequence[Line],
    still_shows: Shows,
    seconds_max: float = SECONDS_MAX,
    clock: Callable[[], float] = time.monotonic,
) -> list[Line]:
    """The shortest script found; the given one when none of its parts shows the failure.

    By a `clock` that counts processor time a busy machine finds what an idle one does.
    """
    plays = _Plays(still_shows, seconds_max, clock)
    steps, before = steps_of(script), -1
    while _size(steps) != before and not plays.over:
        before = _size(steps)
        steps = _first_that_shows(steps, _without_processes, plays.show)
        steps = _first_that_shows(steps, _without_subjects, plays.show)
        steps = reduced(steps, plays.show)
        steps = _first_that_shows(steps, _without_actions, plays.show)
        steps = _first_that_shows(steps, _without_pairs, plays.show)
    return joined(_first_that_shows(steps, _with_low_attempts, plays.show))


class _Plays:
    """Counts plays, and says no when there have been too many."""

    def __init__(self, still_shows: Shows, seconds_max: float, clock: Callable[[], float]) -> None:
        self._still_shows = still_shows
        self._left = PLAYS_MAX
        self._clock = clock
        self._until = clock() + seconds_max

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self._left <= 0 or self._clock() > self._until

    def show(self, steps: Sequence[Step]) -> bool:
        """Whether some steps still show the failure."""
        if self.over:
            return False
        self._left -= 1
        return self._still_shows(joined(steps))


def steps_of(script: Sequence[Line]) -> list[Step]:
    """The script cut after each point of rest.

    >>> from fencepost.trace.lines import Note
    >>> rest = Report(0, {})
    >>> [len(step) for step in steps_of([Note(0, "a"), Note(0, "b"), rest, Note(0, "c")])]
    [3, 1]
    """
    steps: list[Step] = []
    begun: list[Line] = []
    for line in script:
        begun.append(line)
        if isinstance(line, Report):
            steps.append(tuple(begun))
            begun = []
    return [*steps, tuple(begun)] if begun else steps


def joined(steps: Sequence[Step]) -> list[Line]:
    """The script that the steps make."""
    return [line for step in steps for line in step]


def _size(steps: Sequence[Step]) -> int:
    return sum(not isinstance(line, Report) for step in steps for line in step)


def _first_that_shows(
    steps: list[Step],
    shorten: Callable[[list[Step]], Iterator[list[Step]]],
    shows: Callable[[list[Step]], bool],
) -> list[Step]:
    """The steps shortened by the first candidate that shows it, again until none does."""
    while True:
        found = next((few for few in shorten(steps) if few and shows(few)), None)
        if found is None:
            return steps
        steps = found


def reduced(items: list[T], shows: Callable[[list[T]], bool]) -> list[T]:
    """Fewer and fewer items, taken out in ever smaller pieces, from the end to the start.

    >>> reduced(list(range(20)), lambda few: {3, 11} <= set(few))
    [3, 11]
    """
    size = max(1, len(items) // 2)
    while True:
        end, smaller = len(items), False
        while end > 0:
            start = max(0, end - size)
            fewer = items[:start] + items[end:]
            if fewer and shows(fewer):
                items, smaller = fewer, True
            end = start
        if size == 1 and not smaller:
            return items
        size = size if smaller and size == 1 else max(1, size // 2)


# Candidates, those that leave out most first.


def _without_processes(steps: list[Step]) -> Iterator[list[Step]]:
    """Without all processes up to one, or without one in the midst and its generation."""
    ends = [number for number, step in enumerate(steps, start=1) if _replaces(step)]
    for end in reversed(ends):
        yield steps[end:]
    for start, end in reversed(list(pairwise(ends))):
        yield steps[:start] + steps[end:]
        yield [_moved(step, 1) for step in steps[:start]] + steps[end:]


def _without_subjects(steps: list[Step]) -> Iterator[list[Step]]:
    """Without all that is about one rollout or one checkpoint."""
    for name in sorted({name for step in steps for line in step for name in _subjects(line)}):
        left = (tuple(line for line in step if name not in _subjects(line)) for step in steps)
        yield [step for step in left if _size([step])]


def _without_actions(steps: list[Step]) -> Iterator[list[Step]]:
    """Without one of several actions between two points of rest."""
    for number, step in enumerate(steps):
        if _size([step]) > 1:
            for place, line in enumerate(step):
                if not isinstance(line, Report):
                    fewer = step[:place] + step[place + 1 :]
                    yield [*steps[:number], fewer, *steps[number + 1 :]]


def _without_pairs(steps: list[Step]) -> Iterator[list[Step]]:
    """Without two steps that only go together, as a checkpoint's begin and end do."""
    if len(steps) <= PAIRED_MAX:
        for first, second in combinations(range(len(steps)), 2):
            yield steps[:first] + steps[first + 1 : second] + steps[second + 1 :]


def _with_low_attempts(steps: list[Step]) -> Iterator[list[Step]]:
    """As many steps, with attempts that begin at 0."""
    attempts = [attempt for step in steps for line in step for attempt in _attempts(line)]
    if attempts and min(attempts) > 0:
        yield [_moved(step, -min(attempts)) for step in steps]


def _replaces(step: Step) -> bool:
    return any(isinstance(line, Fault) and line.name == "replace" for line in step)


def _subjects(line: Line) -> set[tuple[str, str]]:
    """The rollouts and checkpoints that an action names."""
    if isinstance(line, Work):
        return {("rollout", str(line.rollout_id))}
    if not isinstance(line, Call):
        return set()
    bodies = _bodies(line)
    checkpoints = (body["checkpoint_id"] for body in bodies if "checkpoint_id" in body)
    found = {("checkpoint", str(name)) for name in checkpoints}
    rollouts = {_rollout(line, body) for body in bodies}
    return found | {("rollout", name) for name in rollouts if name is not None}


def _bodies(line: Call) -> list[JsonObject]:
    """The body of a call, and the bodies that are in it."""
    body = line.request or {}
    within = body.get("executions")
    return [body, *filter(is_object, within if is_list(within) else ())]


def _rollout(line: Call, body: JsonObject) -> str | None:
    if line.op != "run":
        name = body.get("rollout_id")
        return name if isinstance(name, str) else None
    try:
        key = identity_of_run(body)
    except ValueError:
        return None
    return None if key is None else key.rollout_id


def _attempts(line: Line) -> Iterator[int]:
    """The attempts that an action names."""
    if isinstance(line, Work) and line.attempt is not None:
        yield line.attempt
    elif isinstance(line, Call) and line.op == "run":
        yield from (_attempt(body) for body in _bodies(line) if _rollout(line, body) is not None)
    elif isinstance(line, Call):
        named = (body.get("attempt_index") for body in _bodies(line))
        yield from (attempt for attempt in named if type(attempt) is int)


def _attempt(body: JsonObject) -> int:
    """The attempt that the body of a run names."""
    return body.get("_ng_attempt_index") or 0


def _moved(step: Step, by: int) -> Step:
    """The step with every attempt that it names so much higher."""
    return tuple(_line_moved(line, by) for line in step)


def _line_moved(line: Line, by: int) -> Line:
    if isinstance(line, Work):
        attempt = None if line.attempt is None else line.attempt + by
        return attrs.evolve(line, attempt=attempt)
    if not isinstance(line, Call) or line.request is None:
        return line
    request = line.request
    if line.op == "run" and _rollout(line, request) is not None:
        request = request | {"_ng_attempt_index": _attempt(request) + by}
    request = _body_moved(request, by)
    if is_list(request.get("executions")):
        within = [_body_moved(b, by) if is_object(b) else b for b in request["executions"]]
        request = request | {"executions": within}
    return attrs.evolve(line, request=request)


def _body_moved(body: JsonObject, by: int) -> JsonObject:
    attempt = body.get("attempt_index")
    return body | {"attempt_index": attempt + by} if type(attempt) is int else body
