"""Courses of events that are told to every controller before anything is drawn.

Each is a script and the deployment in which it is played. What a controller cannot be told is left
out, and what cannot happen does not: a story is a beginning, and is brought to rest like any case.
"""

import attrs

from fencepost.controller.driver import REST
from fencepost.controller.scene import EXPORTS, RESTARTS, SMALLEST, Scene, Standing
from fencepost.controller.telling import (
    AGENT_A,
    POLICY,
    fail,
    finalizer,
    finish,
    hold_reply,
    hold_request,
    let_go,
    lose_reply,
    lose_request,
    replaced,
    restarted,
    seconds,
    submit,
    told,
    work,
)
from fencepost.trace.lines import Line
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES

DUE = told("snapshot_due")
STEPPED = told("trainer_stepped")
LATE = told("deadline")
TWO_AGENTS = Scene((Standing(AGENT, "a"), Standing(AGENT, "b")))
MODELLED = Scene((Standing(AGENT, "a"), Standing(MODEL, "policy")))
WHOLE = Scene((*MODELLED.participants, Standing(RESOURCES, "tools", EXPORTS)))
RESTARTING = Scene((*MODELLED.participants, Standing(RESOURCES, "tools", RESTARTS)))


@attrs.frozen
class Story:
    """A script, what it is about, and where it is played."""

    name: str
    script: tuple[Line, ...]
    scene: Scene = SMALLEST


def _rested(*actions: Line) -> tuple[Line, ...]:
    """Actions, each of which comes to rest."""
    return tuple(line for action in actions for line in (action, REST))


G1, G2 = submit(siblings=2), submit("g2", 2, "prompt_group")
DONE_0, DONE_1 = finish("g1_g0"), finish("g1_g1")
COHORT_0, COHORT_1 = finish("g2_g0"), finish("g2_g1")
FAILED_1 = finish("g2_g1", outcome="failed")

STORIES: tuple[Story, ...] = (
    Story("a group is run and trained on", _rested(G1, DONE_0, DONE_1)),
    Story("a cohort is run and trained on", _rested(G2, COHORT_0, COHORT_1)),
    Story("a snapshot between two runs", _rested(G1, DONE_0, DUE, DONE_1, DUE)),
    Story(
        "a snapshot of a cohort that is half done",
        _rested(G2, COHORT_0, work("turn", "g2_g1"), DUE),
    ),
    Story(
        "a sibling of a cohort fails, and a snapshot is due", _rested(G2, COHORT_0, FAILED_1, DUE)
    ),
    Story(
        "the reply of a run is lost when it has finished, and a snapshot is due",
        _rested(G1, lose_reply("run"), DONE_0, DUE, finish("g1_g0", 1), DUE),
    ),
    Story(
        "the reply of a run is lost while it runs",
        _rested(submit(), lose_reply("run"), seconds(1), DUE),
    ),
    Story("the request of a run is lost", _rested(lose_request("run"), submit(), seconds(1), DUE)),
    Story(
        "the receipt is lost",
        _rested(submit(), lose_reply("completion-receipt"), finish(), seconds(1), DUE),
    ),
    Story(
        "an acknowledgement is lost on its way, and one on the way back",
        _rested(
            G1,
            lose_request("acknowledge-completed"),
            DONE_0,
            DUE,
            lose_reply("acknowledge-completed"),
            DONE_1,
            seconds(1),
            DUE,
        ),
    ),
    Story(
        "an agent finishes unheard while a checkpoint is prepared",
        _rested(submit(), hold_reply("run"), DUE, finish(), let_go("run"), seconds(11), LATE, DUE),
    ),
    Story(
        "a reply is lost while a checkpoint is prepared",
        _rested(submit(), DUE, lose_reply("run"), finish(), seconds(1), DUE),
    ),
    Story("a group goes stale while it runs", _rested(submit(), told("stale", group_id="g1"), DUE)),
    Story(
        "a group goes stale that has finished a sibling",
        _rested(G2, COHORT_0, told("stale", group_id="g2"), DUE),
    ),
    Story(
        "a group goes stale whose agent does not hear of it",
        _rested(submit(), lose_request("retire"), told("stale", group_id="g1"), seconds(1), DUE),
    ),
    Story(
        "a release is lost, and a snapshot is due again",
        _rested(submit(), work("turn"), lose_request("resume"), DUE, seconds(1), DUE),
    ),
    Story(
        "a snapshot fails to be stored, and its release is lost",
        _rested(
            submit(), work("turn"), fail("manifest"), lose_reply("resume"), DUE, seconds(1), DUE
        ),
    ),
    Story(
        "a prepare is lost and rolled back, and so is the rollback",
        _rested(
            submit(),
            work("turn"),
            lose_request("prepare"),
            lose_request("resume"),
            DUE,
            seconds(1),
            DUE,
        ),
        MODELLED,
    ),
    Story(
        "a prepare waits until its deadline",
        _rested(submit(), hold_request("prepare"), DUE, LATE, let_go("prepare"), seconds(11), DUE),
    ),
    *(
        Story(
            f"the {step} of a snapshot fails", _rested(submit(), work("turn"), fail(step), DUE, DUE)
        )
        for step in ("sidecars", "manifest", "rename")
    ),
    Story(
        "the trainer steps while a snapshot is taken",
        _rested(submit(), work("turn"), hold_reply("commit"), DUE, STEPPED, let_go("commit"), DUE),
    ),
    Story(
        "the disk of an agent fails",
        _rested(submit(), work("turn"), fail("records", AGENT_A), DUE, DUE),
    ),
    Story(
        "the commit of a model fails",
        _rested(submit(), work("turn"), fail("records", POLICY), DUE, DUE),
        MODELLED,
    ),
    Story(
        "a whole deployment",
        _rested(
            G1,
            work("turn"),
            work("model_call", "g1_g1"),
            DUE,
            work("model_answer", "g1_g1"),
            DUE,
            DONE_0,
        ),
        WHOLE,
    ),
    Story(
        "two agents",
        _rested(
            submit(agent="a"), submit("g2", agent="b"), finish(), DUE, finish("g2_g0", agent="b")
        ),
        TWO_AGENTS,
    ),
    Story("an agent is replaced", _rested(G1, DONE_0, replaced(AGENT_A), finish("g1_g1", 1), DUE)),
    Story(
        "an agent is replaced while a checkpoint is open",
        _rested(submit(), work("turn"), hold_reply("commit"), DUE, replaced(AGENT_A), DUE),
    ),
    Story(
        "everything is replaced, and goes on from a snapshot",
        _rested(G1, DONE_0, work("turn", "g1_g1"), DUE, restarted(), finish("g1_g1", 1), DUE),
        WHOLE,
    ),
    Story(
        "a sealed sibling is used again after a restart",
        _rested(G1, DONE_0, DUE, STEPPED, restarted(), DUE),
    ),
    Story("everything is replaced before a snapshot", _rested(G1, DONE_0, restarted())),
    Story(
        "a restore fails and is tried again",
        _rested(submit(), work("turn"), DUE, lose_reply("restore"), restarted(), seconds(1), DUE),
    ),
    Story(
        "work that used what cannot be restored",
        _rested(G1, work("turn", uses=["tools"]), work("turn", "g1_g1"), DUE, restarted(), DUE),
        RESTARTING,
    ),
    Story(
        "what is restored goes stale",
        _rested(submit(), work("turn"), DUE, restarted(), told("stale", group_id="g1"), DUE),
        WHOLE,
    ),
    Story(
        "a reserved group waits",
        _rested(
            submit(admitted=False),
            submit("g2"),
            DUE,
            restarted(),
            told("admit", group_id="g1", target_step=1),
        ),
    ),
    Story("the finalizer drops a group", _rested(submit(), finalizer("dropped"), finish(), DUE)),
    Story(
        "nobody knows what became of a group",
        _rested(submit(), finalizer("unknown"), finish(), DUE),
    ),
)
