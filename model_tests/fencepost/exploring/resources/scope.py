"""How small a world around a resources server is: clients, sessions, and how requests end."""

import attrs

from fencepost.exploring.servers.scope import ServerScope
from fencepost_reference.receipts.resources.state import Settings

INTENDED = Settings()


@attrs.frozen(eq=False, slots=False)
class ResourcesScope(ServerScope):
    """A world around a resources server.

    `asks` are the requests that a client of each key makes (start, begin, read, end, or a mutation
    by its request id), `later` those of attempts after the first, `outcomes` how handlers end,
    `wrong` the kinds of requests that are refused. `settings` are those of the first process;
    `restarts` names those of a process that takes its place. `evicts` has receipts taken away.
    With `agents` the agent records of a committed directory name a session that this server has
    not written.
    """

    asks: tuple[str, ...] = ("start", "m1")
    later: tuple[str, ...] | None = None
    outcomes: tuple[str, ...] = ("returns",)
    wrong: tuple[str, ...] = ()
    settings: Settings = INTENDED
    restarts: tuple[tuple[str, Settings | None], ...] = (("crash", None),)
    evicts: bool = False
    agents: bool = False
