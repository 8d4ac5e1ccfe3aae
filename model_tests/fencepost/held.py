"""A participant as the harness holds it: what it claims is read once, what it gets is a copy.

An adapter may keep and change whatever it is given. What the harness has recorded, reads again or
plays again is never the same object. May import: the contract, faults, lines, dialects.
"""

from pathlib import Path
from typing import Any

from fencepost.faults import ParticipantFault, deed
from fencepost.making import claims_of, name_claimed, set_claimed
from fencepost.participant import CAPABILITIES, Answer, Handler, Participant
from fencepost.trace.lines import JsonObject, copied
from fencepost_spec.receipts.dialects import dialect_of


def held(made: Participant) -> "Held":
    """A participant that somebody made, or a `ParticipantFault` when its claims make no sense."""
    return made if isinstance(made, Held) else Held(made)


class Held(Participant):
    """A participant at arm's length: made by somebody, used through copies."""

    def __init__(self, made: Participant) -> None:
        name, version, claimed, virtual = claims_of(
            made, "name", "version", "capabilities", "virtual"
        )
        try:
            self.virtual = bool(virtual)
            self.version = _version(version)
            self.capabilities = set_claimed(claimed, CAPABILITIES)
        except ParticipantFault:
            raise
        except BaseException as error:
            raise ParticipantFault(f"reading what it claims {deed(error)}") from error
        self.name = name_claimed(name)
        self._made = made

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start a process."""
        await self._made.start(root, instance, handler)

    async def crash(self) -> None:
        """End the process."""
        await self._made.crash()

    async def run(self, body: JsonObject) -> Answer:
        """Pass a run on."""
        return await self._made.run(copied(body))

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Pass a control call on."""
        return await self._made.control(op, copied(request), auth)

    async def report(self) -> JsonObject:
        """Ask how it stands."""
        return await self._made.report()

    async def settle(self) -> None:
        """Wait until it is at rest."""
        await self._made.settle()

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        await self._made.advance(seconds)

    async def hold(self, op: str) -> None:
        """Hold storage."""
        await self._made.hold(op)

    async def release(self, op: str) -> None:
        """Let storage go on."""
        await self._made.release(op)

    async def fail(self, step: str) -> None:
        """Let a step of storage fail."""
        await self._made.fail(step)

    async def damage(self, directory: str, change: str) -> None:
        """Spoil a directory."""
        await self._made.damage(directory, change)


def _version(version: Any) -> str:
    """The version that a participant claims, which must be one that can be judged."""
    try:
        dialect_of(str(version))
    except KeyError as unknown:
        raise ParticipantFault(str(unknown.args[0])) from None
    return str(version)
