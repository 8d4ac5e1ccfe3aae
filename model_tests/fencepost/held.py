"""A participant as the harness holds it: what it claims is read once, what it gets is a copy.

An adapter may keep and change whatever it is given. What the harness has recorded, reads again or
plays again is never the same object. May import: the contract, faults, lines, dialects.
"""

from pathlib import Path
from typing import Any

from fencepost.faults import ParticipantFault, deed
from fencepost.participant import CAPABILITIES, Answer, Handler, Participant
from fencepost.trace.lines import JsonObject, copied
from fencepost_spec.receipts.dialects import dialect_of


def held(made: Participant) -> "Held":
    """A participant that somebody made, or a `ParticipantFault` when its claims make no sense."""
    return made if isinstance(made, Held) else Held(made)


class Held(Participant):
    """A participant at arm's length: made by somebody, used through copies."""

    def __init__(self, made: Participant) -> None:
        try:
            claims = (made.name, made.version, made.capabilities, bool(made.virtual))
            self.name, self.version, self.capabilities, self.virtual = _sensible(*claims)
        except ParticipantFault:
            raise
        except BaseException as error:
            raise ParticipantFault(f"reading what it claims {deed(error)}") from error
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


def _sensible(
    name: Any, version: Any, capabilities: Any, virtual: bool
) -> tuple[str, str, frozenset[str], bool]:
    """What a participant claims, whatever it may be."""
    if not isinstance(name, str) or not name:
        raise ParticipantFault(f"its name is {name!r}", "a name is wanted")
    try:
        dialect_of(str(version))
    except KeyError as unknown:
        raise ParticipantFault(str(unknown.args[0])) from None
    if not issubclass(type(capabilities), set | frozenset):
        raise ParticipantFault(f"its capabilities are a {type(capabilities).__name__}, not a set")
    claimed: frozenset[Any] = frozenset(capabilities)
    unheard_of = sorted(str(each) for each in claimed if each not in CAPABILITIES)
    if unheard_of:
        known = ", ".join(sorted(CAPABILITIES))
        raise ParticipantFault(f"no capability is called {', '.join(unheard_of)}", known)
    return name, str(version), claimed, virtual
