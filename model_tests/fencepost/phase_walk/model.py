"""The situations of a policy model. May import: the specification, the reference, `walked`."""

from typing import Any

from fencepost.phase_walk.walked import ASKED, Part, Spoilt, reached, settled
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.state import Checkpoint, State
from fencepost_spec.operation import Operation
from fencepost_spec.phase_table import FINISHED, OWN
from fencepost_spec.receipts.policy_model.phase_table import MODEL_PHASES
from fencepost_spec.receipts.policy_model.spec import MODEL
from fencepost_spec.vocabulary import Key

SECOND_US = 1_000_000
KEY = Key("r1", 0)
_CORE = ModelCore()
_WRITTEN = Checkpoint("committed", "c9", "policy")


def model_part() -> Part:
    """A policy model, led into each of its situations."""
    unreadable = Spoilt((a.FailStorage("read"),))
    return Part(
        "model",
        _CORE,
        MODEL_PHASES,
        MODEL.operations,
        _situations(),
        _call,
        lambda _state: False,
        spoils={
            ("prepared", "commit"): Spoilt((a.FailStorage("records"),)),
            ("idle", "restore"): unreadable,
            ("idle, calls in flight", "restore"): unreadable,
            ("restore_failed_paused", "restore"): unreadable,
        },
    )


def _call(operation: Operation, checkpoint: str) -> Any:
    directory = {"commit": "d2", "restore": "d1"}.get(operation.name)
    key = Key("r9", 0) if operation.name == "abort_inflight" else None
    request = a.Request(checkpoint, SECOND_US, directory, key=key)
    return a.Call(ASKED, operation.name, request)


def _situations() -> dict[str, State]:
    pause = a.Call("q2", "pause", a.Request(OWN, SECOND_US))
    commit = a.Call("q4", "commit", a.Request(OWN, SECOND_US, "d2"))
    restore = a.Call("q5", "restore", a.Request(OWN, SECOND_US, "d1"))
    resume = a.Call("q0", "resume", a.Request(FINISHED, SECOND_US))
    fresh = settled(_CORE, reached(_CORE, [resume, a.SetDirectory("d1", _WRITTEN)]))
    called = reached(_CORE, [a.Admit("t1", KEY)], fresh)
    draining = settled(_CORE, reached(_CORE, [pause], called))
    prepared = settled(_CORE, reached(_CORE, [pause], fresh))
    committing = reached(_CORE, [a.HoldStorage("commit"), commit], prepared)
    restoring = reached(_CORE, [a.HoldStorage("restore"), restore], fresh)
    failed = reached(_CORE, [a.FailStorage("read"), restore], fresh)
    return {
        "idle": fresh,
        "idle, calls in flight": called,
        "preparing, calls in flight": draining,
        "preparing, drained": settled(_CORE, reached(_CORE, [a.Release("t1")], draining)),
        "prepared": prepared,
        "committing": committing,
        "committed_paused": settled(_CORE, reached(_CORE, [a.FreeStorage("commit")], committing)),
        "restoring": restoring,
        "restored_paused": settled(_CORE, reached(_CORE, [a.FreeStorage("restore")], restoring)),
        "restore_failed_paused": settled(_CORE, failed),
        "finished id": fresh,
        "other id": prepared,
        "auxiliary": _CORE.initial(role="auxiliary"),
    }
