"""Controllers that do not see that a snapshot is damaged, or make the wrong thing of it."""

from fencepost.controller.core_adapter import CoreController
from fencepost.controller.mutants.making import deed
from fencepost.controller.participant import Deployment, Found, SnapshotRefused
from fencepost_spec.receipts.ledger.sources import fact


class Believing(CoreController):
    """It goes on from the newest snapshot, whatever can be read of it."""

    async def choose(
        self, deployment: Deployment, found: tuple[Found, ...], train_step: int
    ) -> int | None:
        """The newest."""
        del deployment, train_step
        return found[0].number


class StartingOver(CoreController):
    """It takes a broken snapshot for none, swallows why, and starts from nothing."""

    async def choose(
        self, deployment: Deployment, found: tuple[Found, ...], train_step: int
    ) -> int | None:
        """The right one, or none."""
        try:
            return await super().choose(deployment, found, train_step)
        except SnapshotRefused:
            return None


class AnyStep(CoreController):
    """It goes on from whatever it can read, of any step of the trainer."""

    async def choose(
        self, deployment: Deployment, found: tuple[Found, ...], train_step: int
    ) -> int | None:
        """The newest that can be read at its own step."""
        del train_step
        for one in found:
            step = -1 if one.body is None else one.body["train_step"]
            try:
                return await super().choose(deployment, (one,), step)
            except SnapshotRefused:
                continue
        raise SnapshotRefused("nothing can be read")


class Refusing(CoreController):
    """It never goes on from a snapshot."""

    async def choose(
        self, deployment: Deployment, found: tuple[Found, ...], train_step: int
    ) -> int | None:
        """None will do."""
        del deployment, found, train_step
        raise SnapshotRefused("it trusts no snapshot")


DAMAGE = (
    deed(
        "goes on from a snapshot that it cannot read",
        Believing,
        *fact("I13", "V15", "4.1"),
    ),
    deed(
        "starts from nothing when its snapshot is damaged",
        StartingOver,
        *fact("B19", "4.1"),
    ),
    deed(
        "goes on from a snapshot of another step",
        AnyStep,
        *fact("I23", "4.1"),
    ),
    deed("refuses to start from a whole snapshot", Refusing, *fact("4.1")),
)
