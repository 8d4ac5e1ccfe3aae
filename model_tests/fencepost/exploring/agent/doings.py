"""What the world may do to an agent in a scope: calls, events of the work, time, faults.

Each is a deed, an action of the core, and what is around the participant as the action is taken;
or a deed alone, where the bounds of the scope cut it off.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import attrs

from fencepost.exploring.agent.around import NO_TURN, Around, Handler, Turn, call_of
from fencepost.exploring.agent.mishaps import DEADLINE, REPEATS, Doing, mishaps
from fencepost.exploring.agent.scope import AgentScope, directory_of, text_of
from fencepost.exploring.small_world import Deed
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.state import Boundary, Receipt, State
from fencepost_spec.vocabulary import Key, digest_of

RESULTS = {"plain": ("f" * 8, "x"), "null": (digest_of(None), digest_of(None))}


_deed = cache(Deed)


Doings = Callable[[State, Around], Iterator[Doing]]


def doings(scope: AgentScope) -> tuple[Doings, ...]:
    """Everything that the world may do, in a stable order: each for as little as it hangs on."""
    keys, names = scope.keys, scope.checkpoint_names
    return (
        *(partial(_run, scope, key) for key in keys),
        partial(_runs_cut_off, scope),
        *((_nameless,) if scope.nameless else ()),
        *(partial(_handler, scope, key) for key in keys),
        *(partial(_control, scope, checkpoint) for checkpoint in names),
        partial(_beside_checkpoints, scope),
        *(partial(_receipts, scope, key) for key in keys),
        partial(_batches, scope),
        partial(mishaps, scope),
    )


# Calls.


def call_id(op: str, *names: str) -> str:
    """The id of a call: what it asks for, so that it can be told from those that ask otherwise."""
    return ":".join((op, *names))


def _calls(
    scope: AgentScope, state: State, around: Around, words: tuple[str, ...]
) -> Iterator[tuple[str, Deed, Turn]]:
    """The ids that a call may come under: its own, or another while that one still waits."""
    op, *names = words
    own = call_id(op, *names)
    deed = _deed(" ".join(words), fair="call " + " ".join(words))
    if op not in scope.repeated:
        if own not in state.calls:
            yield own, deed, NO_TURN
        return
    again = call_id(op, *names, "again")
    for one, other in ((own, again), (again, own)):
        if one in state.calls:
            continue
        if other not in state.calls:
            yield one, deed, NO_TURN
        elif around.left[REPEATS]:
            yield one, _deed(f"{deed.name} again"), Turn(spends=REPEATS)


def _run(scope: AgentScope, key: Key, state: State, around: Around) -> Iterator[Doing]:
    for name, deed, after in _calls(scope, state, around, ("run", text_of(key))):
        if key in state.pending:
            fair = f"dispatch {text_of(key)}" if state.accepting else None
            yield _deed(deed.name, fair=fair), a.Run(name, key), after
        else:
            yield deed, a.Run(name, key), after


def _runs_cut_off(scope: AgentScope, state: State, _around: Around) -> Iterator[Doing]:
    for key in sorted(state.pending):
        if key.attempt >= scope.attempts:
            fair = f"dispatch {text_of(key)}" if state.accepting else None
            yield _deed(f"run {text_of(key)}", fair=fair, marks=("attempts",)), None, NO_TURN


_NOBODY = call_id("run", "nobody")


def _nameless(state: State, _around: Around) -> Iterator[Doing]:
    """A client that leaves its name out, and the handler of its run: it knows no checkpoint."""
    if _NOBODY not in state.calls and _NOBODY not in state.untracked:
        yield _deed("run of nobody"), a.Run(_NOBODY, None), NO_TURN
    if state.untracked.get(_NOBODY):
        result = RESULTS["plain"]
        finish = a.Work("finish", None, 0, call=_NOBODY, outcome="completed", result=result)
        yield _deed("complete nobody", fair="work complete nobody"), finish, NO_TURN


@cache
def _request(checkpoint: str, **more: Any) -> a.Request:
    return a.Request(checkpoint, **more)


def _control(scope: AgentScope, checkpoint: str, state: State, around: Around) -> Iterator[Doing]:
    for words, request in _requests(scope, state, checkpoint):
        gives_up = words[0] == "resume" and _may_be_resumed(state, checkpoint)
        for name, deed, after in _calls(scope, state, around, words):
            shown = _deed(deed.name, fair=f"give up {checkpoint}") if gives_up else deed
            yield shown, a.Call(name, words[0], request), after


def _beside_checkpoints(scope: AgentScope, state: State, around: Around) -> Iterator[Doing]:
    if "capabilities" in scope.ops:
        for name, deed, after in _calls(scope, state, around, ("capabilities",)):
            yield deed, a.Call(name, "capabilities", a.Request()), after
    finished = state.history.finished
    if not scope.pool and all(name in finished for name in scope.checkpoint_names):
        yield _deed("prepare another", marks=("checkpoints",)), None, NO_TURN


def _may_be_resumed(state: State, checkpoint: str) -> bool:
    """Whether a resume of the id is no mistake: it is open, or nothing says what is closed."""
    fence = state.fence
    closed = fence.active is None and not state.accepting
    return fence.storing is None and (fence.active == checkpoint or closed)


def _requests(
    scope: AgentScope, state: State, checkpoint: str
) -> Iterator[tuple[tuple[str, ...], a.Request]]:
    """The control requests about one checkpoint."""
    ops = scope.ops
    if "prepare" in ops:
        model = "model" in scope.events
        asked = _request(checkpoint, deadline=DEADLINE, allow_model_wait=model)
        yield ("prepare", checkpoint), asked
    for op in ("status", "resume"):
        if op in ops:
            yield (op, checkpoint), _request(checkpoint)
    if "commit" in ops:
        directory = directory_of(checkpoint)
        yield ("commit", checkpoint), _request(checkpoint, directory=directory)
        if scope.elsewhere:
            other = _request(checkpoint, directory="elsewhere")
            yield ("commit", checkpoint, "elsewhere"), other
    if "restore" in ops:
        for directory in scope.directory_names:
            if directory in state.disk:
                asked = _request(checkpoint, directory=directory)
                yield ("restore", checkpoint, directory), asked
    for key in scope.keys:
        if "retire" in ops:
            asked = _request(checkpoint, key=key, deadline=DEADLINE)
            yield ("retire", checkpoint, text_of(key)), asked
        if "discard-restored-continuation" in ops:
            words = ("discard-restored-continuation", checkpoint, text_of(key))
            yield words, _request(checkpoint, key=key)


# Events of the work.


def token_of(scope: AgentScope, key: Key) -> int:
    """The number of the events of a handler; it has at most one that is not answered."""
    return scope.keys.index(key) + 1


def _handler(scope: AgentScope, key: Key, state: State, around: Around) -> Iterator[Doing]:
    handler = around.handlers.get(key)
    if handler is None:
        return
    if not handler.held:
        yield from _events(scope, key, handler)
    yield from _ends(scope, state, key, handler)


def _events(scope: AgentScope, key: Key, handler: Handler) -> Iterator[Doing]:
    token, text = token_of(scope, key), text_of(key)

    def event(name: str, shown: str, after: Handler, **more: Any) -> Doing:
        deed = _deed(f"{shown} {text}", fair=f"work {shown} {text}")
        return deed, a.Work(name, key, token, **more), Turn((key, after))

    if not handler.wait and "boundary" in scope.events:
        index = handler.index + 1
        if index < scope.boundaries:
            made = _boundary(scope, key, index)
            after = change(handler, held="boundary", index=index, call=call_of(made))
            yield event("boundary", "boundary", after, boundary=made)
        else:
            cut = f"boundary {text}"
            yield _deed(cut, fair=f"work {cut}", marks=("boundaries",)), None, NO_TURN
    if "same" in scope.events and not handler.wait and handler.index >= 0:
        made = _boundary(scope, key, handler.index)
        yield event("boundary", "same boundary", change(handler, held="boundary"), boundary=made)
    if "park" in scope.events:
        yield event("park", "park", change(handler, held="park"))
    for kind in ("external", "model"):
        if kind not in scope.events:
            continue
        if not handler.wait:
            after = change(handler, held="wait_begin", wait=kind)
            yield event("wait_begin", f"enter {kind} wait", after, wait=kind)
        elif handler.wait == kind:
            after = change(handler, held="wait_end")
            yield event("wait_end", f"leave {kind} wait", after, wait=kind)
    if "refusal" in scope.events and handler.wait and not handler.refused:
        yield event("refusal", "refusal", change(handler, held="refusal"))


def _boundary(scope: AgentScope, key: Key, index: int) -> Boundary:
    call = f"m{index}" if scope.model_calls else None
    capture = key.capture_key if scope.model_calls else None
    return Boundary(index, f"b{index}", key.attempt, call, capture)


def _ends(scope: AgentScope, state: State, key: Key, handler: Handler) -> Iterator[Doing]:
    """How a handler may end now; one that was told to stop does so when it is free."""
    token, text = token_of(scope, key), text_of(key)
    free = not handler.held
    gone = Turn((key, None))
    for result in scope.results if "completed" in scope.ends and free and not handler.wait else ():
        done = gone
        if not handler.cancelled:
            done = Turn((key, None), (key, _receipt(handler, result)))
        named = f"complete {text}" + ("" if result == "plain" else f" with {result}")
        finish = a.Work("finish", key, token, outcome="completed", result=RESULTS[result])
        yield _deed(named, fair=f"work {named}"), finish, done
    if "failed" in scope.ends and (free or "reported" in scope.ends):
        finish = a.Work("finish", key, token, outcome="failed")
        yield _deed(f"fail {text}", fair=f"work fail {text}"), finish, gone
    execution = state.executions.get(key)
    left = execution is not None and (execution.call is None or execution.call not in state.calls)
    if free and (handler.cancelled or left):
        finish = a.Work("finish", key, token, outcome="cancelled")
        fair = f"stops {text}" if handler.cancelled else None
        yield _deed(f"stop {text}", fair=fair), finish, gone


def _receipt(handler: Handler, result: str) -> Receipt:
    """The receipt of a result, as a client works it out from the boundaries it was shown."""
    digest, identity = RESULTS[result]
    return Receipt(1, identity, digest, *handler.call)


# Receipts.


def _receipts(scope: AgentScope, key: Key, state: State, around: Around) -> Iterator[Doing]:
    receipt = around.done.get(key)
    if receipt is None or not scope.acknowledges:
        return
    words = ("acknowledge", text_of(key))
    for name, deed, after in _calls(scope, state, around, words):
        yield deed, a.Call(name, "acknowledge", a.Request(receipts=((key, receipt),))), after
    for wrong in scope.wrong_receipts:
        other = change_receipt(receipt, wrong)
        wrongly = ("acknowledge", text_of(key), "wrongly", wrong)
        for name, deed, after in _calls(scope, state, around, wrongly):
            request = a.Request(receipts=((key, other),))
            yield _deed(deed.name), a.Call(name, "acknowledge", request), after
    if "completion-receipt" in scope.ops:
        words = ("completion-receipt", text_of(key))
        for name, deed, after in _calls(scope, state, around, words):
            yield deed, a.Call(name, "completion-receipt", a.Request(key=key)), after


def _batches(scope: AgentScope, state: State, around: Around) -> Iterator[Doing]:
    if "acknowledge-completed" in scope.ops and len(around.done) > 1:
        told = sorted(around.done.items())
        for name, deed, after in _calls(scope, state, around, ("acknowledge-completed",)):
            yield (
                deed,
                a.Call(name, "acknowledge-completed", a.Request(receipts=tuple(told))),
                after,
            )


def change_receipt(receipt: Receipt, field: str) -> Receipt:
    """The receipt with one field that is not as it was told."""
    wrong: Any = 2 if field == "execution_generation" else "wrong"
    return attrs.evolve(receipt, **{field: wrong})
