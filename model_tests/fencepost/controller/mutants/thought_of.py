"""The stories that were thought of for controllers that are wrong; each is told first.

A mutant that is not named here is told every story in turn, until one shows it.
"""

from collections.abc import Mapping
from typing import Final

SHOWN_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "a group for a step of the trainer is saved, and goes on after a restart": (
        "saves groups without their steps",
    ),
    "a group goes stale between commit and capture": ("ignores orphan continuations",),
    "a group goes stale while it runs": ("attempt without let_go in sent (R-CAT-18)",),
    "a group goes stale whose result is on its way": (
        "attempt without receipt_asked in kept (R-CAT-9)",
    ),
    "a group goes stale whose result was kept by an agent that is replaced, and runs again": (
        "attempt without let_go in adopting (R-CAT-18)",
    ),
    "a group is admitted while another is restored": ("relaunches in the order of the ledger",),
    "a group is handed over while a release is on its way": (
        "opens the gate before the release is confirmed",
    ),
    "a prepare is lost, and so is its rollback": (
        "closes resources first",
        "commits models first",
        "does not scope the commit of a model",
        "forgets who lost the reply to a prepare",
        "publication without gave_up in gated (R-CPB-11)",
        "transaction without given_up in preparing (R-CTX-7)",
    ),
    "a receipt arrives after its agent was replaced, when all have committed": (
        "publication with capture_called in committed (R-CPB-4) whatever nothing_is_owed",
        "transaction without given_up in committed (R-CTX-7)",
    ),
    "a release is lost": ("does not repeat a release",),
    "a reply is lost while a checkpoint is prepared": ("retires under an id of its own",),
    "a reserved group waits": (
        "burns reserved attempts",
        "dispatches while frozen",
        "refuses to start from a whole snapshot",
    ),
    "a restored run meets a closed door": (
        "transaction without release_called in restored (R-CTX-9)",
        "transaction without restore_called in idle (R-CTX-5)",
    ),
    "a server is replaced while it is used": ("publishes continuations without their sessions",),
    "a session is left by an attempt that failed": ("writes sessions of attempts that are over",),
    "a session is saved, and goes on after a restart": (
        "ends sessions that go on",
        "leaves resources servers out of a restore",
    ),
    "a sibling of a cohort fails": ("attempt without run_failed in sent (R-CAT-5)",),
    "a snapshot cannot be stored, and its release is lost": (
        "publication without storing_failed in described (R-CPB-10)",
        "publishes after failed storage",
        "takes a new id although the old one is not released",
    ),
    "a snapshot whose rename fails": ("publication without storing_failed in sealed (R-CPB-10)",),
    "a snapshot whose sidecars fails": (
        "publication without storing_failed in captured (R-CPB-10)",
    ),
    "an acknowledgement is on its way back when all are prepared, until the deadline": (
        "attempt without receipt_asked in finished (R-CAT-8)",
        "attempt without run_sent in waiting (R-CAT-1)",
        "publication without capture_called in committed (R-CPB-4)",
        "publication without concluded in published (R-CPB-12)",
    ),
    "an agent that said that it keeps a result is replaced, and the run fails there": (
        "attempt without run_failed in adopting (R-CAT-6)",
    ),
    "everything is replaced, and goes on from a snapshot": (
        "restores agents first",
        "runs sealed siblings again after a restart",
    ),
    "nobody knows what became of a group": ("asks the finalizer again after an unknown end",),
    "the disk of an agent fails": ("transaction without given_up in committing (R-CTX-7)",),
    "the newest snapshot is cut short, and an older one fits": (
        "goes on from a snapshot that it cannot read",
    ),
    "the newest snapshot is damaged, and the others are of another step": (
        "goes on from a snapshot of another step",
    ),
    "the only snapshot is changed": ("starts from nothing when its snapshot is damaged",),
    "the reply of a run is lost when it has finished": (
        "reruns after a lost reply without retiring",
        "reruns what it could adopt",
    ),
    "the trainer steps while a snapshot is taken": (
        "publication with capture_called in committed (R-CPB-4) whatever step_is_unchanged",
        "publication without capture_called in committed (R-CPB-5)",
        "publishes although the step has changed",
    ),
    "two groups have one prompt": (
        "goes on after an unknown end",
        "takes groups of one prompt for one",
    ),
    "what is restored goes stale before it is released": (
        "attempt without let_go in waiting (R-CAT-18)",
    ),
    "work that used what cannot be restored": ("keeps continuations that cannot go on",),
}
"""Mutants, by the story that shows them."""

THOUGHT_OF: Final[Mapping[str, str]] = {
    mutant: story for story, mutants in SHOWN_BY.items() for mutant in mutants
}
"""The story of each such mutant."""
