"""Controllers that call a server, and mishaps: time, lost callers, crashes, storage that fails.

A call has the words of what it asks for its id, so a caller waits for an answer before it asks the
same again.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from fencepost.exploring.core_world import Doing, deed
from fencepost.exploring.servers.around import CRASHES, FAULTS, LOST, Around
from fencepost.exploring.servers.scope import DEADLINE, ServerScope, directory_of, text_of

OF_KEY = frozenset({"retire", "abort_inflight"})
BEGINS = frozenset({"pause", "prepare", "commit", "restore"})
"""What begins something. Whoever has called resume hears the answer first, or is hasty."""


Asked = tuple[tuple[str, ...], dict[str, Any]]
"""What a call asks: further words of its name, and further fields of its request."""


def _plainly(_state: Any) -> Iterable[Asked]:
    """A commit that asks for nothing beside its directory."""
    return (((), {}),)


@attrs.frozen
class Said:
    """How a server is told of things: the actions of its core, by what they mean.

    `request` makes what is asked, by operation and id; `commits` are what a commit may ask beside
    its directory. The others make an action.
    """

    call: Callable[[str, str, Any], Any]
    request: Callable[..., Any]
    gone: Callable[[str], Any]
    tick: Callable[[int], Any]
    fails: Callable[[str], Any]
    directory: Callable[[str, None], Any]
    crashes: tuple[tuple[str, Any], ...]
    commits: Callable[[Any], Iterable[Asked]] = _plainly


def calls(scope: ServerScope, said: Said, state: Any, around: Around) -> Iterator[Doing]:
    """Every control call that may be made now."""
    for checkpoint in scope.checkpoint_names:
        for words, more in _asked(scope, said, state, checkpoint):
            name = " ".join(words)
            if name in state.calls:
                continue
            fair = _class_of(state, checkpoint, words)
            request = said.request(words[0], checkpoint, **more)
            yield Doing(deed(name, fair=fair), around, said.call(name, words[0], request))
    finished = state.history.finished
    if not scope.pool and all(name in finished for name in scope.checkpoint_names):
        yield Doing(deed("another checkpoint", marks=("checkpoints",)), cut=True)


def _class_of(state: Any, checkpoint: str, words: tuple[str, ...]) -> str:
    """What a call counts as: giving up, or giving up an attempt, where that is no mistake.

    A controller that begins again before it has heard what became of its resume is hasty.
    """
    if words[0] == "resume" and may_be_resumed(state, checkpoint):
        return f"give up {checkpoint}"
    if words[0] in BEGINS and f"resume {checkpoint}" in state.calls:
        return f"hasty {words[0]} {checkpoint}"
    fence = state.fence
    mine = fence.active in (None, checkpoint) and checkpoint not in state.history.finished
    if words[0] in OF_KEY and mine and fence.phase in ("idle", "preparing", "prepared"):
        return f"give up {words[-1]}"
    return f"call {' '.join(words)}"


def _asked(scope: ServerScope, said: Said, state: Any, checkpoint: str) -> Iterator[Asked]:
    for op in scope.ops:
        if op == "commit":
            for words, more in said.commits(state):
                yield (op, checkpoint, *words), {"directory": directory_of(checkpoint), **more}
        elif op == "restore":
            for directory in map(directory_of, scope.checkpoint_names):
                if directory in state.disk:
                    yield (op, checkpoint, directory), {"directory": directory}
        elif op in OF_KEY:
            for key in scope.keys:
                if scope.gives_up is None or key.attempt in scope.gives_up:
                    yield (op, checkpoint, text_of(key)), {"key": key}
        else:
            yield (op, checkpoint), {}


def is_open(state: Any) -> bool:
    """Whether a server lets requests in."""
    accepting = getattr(state, "accepting", None)
    return state.admission == "accepting" if accepting is None else bool(accepting)


def may_be_resumed(state: Any, checkpoint: str) -> bool:
    """Whether a resume of the id is no mistake: it is open, or nothing says what is closed."""
    fence = state.fence
    closed = fence.active is None and not is_open(state)
    return fence.storing is None and (fence.active == checkpoint or closed)


def mishaps(
    scope: ServerScope, said: Said, state: Any, around: Around, *, time_matters: bool
) -> Iterator[Doing]:
    """Time, callers that go away, a crash, failing storage, old directories that are removed."""
    if time_matters:
        yield Doing(deed("5 s pass", fair="time passes"), around, said.tick(DEADLINE))
    for call in sorted(state.calls) if scope.lost else ():
        words = f"caller of {call} goes away"
        yield _bounded(words, around, LOST, "lost replies", said.gone(call))
    for words, action in said.crashes if scope.crashes else ():
        yield _bounded(words, around, CRASHES, "crashes", action)
    for checkpoint in scope.checkpoint_names if scope.pool else ():
        directory = directory_of(checkpoint)
        if directory in state.disk and checkpoint in state.history.finished:
            yield Doing(
                deed(f"remove {directory}", fair=f"remove {directory}"),
                around,
                said.directory(directory, None),
            )
    for step in scope.failing:
        storing = state.fence.storing is not None
        if state.failing or (step in _WHILE_STORING) != storing:
            continue
        yield _bounded(f"{step} will fail", around, FAULTS, "storage faults", said.fails(step))


_WHILE_STORING = frozenset({"records", "manifest", "after_manifest", "read", "copy", "install"})


def _bounded(words: str, around: Around, which: int, bound: str, action: Any) -> Doing:
    if around.left[which]:
        return Doing(deed(words), around.less(which), action)
    return Doing(deed(words, marks=(bound,)), cut=True)
