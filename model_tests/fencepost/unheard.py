"""What an adapter raises in tasks and callbacks of its own, where nobody awaits it.

Such an error decides nothing: what it leaves undone does. It is told beside the verdict, because
it is most often the cause. What somebody has awaited, or asked for, was heard and is not told.
"""

import asyncio
import weakref
from collections.abc import Iterator
from typing import Any, Final

from fencepost.blame import frames_of
from fencepost.faults import Raised, named
from fencepost.handlers import WorkFailed

MOST: Final = 3
"""So many errors of one case are told."""


class Unheard:
    """Listens in one event loop for errors that nobody hears of."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._errors: list[BaseException] = []
        # In the order in which they were made; whatever is gone has told the loop of its error.
        self._tasks: list[weakref.ref[asyncio.Task[Any]]] = []
        loop.set_exception_handler(self._told)
        loop.set_task_factory(self._made)

    def _made(
        self, loop: asyncio.AbstractEventLoop, coro: Any, **named_ones: Any
    ) -> "asyncio.Task[Any]":
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, **named_ones)
        self._tasks.append(weakref.ref(task))
        return task

    def _told(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, BaseException):
            self._errors.append(error)

    def raised(self) -> tuple[Raised, ...]:
        """What was raised so far, each once, as far as it came from code of the adapter."""
        found: list[Raised] = []
        for error in dict.fromkeys((*self._errors, *self._kept())):
            where = () if isinstance(error, WorkFailed) else frames_of(error)
            one = Raised(named(error), where)
            if where and one not in found:
                found.append(one)
        return tuple(found[:MOST])

    def _kept(self) -> Iterator[BaseException]:
        """The errors of tasks that are still there, and that nobody has asked for."""
        for reference in self._tasks:
            task = reference()
            # Whoever asks for an error has heard it; so it is looked at where asyncio keeps it.
            if task is not None and task.done() and getattr(task, "_log_traceback", False):
                error = getattr(task, "_exception", None)
                if isinstance(error, BaseException):
                    yield error
