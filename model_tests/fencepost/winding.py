"""How a run comes to its end once the faults have stopped, and what must be true on the way.

These are the `eventually` promises, asked of a walk that is fair: storage steps end, whoever is
woken runs, handlers that are told to end do, and the controller resumes, acknowledges and retires.
"""

from fencepost.enabled import work_ends
from fencepost.enabled_calls import DEADLINE_US, asked
from fencepost.walking import Walk, WentWrong
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.state import COUNTED, Receipt, Reply
from fencepost_spec.receipts.properties import BY_ID
from fencepost_spec.vocabulary import Key


def wind_down(walk: Walk) -> None:
    """Bring a run to rest: nothing is parked or held, all is answered, and a prepare succeeds."""
    for op in sorted(walk.state.holds):
        walk.take(a.Release(op))
    walk.settle()
    _expect(walk, walk.state.fence.storing is None, "R-LIV-3", "a storage step is still under way")
    _prepare_ends(walk)
    _resume(walk)
    standing = walk.state.executions.values()
    _expect(walk, not any(e.status in COUNTED for e in standing), "R-LIV-4", "work is parked")
    _expect(walk, not any(e.held for e in standing), "R-LIV-4", "an event is held")
    _give_restored_work_its_end(walk)
    _end_every_handler(walk)
    _acknowledge_all(walk)
    _nothing_is_left(walk)
    if "prepare" in walk.state.failing:
        # The last fault that was put in takes effect; it leaves everything as it was.
        _call(walk, "prepare", walk.world.checkpoint)
    answer = _call(walk, "prepare", walk.world.checkpoint)
    _expect(walk, answer.status == 200, "R-LIV-5", f"prepare answered {answer.code}")
    _resume(walk)


def _expect(walk: Walk, kept: bool, promise: str, found: str) -> None:
    if not kept:
        raise WentWrong(walk.told(f"{promise} {BY_ID[promise].name}: {found}"))


def _call(walk: Walk, op: str, checkpoint: str | None, key: Key | None = None) -> Reply:
    """Call an operation and wait until it is answered."""
    call = asked(walk.world, op, checkpoint, key=key)
    walk.take(call)
    walk.settle()
    return _answer(walk, call)


def _answer(walk: Walk, call: a.Call) -> Reply:
    _expect(walk, call.id in walk.answers, "R-LIV-9", f"{call.op} is not answered")
    return walk.answers[call.id]


def _prepare_ends(walk: Walk) -> None:
    """A prepare, the one that waits or a new one, ends when its deadline comes."""
    checkpoint = walk.state.fence.active or walk.world.checkpoint
    call = asked(walk.world, "prepare", checkpoint)
    walk.take(call)
    walk.settle()
    if walk.state.fence.waiting:
        walk.take(a.Tick(DEADLINE_US))
        walk.settle()
    _expect(walk, not walk.state.fence.waiting, "R-LIV-2", "a prepare waits after its deadline")
    _answer(walk, call)


def _resume(walk: Walk) -> None:
    """The active id is given up, or finished: everything opens."""
    answer = _call(walk, "resume", walk.state.fence.active or walk.world.checkpoint)
    fence = walk.state.fence
    _expect(walk, answer.status == 200, "R-LIV-6", f"resume answered {answer.code}")
    _expect(walk, fence.phase == "idle", "R-LIV-3", f"the fence is {fence.phase}")
    _expect(walk, walk.state.accepting, "R-LIV-3", "admission is closed")


def _give_restored_work_its_end(walk: Walk) -> None:
    """Each restored rollout runs, is retired, or is superseded, in turn."""
    for turn, key in enumerate(sorted(walk.state.pending)):
        if turn % 3 == 1:
            _call(walk, "retire", walk.world.checkpoint, key)
            continue
        claim = key if turn % 3 == 0 else key.next()
        record = walk.state.pending[key]
        walk.take(a.Run(walk.world.call, claim))
        walk.settle()
        execution = walk.state.executions.get(claim)
        given = None if execution is None else execution.continuation
        runs = execution is not None and given == (record if claim == key else None)
        _expect(walk, runs, "R-LIV-8", f"{claim} does not run as it should")
    _expect(walk, not walk.state.pending, "R-LIV-8", "a restored record waits")


def _end_every_handler(walk: Walk) -> None:
    for call in sorted(walk.state.untracked):
        walk.take(work_ends(None, walk.world.line, call)[0])
    for key in sorted(walk.state.executions):
        if walk.state.executions[key].handler:
            walk.take(work_ends(key, walk.world.line)[0])
    walk.settle()


def _acknowledge_all(walk: Walk) -> None:
    """Every result that is retained can be asked for and released."""
    for key in sorted(walk.state.executions):
        told = _call(walk, "completion-receipt", None, key)
        _expect(walk, told.status == 200, "R-LIV-1", f"no receipt for {key}: {told.code}")
        receipts: tuple[tuple[Key, Receipt], ...] = told.body[1]
        call = a.Call(walk.world.call, "acknowledge", a.Request(receipts=receipts))
        walk.take(call)
        walk.settle()
        answer = _answer(walk, call)
        _expect(walk, answer.status == 200, "R-LIV-1", f"{key} is not released: {answer.code}")


def _nothing_is_left(walk: Walk) -> None:
    state = walk.state
    _expect(walk, not state.executions, "R-LIV-1", "a key stands in the way")
    _expect(walk, not state.untracked, "R-LIV-5", "a run without identity stands in the way")
    _expect(walk, not state.calls, "R-LIV-9", "a call is not answered")
    _expect(walk, not state.orphans, "R-LIV-9", "a held event does not return")
