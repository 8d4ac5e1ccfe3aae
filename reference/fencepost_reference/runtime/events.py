"""One event of the work: from the moment it reaches the participant until it is let go."""

import asyncio

from fencepost_reference.receipts import actions as a
from fencepost_reference.runtime.engine import Engine
from fencepost_reference.runtime.errors import refused
from fencepost_spec.receipts.refusals import CANCELLED

TURNS_MAX = 3
"""An event waits so many turns for an earlier one of its handler that is just being let go."""


async def happen(engine: Engine, event: a.Work) -> None:
    """Let an event happen, and return when it is answered; a refusal raises Refused.

    Invariant: what is counted as parked does not move. A cancellation that is not the participant's
    own is therefore kept, and raised when the event is let go.
    """
    for _ in range(TURNS_MAX):
        if engine.alive and not engine.enabled(event):
            await asyncio.sleep(0)
    if not engine.alive:
        raise asyncio.CancelledError
    engine.begin(event)
    outcome = engine.outcome(event)
    cancelled = False
    while outcome is None:
        try:
            await engine.bells.wait(event.token)
            outcome = engine.outcome(event)
        except asyncio.CancelledError:
            cancelled = True
            if not engine.alive:
                raise
            outcome = engine.outcome(event, cancelled=True) or engine.outcome(event)
    if cancelled or outcome.code == CANCELLED:
        raise asyncio.CancelledError
    if outcome.code is not None:
        raise refused(outcome.code)
