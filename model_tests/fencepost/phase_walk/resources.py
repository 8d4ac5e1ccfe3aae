"""The situations of a resources server. May import: the specification, the reference, `walked`."""

from typing import Any

from fencepost.phase_walk.walked import ASKED, Part, Spoilt, reached, settled
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import Directory, Outcome, Settings, State
from fencepost_spec.operation import Operation
from fencepost_spec.phase_table import FINISHED, OWN
from fencepost_spec.receipts.resources.phase_table import RESOURCES_PHASES
from fencepost_spec.receipts.resources.routes import START
from fencepost_spec.receipts.resources.server import RESOURCES
from fencepost_spec.vocabulary import Key

SECOND_US = 1_000_000
KEY = Key("r1", 0)
_CORE = ResourcesCore()
_RUNS = (a.Ask("s1", START, KEY, request_id="m1"), a.TakeLock("s1"))
_WRITTEN = a.SetDirectory("d1", Directory("committed", "c9", "resources"))


def resources_part() -> Part:
    """A resources server, led into each of its situations."""
    missed = Spoilt(after=(shared.Tick(SECOND_US),))
    unreadable = Spoilt((shared.FailStorage("read"),))
    return Part(
        "resources",
        _CORE,
        RESOURCES_PHASES,
        RESOURCES.operations,
        _situations(),
        _call,
        lambda state: bool(state.fence.waiting),
        clears={
            ("preparing, deadline missed", "prepare"): (a.Handled("s1", Outcome(200, "{}")),),
        },
        spoils={
            ("idle", "prepare"): Spoilt(_RUNS, missed.after),
            ("preparing, deadline missed", "prepare"): missed,
            ("prepared", "commit"): Spoilt((shared.FailStorage("records"),)),
            ("idle", "restore"): unreadable,
            ("idle, restore awaited", "restore"): unreadable,
        },
    )


def _call(operation: Operation, checkpoint: str) -> Any:
    directory = {"commit": "d2", "restore": "d1"}.get(operation.name)
    request = shared.Request(checkpoint, SECOND_US, directory, Key("r9", 0))
    return shared.Call(ASKED, operation.name, request)


def _situations() -> dict[str, State]:
    prepare = shared.Call("q2", "prepare", shared.Request(OWN, SECOND_US))
    commit = shared.Call("q4", "commit", shared.Request(OWN, SECOND_US, "d2"))
    restore = shared.Call("q5", "restore", shared.Request(OWN, SECOND_US, "d1"))
    resume = shared.Call("q0", "resume", shared.Request(FINISHED, SECOND_US))
    fresh = settled(_CORE, reached(_CORE, [resume, _WRITTEN]))
    awaited = _CORE.initial(Settings(restore_expected=True))
    waits = reached(_CORE, [*_RUNS, prepare], fresh)
    prepared = settled(_CORE, reached(_CORE, [prepare], fresh))
    committing = reached(_CORE, [shared.Hold("commit"), commit], prepared)
    restoring = reached(_CORE, [shared.Hold("restore"), restore], fresh)
    missed = reached(_CORE, [shared.Tick(SECOND_US)], waits)
    return {
        "idle": fresh,
        "idle, restore awaited": reached(_CORE, [_WRITTEN], awaited),
        "preparing, prepare waits": waits,
        "preparing, deadline missed": settled(_CORE, missed),
        "prepared": prepared,
        "committing": committing,
        "committed_paused": settled(_CORE, reached(_CORE, [shared.Release("commit")], committing)),
        "restoring": restoring,
        "restored_paused": settled(_CORE, reached(_CORE, [shared.Release("restore")], restoring)),
        "finished id": fresh,
        "other id": prepared,
    }
