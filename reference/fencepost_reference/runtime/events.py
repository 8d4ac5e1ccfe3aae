"""One event of the work: from the moment it reaches the participant until it is let go."""

import asyncio

from fencepost_reference.receipts import actions as a
from fencepost_reference.runtime.engine import Engine
from fencepost_reference.runtime.errors import refused
from fencepost_spec.receipts.refusals import CANCELLED


async def happen(engine: Engine, event: a.Work) -> None:
    """Let an event happen, and return when it is answered; a refusal raises Refused.

    Invariant: what is counted as parked does not move. A cancellation that is not the participant's
    own is therefore kept, and raised when the event is let go.
    """
    if not engine.alive:
        raise asyncio.CancelledError
    outcome = engine.expect(event.token)
    engine.apply(event)
    cancelled = False
    while True:
        try:
            code = await outcome
            break
        except asyncio.CancelledError:
            cancelled = True
            if not engine.alive or not _stays(engine, event):
                raise
            outcome = engine.expect(event.token)
    if cancelled or code == CANCELLED:
        raise asyncio.CancelledError
    if code is not None:
        raise refused(code)


def _stays(engine: Engine, event: a.Work) -> bool:
    """Whether a cancelled event is held all the same; one that is not is answered by this."""
    if event.key is None or not engine.is_open(event.token):
        return False
    execution = engine.state.executions.get(event.key)
    held = None if execution is None else execution.held
    if held is None or held.token != event.token:
        return False
    cancel = a.LetGo(event.key, cancelled=True)
    if not engine.enabled(cancel):
        return True
    engine.apply(cancel)
    return False
