"""Courses of events between two steps that most often follow each other at once.

Each is its name, its actions, and the participants that it needs beside an agent. They show rows of
the charts that the other stories do not come to.
"""

from fencepost.controller.scene import SMALLEST, Scene, Standing
from fencepost.controller.telling import (
    AGENT_A,
    finish,
    hold_reply,
    hold_request,
    let_go,
    lose_reply,
    outlived,
    restarted,
    seconds,
    submit,
    told,
    work,
)
from fencepost.trace.lines import Line
from fencepost_reference.receipts.controller.said import AGENT, MODEL

ACK, RECEIPT = "acknowledge-completed", "completion-receipt"
ALONE, PAIR, STALE = submit(), submit(siblings=2), told("stale", group_id="g1")
DONE, FAILED, TURN = finish(), finish(outcome="failed"), work("turn")
DUE, LATE = told("snapshot_due"), told("deadline")
MODELLED = Scene((Standing(AGENT, "a"), Standing(MODEL, "policy")))

FURTHER: tuple[tuple[str, tuple[Line, ...], Scene], ...] = (
    ("an acknowledgement is on its way back when all are prepared, until the deadline",
     (PAIR, DUE, hold_reply(ACK), DONE, work("turn", "g1_g1"), LATE, let_go(ACK)), SMALLEST),
    ("the reply of a run is lost, and again when it is adopted",
     (lose_reply("run"), lose_reply("run"), ALONE, DONE, seconds(1)), SMALLEST),
    ("a group goes stale whose result was kept by an agent that is replaced, and runs again",
     (lose_reply("run"), hold_reply("retire"), ALONE, DONE, outlived(AGENT_A), let_go("retire"),
      seconds(1), STALE), SMALLEST),
    ("an agent that said that it keeps a result is replaced, and the run fails there",
     (lose_reply("run"), hold_reply("retire"), ALONE, DONE, outlived(AGENT_A), let_go("retire"),
      seconds(1), FAILED, seconds(1)), SMALLEST),
    ("a receipt arrives after its agent was replaced, when all have committed",
     (hold_reply(RECEIPT), ALONE, DONE, outlived(AGENT_A), hold_reply("commit"), DUE,
      let_go(RECEIPT), let_go("commit"), seconds(1)), SMALLEST),
    ("a restored run meets a closed door",
     (ALONE, TURN, DUE, TURN, hold_request("run"), restarted(), hold_reply("commit"), DUE,
      let_go("run"), let_go("commit"), seconds(1)), MODELLED),
)  # fmt: skip
"""The stories."""
