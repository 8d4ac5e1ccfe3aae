"""The page of what a crash costs: played in a world, point by point."""

from collections.abc import Iterator

from fencepost.exploring.world.controllers import cores_of
from fencepost.exploring.world.crash_costs import (
    SERVERS,
    WHO,
    Cost,
    Point,
    of_all_kinds,
    points,
    setting,
)
from fencepost.report.markdown import render_page, render_table
from fencepost_reference.worlds.setting import Setting

_WORDS = {
    "kept": "kept",
    "reused": "reused",
    "adopted": "adopted",
    "resumed": "resumed",
    "rerun": "starts over",
}


def render_crash_costs() -> str:
    """What becomes of two siblings, for each point between two effects and whoever crashes."""
    return render_page(
        "What a crash costs",
        "A prompt group of two siblings. A snapshot holds both at a boundary; since then one has "
        "finished and its result is acknowledged, the other goes on. Then a second checkpoint "
        "begins. Somebody crashes at each point between two effects of it, and from there "
        "everybody does what they owe until the group is trained.",
        "*Kept* results stay with the controller, *reused* ones come from the snapshot. A sibling "
        "that is *resumed* goes on from its boundary as the next attempt; one that *starts over* "
        "begins again from its prompt. *Lost* is a finished result that has to be made again. The "
        "controller starts with its participants, so its crash costs what a crash of both costs. "
        "Points in a row that cost the same stand in one line. They are listed in one order of the "
        "steps. A test plays every other order, too, and each state costs what these cost that "
        "have the same newest snapshot.",
        "## Siblings that recover one by one",
        _table("sibling", setting(), WHO),
        "## A prompt group that recovers as a whole",
        _table("prompt_group", setting(), WHO),
        "## With a policy model and a resources server",
        "Siblings that recover one by one. Each rollout calls the model and changes its session at "
        "the resources server before its boundary, and the running one has to do so once more. "
        "*Goes on* is a rollout that never notices.",
        _table("sibling", of_all_kinds(), (*SERVERS, *WHO[1:])),
        "The rename is what counts: a crash before it falls back to the snapshot before, and one "
        "after it loses nothing that was sealed; in a cohort nothing is, before all have finished. "
        "The crash of an agent costs the work that ran in it, wherever the checkpoint stands: an "
        "agent alone is never restored. So it is with a resources server, whose "
        "sessions are gone with it: the rollouts that use them fail. A policy model keeps its "
        "ledger, and a call that breaks off is made again.",
    )


def _table(granularity: str, here: Setting, who: tuple[str, ...]) -> str:
    played = list(points(cores_of(here), granularity, here, who))
    names = {"both": "both" if len(here.places) == 1 else "all", "resources": "resources server"}
    told = [f"crash of {'the ' * (one != 'both')}{names.get(one, one)}" for one in who]
    heads = ("from", "to", *told)
    rows = [
        (first.after, last.after if last is not first else "", *map(_cell, first.costs))
        for first, last in _in_one_line(played)
    ]
    listed = "The points, in order: " + ", ".join(point.after for point in played) + "."
    return f"{render_table(heads, rows)}\n\n{listed}"


def _in_one_line(some: list[Point]) -> Iterator[tuple[Point, Point]]:
    """The first and the last of points in a row that cost the same."""
    first = some[0]
    for point, following in zip(some, [*some[1:], None], strict=True):
        if following is None or following.costs != point.costs:
            yield first, point
            if following is not None:
                first = following


def _cell(cost: Cost) -> str:
    lost = "lost, " if cost.finished in ("resumed", "rerun") else ""
    running = "goes on" if cost.running == "kept" else _WORDS[cost.running]
    start = "" if cost.snapshot is None else f"snapshot {cost.snapshot}: "
    return f"{start}finished one {lost}{_WORDS[cost.finished]}; other {running}"
