"""Courses of events that are told to every controller before anything is drawn.

Each is a script and the deployment in which it is played. What a controller cannot be told is left
out, and what cannot happen does not: a story is a beginning, and is brought to rest like any case.
"""

import attrs

from fencepost.controller.further_stories import FURTHER
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
from fencepost.driven import REST
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

    @classmethod
    def told(cls, name: str, *actions: Line, scene: Scene = SMALLEST) -> "Story":
        """A story of actions, each of which comes to rest."""
        return cls(name, tuple(line for action in actions for line in (action, REST)), scene)


def _snapshot(*rollouts: str, attempt: int = 0) -> tuple[Line, ...]:
    """A snapshot falls due, and work that runs reaches a boundary, where it parks."""
    return (DUE, *(work("turn", each, attempt) for each in rollouts))


G1, G2 = submit(siblings=2), submit("g2", 2, "prompt_group")
ALONE = submit()
TURN = work("turn")
DONE_0, DONE_1 = finish("g1_g0"), finish("g1_g1")
COHORT_0, COHORT_1 = finish("g2_g0"), finish("g2_g1")
FAILED_1 = finish("g2_g1", outcome="failed")
SAVED, SAVED_1 = _snapshot("g1_g0"), _snapshot("g1_g1")
ACK, RECEIPT = "acknowledge-completed", "completion-receipt"


_story = Story.told


def _stale(group: str) -> Line:
    return told("stale", group_id=group)


_RUNS = (
    _story("a group is run and trained on", G1, DONE_0, DONE_1),
    _story("a cohort is run and trained on", G2, COHORT_0, COHORT_1),
    _story("two agents", ALONE, submit("g2", agent="b"), finish(), DUE,
           work("turn", "g2_g0", agent="b"), finish("g2_g0", agent="b"), scene=TWO_AGENTS),
    _story("the reply of a run is lost when it has finished", G1, lose_reply("run"), DONE_0,
           *SAVED_1, DONE_1, DUE),
    _story("the reply of a run is lost while it runs", ALONE, hold_reply("run"),
           lose_request("run"),
           replaced(AGENT_A), seconds(1), DUE),
    _story("the request of a run is lost", lose_request("run"), ALONE, seconds(1), DUE,
           work("turn", attempt=1)),
    _story("the request of a retire is lost, too", lose_request("run"), lose_request("retire"),
           ALONE,
           seconds(1), DUE),
    _story("the reply of a retire is lost, too", lose_request("run"), lose_reply("retire"), ALONE,
           seconds(1), DUE),
    _story("the receipt is lost", ALONE, lose_reply(RECEIPT), finish(), seconds(1), DUE),
    _story("an acknowledgement is lost on its way, and one on the way back", G1, lose_request(ACK),
           DONE_0, *SAVED_1, lose_reply(ACK), DONE_1, seconds(1), DUE),
    _story("an acknowledgement is held, and a snapshot is due", G1, hold_reply(ACK), DONE_0, DUE,
           let_go(ACK), work("turn", "g1_g1"), DONE_1),
    _story("an agent is replaced", G1, DONE_0, replaced(AGENT_A), finish("g1_g1", 1), DUE),
    _story("an agent is replaced that keeps a result", ALONE, hold_reply(RECEIPT), finish(),
           replaced(AGENT_A), seconds(1), finish(attempt=1), DUE),
    _story("a group goes stale while it runs", ALONE, _stale("g1"), DUE),
    _story("a group goes stale that has finished a sibling", G2, COHORT_0, _stale("g2"), DUE),
    _story("a group goes stale whose agent does not hear of it", ALONE, lose_request("retire"),
           _stale("g1"), seconds(1), DUE),
    _story("a group goes stale whose result is on its way", ALONE, hold_reply("run"), finish(),
           _stale("g1"), let_go("run"), seconds(1), DUE),
    _story("a reserved group waits", submit(admitted=False), submit("g2"), *_snapshot("g2_g0"),
           restarted(), told("admit", group_id="g1", target_step=1)),
    _story("the finalizer drops a group", ALONE, finalizer("dropped"), finish(), DUE),
    _story("nobody knows what became of a group", ALONE, finalizer("unknown"), finish(), DUE),
)  # fmt: skip

_SNAPSHOTS = (
    _story("a snapshot between two runs", G1, DONE_0, *SAVED_1, DONE_1, DUE),
    _story("a snapshot of a cohort that is half done", G2, COHORT_0, *_snapshot("g2_g1"), COHORT_1),
    _story("a sibling of a cohort fails", G2, COHORT_0, FAILED_1, DUE, work("turn", "g2_g0", 1),
           work("turn", "g2_g1", 1)),
    _story("work finishes unheard while a checkpoint is prepared", ALONE, hold_reply("run"), DUE,
           finish(), let_go("run"), seconds(11), LATE, DUE),
    _story("a reply is lost while a checkpoint is prepared", ALONE, DUE, lose_reply("run"),
           finish(),
           seconds(1), DUE),
    _story("a release is lost", ALONE, lose_request("resume"), *SAVED, seconds(1), *SAVED),
    _story("the confirmation of a release is lost", ALONE, lose_reply("resume"), *SAVED, DUE,
           seconds(1), TURN),
    _story("a group is handed over while a release is on its way", ALONE, hold_reply("resume"),
           *SAVED,
           submit("g2"), let_go("resume"), DONE_0),
    _story("a snapshot cannot be stored, and its release is lost", ALONE, fail("manifest"),
           lose_request("resume"), *SAVED, DUE, seconds(1), *SAVED),
    _story("a prepare is lost, and so is its rollback", ALONE, lose_request("prepare"),
           lose_request("resume"), DUE, LATE, DUE, seconds(1), *SAVED, scene=MODELLED),
    _story("the answer of a prepare is lost", ALONE, lose_reply("prepare"), *SAVED, LATE,
           seconds(1),
           *SAVED, scene=WHOLE),
    _story("a prepare waits until its deadline", ALONE, hold_request("prepare"), DUE, LATE,
           let_go("prepare"), seconds(11), *SAVED),
    _story("work goes on until the deadline", ALONE, DUE, seconds(11), LATE, *SAVED),
    _story("a pause is lost", ALONE, lose_reply("pause", POLICY), *SAVED, LATE, seconds(1), *SAVED,
           scene=MODELLED),
    *(
        _story(f"a snapshot whose {step} fails", ALONE, fail(step), *SAVED, *SAVED)
        for step in ("sidecars", "manifest", "rename")
    ),
    _story("the trainer steps while a snapshot is taken", ALONE, hold_reply("commit"), *SAVED,
           STEPPED,
           let_go("commit"), *SAVED),
    _story("the disk of an agent fails", ALONE, fail("records", AGENT_A), *SAVED, *SAVED),
    _story("the disk of a model fails", ALONE, fail("records", POLICY), *SAVED, *SAVED,
           scene=MODELLED),
    _story("the answer of a commit is lost", ALONE, lose_reply("commit"), *SAVED, seconds(1),
           *SAVED),
    _story("a model drains", G1, work("model_call", "g1_g1"), *SAVED, work("model_answer", "g1_g1"),
           work("turn", "g1_g1"), DONE_0, DONE_1, scene=WHOLE),
    _story("an agent is replaced while a checkpoint is open", ALONE, hold_reply("commit"), *SAVED,
           replaced(AGENT_A), seconds(1), DUE, work("turn", attempt=1)),
    _story("groups are trained on between snapshots", submit("g2"), ALONE, *SAVED,
           work("turn", "g2_g0"), finish("g2_g0"), *SAVED, STEPPED, *SAVED),
)  # fmt: skip

_RESTARTS = (
    _story("everything is replaced before a snapshot", G1, DONE_0, restarted()),
    _story("everything is replaced, and goes on from a snapshot", G1, DONE_0, work("turn", "g1_g1"),
           *SAVED_1, restarted(), finish("g1_g1", 1), DUE, scene=WHOLE),
    _story("a sealed sibling is used again after a restart", G1, DONE_0, *SAVED_1, restarted(),
           *_snapshot("g1_g1", attempt=1)),
    _story("a cohort starts over after a restart", G2, COHORT_0, *_snapshot("g2_g1"), restarted(),
           finish("g2_g0", 1), finish("g2_g1", 1)),
    _story("the answer of a restore is lost", ALONE, TURN, *SAVED, lose_reply("restore"),
           restarted(),
           seconds(1), DUE, scene=MODELLED),
    _story("the request of a restore is lost", ALONE, TURN, *SAVED, lose_request("restore"),
           restarted(), seconds(1), DUE, scene=WHOLE),
    _story("the release of a restore is lost", ALONE, TURN, *SAVED, lose_request("resume"),
           restarted(), seconds(1), DUE, scene=WHOLE),
    _story("the disk of an agent fails at a restore", ALONE, TURN, *SAVED, fail("read", AGENT_A),
           restarted(), seconds(1), DUE, scene=WHOLE),
    _story("work that used what cannot be restored", G1, work("turn", uses=["tools"]),
           work("turn", "g1_g1"), DUE, work("turn"), work("turn", "g1_g1"), restarted(),
           work("turn", attempt=1), DUE, scene=RESTARTING),
    _story("what is restored goes stale", ALONE, TURN, *SAVED, restarted(), _stale("g1"), DUE,
           scene=WHOLE),
    _story("what is restored goes stale before it is released", ALONE, TURN, *SAVED,
           hold_reply("restore"), restarted(), _stale("g1"), let_go("restore"), seconds(1), DUE,
           scene=MODELLED),
    _story("a continuation is restored that a finished sibling has left", G1, TURN, *_snapshot(
           "g1_g0", "g1_g1"), DONE_0, *SAVED_1, restarted(), DUE, scene=MODELLED),
    _story("a group goes stale between commit and capture", ALONE, TURN,
           hold_reply("commit", POLICY), *SAVED, _stale("g1"), let_go("commit", POLICY),
           restarted(), DUE, scene=MODELLED),
    _story("a restart follows a restart", ALONE, TURN, *SAVED, restarted(), restarted(),
           finish(attempt=1), DUE, scene=MODELLED),
    _story("a restored group waits to be admitted", submit(admitted=False), submit("g2"),
           *_snapshot("g2_g0"), restarted(), *_snapshot("g2_g0", attempt=1), restarted(),
           told("admit", group_id="g1", target_step=1), scene=MODELLED),
)  # fmt: skip

_FURTHER = tuple(_story(name, *actions, scene=scene) for name, actions, scene in FURTHER)

STORIES: tuple[Story, ...] = (*_RUNS, *_SNAPSHOTS, *_RESTARTS, *_FURTHER)
