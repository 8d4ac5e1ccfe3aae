"""Controllers that have a bug of the lists which no other decision or deed here shows."""

import contextlib
from collections.abc import Coroutine
from typing import Any

from fencepost.controller.core_adapter import CoreController
from fencepost.controller.mutants.making import deed
from fencepost.controller.participant import Deployment, Group
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.controller import actions as a
from fencepost_spec.receipts.ledger.sources import fact

UNKNOWN = "unknown"


class GoesOn(CoreController):
    """It takes a finalization with an unknown end for one that has dropped its group."""

    async def _train(self, group_id: str, training: Coroutine[Any, Any, str]) -> None:
        outcome = await training
        self.tell(a.Trained(group_id, "dropped" if outcome == UNKNOWN else outcome))


class AsksAgain(CoreController):
    """It takes an unknown end for a failure that passes, and asks the finalizer again."""

    def _show(self, output: Any) -> None:
        if isinstance(output, a.Training):
            self._rows = output.rows
        super()._show(output)

    async def _train(self, group_id: str, training: Coroutine[Any, Any, str]) -> None:
        outcome = await training
        if outcome == UNKNOWN:
            outcome = await self._outside.train(group_id, self._rows)
        self.tell(a.Trained(group_id, outcome))


class CleansNothing(CoreController):
    """What it calls after a finalization has a wrong argument, and nobody sees that it raises."""

    async def _train(self, group_id: str, training: Coroutine[Any, Any, str]) -> None:
        await training
        with contextlib.suppress(TypeError):
            self._discard(group_id)  # type: ignore[call-arg]  # That is the fault.

    def _discard(self, cut: object, group_id: str) -> None:
        assert cut
        self.tell(a.Trained(group_id, "committed"))


class OneOfAPrompt(CoreController):
    """It takes two groups of one prompt for the same."""

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Start with no prompt seen."""
        self._prompts = set[str]()
        await super().start(deployment, snapshot)

    async def submit(self, group: Group) -> None:
        """A group whose prompt is known is passed over."""
        if group.prompt_id not in self._prompts:
            self._prompts.add(group.prompt_id)
            await super().submit(group)


BUGS = (
    deed("goes on after an unknown end", GoesOn, *fact("B19", "P6", "I8")),
    deed("asks the finalizer again after an unknown end", AsksAgain, *fact("B19", "P6")),
    deed("loses what follows a finalization", CleansNothing, *fact("B18", "I10")),
    deed(
        "takes groups of one prompt for one",
        OneOfAPrompt,
        *fact("B22"),
    ),
)
