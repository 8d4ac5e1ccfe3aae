"""Events of the work that somebody waits for: how each was answered, and whom to wake."""

import asyncio

import attrs


@attrs.frozen
class Outcome:
    """How an event was answered: with the code that refuses it, or None."""

    code: str | None


class Bells:
    """One bell for each event that waits. A bell only wakes: what it means is asked anew."""

    def __init__(self) -> None:
        self._outcomes: dict[int, Outcome | None] = {}
        self._bells: dict[int, asyncio.Future[None]] = {}

    def open(self, token: int) -> None:
        """Somebody will ask how this event was answered."""
        self._outcomes[token] = None

    def answered(self, token: int, code: str | None) -> None:
        """An event was answered; whoever waits for it is woken."""
        if token in self._outcomes:
            self._outcomes[token] = Outcome(code)
            self.ring(token)

    def take(self, token: int) -> Outcome | None:
        """How an event was answered, told once; None while it is not."""
        outcome = self._outcomes[token]
        if outcome is not None:
            del self._outcomes[token]
        return outcome

    async def wait(self, token: int) -> None:
        """Return when an event may have been let go or answered."""
        bell: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._bells[token] = bell
        try:
            await bell
        finally:
            self._bells.pop(token, None)

    def ring(self, token: int) -> None:
        """Wake whoever waits for an event."""
        bell = self._bells.get(token)
        if bell is not None and not bell.done():
            bell.set_result(None)

    def is_waking(self, token: int) -> bool:
        """Whether somebody was woken and has not moved yet."""
        bell = self._bells.get(token)
        return bell is not None and bell.done()

    def cancel(self) -> None:
        """Nothing will ever be answered."""
        for bell in self._bells.values():
            bell.cancel()
