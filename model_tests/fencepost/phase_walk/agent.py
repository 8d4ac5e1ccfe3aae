"""The situations of an agent. May import: the specification, the reference, `walked`."""

from typing import Any

from fencepost.phase_walk.walked import ASKED, Part, Spoilt, reached, settled
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import Boundary, Directory, Receipt, State
from fencepost_spec.operation import Operation
from fencepost_spec.phase_table import FINISHED, OWN
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.phase_table import AGENT_PHASES
from fencepost_spec.vocabulary import Key

SECOND_US = 1_000_000
KEY = Key("r1", 0)
AT = Boundary(1, "digest", 0, "call-1", "r1")
RECEIPT = Receipt(1, "result", "digest", "r1", "call-1")
_CORE = AgentCore()
_RUNS = (a.Run("q1", KEY), a.Begin(KEY))
_STANDS = a.Work("boundary", KEY, 3, boundary=AT)


def agent_part() -> Part:
    """An agent, led into each of its situations."""
    missed = Spoilt(after=(a.Tick(SECOND_US),))
    return Part(
        "agent",
        _CORE,
        AGENT_PHASES,
        AGENT.operations,
        _situations(),
        _call,
        lambda state: bool(state.fence.waiting),
        clears={("preparing, deadline missed", "prepare"): (_STANDS,)},
        spoils={
            ("idle", "prepare"): Spoilt(_RUNS, missed.after),
            ("preparing, deadline missed", "prepare"): missed,
            ("prepared", "commit"): Spoilt((a.FailStorage("records"),)),
            ("idle", "restore"): Spoilt((a.FailStorage("read"),)),
        },
    )


def _call(operation: Operation, checkpoint: str) -> Any:
    key = KEY.next() if operation.name == "discard-restored-continuation" else Key("r9", 0)
    request = a.Request(checkpoint, SECOND_US, "d1", key, receipts=((key, RECEIPT),))
    return a.Call(ASKED, operation.name, request)


def _situations() -> dict[str, State]:
    prepare = a.Call("q2", "prepare", a.Request(OWN, SECOND_US))
    commit = a.Call("q4", "commit", a.Request(OWN, SECOND_US, "d1"))
    restore = a.Call("q5", "restore", a.Request(OWN, SECOND_US, "d1"))
    resume = a.Call("q0", "resume", a.Request(FINISHED, SECOND_US))
    to_restore = a.SetDirectory("d1", Directory("committed", "c9", None, ((KEY, AT),)))
    fresh = settled(_CORE, reached(_CORE, [resume]))
    idle = reached(_CORE, [to_restore], fresh)
    waits = reached(_CORE, [*_RUNS, prepare], fresh)
    prepared = settled(_CORE, reached(_CORE, [_STANDS], waits))
    committing = reached(_CORE, [a.Hold("commit"), commit], prepared)
    restoring = reached(_CORE, [a.Hold("restore"), restore], idle)
    return {
        "idle": idle,
        "preparing, prepare waits": waits,
        "preparing, deadline missed": settled(_CORE, reached(_CORE, [a.Tick(SECOND_US)], waits)),
        "prepared": prepared,
        "committing": committing,
        "committed_paused": settled(_CORE, reached(_CORE, [a.Release("commit")], committing)),
        "restoring": restoring,
        "restored_paused": settled(_CORE, reached(_CORE, [a.Release("restore")], restoring)),
        "finished id": idle,
        "other id": prepared,
    }
