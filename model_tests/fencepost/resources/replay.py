"""Sends the actions of a trace of a resources server to a server again, and judges the answers."""

from collections.abc import Sequence

from fencepost.driven import REST, performing
from fencepost.making import Factory
from fencepost.replayed import script_with, verdict_on
from fencepost.resources.participant import CAPABILITIES
from fencepost.resources.playing import make_participant, plain_settings, play
from fencepost.trace.lines import Call, Fault, Header, Line, Lost, Tick, Work
from fencepost.verdict import Verdict
from fencepost.watch import Watch, run_watched

_FAULTS = {"release": "hold", "remove": "damage", "agents": "damage"}


def replay_resources(
    header: Header, lines: Sequence[Line], name: str, adapter: Factory | None, watch: Watch
) -> Verdict:
    """The verdict on a resources server that was sent the actions of a trace."""
    from fencepost.adapters.resources import make

    factory = adapter or make
    server = make_participant(factory)
    told = plain_settings({**header.settings, "rests": "reports"})
    names = (server.name, server.version, header.scenario, f"again: {header.about}")
    own = Header("receipts", "resources", *names, told, ())
    actions = [line for line in lines if is_action(line)]

    script = [one for one in script_of(lines) if needs_of(one) <= server.capabilities]
    doing = performing(script)
    return verdict_on(run_watched(lambda: play(factory, own, doing, watch), watch), actions, name)


def is_action(line: Line) -> bool:
    """Whether the harness decides a line, so that its length counts."""
    match line:
        case Work():
            return line.event != "handler"
        case Lost():
            return line.how != "disconnected"
        case _:
            return isinstance(line, Call | Fault | Tick)


def script_of(lines: Sequence[Line]) -> list[Line]:
    """The actions of a trace, with its points of rest."""
    return script_with(lines, is_action, REST)


def needs_of(line: Line) -> frozenset[str]:
    """The capabilities without which an action cannot be sent.

    >>> sorted(needs_of(Call(0, "prepare", "q1", {}, "none")))
    ['auth', 'prepare']
    """
    match line:
        case Call():
            needs = {line.op} & CAPABILITIES
            needs |= set() if line.auth is None else {"auth"}
            return frozenset(needs | ({"malformed"} if "more" in (line.request or {}) else set()))
        case Fault():
            return frozenset({_FAULTS.get(line.name, line.name)})
        case Tick():
            return frozenset({"time"})
        case Lost():
            return frozenset({"gone"})
        case _:
            return frozenset()
