"""Plays what the harness did in a trace of a controller again, on a controller, and judges that."""

from collections.abc import Sequence

import attrs

from fencepost.controller.breaking import CALM, DAMAGE, FINALIZER
from fencepost.controller.driver import Driver
from fencepost.controller.held import make_controller
from fencepost.controller.network import LET_GO, ON_THE_WAY
from fencepost.controller.playing import header_of, play
from fencepost.controller.scene import CONTROLLER, scene_of
from fencepost.controller.telling import TOLD, action_text
from fencepost.controller.work import WORK
from fencepost.driven import REST
from fencepost.faults import TraceFault, named
from fencepost.judging import findings
from fencepost.making import Factory
from fencepost.replayed import verdict_on
from fencepost.trace.lines import Fault, Header, Line, Report, Tick, Work
from fencepost.verdict import Verdict
from fencepost.watch import Watch, run_watched

_FAULTS = frozenset({*ON_THE_WAY, LET_GO, FINALIZER, CALM, DAMAGE, "fail", "replace"})


def is_action(line: Line) -> bool:
    """Whether the harness decides a line, so that its length counts."""
    match line:
        case Work():
            return line.event in (TOLD if line.at == CONTROLLER else WORK)
        case Fault():
            return line.name in _FAULTS and line.detail.get("with") != "controller"
        case _:
            return isinstance(line, Tick)


def script_of(lines: Sequence[Line]) -> list[Line]:
    """The actions of a trace, with its points of rest."""
    return [
        REST if isinstance(line, Report) else line
        for line in lines
        if is_action(line) or (isinstance(line, Report) and line.at == CONTROLLER)
    ]


def replay_controller(
    header: Header, lines: Sequence[Line], name: str, factory: Factory | None, watch: Watch
) -> Verdict:
    """The verdict on a controller, the bundled one by default, that was told what a trace tells."""
    if factory is None:
        from fencepost.controller.core_adapter import make

        factory = make
    script, undone = script_of(lines), list[str]()

    async def doing(driver: Driver) -> bool:
        rested = False
        for action in script:
            if driver.record.over:
                break
            rested = isinstance(action, Report)
            if rested:
                await driver.rest()
            elif not await driver.perform(action) and not driver.record.over:
                where = f"line {action.seq}, it could not happen here"
                undone.append(f"{action_text(action)} ({where})")
        if not rested and not driver.record.over:
            await driver.rest()
        return True

    try:
        scene = scene_of(header)
    except (KeyError, TypeError) as error:
        raise TraceFault(1, f"the settings describe no deployment: {named(error)}") from error
    made = make_controller(factory)
    own = header_of(made, scene, header.scenario, f"again: {header.about}")
    played = run_watched(lambda: play(factory, own, doing, watch), watch)
    actions = [line for line in lines if is_action(line)]
    verdict = verdict_on(played, actions, name, "done")
    notes = findings(played.oracle)
    return attrs.evolve(verdict, notes=notes, not_sent=tuple(undone))
