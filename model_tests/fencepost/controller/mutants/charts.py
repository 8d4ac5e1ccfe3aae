"""Controllers that lack one row, or one guard of a row, of a chart: one for every row and guard.

Most are refused by the referee in a story or a drawn case, as any controller would be. What only
shows in the long run is shown by an exploration of a small world, and what only a participant shows
that goes wrong is played.
"""

import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import attrs

from fencepost.controller.core_adapter import CoreController
from fencepost.controller.further_stories import FURTHER
from fencepost.controller.mutants.asked import Asked, asked
from fencepost.controller.mutants.examining import ACTIONS_MAX
from fencepost.controller.mutants.examining import examine as examine_controller
from fencepost.controller.mutants.mutant import Mutant
from fencepost.controller.mutants.played import PLAYED
from fencepost.kill_matrix.lacking import Lacking
from fencepost.kill_matrix.part import MECHANICAL
from fencepost.kill_matrix.row import Row as Examined
from fencepost.kill_matrix.row import refused, row_of, unrefused
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.table import Row

FIRST: Final = tuple(name for name, _, _ in FURTHER)
"""Stories that are told first, for they are about single rows."""

CHARTS: Final = ("fence", "transaction", "publication", "attempt")


class Loose(Lacking[ControllerSpec]):
    """A controller with one row, or one guard, less."""


def generated() -> Iterator[Loose]:
    """Every such controller, chart by chart: rows first, then guards."""
    for chart in CHARTS:
        table = getattr(CONTROLLER, chart)
        for row in table.rows:
            spec = _with(chart, table.without(row))
            says = f"{row.event} in {row.source} has no row"
            yield Loose(f"{chart} without {_where(row)}", says, row.rule, spec)
        for row in table.rows:
            for guard in row.guards:
                spec = _with(chart, table.without_guard(row, guard))
                says = f"{row.event} in {row.source} is not asked whether {guard.__name__}"
                name = f"{chart} with {_where(row)} whatever {guard.__name__}"
                yield Loose(name, says, row.rule, spec)


def _where(row: Row) -> str:
    return f"{row.event} in {row.source} ({row.rule.id})"


def _with(chart: str, table: Any) -> ControllerSpec:
    changes: dict[str, Any] = {chart: table}
    return attrs.evolve(CONTROLLER, **changes)


EXPLORED: Final[Mapping[str, str]] = {
    "fence without freeze_called in unfrozen (R-CDF-2)": "world-tiny",
    "transaction without prepare_called in idle (R-CTX-1)": "world-tiny",
    "transaction without commit_finished in committing (R-CTX-4)": "world-tiny",
    "publication without concluded in given_up (R-CPB-12)": "world-tiny-impatient",
    "attempt without run_sent in kept (R-CAT-2)": "world-tiny-lost",
    "attempt without receipt_confirmed in taken (R-CAT-12)": "world-tiny",
    "attempt without receipt_refused in taken (R-CAT-13)": "world-tiny-agent",
    "attempt without retire_sent in lost (R-CAT-14)": "world-tiny-lost",
    "attempt without superseded in released (R-CAT-20)": "world-tiny-stale",
    "attempt without superseded in acknowledged (R-CAT-20)": "world-tiny",
    "attempt with superseded in released (R-CAT-20) whatever nobody_wants_it": "world-tiny-lost",
}
"""Controllers that break a promise of a small world, and which. Some never rest; the others do
nothing that a participant would see."""

ARGUED: Final[Mapping[str, str]] = {
    "fence without freeze_called in frozen (R-CDF-3)": (
        "this controller freezes dispatch only when no checkpoint is open, and then it is open; "
        "the row is for one that asks twice"
    ),
    "fence without unfreeze_called in unfrozen (R-CDF-5)": (
        "this controller opens dispatch once, when it concludes; the row is for one that asks twice"
    ),
    "fence with freeze_called in unfrozen (R-CDF-2) whatever id_is_fresh": (
        "it numbers its checkpoints, so an id with which it freezes dispatch is always new"
    ),
    "fence with freeze_called in frozen (R-CDF-3) whatever id_holds_the_fence": (
        "this controller freezes dispatch only when no checkpoint is open, and then it is open; "
        "the row is for one that asks twice"
    ),
    "fence with unfreeze_called in frozen (R-CDF-4) whatever id_holds_the_fence": (
        "it opens dispatch only for the checkpoint that it has open, and that one holds the fence"
    ),
    "fence with unfreeze_called in unfrozen (R-CDF-5) whatever id_is_retired": (
        "this controller opens dispatch once, when it concludes; the row is for one that asks twice"
    ),
    "transaction without release_confirmed in releasing (R-CTX-10)": (
        "its row moves nothing: without a row a confirmed release leaves the checkpoint as it is"
    ),
    "transaction with release_confirmed in releasing (R-CTX-11) whatever all_are_released": (
        "the row before it answers while a participant is still held"
    ),
    "publication with capture_called in committed (R-CPB-5) whatever step_has_changed": (
        "the row before it takes what may be captured, so a snapshot that comes so far is given up "
        "by this row or the next, and the reason is told from the facts"
    ),
    "publication with capture_called in committed (R-CPB-6) whatever something_is_owed": (
        "the two rows before it answer wherever nothing is owed"
    ),
    "attempt with run_sent in kept (R-CAT-2) whatever somebody_wants_it": (
        "a kept result is only asked for again where somebody wants it (R-CAT-9 takes the others)"
    ),
    "attempt with receipt_asked in kept (R-CAT-9) whatever nobody_wants_it": (
        "the receipt of a kept result is only asked for where nobody wants it (R-CAT-2 takes the "
        "others)"
    ),
    "attempt without run_finished in released (R-CAT-21)": (
        "no run of a released attempt that is still wanted has an open call; what is wanted no "
        "more is forgotten at once, and a late result of what is forgotten is asked about too"
    ),
    "attempt without run_refused in sent (R-CAT-4)": (
        "it numbers the next attempt instead, which no rule forbids after a run that was "
        "definitely not begun; where that was to go on from a boundary, it is superseded (R17)"
    ),
}  # fmt: skip
"""Why a controller that nothing refuses is right."""


def examine(mutant: Loose) -> Examined:
    """What becomes of one mutant, in the place where it shows."""
    if mutant.name in ARGUED:
        return _unrefused(mutant, asked())
    if mutant.name in PLAYED:
        return _play(mutant)
    if mutant.name in EXPLORED:
        return _explore(mutant, EXPLORED[mutant.name])
    factory = partial(CoreController, mutant.spec)
    played = Mutant(mutant.name, mutant.says, mutant.cites, factory)
    return examine_controller(MECHANICAL, played, FIRST)


def _unrefused(mutant: Loose, known: Asked) -> Examined:
    """Whether any question that the intact controller asks its charts is answered otherwise."""
    start = time.process_time()
    differs = known.first_otherwise(mutant.spec)
    row = row_of(MECHANICAL, mutant, seconds=time.process_time() - start)
    return unrefused(row, differs, ARGUED, scopes=known.where, places=len(known.questions))


def _play(mutant: Loose) -> Examined:
    start = time.process_time()
    play = PLAYED[mutant.name]
    right, came = play.told(CONTROLLER), play.told(mutant.spec)
    row = row_of(MECHANICAL, mutant, seconds=time.process_time() - start)
    if right != play.expected or came == right:
        return unrefused(row, f"nothing of {play.says}", {})
    more = {"scope": play.says, "sequence": play.sequence, "expected": right, "came": came}
    return refused(row, mutant.rule, len(play.sequence), ACTIONS_MAX, **more)


def _explore(mutant: Loose, name: str) -> Examined:
    from fencepost.exploring.findings import explore
    from fencepost.exploring.rendering import names_of
    from fencepost.exploring.world.scopes import WORLD_SCOPES
    from fencepost.exploring.world.world import WorldOfControllers

    start = time.process_time()
    scope = next(one for one in WORLD_SCOPES if one.name == name)
    found = explore(WorldOfControllers(scope, mutant.spec))
    ways = [(one.property.rule, one.broken.deeds) for one in found.always if one.broken is not None]
    ways += [
        (one.asked.property.rule, (*one.lasso.way, *one.lasso.round))
        for one in found.eventually
        if one.lasso is not None
    ]
    row = row_of(MECHANICAL, mutant, seconds=time.process_time() - start)
    if not ways:
        return unrefused(row, f"nothing of {name}", {})
    rule, deeds = min(ways, key=lambda way: len(way[1]))
    actions = sum(not deed.own for deed in deeds)
    return refused(row, rule, actions, ACTIONS_MAX, scope=name, sequence=tuple(names_of(deeds)))
