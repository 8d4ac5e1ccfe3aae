"""Courses of events in which rollouts keep something at a resources server.

What is saved, restored, lost or left over there is told to every controller, like other stories.
"""

from fencepost.controller.stories import DUE, G1, WHOLE, Story
from fencepost.controller.telling import (
    TOOLS,
    finish,
    lose_request,
    replaced,
    restarted,
    seconds,
    submit,
    told,
    work,
)
from fencepost.trace.lines import Line

_STALE = told("stale", group_id="g1")


def _uses(rollout: str = "g1_g0", attempt: int = 0) -> Line:
    return work("turn", rollout, attempt, uses=["tools"])


def _turn(rollout: str = "g1_g0", attempt: int = 0) -> Line:
    return work("turn", rollout, attempt)


def _stands(rollout: str = "g1_g0", attempt: int = 0) -> Line:
    """It reaches a boundary without calling the model, which may be paused."""
    return work("boundary", rollout, attempt)


SESSIONS: tuple[Story, ...] = (
    Story.told("a session is saved, and goes on after a restart", submit(), _uses(), DUE, _uses(),
               restarted(), _uses(attempt=1), finish(attempt=1), scene=WHOLE),
    Story.told("a session ends with its rollout", G1, _uses(), _uses("g1_g1"), finish(), DUE,
               _turn("g1_g1"), restarted(), _uses("g1_g1", 1), scene=WHOLE),
    Story.told("a session is left by an attempt that failed", G1, _uses(),
               finish(outcome="failed"), finish(attempt=1), DUE, _stands("g1_g1"), restarted(),
               finish("g1_g1", 1), scene=WHOLE),
    Story.told("a session is left by a group that went stale", submit(), submit("g2"), _uses(),
               _STALE, DUE, _stands("g2_g0"), restarted(), finish("g2_g0", 1), scene=WHOLE),
    Story.told("a session is left, and its end is lost", submit(), submit("g2"), _uses(), _STALE,
               lose_request("retire", TOOLS), DUE, _stands("g2_g0"), seconds(1), DUE,
               _stands("g2_g0"), scene=WHOLE),
    Story.told("a server is replaced while it is used", submit(), _uses(), replaced(TOOLS), DUE,
               _turn(), seconds(1), _uses(), DUE, _stands(attempt=1), restarted(), scene=WHOLE),
    Story.told("a session that was restored is left", submit(), _uses(), DUE, _turn(), restarted(),
               _STALE, DUE, restarted(), scene=WHOLE),
)  # fmt: skip
