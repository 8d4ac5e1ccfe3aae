"""Controllers whose calls and snapshots have the right form, and one wrong value."""

from collections.abc import Coroutine
from typing import Any

from fencepost.controller.mutants.deeds import Around
from fencepost.controller.mutants.making import deed
from fencepost.controller.participant import Client
from fencepost.trace.lines import JsonObject
from fencepost_spec.receipts.ledger.sources import fact


class NoTimeToGoOn(Around):
    """It releases a checkpoint with a deadline that is over."""

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """No seconds."""
        assert client.kind
        return request | {"deadline_in": 0.0} if op == "resume" else request


class StepsLost(Around):
    """It saves groups without the steps that they are for."""

    def store(self, step: Any, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """No group is for a step."""
        groups = [group | {"target_step": None} for group in snapshot["ledger"]["groups"]]
        ledger = snapshot["ledger"] | {"groups": groups}
        return self.real.store(step, snapshot | {"ledger": ledger})


VALUES = (
    deed("releases a checkpoint without time", NoTimeToGoOn, *fact("2.6")),
    deed("saves groups without their steps", StepsLost, *fact("I29", "I9")),
)
