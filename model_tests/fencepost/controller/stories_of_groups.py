"""Courses of events that groups meet beside their runs: finalizers, prompts, admissions."""

from fencepost.controller.stories import DUE, MODELLED, Story
from fencepost.controller.telling import (
    AGENT_A,
    finalizer,
    finish,
    hold_reply,
    hold_request,
    let_go,
    restarted,
    submit,
    told,
    work,
)

_ACK = "acknowledge-completed"


GROUPS: tuple[Story, ...] = (
    Story.told("nobody knows what became of a group, and another goes on", submit(), submit("g2"),
               finalizer("unknown"), finish(), finish("g2_g0"), DUE),
    Story.told("two groups have one prompt", submit(prompt="7"), submit("g2", prompt="7"),
               finish(), finish("g2_g0")),
    Story.told("a cohort is whole after its first result was released",
               submit("g2", 2, "prompt_group"), finish("g2_g0"), hold_request(_ACK),
               finish("g2_g1"), let_go(_ACK)),
    Story.told("a group is admitted while another is restored", submit(admitted=False),
               submit("g2"), work("turn", "g2_g0"), DUE, work("turn", "g2_g0"),
               hold_reply("restore"), restarted(),
               told("admit", group_id="g1", target_step=1), let_go("restore", AGENT_A),
               scene=MODELLED),
    Story.told("a group for a step of the trainer is saved, and goes on after a restart",
               submit(target_step=1), DUE, work("turn"), restarted(), finish(attempt=1)),
    Story.told("groups that were admitted for their steps are saved, reserved ones too",
               submit(siblings=2, target_step=1), submit("g2", 2, "prompt_group", target_step=2,
               admitted=False), submit("g3", target_step=3, admitted=False),
               told("admit", group_id="g3", target_step=4), DUE, work("turn", "g1_g0"),
               work("turn", "g1_g1"), work("turn", "g3_g0")),
)  # fmt: skip
