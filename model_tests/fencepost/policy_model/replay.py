"""Sends the actions of a trace of a policy model to a participant again, and judges the answers."""

from collections.abc import Sequence

import attrs

from fencepost.driven import performing
from fencepost.making import Factory
from fencepost.policy_model.playing import header_of, make_model, play
from fencepost.policy_model.scripts import is_action, needs_of, script_of
from fencepost.replayed import verdict_on
from fencepost.trace.lines import Header, Line
from fencepost.verdict import Verdict
from fencepost.watch import Watch, run_watched


def replay_model(
    header: Header, lines: Sequence[Line], name: str, adapter: Factory | None, watch: Watch
) -> Verdict:
    """The verdict on a policy model that was sent the actions of a trace."""
    from fencepost.policy_model.core_adapter import make

    factory = adapter or make
    participant = make_model(factory)
    able = frozenset(participant.capabilities)
    own = header_of(participant, header.scenario, dict(header.settings))
    own = attrs.evolve(own, about=f"again: {header.about}")

    doing = performing(line for line in script_of(lines) if needs_of(line) <= able)
    actions = [line for line in lines if is_action(line)]
    return verdict_on(run_watched(lambda: play(factory, own, doing, watch), watch), actions, name)
