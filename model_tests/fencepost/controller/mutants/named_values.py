"""Controllers whose calls and snapshots have the right form, and one wrong value."""

from collections.abc import Coroutine
from typing import Any

from fencepost.controller.mutants.deeds import Around
from fencepost.controller.mutants.making import deed
from fencepost.controller.participant import Client
from fencepost.trace.lines import JsonObject
from fencepost_spec.receipts.ledger.sources import fact


class NoTimeToHold(Around):
    """It begins a checkpoint with a deadline that is over."""

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """No seconds."""
        assert client.kind
        return request | {"deadline_in": 0.0} if op in ("pause", "prepare") else request


class NoTimeToGoOn(Around):
    """It releases a checkpoint with a deadline that is over."""

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """No seconds."""
        assert client.kind
        return request | {"deadline_in": 0.0} if op == "resume" else request


class OneDirectory(Around):
    """It has every checkpoint written into one directory."""

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """The same directory."""
        assert client.kind
        return request | {"checkpoint_dir": "all"} if op == "commit" else request


class StepsLost(Around):
    """It saves groups without the steps that they are for."""

    def store(self, step: Any, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """No group is for a step."""
        groups = [group | {"target_step": None} for group in snapshot["ledger"]["groups"]]
        ledger = snapshot["ledger"] | {"groups": groups}
        return self.real.store(step, snapshot | {"ledger": ledger})


VALUES = (
    deed("begins a checkpoint without time", NoTimeToHold, "2.4", *fact("S6")),
    deed("releases a checkpoint without time", NoTimeToGoOn, *fact("2.6")),
    deed("writes every checkpoint into one directory", OneDirectory, *fact("I22"), "I18"),
    deed("saves groups without their steps", StepsLost, *fact("I29", "I9")),
)
