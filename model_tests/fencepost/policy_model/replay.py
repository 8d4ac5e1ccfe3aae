"""Sends the actions of a trace of a policy model to a participant again, and judges the answers."""

from collections.abc import Sequence

import attrs

from fencepost.judging import refused
from fencepost.playing import Factory
from fencepost.policy_model.driver import ModelDriver
from fencepost.policy_model.playing import header_of, make_model, perform_all, play
from fencepost.policy_model.scripts import is_action, needs_of, script_of
from fencepost.trace.lines import Header, Line
from fencepost.verdict import Verdict
from fencepost.watch import Watch, run_watched

PLAYED_MIN = 0.5
"""A replay that could send fewer of the actions than this share is inconclusive."""


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

    async def doing(driver: ModelDriver) -> bool:
        script = (line for line in script_of(lines) if needs_of(line) <= able)
        await perform_all(driver, script)
        return True

    played = run_watched(lambda: play(factory, own, doing, watch), watch)
    if played.refusal is not None:
        return refused(played.header, played.lines, played.refusal, played.oracle, name)
    if played.inconclusive is not None:
        return Verdict("inconclusive", name, reason=played.inconclusive)
    wanted = sum(is_action(line) for line in lines)
    if played.actions < max(1, wanted * PLAYED_MIN):
        reason = f"only {played.actions} of {wanted} actions could be sent"
        return Verdict("inconclusive", name, reason=reason)
    return Verdict("conforms", name, rules_exercised=tuple(sorted(played.oracle.rules)))
