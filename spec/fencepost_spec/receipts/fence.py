"""The control fence: one checkpoint at a time, from prepare or restore to resume.

Decided here: which phase follows which event. Not decided here: who may call what and in which
order refusals are asked (`operations.py`). May import `chart`, `rule` and the sources.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.sources import DECISION, GYM_2940, GYM_2942_REVIEW


# fmt: off
class CheckpointFence(Chart):
    """The phase of the one checkpoint that a server may have open."""

    idle = State(initial=True)
    preparing = State()
    prepared = State()
    committing = State()
    committed_paused = State()
    restoring = State()
    restored_paused = State()
    restore_failed_paused = State()

    prepare_called = (
        rule("R-FEN-1",
             "a checkpoint opens only from rest, and closes admission before anything else",
             GYM_2940,
             idle.to(preparing), facts=("2.2", "I5", "I15"))
        | rule("R-FEN-2", "after a missed deadline the same id asks again", DECISION,
               preparing.to(preparing), facts=("R1", "R2", "2.3", "P6"))
    )
    prepare_ready = (
        rule("R-FEN-3",
             "prepared means that everything stands where it can be written down", GYM_2940,
             preparing.to(prepared), facts=("2.2", "I6"))
    )
    prepare_missed = (
        rule("R-FEN-4",
             "a prepare that missed its deadline keeps its id and keeps admission closed", DECISION,
             preparing.to(preparing), facts=("R1", "D1"))
    )
    commit_called = (
        rule("R-FEN-5", "only a prepared checkpoint is written", GYM_2940,
             prepared.to(committing), facts=("2.2", "I6"))
    )
    commit_finished = (
        rule("R-FEN-6", "a written checkpoint stays paused until resume", GYM_2940,
             committing.to(committed_paused), facts=("2.2", "I22"))
    )
    commit_failed = (
        rule("R-FEN-7", "a commit that failed can be tried again or given up", GYM_2940,
             committing.to(prepared), facts=("2.1", "P6", "I15"))
    )
    restore_called = (
        rule("R-FEN-8", "a restore starts only from rest", GYM_2940,
             idle.to(restoring), facts=("2.2",))
        | rule("R-FEN-9", "a restore that failed closed may be tried again", GYM_2940,
               restore_failed_paused.to(restoring), facts=("2.2", "P6"))
    )
    restore_installed = (
        rule("R-FEN-10", "restored work waits for resume", GYM_2940,
             restoring.to(restored_paused), facts=("2.2", "I22"))
    )
    restore_refused = (
        rule("R-FEN-11", "a restore that installed nothing leaves no trace in the fence", GYM_2940,
             restoring.to(idle), facts=("2.2", "3.8", "P6"))
    )
    restore_failed_closed = (
        rule("R-FEN-12",
             "a policy model that closed before it failed stays closed where it can be seen",
             GYM_2940,
             restoring.to(restore_failed_paused), facts=("2.2", "4.4", "R20"))
    )
    resume_called = (
        rule("R-FEN-13",
             "resume finishes the id and opens admission, also for an id that never prepared here",
             GYM_2940,
             idle.to(idle), facts=("2.3", "P2"))
        | rule("R-FEN-14",
               "resume interrupts a prepare that waits, and nothing that prepare does later counts",
               GYM_2942_REVIEW,
               preparing.to(idle), facts=("A2", "I17", "R3", "P2"))
        | rule("R-FEN-15", "resume opens a prepared checkpoint without writing it", GYM_2940,
               prepared.to(idle), facts=("2.2", "P2"))
        | rule("R-FEN-16", "resume opens after a commit", GYM_2940,
               committed_paused.to(idle), facts=("2.2", "I22", "P2"))
        | rule("R-FEN-17", "resume lets restored work be claimed", GYM_2940,
               restored_paused.to(idle), facts=("2.2", "I22", "P2"))
        | rule("R-FEN-18", "resume gives a failed restore up", GYM_2940,
               restore_failed_paused.to(idle), facts=("2.2", "P2"))
    )
# fmt: on
