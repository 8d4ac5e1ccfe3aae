"""What a command is to the command line: typed first, done afterwards, and only its own end counts.

The library that reads the arguments ends with code 0 whatever a command did, and takes several
exceptions for its own. So nothing is done while it reads: it comes back with what is to be done,
and the code of a command is that of the `Conclusion` that it returns. There is no other way to 0.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, ParamSpec

from fencepost.commands.output import Conclusion
from fencepost.faults import FencepostFault
from fencepost.trace.lines import JsonObject

P = ParamSpec("P")

Unable = Callable[[FencepostFault, Mapping[str, Any]], JsonObject]
"""What a command says in JSON, given its arguments, when a fault kept it from its verdict."""


class Typed(Exception):
    """A command that makes sense was typed."""

    def __init__(
        self,
        body: Callable[[], Conclusion],
        unable: Callable[[FencepostFault], JsonObject] | None,
    ) -> None:
        super().__init__("a command was typed, and nobody has done it")
        self.body = body
        self.unable = unable


def command(
    unable: Unable | None = None,
) -> Callable[[Callable[P, Conclusion]], Callable[P, NoReturn]]:
    """Make a command of a function; `unable` speaks for it when JSON was asked for."""

    def decorate(body: Callable[P, Conclusion]) -> Callable[P, NoReturn]:
        @functools.wraps(body)
        def typed(*args: P.args, **kwargs: P.kwargs) -> NoReturn:
            told = None
            if unable is not None and kwargs.get("as_json"):
                told = functools.partial(_told, unable, dict(kwargs))
            raise Typed(functools.partial(body, *args, **kwargs), told)

        return typed

    return decorate


def _told(unable: Unable, arguments: Mapping[str, Any], fault: FencepostFault) -> JsonObject:
    return unable(fault, arguments)
